//! The inputs of a run, in the order given: those that are named, and those of folders and of lists of names.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::slice;

use crate::algorithm::Checksums;
use crate::crew::{self, Intake, Outlet, Task};
use crate::format;
use crate::lines::Lines;
use crate::plan::{Job, Line, NameList, Plan, Source, Step};
use crate::report::Report;
use crate::source::{Identity, Input};
use crate::tree::{Found, Tree};

/// The inputs of a run of steps.
pub struct Operands<'a> {
    plan: &'a Plan,
    steps: slice::Iter<'a, Step>,
    /// The list whose names come before the next step.
    list: Option<OpenList>,
    /// The folder whose files come before the next name, and the form of their lines.
    tree: Option<(Tree, Line)>,
}

/// A list of names that is being read.
struct OpenList {
    lines: Lines<Input>,
    terminator: u8,
    form: Line,
    name: OsString,
    is_file: bool,
    /// Of a list that is read through a descriptor which other names may stand for.
    identity: Option<Identity>,
}

/// One of them.
pub struct Operand<'a> {
    plan: &'a Plan,
    content: Content<'a>,
}

enum Content<'a> {
    Given(&'a Job),
    Found(Job),
    Skipped(OsString, &'static str),
    Unreadable(OsString, io::Error),
}

impl<'a> Operands<'a> {
    /// Those of these steps, which all digest inputs.
    pub fn new(plan: &'a Plan, steps: &'a [Step]) -> Self {
        Self { plan, steps: steps.iter(), list: None, tree: None }
    }

    /// The next file of the folder at hand.
    fn next_of_tree(&mut self) -> Option<Content<'a>> {
        let (tree, line) = self.tree.as_mut()?;
        match tree.next() {
            None => {
                self.tree = None;
                None
            }
            Some(Found::File(name)) => Some(Content::Found(job(Source::File(name), *line))),
            Some(Found::Skipped(name, what)) => Some(Content::Skipped(name, what)),
            Some(Found::Unreadable(name, error)) => Some(Content::Unreadable(name, error)),
        }
    }

    /// The next name of the list at hand; nothing when it is a folder's, or there is none.
    fn next_of_list(&mut self) -> Option<Content<'a>> {
        let list = self.list.as_mut()?;
        match list.next_source() {
            None => {
                self.list = None;
                None
            }
            Some(Ok(source)) => {
                let line = list.form;
                self.enter(&source, line).then(|| Content::Found(job(source, line)))
            }
            Some(Err((name, error))) => Some(Content::Unreadable(name, error)),
        }
    }

    /// What the next step begins with; nothing when there is more of it to come.
    fn next_of_steps(&mut self) -> Option<Content<'a>> {
        match self.steps.next()? {
            Step::Digest(job) => self.enter(&job.source, job.line).then_some(Content::Given(job)),
            Step::DigestListed(list) => match OpenList::new(list) {
                Ok(list) => {
                    self.list = Some(list);
                    None
                }
                Err(error) => Some(Content::Unreadable(OsStr::from_bytes(list.list.name()).to_owned(), error)),
            },
            _ => None,
        }
    }

    /// Turns to a folder's files if folders are walked, and tells whether the input is to be taken as it is.
    fn enter(&mut self, source: &Source, line: Line) -> bool {
        let tree = source.file_name().zip(self.plan.walk).map(|(name, walk)| (Tree::new(name, walk), line));
        let is_plain = tree.is_none();
        self.tree = tree;
        is_plain
    }
}

fn job(source: Source, line: Line) -> Job {
    Job { source, line, pass_through: false }
}

impl OpenList {
    fn new(list: &NameList) -> io::Result<Self> {
        let input = Input::of(&list.list)?;
        Ok(Self {
            is_file: input.is_regular(),
            identity: Identity::of(&list.list),
            lines: Lines::raw(input, list.terminator),
            terminator: list.terminator,
            form: list.line,
            name: OsStr::from_bytes(list.list.name()).to_owned(),
        })
    }

    /// The next input. The list ends with the error of reading it.
    fn next_source(&mut self) -> Option<Result<Source, (OsString, io::Error)>> {
        loop {
            let line = match self.lines.next_line() {
                Ok(line) => line?,
                Err(error) => {
                    self.lines.end();
                    return Some(Err((self.name.clone(), error)));
                }
            };
            if line.bytes.is_empty() && self.terminator == b'\n' {
                continue;
            }
            let name = OsStr::from_bytes(line.bytes).to_owned();
            if !line.is_whole {
                return Some(Err((name, io::Error::from_raw_os_error(libc::ENAMETOOLONG))));
            }
            let source = Source::operand(name.clone());
            if self.identity.is_some() && Identity::of(&source) == self.identity {
                return Some(Err((name, io::Error::other("standard input is the list of names"))));
            }
            return Some(Ok(source));
        }
    }
}

impl crew::Job for Operand<'_> {
    fn task(&self) -> Option<Task<'_>> {
        let source = match &self.content {
            Content::Given(job) => &job.source,
            Content::Found(job) => &job.source,
            Content::Skipped(..) | Content::Unreadable(..) => return None,
        };
        Some(Task { source, algorithms: &self.plan.algorithms, mode: self.plan.mode })
    }

    fn memory(&self) -> usize {
        let name = match &self.content {
            Content::Given(_) => return 0,
            Content::Found(job) => job.source.name().len(),
            Content::Skipped(name, _) | Content::Unreadable(name, _) => name.len(),
        };
        size_of::<Self>() + name
    }
}

impl<'a> Intake for Operands<'a> {
    type Job = Operand<'a>;

    fn next(&mut self) -> Option<Self::Job> {
        loop {
            let content = if self.tree.is_some() {
                self.next_of_tree()
            } else if self.list.is_some() {
                self.next_of_list()
            } else if self.steps.as_slice().is_empty() {
                return None;
            } else {
                self.next_of_steps()
            };
            if let Some(content) = content {
                return Some(Operand { plan: self.plan, content });
            }
        }
    }

    fn is_ready(&self) -> bool {
        self.tree.is_some() || self.list.as_ref().is_none_or(|list| list.is_file || list.lines.has_line())
    }
}

impl Outlet<Operand<'_>> for Report<'_> {
    fn done(&mut self, operand: Operand, result: Option<io::Result<Checksums>>) -> io::Result<()> {
        match (operand.content, result) {
            (Content::Given(job), Some(result)) => return self.digest(job, result),
            (Content::Found(job), Some(result)) => return self.digest(&job, result),
            (Content::Skipped(name, what), _) => self.say_about(name.as_bytes(), &format::skipped(what)),
            (Content::Unreadable(name, error), _) => self.unreadable(name.as_bytes(), &error),
            (Content::Given(_) | Content::Found(_), None) => {}
        }
        Ok(())
    }

    fn show(&mut self) -> io::Result<()> {
        self.show()
    }
}
