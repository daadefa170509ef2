//! Takes a plan's steps in order: opens, digests, compares, writes, and counts what went wrong.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;

use crate::algorithm::Checksum;
use crate::engine::Engine;
use crate::format;
use crate::lines::Lines;
use crate::list::{Entry, Parsed, Parser, Reading};
use crate::outcome::{ListTally, Tally};
use crate::plan::{Check, Job, Plan, Source, Step};
use crate::pump::{self, Failure};
use crate::source::{self, Input};
use crate::system::Standard;
use crate::{selftest, system, timetrial};

/// Does what the plan says and tells what went wrong. Lines go to `out` as soon as they are known, messages to `err`.
///
/// A failed write of `out` ends the run, with a message unless it is a closed pipe.
pub fn run(plan: &Plan, out: &mut dyn Write, err: &mut dyn Write) -> Tally {
    let mut run =
        Run { plan, out, err, engine: Engine::new(plan.buffer_size, plan.read_ahead), tally: Tally::default() };
    for step in &plan.steps {
        if let Err(error) = run.step(step) {
            run.tally.unwritten += 1;
            if error.kind() != ErrorKind::BrokenPipe {
                run.say(&format!("{}: {}", plan.style.output, format::reason(&error)));
            }
            break;
        }
    }
    run.tally
}

struct Run<'a> {
    plan: &'a Plan,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    engine: Engine,
    tally: Tally,
}

impl Run<'_> {
    /// Takes one step. The error is that of writing the output.
    fn step(&mut self, step: &Step) -> io::Result<()> {
        match step {
            Step::Print(text) => self.out.write_all(text.as_bytes()),
            Step::Complain(text) => {
                self.tally.complaints += 1;
                self.put_error(text);
                Ok(())
            }
            Step::TimeTrial => self.time_trial(),
            Step::SelfTest => self.self_test(),
            Step::Digest(job) => self.digest(job),
            Step::Check(check) => self.check(check),
        }
    }

    fn time_trial(&mut self) -> io::Result<()> {
        self.out.write_all(timetrial::heading(self.plan.algorithm).as_bytes())?;
        let before = system::user_time();
        let digest = timetrial::digest(self.plan.algorithm);
        let time = system::user_time().saturating_sub(before);
        self.out.write_all(timetrial::report(&digest, time).as_bytes())
    }

    fn self_test(&mut self) -> io::Result<()> {
        self.out.write_all(selftest::heading(self.plan.algorithm).as_bytes())?;
        for (line, right) in selftest::lines(self.plan.algorithm) {
            self.tally.wrong_answers += u64::from(!right);
            self.out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    fn digest(&mut self, job: &Job) -> io::Result<()> {
        if job.pass_through {
            system::enlarge_pipe(Standard::Output, pump::DEFAULT_BUFFER_SIZE);
        }
        let copy: Option<&mut dyn Write> = if job.pass_through { Some(&mut *self.out) } else { None };
        let checksum = match self.engine.digest(&job.source, self.plan.algorithm, self.plan.mode, copy) {
            Ok(checksum) => checksum,
            Err(Failure::Output(error)) => return Err(error),
            Err(Failure::Input(error)) => {
                self.tally.unreadable += 1;
                self.say_about(job.source.name(), &format::reason(&error));
                return Ok(());
            }
        };
        let missed = self.plan.expected.as_ref().filter(|expected| !is_digest(&expected.digits, &checksum));
        self.tally.unexpected += u64::from(missed.is_some());
        let failed = missed.is_some_and(|expected| expected.marked);
        self.out.write_all(&format::digest_line(&self.plan.style, job.line, &job.source, &checksum, failed))
    }

    fn check(&mut self, check: &Check) -> io::Result<()> {
        let list_name = match &check.list {
            Source::StandardInput => b"standard input",
            named => named.name(),
        };
        let tally = match open_list(&check.list) {
            Ok(input) => self.check_lines(check, list_name, input)?,
            Err(error) => Err(error),
        };
        let tally = match tally {
            Ok(tally) => tally,
            Err(error) => {
                self.tally.unreadable += 1;
                self.say_about(list_name, &format::reason(&error));
                return Ok(());
            }
        };
        self.tally.failed_lists += u64::from(!tally.passes(check.strict));
        if tally.entries == 0 {
            self.say_about(list_name, check.no_lines);
        } else if !check.status {
            format::warnings(&tally).iter().for_each(|warning| self.say(warning));
            if check.ignore_missing && tally.matched == 0 {
                self.say_about(list_name, "no file was verified");
            }
        }
        Ok(())
    }

    /// Checks line by line. The outer error is that of writing, the inner that of reading the list.
    fn check_lines(&mut self, check: &Check, list_name: &[u8], input: Input) -> io::Result<io::Result<ListTally>> {
        let mut tally = ListTally::default();
        let mut lines = Lines::new(input);
        let mut parser = Parser::new(&check.algorithms, check.marks_first);
        loop {
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return Ok(Ok(tally)),
                Err(error) => return Ok(Err(error)),
            };
            let entry = match parser.parse(line.bytes) {
                Parsed::Nothing => continue,
                Parsed::Entry(entry) if line.is_whole => Some(entry),
                Parsed::Entry(_) | Parsed::Malformed => None,
            };
            match entry.as_ref().map(|entry| (entry, meant(entry))) {
                // Standard input cannot be read as the list and as a listed file.
                Some((_, (_, Source::StandardInput))) if matches!(check.list, Source::StandardInput) => {
                    tally.malformed += 1
                }
                Some((entry, (reading, source))) => {
                    tally.entries += 1;
                    parser.settle(reading);
                    self.check_entry(check, entry, reading, &source, &mut tally)?;
                    continue;
                }
                None => tally.malformed += 1,
            }
            if check.warn {
                self.say_about(list_name, &format!("{}: {}", line.number, check.bad_line));
            }
        }
    }

    fn check_entry(
        &mut self,
        check: &Check,
        entry: &Entry,
        reading: &Reading,
        source: &Source,
        tally: &mut ListTally,
    ) -> io::Result<()> {
        let checksum = match self.engine.digest(source, entry.algorithm, reading.mode, None) {
            Ok(checksum) => checksum,
            Err(Failure::Output(error)) => return Err(error),
            Err(Failure::Input(error)) => {
                if !(check.ignore_missing && error.kind() == ErrorKind::NotFound) {
                    tally.unreadable += 1;
                    self.say_about(source.name(), &format::reason(&error));
                }
                return Ok(());
            }
        };
        let matched = checksum == entry.wanted;
        *(if matched { &mut tally.matched } else { &mut tally.mismatched }) += 1;
        if check.status || (check.quiet && matched) {
            return Ok(());
        }
        self.out.write_all(&format::verdict_line(self.plan.style.names, source.name(), matched))
    }

    fn say(&mut self, text: &str) {
        self.put_error(&format::message(&self.plan.program, text.as_bytes()));
    }

    fn say_about(&mut self, name: &[u8], text: &str) {
        self.put_error(&format::message_about(&self.plan.program, self.plan.style.message_names, name, text));
    }

    /// Messages that cannot be written are lost: there is nowhere to say so, and the exit status tells.
    fn put_error(&mut self, message: &[u8]) {
        let _ = self.err.write_all(message);
    }
}

fn is_digest(expected: &[u8], checksum: &Checksum) -> bool {
    expected.eq_ignore_ascii_case(checksum.to_hex().as_bytes())
}

fn open_list(list: &Source) -> io::Result<Input> {
    match list {
        Source::StandardInput => Input::standard_input(),
        named => Input::open(OsStr::from_bytes(named.name())),
    }
}

/// The first reading of an entry's name for which there is a file, else the likeliest, and its source. Only the likeliest
/// reading can be standard input: a name that became `-` by undoing something is a file's.
fn meant<'e>(entry: &'e Entry) -> (&'e Reading<'e>, Source) {
    let name = |reading: &'e Reading| OsStr::from_bytes(&reading.name).to_owned();
    match entry.readings.as_slice() {
        [first] => (first, Source::operand(name(first))),
        readings => match readings.iter().position(|reading| source::exists(&name(reading))) {
            None | Some(0) => (&readings[0], Source::operand(name(&readings[0]))),
            Some(other) => (&readings[other], Source::File(name(&readings[other]))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_digest_is_compared_without_case() {
        let checksum = Checksum::new(&[0xab, 0xcd]);
        assert!(is_digest(b"ABcd", &checksum));
        assert!(!is_digest(b"abcd0", &checksum) && !is_digest(b"", &checksum));
    }
}
