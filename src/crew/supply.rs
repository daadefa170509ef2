//! Jobs that are given out, in order, with what must be known of them before.

use std::io;
use std::time::{Duration, Instant};

use super::item::Item;
use super::selection::Selection;
use super::{Intake, Job, digest};
use crate::algorithm::Checksums;
use crate::engine::Engine;
use crate::meter::METER;
use crate::plan::{Resources, Source};
use crate::source::{self, Facts};

/// How long files may be collected before what was found is read.
const PATIENCE: Duration = Duration::from_millis(1);

/// Where new jobs come from.
pub struct Supply<'a, I> {
    intake: &'a mut I,
    /// Jobs given out.
    given: u64,
    is_exhausted: bool,
}

/// A job that was given out.
pub enum Given<J> {
    /// A file that may be read ahead of its turn.
    File(Item<J>),
    /// An input that may not.
    Alone(Alone<J>),
    /// One that is done already.
    Done(u64, Result<J>),
}

/// An input that is to be taken by itself, in its turn.
pub struct Alone<J> {
    /// Its place in the order.
    pub number: u64,
    /// What it was asked for by.
    pub job: J,
}

/// What came of a job.
pub type Result<J> = (J, Option<io::Result<Checksums>>);

/// What came of a look at the [`Supply`].
pub struct Collected<J> {
    /// The jobs that were given out.
    pub jobs: Vec<Given<J>>,
    /// Whether these are all.
    pub is_exhausted: bool,
}

impl<'a, I: Intake> Supply<'a, I> {
    /// All of them.
    pub fn new(intake: &'a mut I) -> Self {
        Self { intake, given: 0, is_exhausted: false }
    }

    /// Takes jobs of one device, as many as there is room for beside the selection, and waits for the first one if it may. What is to be
    /// taken alone is the last one: nothing behind it may be given out before it is done.
    pub fn collect(
        &mut self,
        selection: &Selection<I::Job>,
        most: usize,
        may_wait: bool,
        resources: Resources,
    ) -> Collected<I::Job> {
        let start = Instant::now();
        let (mut room, mut device) = (selection.room, selection.device);
        let mut jobs = Vec::new();
        while !self.is_exhausted && jobs.len() < most {
            let is_first = jobs.is_empty();
            let is_time_up = !is_first && start.elapsed() >= PATIENCE;
            let may_ask = (is_first && may_wait) || self.intake.is_ready();
            if is_time_up || !may_ask {
                break;
            }
            let Some(job) = self.intake.next() else {
                self.is_exhausted = true;
                METER.found_all(true);
                break;
            };
            let number = self.given;
            self.given += 1;
            let given = Given::new(number, job, resources);
            let may_go_on = match &given {
                Given::File(item) => {
                    let bytes = item.room(resources);
                    let fits = *device.get_or_insert(item.facts.device) == item.facts.device && room.has(bytes);
                    room.take(bytes);
                    fits
                }
                Given::Alone(_) => false,
                Given::Done(..) => true,
            };
            jobs.push(given);
            if !may_go_on {
                break;
            }
        }
        Collected { jobs, is_exhausted: self.is_exhausted }
    }
}

impl<J: Job> Given<J> {
    /// What it was asked for by.
    pub fn job(&self) -> &J {
        match self {
            Self::File(item) => &item.job,
            Self::Alone(alone) => &alone.job,
            Self::Done(_, (job, _)) => job,
        }
    }

    fn new(number: u64, job: J, resources: Resources) -> Self {
        let facts = match job.task().map(|task| task.source) {
            Some(Source::File(name)) => source::look(name),
            Some(Source::StandardInput) => {
                METER.found(None);
                return Self::Alone(Alone { number, job });
            }
            Some(Source::Text(_)) | None => {
                let result = job.task().map(|task| digest(&mut Engine::new(resources), &task));
                return Self::Done(number, (job, result));
            }
        };
        METER.found(facts.as_ref().map_or(Some(0), Facts::bytes));
        match facts {
            Ok(facts) if facts.is_regular => Self::File(Item::new(number, job, facts)),
            Ok(_) => Self::Alone(Alone { number, job }),
            Err(error) => Self::Done(number, (job, Some(Err(error)))),
        }
    }
}
