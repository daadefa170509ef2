//! The inputs of a run, in the order given: those that are named, and those of folders and of lists of names.

use std::ffi::{OsStr, OsString};
use std::io;
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::slice;

use crate::algorithm::Checksums;
use crate::crew::{self, Intake, Outlet, Task};
use crate::format;
use crate::lines::Lines;
use crate::open_list::OpenList;
use crate::plan::{Job, Line, NameList, Plan, Source, Step};
use crate::report::Report;
use crate::source;
use crate::tree::{Found, Tree};

/// The inputs of a run of steps.
pub struct Operands<'a> {
    plan: &'a Plan,
    steps: slice::Iter<'a, Step>,
    /// The list whose names come before the next step.
    names: Option<Names<'a>>,
    /// The folders whose files come before the next name, innermost last, and the form of their lines.
    trees: Vec<(Tree, Line)>,
    /// Whether the innermost one is opened again, perhaps as there was no descriptor left: it waits for others to be closed.
    is_second_try: bool,
}

/// A list of names that is being read.
struct Names<'a> {
    /// What asks for it.
    of: &'a NameList,
    list: OpenList,
}

/// One of them.
pub struct Operand<'a> {
    plan: &'a Plan,
    content: Content<'a>,
}

enum Content<'a> {
    Given(&'a Job),
    Found(Job),
    /// The end of a folder, of a list, or of anything else behind which may be what is to be waited for.
    Nothing,
    Skipped(OsString, &'static str),
    Unreadable(OsString, io::Error),
}

impl<'a> Operands<'a> {
    /// Those of these steps, which all digest inputs.
    pub fn new(plan: &'a Plan, steps: &'a [Step]) -> Self {
        Self { plan, steps: steps.iter(), names: None, trees: Vec::new(), is_second_try: false }
    }

    /// The next file of the folder at hand.
    fn next_of_tree(&mut self, mut tree: Tree, line: Line) -> Content<'a> {
        let is_second_try = mem::take(&mut self.is_second_try);
        let found = tree.next();
        if found.is_some() {
            self.trees.push((tree, line));
        }
        match found {
            None => Content::Nothing,
            Some(Found::File(name)) => Content::Found(job(Source::File(name), line)),
            Some(Found::Skipped(name, what)) => Content::Skipped(name, what),
            Some(Found::TryAgain(name, _)) if !is_second_try => {
                self.enter(&Source::File(name), line);
                self.is_second_try = true;
                Content::Nothing
            }
            Some(Found::Unreadable(name, error) | Found::TryAgain(name, error)) => Content::Unreadable(name, error),
        }
    }

    /// The next name of the list at hand.
    fn next_of_names(&mut self, mut names: Names<'a>) -> Content<'a> {
        let line = names.of.line;
        let content = match names.next_source() {
            None => return Content::Nothing,
            Some(Ok(None)) => Content::Nothing,
            Some(Ok(Some(source))) if self.enter(&source, line) => Content::Found(job(source, line)),
            Some(Ok(Some(_))) => Content::Nothing,
            Some(Err((name, error))) => Content::Unreadable(name, error),
        };
        self.names = Some(names);
        content
    }

    /// What a step begins with.
    fn first_of(&mut self, step: &'a Step) -> Content<'a> {
        match step {
            Step::Digest(job) if self.enter(&job.source, job.line) => Content::Given(job),
            Step::DigestListed(of) => match OpenList::new(&of.list, |input| Lines::raw(input, of.terminator)) {
                Ok(list) => {
                    self.names = Some(Names { of, list });
                    Content::Nothing
                }
                Err(error) => Content::Unreadable(name_of(of), error),
            },
            _ => Content::Nothing,
        }
    }

    /// Turns to a folder's files if folders are walked, and tells whether the input is to be taken as it is.
    fn enter(&mut self, source: &Source, line: Line) -> bool {
        let tree = source.file_name().zip(self.plan.walk).map(|(name, walk)| (Tree::new(name, walk), line));
        let is_plain = tree.is_none();
        self.trees.extend(tree);
        is_plain
    }
}

fn job(source: Source, line: Line) -> Job {
    Job { source, line, pass_through: false }
}

fn name_of(list: &NameList) -> OsString {
    OsStr::from_bytes(list.list.name()).to_owned()
}

impl Names<'_> {
    /// The next input, or none for an empty line.
    fn next_source(&mut self) -> Option<Result<Option<Source>, (OsString, io::Error)>> {
        let line = match self.list.lines.next_line() {
            Ok(line) => line?,
            Err(error) => return Some(Err((name_of(self.of), error))),
        };
        if line.bytes.is_empty() && self.of.terminator == b'\n' {
            return Some(Ok(None));
        }
        let name = OsStr::from_bytes(line.bytes).to_owned();
        if !line.is_whole {
            return Some(Err((name, io::Error::from_raw_os_error(libc::ENAMETOOLONG))));
        }
        let source = Source::operand(name.clone());
        Some(match self.list.identity.is_of(&source) {
            Ok(false) => Ok(Some(source)),
            Ok(true) => Err((name, io::Error::other("standard input is the list of names"))),
            Err(error) => Err((name, error)),
        })
    }
}

impl crew::Job for Operand<'_> {
    fn task(&self) -> Option<Task<'_>> {
        let source = match &self.content {
            Content::Given(job) => &job.source,
            Content::Found(job) => &job.source,
            Content::Nothing | Content::Skipped(..) | Content::Unreadable(..) => return None,
        };
        Some(Task { source, algorithms: &self.plan.algorithms, mode: self.plan.mode })
    }

    fn memory(&self) -> usize {
        let name = match &self.content {
            Content::Given(_) | Content::Nothing => return 0,
            Content::Found(job) => job.source.name().len(),
            Content::Skipped(name, _) | Content::Unreadable(name, _) => name.len(),
        };
        size_of::<Self>() + name
    }
}

impl<'a> Intake for Operands<'a> {
    type Job = Operand<'a>;

    fn next(&mut self) -> Option<Self::Job> {
        let content = if let Some((tree, line)) = self.trees.pop() {
            self.next_of_tree(tree, line)
        } else if let Some(names) = self.names.take() {
            self.next_of_names(names)
        } else {
            let step = self.steps.next()?;
            self.first_of(step)
        };
        Some(Operand { plan: self.plan, content })
    }

    fn is_ready(&self) -> bool {
        match (self.trees.last(), &self.names, self.steps.as_slice().first()) {
            (Some(_), ..) => !self.is_second_try,
            (None, Some(names), _) => names.list.is_ready(),
            // Opening one may take until somebody writes to it.
            (None, None, Some(Step::DigestListed(list))) => list.list.file_name().is_some_and(source::is_regular),
            (None, None, _) => true,
        }
    }
}

impl Outlet<Operand<'_>> for Report<'_> {
    fn done(&mut self, operand: Operand, result: Option<io::Result<Checksums>>) -> io::Result<()> {
        match (operand.content, result) {
            (Content::Given(job), Some(result)) => return self.digest(job, result),
            (Content::Found(job), Some(result)) => return self.digest(&job, result),
            (Content::Skipped(name, what), _) => self.say_about(name.as_bytes(), &format::skipped(what)),
            (Content::Unreadable(name, error), _) => self.unreadable(name.as_bytes(), &error),
            (Content::Given(_) | Content::Found(_), None) | (Content::Nothing, _) => {}
        }
        Ok(())
    }

    fn show(&mut self) -> io::Result<()> {
        self.show()
    }
}
