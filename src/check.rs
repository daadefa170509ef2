//! Checks the files of a digest list: its lines become jobs, and what came of them verdicts.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::slice;

use crate::algorithm::{Algorithm, Checksum, Checksums};
use crate::crew::{self, Intake, Outlet, Task};
use crate::fault::{self, Fault};
use crate::lines::{Lines, ListLine};
use crate::list::{self, Entry, Parsed, Parser, Reading};
use crate::open_list::OpenList;
use crate::outcome::ListTally;
use crate::plan::{Check, InputMode, Resources, Source};
use crate::report::Report;
use crate::source::{self, Identity};

/// Checks the files of a list, and tells of each.
///
/// # Errors
/// That of writing the output.
pub fn check(resources: Resources, check: &Check, report: &mut Report) -> io::Result<()> {
    let list_name: &[u8] = match &check.list {
        Source::StandardInput => b"standard input",
        named => named.name(),
    };
    let mut listed = match Listed::open(check) {
        Ok(listed) => listed,
        Err(error) => {
            report.unreadable(list_name, &error);
            return Ok(());
        }
    };
    let tally = ListTally::default();
    let mut verdicts = Verdicts { check, list_name, tally, looks_like: None, is_read: true, report };
    crew::run(resources, &mut listed, &mut verdicts)?;
    if verdicts.is_read {
        let Verdicts { tally, looks_like, .. } = verdicts;
        report.list(check, list_name, &tally, looks_like);
    }
    Ok(())
}

/// The lines of a digest list.
pub(crate) struct Listed<'a> {
    check: &'a Check,
    list: OpenList,
    parser: Parser<'a>,
}

impl<'a> Listed<'a> {
    /// Opens a list.
    ///
    /// # Errors
    /// The system's error.
    pub fn open(check: &'a Check) -> io::Result<Self> {
        let list = OpenList::new(&check.list, |input| Lines::new(input, check.grammar.terminator))?;
        Ok(Self { check, list, parser: Parser::new(&check.grammar) })
    }
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
pub(crate) enum Line {
    Entry {
        source: Source,
        /// The name in the list, if it is another than the source's.
        listed: Option<Vec<u8>>,
        algorithm: &'static Algorithm,
        mode: InputMode,
        wanted: Checksum,
        /// Why it cannot be said whether it is the list itself.
        error: Option<io::Error>,
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
    fn read(check: &Check, list: Identity, parser: &mut Parser, line: &ListLine) -> Self {
        if !line.is_whole {
            return Self::cut(check, line);
        }
        let entry = match parser.parse(line.bytes) {
            Parsed::Nothing => return Self::Nothing,
            Parsed::Entry(entry) => entry,
            Parsed::Malformed => {
                let fault = fault::find(line.bytes, &check.grammar);
                let looks_like = fault::looks_like(line.bytes, &check.grammar);
                return Self::Malformed { number: line.number, fault, looks_like };
            }
        };
        let (reading, source) = meant(&entry, check.base.as_deref());
        let is_list = list.is_of(&source);
        if let Ok(true) = is_list {
            // It cannot be read as the list and as a listed file.
            return Self::malformed(line.number, Fault::OwnInput);
        }
        parser.settle(reading);
        let listed = check.base.as_ref().map(|_| reading.name.to_vec());
        let (algorithm, mode, wanted) = (entry.algorithm, reading.mode, entry.wanted);
        Self::Entry { source, listed, algorithm, mode, wanted, error: is_list.err() }
    }

    /// A line that is too long, unless it is a comment; where lines end in NUL, there may be more than a comment in it. As its end
    /// is not known, the list's other lines learn nothing from it.
    fn cut(check: &Check, line: &ListLine) -> Self {
        if list::begins_comment(line.bytes) && check.grammar.terminator == b'\n' {
            Self::Nothing
        } else {
            Self::malformed(line.number, Fault::TooLong)
        }
    }

    fn malformed(number: u64, fault: Fault) -> Self {
        Self::Malformed { number, fault, looks_like: None }
    }
}

impl crew::Job for Line {
    fn task(&self) -> Option<Task<'_>> {
        match self {
            Self::Entry { source, algorithm, mode, error: None, .. } => {
                Some(Task { source, algorithms: slice::from_ref(algorithm), mode: *mode })
            }
            _ => None,
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
        let identity = self.list.identity;
        match self.list.lines.next_line() {
            Ok(line) => line.map(|line| Line::read(self.check, identity, &mut self.parser, &line)),
            Err(error) => Some(Line::Unreadable(error)),
        }
    }

    fn is_ready(&self) -> bool {
        self.list.is_ready()
    }
}

impl Outlet<Line> for Verdicts<'_, '_> {
    fn done(&mut self, line: Line, result: Option<io::Result<Checksums>>) -> io::Result<()> {
        match (line, result) {
            (Line::Entry { source, listed, wanted, error, .. }, result) => {
                let Some(result) = error.map(Err).or(result) else { return Ok(()) };
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
            (Line::Nothing, _) => Ok(()),
        }
    }

    fn show(&mut self) -> io::Result<()> {
        self.report.show()
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
