//! A look at all that a run will come to, before it does.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Instant;

use crate::check::Listed;
use crate::crew::{Intake, Job};
use crate::meter::All;
use crate::operands::Operands;
use crate::plan::{Plan, Source, Step};
use crate::source;

/// Finds out how many files and bytes there are, bit by bit.
pub struct Survey<'a> {
    plan: &'a Plan,
    steps: &'a [Step],
    inputs: Option<Inputs<'a>>,
    all: All,
    /// Whether there is no saying, as names come from what can be read only once.
    is_hopeless: bool,
}

/// The inputs of some steps.
enum Inputs<'a> {
    Named(Box<Operands<'a>>),
    Listed(Box<Listed<'a>>),
}

impl<'a> Survey<'a> {
    /// Of all that a plan asks for.
    pub fn new(plan: &'a Plan) -> Self {
        let is_hopeless = !plan.steps.iter().all(can_be_read_twice);
        Self { plan, steps: &plan.steps, inputs: None, all: All { files: 0, bytes: Some(0) }, is_hopeless }
    }

    /// All there is, when it was all seen.
    pub fn all(&self) -> Option<All> {
        let is_seen = !self.is_hopeless && self.steps.is_empty() && self.inputs.is_none();
        is_seen.then_some(self.all)
    }

    /// Goes on until some time.
    pub fn go_on(&mut self, until: Instant) {
        while !self.is_hopeless && self.all().is_none() && Instant::now() < until {
            self.look_on();
        }
    }

    /// Looks at the next input, or turns to the next step.
    fn look_on(&mut self) {
        match &mut self.inputs {
            Some(Inputs::Named(operands)) => match operands.next() {
                Some(operand) => count(&mut self.all, &operand),
                None => self.inputs = None,
            },
            Some(Inputs::Listed(listed)) => match listed.next() {
                Some(line) => count(&mut self.all, &line),
                None => self.inputs = None,
            },
            None => {
                if let Some((step, rest)) = self.steps.split_first() {
                    let one = &self.steps[..1];
                    self.steps = rest;
                    self.inputs = match step {
                        Step::Digest(_) | Step::DigestListed(_) => {
                            Some(Inputs::Named(Box::new(Operands::new(self.plan, one))))
                        }
                        Step::Check(check) => Listed::open(check).ok().map(|listed| Inputs::Listed(Box::new(listed))),
                        _ => None,
                    };
                }
            }
        }
    }
}

fn count(all: &mut All, job: &impl Job) {
    let bytes = match job.task().map(|task| task.source) {
        None | Some(Source::Text(_)) => return,
        Some(Source::StandardInput) => None,
        Some(Source::File(name)) => source::look(name).map_or(Some(0), |facts| facts.bytes()),
    };
    all.files += 1;
    all.bytes = all.bytes.zip(bytes).map(|(all, bytes)| all.saturating_add(bytes));
}

/// Whether looking at a step's inputs takes nothing from those who read them.
fn can_be_read_twice(step: &Step) -> bool {
    let list = match step {
        Step::Check(check) => &check.list,
        Step::DigestListed(list) => &list.list,
        _ => return true,
    };
    // A name in these folders may stand for a descriptor, whose place in the file others share.
    let is_own = |name: &OsStr| !["/dev", "/proc"].iter().any(|folder| Path::new(name).starts_with(folder));
    list.file_name().is_some_and(|name| is_own(name) && source::look(name).map_or(true, |facts| facts.is_regular))
}
