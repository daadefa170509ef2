//! Takes a plan's steps in order: has inputs digested, compares, writes, and counts what went wrong.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::algorithm::{Algorithm, Checksum};
use crate::crew::{self, Intake, Outlet, Task};
use crate::fault::{self, Fault};
use crate::lines::{Lines, ListLine};
use crate::list::{Entry, Parsed, Parser, Reading};
use crate::message::Message;
use crate::outcome::{ListTally, Tally};
use crate::plan::{Check, InputMode, Job, Plan, Source, Step};
use crate::pump::{self, Failure};
use crate::report::Report;
use crate::source::{self, Identity, Input};
use crate::system::Standard;
use crate::{passing, selftest, system, timetrial};

/// Does what the plan says and tells what went wrong. Lines go to `out` as soon as they are known, messages to `err`.
///
/// A failed write of `out` ends the run, with a message unless it is a closed pipe.
pub fn run(plan: &Plan, out: &mut (dyn Write + Send), err: &mut (dyn Write + Send)) -> Tally {
    let mut report = Report::new(plan, out, err);
    // Files in a row may be digested at once; all else is done by itself.
    let groups = plan.steps.chunk_by(|one, other| is_plain(one) && is_plain(other));
    let result = groups.map(|group| take(plan, group, &mut report)).find(Result::is_err);
    report.end(result.unwrap_or(Ok(())))
}

/// Whether a step is no more than the digest of an input.
fn is_plain(step: &Step) -> bool {
    matches!(step, Step::Digest(job) if !job.pass_through)
}

/// Takes steps that go together. The error is that of writing the output.
fn take(plan: &Plan, steps: &[Step], report: &mut Report) -> io::Result<()> {
    match steps {
        [Step::Print(text)] => report.write(text.as_bytes()),
        [Step::Complain(text)] => {
            report.complain(text);
            Ok(())
        }
        [Step::TimeTrial] => time_trial(plan.algorithm, report),
        [Step::SelfTest] => self_test(plan.algorithm, report),
        [Step::Check(check)] => self::check(plan, check, report),
        [Step::Digest(job)] if job.pass_through => pass_through(plan, job, report),
        steps => crew::run(plan.resources, &mut Operands { plan, steps: steps.iter() }, report),
    }
}

fn time_trial(algorithm: &Algorithm, report: &mut Report) -> io::Result<()> {
    report.write(timetrial::heading(algorithm).as_bytes())?;
    report.show()?;
    let before = system::user_time();
    let digest = timetrial::digest(algorithm);
    let time = system::user_time().saturating_sub(before);
    report.write(timetrial::report(&digest, time).as_bytes())
}

fn self_test(algorithm: &Algorithm, report: &mut Report) -> io::Result<()> {
    report.write(selftest::heading(algorithm).as_bytes())?;
    for (line, is_right) in selftest::lines(algorithm) {
        report.tally.wrong_answers += u64::from(!is_right);
        report.write(line.as_bytes())?;
    }
    Ok(())
}

fn pass_through(plan: &Plan, job: &Job, report: &mut Report) -> io::Result<()> {
    system::enlarge_pipe(Standard::Output, pump::DEFAULT_BUFFER_SIZE);
    match pass(plan, &job.source, report.output()?) {
        Err(Failure::Output(error)) => Err(error),
        Err(Failure::Input(error)) => report.digest(job, Err(error)),
        Ok(checksum) => report.digest(job, Ok(checksum)),
    }
}

fn pass(plan: &Plan, source: &Source, copy: &mut dyn Write) -> Result<Checksum, Failure> {
    let mut input = open(source).map_err(Failure::Input)?;
    let size = pump::buffer_size(plan.resources.buffer_size, input.record_size);
    let message = Message::new(plan.algorithm, plan.mode).map_err(Failure::Input)?;
    passing::pass(&mut input, size, message, copy)
}

/// The inputs of a run of steps.
struct Operands<'a> {
    plan: &'a Plan,
    steps: std::slice::Iter<'a, Step>,
}

/// One of them.
struct Operand<'a> {
    job: &'a Job,
    algorithm: &'static Algorithm,
    mode: InputMode,
}

impl crew::Job for Operand<'_> {
    fn task(&self) -> Option<Task<'_>> {
        Some(Task { source: &self.job.source, algorithm: self.algorithm, mode: self.mode })
    }
}

impl<'a> Intake for Operands<'a> {
    type Job = Operand<'a>;

    fn next(&mut self) -> Option<Self::Job> {
        let Some(Step::Digest(job)) = self.steps.next() else { return None };
        Some(Operand { job, algorithm: self.plan.algorithm, mode: self.plan.mode })
    }

    fn is_ready(&self) -> bool {
        true
    }
}

impl Outlet<Operand<'_>> for Report<'_> {
    fn done(&mut self, operand: Operand, result: Option<io::Result<Checksum>>) -> io::Result<()> {
        result.map_or(Ok(()), |result| self.digest(operand.job, result))
    }

    fn show(&mut self) -> io::Result<()> {
        self.show()
    }
}

fn check(plan: &Plan, check: &Check, report: &mut Report) -> io::Result<()> {
    let list_name: &[u8] = match &check.list {
        Source::StandardInput => b"standard input",
        named => named.name(),
    };
    let input = match open(&check.list) {
        Ok(input) => input,
        Err(error) => {
            report.unreadable(list_name, &error);
            return Ok(());
        }
    };
    let mut listed = Listed {
        check,
        is_file: input.is_regular(),
        identity: Identity::of(&check.list),
        lines: Lines::new(input, check.grammar.terminator),
        parser: Parser::new(&check.grammar),
        is_over: false,
    };
    let tally = ListTally::default();
    let mut verdicts = Verdicts { check, list_name, tally, looks_like: None, is_read: true, report };
    crew::run(plan.resources, &mut listed, &mut verdicts)?;
    if verdicts.is_read {
        let Verdicts { tally, looks_like, .. } = verdicts;
        report.list(check, list_name, &tally, looks_like);
    }
    Ok(())
}

/// The lines of a digest list.
struct Listed<'a> {
    check: &'a Check,
    /// Whether the list is all there to be read.
    is_file: bool,
    /// Of a list that is read through a descriptor which other names may stand for.
    identity: Option<Identity>,
    lines: Lines<Input>,
    parser: Parser<'a>,
    is_over: bool,
}

/// What they come to.
struct Verdicts<'a, 'r> {
    check: &'a Check,
    list_name: &'a [u8],
    tally: ListTally,
    /// The algorithm of the first line that would be an entry of another list.
    looks_like: Option<&'static Algorithm>,
    /// Whether the list was read without an error.
    is_read: bool,
    report: &'a mut Report<'r>,
}

/// A line of a list.
enum Line {
    Entry {
        source: Source,
        /// The name in the list, if it is another than the source's.
        listed: Option<Vec<u8>>,
        algorithm: &'static Algorithm,
        mode: InputMode,
        wanted: Checksum,
    },
    Malformed {
        number: u64,
        fault: Fault,
        looks_like: Option<&'static Algorithm>,
    },
    Unreadable(io::Error),
    /// Blank, or a comment.
    Nothing,
}

impl Line {
    fn read(check: &Check, list: Option<Identity>, parser: &mut Parser, line: &ListLine) -> Self {
        let entry = match parser.parse(line.bytes) {
            Parsed::Nothing if line.is_whole || line.bytes.trim_ascii_start().starts_with(b"#") => {
                return Self::Nothing;
            }
            Parsed::Entry(entry) if line.is_whole => entry,
            Parsed::Malformed if line.is_whole => {
                let fault = fault::find(line.bytes, &check.grammar);
                let looks_like = fault::looks_like(line.bytes, &check.grammar);
                return Self::Malformed { number: line.number, fault, looks_like };
            }
            _ => return Self::malformed(line.number, Fault::TooLong),
        };
        let (reading, source) = meant(&entry, check.base.as_deref());
        if list.is_some() && Identity::of(&source) == list {
            // It cannot be read as the list and as a listed file.
            return Self::malformed(line.number, Fault::OwnInput);
        }
        parser.settle(reading);
        let listed = check.base.as_ref().map(|_| reading.name.to_vec());
        Self::Entry { source, listed, algorithm: entry.algorithm, mode: reading.mode, wanted: entry.wanted }
    }

    fn malformed(number: u64, fault: Fault) -> Self {
        Self::Malformed { number, fault, looks_like: None }
    }
}

impl crew::Job for Line {
    fn task(&self) -> Option<Task<'_>> {
        match self {
            Self::Entry { source, algorithm, mode, .. } => Some(Task { source, algorithm, mode: *mode }),
            Self::Malformed { .. } | Self::Unreadable(_) | Self::Nothing => None,
        }
    }

    fn memory(&self) -> usize {
        let name = match self {
            Self::Entry { source, listed, .. } => source.name().len() + listed.as_ref().map_or(0, Vec::len),
            Self::Malformed { .. } | Self::Unreadable(_) | Self::Nothing => 0,
        };
        size_of::<Self>() + name
    }
}

impl Intake for Listed<'_> {
    type Job = Line;

    fn next(&mut self) -> Option<Line> {
        if self.is_over {
            return None;
        }
        match self.lines.next_line() {
            Ok(line) => line.map(|line| Line::read(self.check, self.identity, &mut self.parser, &line)),
            Err(error) => {
                self.is_over = true;
                Some(Line::Unreadable(error))
            }
        }
    }

    fn is_ready(&self) -> bool {
        self.is_file || self.lines.has_line()
    }
}

impl Outlet<Line> for Verdicts<'_, '_> {
    fn done(&mut self, line: Line, result: Option<io::Result<Checksum>>) -> io::Result<()> {
        match (line, result) {
            (Line::Entry { source, listed, wanted, .. }, Some(result)) => {
                self.tally.entries += 1;
                let name = listed.as_deref().unwrap_or_else(|| source.name());
                self.report.verdict(self.check, name, &wanted, result, &mut self.tally)
            }
            (Line::Malformed { number, fault, looks_like }, _) => {
                self.tally.malformed += 1;
                self.looks_like = self.looks_like.or(looks_like);
                self.report.malformed(self.check, self.list_name, number, &fault)
            }
            (Line::Unreadable(error), _) => {
                self.is_read = false;
                self.report.unreadable(self.list_name, &error);
                Ok(())
            }
            (Line::Entry { .. } | Line::Nothing, _) => Ok(()),
        }
    }

    fn show(&mut self) -> io::Result<()> {
        self.report.show()
    }
}

fn open(source: &Source) -> io::Result<Input> {
    match source {
        Source::StandardInput => Input::standard_input(),
        named => Input::open(OsStr::from_bytes(named.name())),
    }
}

/// The first reading of an entry's name for which there is a file, else the likeliest, and its source. Only the likeliest
/// reading can be standard input: a name that became `-` by undoing something is a file's. Relative names start in `base`.
fn meant<'e>(entry: &'e Entry, base: Option<&OsStr>) -> (&'e Reading<'e>, Source) {
    let path = |reading: &Reading| {
        let name = OsStr::from_bytes(&reading.name);
        base.map_or_else(|| name.to_owned(), |base| Path::new(base).join(name).into())
    };
    let exists = |reading: &Reading| source::exists(&path(reading));
    let mut others = entry.others.iter();
    let other = if others.len() == 0 || exists(&entry.likeliest) { None } else { others.find(|other| exists(other)) };
    match other {
        Some(other) => (other, Source::File(path(other))),
        None if *entry.likeliest.name == *b"-" => (&entry.likeliest, Source::StandardInput),
        None => (&entry.likeliest, Source::File(path(&entry.likeliest))),
    }
}
