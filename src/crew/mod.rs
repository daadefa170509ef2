//! Many inputs → their checksums in the order given, on several threads.
//!
//! Each thread takes a hand of files in order, reads a part of each and digests the parts side by side; what is left of large files
//! goes back and is taken up again. So nothing is handed from one thread to another but who does what, small files do not wait for
//! large ones, and what a thread reads is still in its own cache when it is digested. Only regular files are read ahead of their turn.

mod desk;
mod gate;
mod hand;
mod item;
mod selection;
mod supply;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Scope};
use std::time::Instant;

use crate::ahead::Experience;
use crate::algorithm::{Algorithm, Checksums};
use crate::engine::Engine;
use crate::meter::METER;
use crate::plan::{InputMode, Resources, Source};
use desk::{Desk, Work};
use gate::Reading;
use hand::Hand;
use item::{Item, State};
use selection::Selection;
use supply::{Alone, Supply};

/// The most threads that can be asked for.
pub const MAX_JOBS: usize = 1024;

/// The work to be done.
pub trait Intake: Send {
    /// One thing to do.
    type Job: Job;

    /// The next one, or none at the end.
    fn next(&mut self) -> Option<Self::Job>;

    /// Whether the next one can be had without waiting.
    fn is_ready(&self) -> bool;
}

/// Where the results go.
pub trait Outlet<J>: Send {
    /// Takes what came of a job: of each one that has a task, in the order they were given.
    ///
    /// # Errors
    /// That of writing the output. Nothing more is done then.
    fn done(&mut self, job: J, result: Option<io::Result<Checksums>>) -> io::Result<()>;

    /// Shows what was written: something may take its time now.
    ///
    /// # Errors
    /// As [`Outlet::done`].
    fn show(&mut self) -> io::Result<()>;
}

/// A thing to do, in its order.
pub trait Job: Send {
    /// What is to be digested for it; none where it only waits for its turn.
    fn task(&self) -> Option<Task<'_>>;

    /// Bytes of memory it takes until it is done, if it was made for this.
    fn memory(&self) -> usize {
        0
    }
}

/// What is to be digested.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// Its bytes.
    pub source: &'a Source,
    /// By which algorithms, one or more.
    pub algorithms: &'a [&'static Algorithm],
    /// What the bytes mean.
    pub mode: InputMode,
}

/// Does all jobs.
///
/// # Errors
/// That of writing the output.
pub fn run<I: Intake>(resources: Resources, intake: &mut I, outlet: &mut impl Outlet<I::Job>) -> io::Result<()> {
    METER.found_all(false);
    if resources.jobs == Some(1) {
        return one_by_one(resources, intake, outlet);
    }
    let crew = Crew {
        resources,
        processors: OnceLock::new(),
        supply: Mutex::new(Supply::new(intake)),
        desk: Mutex::new(Desk::new(resources, outlet)),
        is_stopped: AtomicBool::new(false),
        news: Condvar::new(),
    };
    thread::scope(|scope| crew.work(scope, false));
    crew.desk.into_inner().unwrap_or_else(PoisonError::into_inner).result
}

/// Strictly one after the other.
fn one_by_one<I: Intake>(resources: Resources, intake: &mut I, outlet: &mut impl Outlet<I::Job>) -> io::Result<()> {
    let mut engine = Engine::new(resources);
    while let Some(job) = intake.next() {
        let result = job.task().map(|task| digest(&mut engine, &task));
        if result.is_some() {
            METER.done();
        }
        outlet.done(job, result)?;
        outlet.show()?;
    }
    Ok(())
}

fn digest(engine: &mut Engine, task: &Task) -> io::Result<Checksums> {
    engine.digest(task.source, task.algorithms, task.mode)
}

/// Bytes the buffers of all hands may take together.
const MEMORY: usize = 64 << 20;

/// Bytes of a helper's stack. Buffers and chains are elsewhere.
const STACK_SIZE: usize = 256 << 10;

/// The most bytes of one hand: a buffer of the default size for each lane, and a little.
const MEMORY_OF_A_HAND: usize = 17 << 20;

/// The threads and what they share.
struct Crew<'a, I: Intake, O> {
    resources: Resources,
    processors: OnceLock<usize>,
    supply: Mutex<Supply<'a, I>>,
    desk: Mutex<Desk<'a, I::Job, O>>,
    /// Whether nothing more is to be done, as a write failed.
    is_stopped: AtomicBool,
    /// Told when there may be something to do, or all is done.
    news: Condvar,
}

impl<'a, I: Intake, O: Outlet<I::Job>> Crew<'a, I, O> {
    fn lock(&self) -> MutexGuard<'_, Desk<'a, I::Job, O>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for news.
    fn sleep<'g>(&self, mut desk: MutexGuard<'g, Desk<'a, I::Job, O>>) -> MutexGuard<'g, Desk<'a, I::Job, O>> {
        desk.sleeping += 1;
        let mut desk = self.news.wait(desk).unwrap_or_else(PoisonError::into_inner);
        desk.sleeping -= 1;
        desk
    }

    /// Has whoever sleeps look again at what there is to do.
    fn wake(&self, desk: &Desk<'a, I::Job, O>) {
        if desk.sleeping > 0 {
            self.news.notify_all();
        }
    }

    /// Works until all is done. A helper ends as well when there is no memory for what it does.
    fn work<'s>(&'s self, scope: &'s Scope<'s, '_>, is_helper: bool) {
        let mut hand = Hand::new(self.resources);
        while let Some(work) = self.next(scope) {
            match work {
                Work::Alone(alone) => self.take_alone(&mut hand, alone),
                Work::Hand(mut items) => match hand.read(&mut items) {
                    Ok(reading) => self.handle(&mut hand, items, reading, scope),
                    Err(error) => {
                        hand.release();
                        self.do_without(items, error, is_helper);
                        if is_helper {
                            return;
                        }
                    }
                },
            }
        }
        self.is_stopped.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }

    /// Waits for something to do. None when all is done.
    fn next<'s>(&'s self, scope: &'s Scope<'s, '_>) -> Option<Work<I::Job>> {
        let mut desk = self.lock();
        while !desk.is_over() {
            let mut selection = Selection::new(desk.memory);
            desk.take_waiting(&mut selection, false);
            let mut is_news = false;
            if !selection.is_full && desk.wants_more() {
                let most = desk.most_files();
                // Whoever waits for the list waits alone, or a failed write could not end it, and what is left could wait forever.
                let may_wait = selection.items.is_empty() && desk.is_idle();
                desk.is_collecting = true;
                drop(desk);
                let mut supply = self.supply.lock().unwrap_or_else(PoisonError::into_inner);
                let collected = supply.collect(&selection, most, may_wait, self.resources);
                drop(supply);
                desk = self.lock();
                desk.is_collecting = false;
                is_news = desk.distribute(collected, &mut selection);
                if selection.items.is_empty() {
                    // When there is nothing better to be had, all is as good.
                    desk.take_waiting(&mut selection, !is_news);
                }
            }
            if let Some(work) = desk.begin(selection) {
                if desk.has_begun {
                    self.call_help(scope, &mut desk);
                }
                desk.has_begun = true;
                return Some(work);
            }
            // Others may have come to the end in the meantime, and only somebody who is awake wakes anybody.
            if !is_news && desk.is_under_way() && !desk.is_over() {
                desk = self.sleep(desk);
            }
        }
        None
    }

    /// Has somebody else see what there is to do: one who sleeps, or one more thread.
    fn call_help<'s>(&'s self, scope: &'s Scope<'s, '_>, desk: &mut Desk<I::Job, O>) {
        if !desk.has_more() {
            return;
        }
        if desk.sleeping > 0 {
            self.news.notify_all();
            return;
        }
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.resources.jobs.unwrap_or_else(|| *self.processors.get_or_init(processors));
        // Whoever waits for a slow device needs no processor.
        let readers = desk.gates.iter().map(|(_, gate)| gate.permits()).max().unwrap_or(1);
        let most = jobs.max(if readers > 1 { readers + 1 } else { 1 });
        desk.memory = MEMORY_OF_A_HAND.min(MEMORY / most);
        if !desk.is_short_of_memory
            && desk.threads < most
            && thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || self.work(scope, true)).is_ok()
        {
            desk.threads += 1;
        }
    }

    /// Reads and digests an input while nothing else is under way.
    fn take_alone(&self, hand: &mut Hand, Alone { number, job }: Alone<I::Job>) {
        let result = job.task().map(|task| digest(&mut hand.engine, &task));
        let mut desk = self.lock();
        desk.is_alone = false;
        desk.settle(number, (job, result));
        desk.finish();
        self.wake(&desk);
    }

    /// Digests the part of each file that was read.
    fn handle<'s>(&'s self, hand: &mut Hand, mut items: Vec<Item<I::Job>>, reading: Reading, scope: &'s Scope<'s, '_>) {
        let device = items[0].facts.device;
        let is_one_large = items.len() == 1 && items[0].is_large();
        if !is_one_large {
            let mut desk = self.lock();
            desk.gate(device).learn(reading, Instant::now());
            desk.gate(device).leave();
            // Others may go on reading, with what was not come to, while this one digests.
            items.drain(reading.files as usize..).for_each(|item| desk.wait(item));
            self.wake(&desk);
            drop(desk);
            hand.digest(&mut items);
            return self.put_back(items);
        }
        let read = Instant::now();
        hand.digest(&mut items);
        let experience = Experience { reading: reading.time, digesting: read.elapsed() };
        let mut desk = self.lock();
        desk.gate(device).learn(reading, Instant::now());
        let is_slow = !desk.gate(device).is_open() && experience.reading >= experience.digesting;
        if matches!(items[0].state, State::Unfinished) && (is_slow || desk.is_last()) {
            // A disk that is waited for is better not sent elsewhere; and there is no other use for what reading ahead takes.
            self.call_help(scope, &mut desk);
            drop(desk);
            hand.finish(&mut items[0], experience, &self.is_stopped);
            desk = self.lock();
            desk.gate(device).interrupt(Instant::now());
        }
        desk.gate(device).leave();
        drop(desk);
        self.put_back(items);
    }

    fn put_back(&self, items: Vec<Item<I::Job>>) {
        let mut desk = self.lock();
        desk.put_back(items);
        desk.finish();
        self.wake(&desk);
    }

    /// Leaves files for which there is no memory to other threads: a helper ends, and whoever is none waits until all helpers have. Only
    /// when there are none any more it has to be said.
    fn do_without(&self, mut items: Vec<Item<I::Job>>, error: io::Error, is_helper: bool) {
        let mut desk = self.lock();
        desk.gate(items[0].facts.device).leave();
        desk.is_short_of_memory = true;
        desk.threads -= usize::from(is_helper);
        if !is_helper && desk.threads == 1 {
            items[0].state = State::Done(Err(error));
        }
        desk.put_back(items);
        desk.finish();
        self.wake(&desk);
        while !is_helper && desk.threads > 1 && !desk.is_over() {
            desk = self.sleep(desk);
        }
    }
}
