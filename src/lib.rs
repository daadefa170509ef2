//! md5(1) and its whole family, in the dialects of FreeBSD, GNU coreutils and Perl.
//!
//! # The way of the data
//!
//! ```text
//! argv[0], args → Invocation → Plan → open, read, transform, hash → Checksum → compare → line → output; at the end Tally → exit status
//! ```
//!
//! It goes one way. In reading order:
//!
//! - [`invocation`]: argv\[0\] → program, dialect, algorithm.
//! - [`algorithm`]: the table, one row an algorithm, with its hasher; [`bits`] pads the messages that end inside a byte;
//!   [`vectors`] holds the self-test's answers.
//! - [`plan`]: the vocabulary between the command line and the run.
//! - [`cli`]: arguments → plan; getopt's habits; one file a dialect; what is generated from the options: manual pages and
//!   completions.
//! - [`run`]: takes the steps in order; [`operands`]: those that digest an input, or the files of a [`tree`], [`check`]: those that check a list.
//! - [`lines`], [`list`]: a digest list's bytes → lines → entries; [`open_list`] reads such lists and those of names; [`fault`]: why a line is none.
//! - [`mod@format`], [`name`]: lines and messages → bytes.
//! - [`outcome`]: what happened → exit status.
//! - [`crew`]: jobs → checksums in the order given, on several threads; [`engine`]: one source → its checksum.
//! - [`source`] opens, [`pump`] reads whole buffers, [`ahead`] several of a file at once,
//!   [`message`] and [`transform`] make the message of them, [`spread`] those of several algorithms at once; [`passing`] writes them too.
//! - [`report`]: lines, messages and the tally of a run.
//! - [`meter`]: how far it is; [`progress`] shows it, and [`survey`] finds out how far it has to go.
//! - [`sandbox`]: what a run gives up before it reads.
//! - [`selftest`], [`timetrial`]; [`links`]: links of the family's names to the program.
//! - [`system`]: the system calls no crate wraps; [`kernel`]: our own compression functions. These and the start of
//!   `main` are the only homes of `unsafe`: the compiler refuses it elsewhere.
//!
//! # What always holds
//!
//! - A digest is written only for bytes that were all read. Every other outcome is a message and the exit status.
//! - Nothing exits early: a run ends by coming to the end of its steps or by a failed write.
//! - Nothing behind `cli` asks which dialect it serves; the plan carries names' spelling, line forms and messages.
//! - Names are bytes, from the argument to the output.
//! - `invocation`, `list`, `fault`, `format`, `name` and `outcome` never touch the file system.
//! - Nothing is written but standard output, standard error, and the links of `--install-links`.
//! - Only `crew` knows that there are threads: whoever gives it jobs and takes their results sees one after the other. Only regular
//!   files are read before their turn.
//!
//! # Absent on purpose
//!
//! - mmap(2): a file cut short while it is mapped kills the reader.
//! - Trust in sizes from stat(2): files in /proc have none, and others grow and shrink. The end is where a read gives nothing, or
//!   less than asked for and as much as the size said.
//! - Synchronous writes: whoever wants them runs sync(1).

pub mod ahead;
pub mod algorithm;
pub mod bits;
pub mod check;
pub mod cli;
pub mod crew;
pub mod engine;
pub mod fault;
pub mod format;
pub mod invocation;
#[allow(unsafe_code, reason = "processor instructions")]
pub mod kernel;
pub mod lines;
pub mod links;
pub mod list;
pub mod message;
pub mod meter;
pub mod name;
pub mod open_list;
pub mod operands;
pub mod outcome;
pub mod passing;
pub mod plan;
pub mod progress;
pub mod pump;
#[cfg(test)]
#[path = "../tests/suite/random.rs"]
mod random;
pub mod report;
pub mod run;
pub mod sandbox;
pub mod selftest;
pub mod source;
pub mod spread;
pub mod survey;
#[allow(unsafe_code, reason = "system calls")]
pub mod system;
pub mod timetrial;
pub mod transform;
pub mod tree;
pub mod vectors;
