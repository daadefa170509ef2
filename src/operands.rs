//! The inputs of a run, in the order given.

use std::io;

use crate::algorithm::{Algorithm, Checksums};
use crate::crew::{self, Intake, Outlet, Task};
use crate::plan::{InputMode, Job, Plan, Step};
use crate::report::Report;

/// The inputs of a run of steps.
pub struct Operands<'a> {
    plan: &'a Plan,
    steps: std::slice::Iter<'a, Step>,
}

impl<'a> Operands<'a> {
    /// Those of these steps, which are all [`Step::Digest`].
    pub fn new(plan: &'a Plan, steps: &'a [Step]) -> Self {
        Self { plan, steps: steps.iter() }
    }
}

/// One of them.
pub struct Operand<'a> {
    job: &'a Job,
    algorithms: &'a [&'static Algorithm],
    mode: InputMode,
}

impl crew::Job for Operand<'_> {
    fn task(&self) -> Option<Task<'_>> {
        Some(Task { source: &self.job.source, algorithms: self.algorithms, mode: self.mode })
    }
}

impl<'a> Intake for Operands<'a> {
    type Job = Operand<'a>;

    fn next(&mut self) -> Option<Self::Job> {
        let Some(Step::Digest(job)) = self.steps.next() else { return None };
        Some(Operand { job, algorithms: &self.plan.algorithms, mode: self.plan.mode })
    }

    fn is_ready(&self) -> bool {
        true
    }
}

impl Outlet<Operand<'_>> for Report<'_> {
    fn done(&mut self, operand: Operand, result: Option<io::Result<Checksums>>) -> io::Result<()> {
        result.map_or(Ok(()), |result| self.digest(operand.job, result))
    }

    fn show(&mut self) -> io::Result<()> {
        self.show()
    }
}
