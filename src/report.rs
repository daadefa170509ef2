//! What a run has to say: lines and messages in their order, and the tally.

use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::slice;

use crate::algorithm::{Algorithm, Checksum, Checksums};
use crate::fault::Fault;
use crate::format;
use crate::links::Link;
use crate::outcome::{ListTally, Tally};
use crate::plan::{Check, Job, Plan};

/// Lines that are written at once, in bytes.
const ENOUGH: usize = 64 << 10;

/// Writes lines to one stream and messages to another, and counts what went wrong.
pub struct Report<'a> {
    plan: &'a Plan,
    out: &'a mut (dyn Write + Send),
    err: &'a mut (dyn Write + Send),
    /// Lines that are not written yet.
    lines: Vec<u8>,
    /// A failed write that is still to be told.
    failure: Option<io::Error>,
    /// What went wrong.
    pub tally: Tally,
}

impl<'a> Report<'a> {
    /// A report of nothing yet.
    pub fn new(plan: &'a Plan, out: &'a mut (dyn Write + Send), err: &'a mut (dyn Write + Send)) -> Self {
        Self { plan, out, err, lines: Vec::new(), failure: None, tally: Tally::default() }
    }

    /// Writes a text, soon.
    ///
    /// # Errors
    /// That of writing the output, here and below.
    pub fn write(&mut self, text: &[u8]) -> io::Result<()> {
        self.lines.extend_from_slice(text);
        if self.lines.len() < ENOUGH { Ok(()) } else { self.show() }
    }

    /// Writes what is not written yet.
    ///
    /// # Errors
    /// As [`Report::write`].
    pub fn show(&mut self) -> io::Result<()> {
        let written = match self.failure.take() {
            Some(error) => Err(error),
            None if self.lines.is_empty() => Ok(()),
            None => self.out.write_all(&self.lines),
        };
        self.lines.clear();
        written
    }

    /// The output, for what is written by others.
    ///
    /// # Errors
    /// As [`Report::write`].
    pub fn output(&mut self) -> io::Result<&mut dyn Write> {
        self.show()?;
        Ok(&mut *self.out)
    }

    /// Writes the rest and gives the tally of a run that ended like this: with a message for an error, unless it is a closed pipe.
    pub fn end(mut self, result: io::Result<()>) -> Tally {
        if let Err(error) = result.and_then(|()| self.show()) {
            self.tally.unwritten += 1;
            if error.kind() != ErrorKind::BrokenPipe {
                self.say(&format!("{}: {}", self.plan.style.output, format::reason(&error)));
            }
        }
        self.tally
    }

    /// The lines of an input's digests, or the message why there is none.
    ///
    /// # Errors
    /// As [`Report::write`].
    pub fn digest(&mut self, job: &Job, result: io::Result<Checksums>) -> io::Result<()> {
        let checksums = match result {
            Ok(checksums) => checksums,
            Err(error) => {
                self.unreadable(job.source.name(), &error);
                return self.failure();
            }
        };
        for (algorithm, checksum) in self.plan.algorithms.iter().zip(checksums.as_slice()) {
            let missed = self.plan.expected.as_ref().filter(|expected| !is_digest(&expected.digits, checksum));
            self.tally.unexpected += u64::from(missed.is_some());
            let failed = missed.is_some_and(|expected| expected.marked);
            self.write(&format::digest_line(&self.plan.style, job.line, &job.source, algorithm, checksum, failed))?;
        }
        Ok(())
    }

    /// Whether a listed file has the listed digest, and why not.
    ///
    /// # Errors
    /// As [`Report::write`].
    pub fn verdict(
        &mut self,
        check: &Check,
        name: &[u8],
        wanted: &Checksum,
        result: io::Result<Checksums>,
        tally: &mut ListTally,
    ) -> io::Result<()> {
        let checksums = match result {
            Ok(checksums) => checksums,
            Err(error) => {
                if !(check.ignore_missing && error.kind() == ErrorKind::NotFound) {
                    tally.unreadable += 1;
                    self.say_about(name, &format::reason(&error));
                }
                return self.failure();
            }
        };
        let matched = checksums.as_slice() == slice::from_ref(wanted);
        *(if matched { &mut tally.matched } else { &mut tally.mismatched }) += 1;
        if check.status || (check.quiet && matched) {
            return Ok(());
        }
        self.write(&format::verdict_line(self.plan.style.names, name, matched))
    }

    /// A line of a list that is no entry.
    ///
    /// # Errors
    /// As [`Report::write`].
    pub fn malformed(&mut self, check: &Check, list: &[u8], number: u64, fault: &Fault) -> io::Result<()> {
        if check.warn {
            let text = format::malformed(number, &check.bad_line, fault, &self.plan.program);
            self.say_about(list, &text);
        }
        self.failure()
    }

    /// What there is to say at the end of a list; lines of it may look like those of another algorithm's.
    pub fn list(&mut self, check: &Check, name: &[u8], tally: &ListTally, looks_like: Option<&Algorithm>) {
        self.tally.failed_lists += u64::from(!tally.passes(check.strict));
        if tally.entries == 0 {
            self.say_about(name, check.no_lines);
        } else if !check.status {
            format::warnings(tally).iter().for_each(|warning| self.say(warning));
            if check.ignore_missing && tally.matched == 0 {
                self.say_about(name, "no file was verified");
            }
        }
        if let Some(algorithm) = looks_like.filter(|_| check.warn || (tally.entries == 0 && !check.status)) {
            self.say_about(name, &format::hint(algorithm));
        }
    }

    /// An input or a list that could not be read.
    pub fn unreadable(&mut self, name: &[u8], error: &io::Error) {
        self.tally.unreadable += 1;
        self.say_about(name, &format::reason(error));
    }

    /// Where a link leads, or the message why there is none. The program itself needs no link.
    ///
    /// # Errors
    /// As [`Report::write`].
    pub fn link(&mut self, name: &[u8], result: io::Result<Option<Link>>) -> io::Result<()> {
        match result {
            Ok(Some(Link { target, was_there })) => {
                let target = target.as_os_str().as_bytes();
                self.write(&format::link_line(self.plan.style.names, name, target, was_there))
            }
            Ok(None) => Ok(()),
            Err(error) => {
                self.tally.unlinked += 1;
                self.say_about(name, &format::reason(&error));
                self.failure()
            }
        }
    }

    /// A complaint about the command line, as it is.
    pub fn complain(&mut self, text: &[u8]) {
        self.tally.complaints += 1;
        self.put_error(text);
    }

    /// A message about a name.
    pub fn say_about(&mut self, name: &[u8], text: &str) {
        self.put_error(&format::message_about(&self.plan.program, self.plan.style.message_names, name, text));
    }

    fn say(&mut self, text: &str) {
        self.put_error(&format::message(&self.plan.program, text.as_bytes()));
    }

    /// Writes a message behind the lines before it, unless these cannot be written: then nothing more is said but that. Messages
    /// that cannot be written are lost: there is nowhere to say so, and the exit status tells.
    fn put_error(&mut self, message: &[u8]) {
        match self.show() {
            Ok(()) => drop(self.err.write_all(message)),
            Err(error) => self.failure = Some(error),
        }
    }

    /// A failed write that was not told yet.
    fn failure(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

fn is_digest(expected: &[u8], checksum: &Checksum) -> bool {
    expected.eq_ignore_ascii_case(checksum.to_hex().as_bytes())
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
