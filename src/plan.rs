//! The vocabulary between the command line and the run: what was asked for, with every habit of a dialect spelt out.
//!
//! Nothing behind this module asks which dialect it serves.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use crate::algorithm::{ALGORITHMS, Algorithm};
use crate::invocation::Invocation;

/// Everything one run does.
#[derive(Debug)]
pub struct Plan {
    /// The name messages start with: the last component of argv\[0\].
    pub program: Vec<u8>,
    /// The algorithms of every step that does not bring its own, one or more.
    pub algorithms: Vec<&'static Algorithm>,
    /// How lines and messages are written.
    pub style: Style,
    /// How the input's bytes become the message.
    pub mode: InputMode,
    /// How the folders among the inputs are walked; `None` makes each of them an error.
    pub walk: Option<Walk>,
    /// Whether the terminal shows how far it is.
    pub progress: bool,
    /// What may be used for it.
    pub resources: Resources,
    /// The digest every input must have.
    pub expected: Option<Expected>,
    /// What to do, in this order.
    pub steps: Vec<Step>,
}

impl Plan {
    /// A plan of no steps for the program that was called.
    pub fn new(invocation: &Invocation, style: Style) -> Self {
        Self {
            program: invocation.program.clone(),
            algorithms: vec![invocation.algorithm],
            style,
            mode: InputMode::Binary,
            walk: None,
            progress: false,
            resources: Resources::default(),
            expected: None,
            steps: Vec::new(),
        }
    }
}

/// What a run may use.
#[derive(Debug, Default, Clone, Copy)]
pub struct Resources {
    /// The buffer's size in bytes; `None` lets each file's record size have its say.
    pub buffer_size: Option<usize>,
    /// Buffers of a file on their way at once; `None` lets the store's speed decide, 0 reads in line.
    pub read_ahead: Option<usize>,
    /// Threads that digest files at once; 1 takes strictly one after the other, `None` is as many as there are processors.
    pub jobs: Option<usize>,
}

/// The digest inputs are compared with.
#[derive(Debug, Clone)]
pub struct Expected {
    /// Its digits as they were typed.
    pub digits: Vec<u8>,
    /// Whether the line of an input with another digest says so.
    pub marked: bool,
}

/// One thing to do.
#[derive(Debug)]
pub enum Step {
    /// Write a text, such as the help, to standard output.
    Print(String),
    /// Tell what the run has given up.
    TellSandbox,
    /// Write a complaint about the command line to standard error; the run fails.
    Complain(Vec<u8>),
    /// Time the algorithm.
    TimeTrial,
    /// Digest the known messages and compare.
    SelfTest,
    /// Digest one input and write its line.
    Digest(Job),
    /// Digest the inputs whose names are in a list.
    DigestListed(NameList),
    /// Check the files of one digest list.
    Check(Check),
    /// Link names of the family to the running program.
    InstallLinks(Links),
}

/// Links to make.
#[derive(Debug)]
pub struct Links {
    /// The folder they are made in.
    pub folder: OsString,
    /// Their names.
    pub names: Vec<String>,
    /// Whether files and links of these names are replaced.
    pub force: bool,
}

/// One input to digest.
#[derive(Debug)]
pub struct Job {
    /// Where the bytes come from.
    pub source: Source,
    /// The form of its line.
    pub line: Line,
    /// Whether the input is copied to standard output on the way.
    pub pass_through: bool,
}

/// A list of the names of inputs to digest.
#[derive(Debug)]
pub struct NameList {
    /// The list.
    pub list: Source,
    /// The byte that ends a name.
    pub terminator: u8,
    /// The form of their lines.
    pub line: Line,
}

/// How a folder is walked.
#[derive(Debug, Clone, Copy)]
pub struct Walk {
    /// Whether symbolic links in it are followed.
    pub follow: bool,
    /// Whether the folders of other file systems are left out.
    pub one_file_system: bool,
    /// Whether what is passed over is named.
    pub warn: bool,
}

/// Where bytes come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The file of this name.
    File(OsString),
    /// Standard input.
    StandardInput,
    /// The bytes themselves.
    Text(Vec<u8>),
}

impl Source {
    /// What an operand means: `-` is standard input, all else a file.
    pub fn operand(name: OsString) -> Self {
        if name == "-" { Self::StandardInput } else { Self::File(name) }
    }

    /// The name of the file, if it is one.
    pub fn file_name(&self) -> Option<&OsStr> {
        if let Self::File(name) = self { Some(name) } else { None }
    }

    /// The name its line shows.
    pub fn name(&self) -> &[u8] {
        match self {
            Self::File(name) => name.as_bytes(),
            Self::StandardInput => b"-",
            Self::Text(text) => text,
        }
    }
}

/// The form of a digest line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// The digest alone.
    Bare,
    /// `TAG (name) = digest`.
    Tagged,
    /// `digest name`.
    Reversed,
    /// `digest`, a space, the mark, and the name.
    Marked(u8),
}

/// How an input's bytes become the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputMode {
    /// As they are. Text mode is the same on Unix.
    Binary,
    /// Carriage return, and carriage return with line feed, become line feed.
    Universal,
    /// The characters `0` and `1` are the message's bits; all else is skipped.
    Bits,
}

/// How names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// As they are.
    Raw,
    /// In vis(3)'s C style.
    Vis,
    /// With GNU's backslash at the start of the line.
    Backslash,
    /// Quoted for a shell, as GNU's messages do.
    ShellQuoted,
}

/// How lines and messages are written.
#[derive(Debug, Clone)]
pub struct Style {
    /// The tag of an algorithm's tagged lines.
    pub tag: fn(&Algorithm) -> &'static str,
    /// Names on standard output.
    pub names: Names,
    /// Names in messages.
    pub message_names: Names,
    /// The byte that ends a digest line.
    pub terminator: u8,
    /// What a message calls the output that could not be written.
    pub output: &'static str,
}

/// A digest list to check and how to tell of it.
#[derive(Debug, Clone)]
pub struct Check {
    /// The list.
    pub list: Source,
    /// Which of its lines are entries.
    pub grammar: Grammar,
    /// The folder where relative names start, if it is not the current one.
    pub base: Option<OsString>,
    /// Whether the files that match go without a line.
    pub quiet: bool,
    /// Whether everything but errors goes unsaid.
    pub status: bool,
    /// Whether each improperly formatted line is named.
    pub warn: bool,
    /// Whether an improperly formatted line fails the check.
    pub strict: bool,
    /// Whether absent files are passed over.
    pub ignore_missing: bool,
    /// What `warn` says of a line: `improperly formatted MD5 checksum line`.
    pub bad_line: String,
    /// What is said of a list without a single good line.
    pub no_lines: &'static str,
}

/// Which lines of a digest list are entries.
#[derive(Debug, Clone)]
pub struct Grammar {
    /// The algorithms whose tags are known.
    pub tagged: Vec<&'static Algorithm>,
    /// The algorithms of lines without a tag: the first of these that has the digest's length.
    pub untagged: Vec<&'static Algorithm>,
    /// Whether ` U` and ` ^` before a name are input modes first, and part of the name only if no such file is there.
    pub marks_first: bool,
    /// The byte that ends a line: line feed, or NUL in lists whose names stand as they are.
    pub terminator: u8,
}

impl Grammar {
    /// That of lists of these algorithms.
    pub fn of(algorithms: &[&'static Algorithm]) -> Self {
        Self { tagged: algorithms.to_vec(), untagged: algorithms.to_vec(), marks_first: false, terminator: b'\n' }
    }

    /// That of lists of every algorithm: of lines without a tag, the digest's length tells which.
    pub fn any() -> Self {
        let owners = ALGORITHMS.iter().filter(|algorithm| algorithm.owns_length);
        Self { tagged: ALGORITHMS.iter().collect(), untagged: owners.collect(), ..Self::of(&[]) }
    }

    /// Takes the lines of every algorithm too.
    pub fn accept_any(&mut self) {
        let any = Self::any();
        self.tagged = any.tagged;
        self.untagged.extend(any.untagged);
    }
}
