//! A look at all that a run will come to, before it does.

use std::time::Instant;
use std::{iter, slice};

use crate::check::Listed;
use crate::crew::{Intake, Job};
use crate::meter::All;
use crate::operands::Operands;
use crate::plan::{Plan, Source, Step};
use crate::source;

/// Finds out how many files and bytes there are, bit by bit.
pub struct Survey<'a> {
    /// The bytes of each file that was not come to yet, if it tells how many it has.
    sizes: Box<dyn Iterator<Item = Option<u64>> + 'a>,
    found: All,
    is_over: bool,
}

impl<'a> Survey<'a> {
    /// Of all that a plan asks for; none where names come from what can be read only once.
    pub fn of(plan: &'a Plan) -> Option<Self> {
        let can_be_made = plan.steps.iter().all(can_be_read_twice);
        let sizes = Box::new(plan.steps.iter().flat_map(|step| sizes_of(plan, step)));
        can_be_made.then_some(Self { sizes, found: All { files: 0, bytes: Some(0) }, is_over: false })
    }

    /// Goes on until some time, and gives all there is when it was all seen.
    pub fn go_on(&mut self, until: Instant) -> Option<All> {
        while !self.is_over && Instant::now() < until {
            match self.sizes.next() {
                None => self.is_over = true,
                Some(bytes) => {
                    let All { files, bytes: all } = self.found;
                    let bytes = all.zip(bytes).map(|(all, bytes)| all.saturating_add(bytes));
                    self.found = All { files: files + 1, bytes };
                }
            }
        }
        self.is_over.then_some(self.found)
    }
}

/// The bytes of each file of a step.
fn sizes_of<'a>(plan: &'a Plan, step: &'a Step) -> Box<dyn Iterator<Item = Option<u64>> + 'a> {
    match step {
        Step::Digest(_) | Step::DigestListed(_) => Box::new(sizes(Operands::new(plan, slice::from_ref(step)))),
        Step::Check(check) => Box::new(Listed::open(check).into_iter().flat_map(sizes)),
        _ => Box::new(iter::empty()),
    }
}

fn sizes(mut intake: impl Intake) -> impl Iterator<Item = Option<u64>> {
    iter::from_fn(move || intake.next()).filter_map(|job| match job.task()?.source {
        Source::Text(_) => None,
        Source::StandardInput => Some(None),
        Source::File(name) => Some(source::look(name).map_or(Some(0), |facts| facts.bytes())),
    })
}

/// Whether looking at a step's inputs takes nothing from those who read them.
fn can_be_read_twice(step: &Step) -> bool {
    let list = match step {
        Step::Check(check) => &check.list,
        Step::DigestListed(list) => &list.list,
        _ => return true,
    };
    // Others share the place in the file that a descriptor stands for.
    list.file_name().is_some_and(|name| source::look(name).map_or(true, |facts| facts.is_regular))
}
