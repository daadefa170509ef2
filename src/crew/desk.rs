//! Who does what: files in hand and waiting, and results until their turn.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use super::gate::Gate;
use super::item::{Item, State};
use super::selection::{MOST_FILES, Selection};
use super::supply::{Alone, Collected, Given, Result};
use super::{Job, Outlet};
use crate::meter::METER;
use crate::plan::Resources;

/// The same before it is known how many threads there are to be.
const MEMORY_OF_THE_FIRST_HAND: usize = 4 << 20;

/// Jobs that may be under way or done before their turn.
const WINDOW: u64 = 32 << 10;

/// Bytes of memory jobs may take until they are done.
const MEMORY_OF_JOBS: usize = 8 << 20;

/// Files that may wait for their device while others are looked for.
const WAITING: usize = 16;

/// What a thread is to do.
pub enum Work<J> {
    Alone(Alone<J>),
    Hand(Vec<Item<J>>),
}

/// Who does what.
pub struct Desk<'a, J, O> {
    resources: Resources,
    outlet: &'a mut O,
    /// The job whose turn it is.
    turn: u64,
    /// Jobs given out.
    given: u64,
    /// Whether these are all.
    is_exhausted: bool,
    /// What came of the jobs from the one whose turn it is on.
    results: VecDeque<Option<Result<J>>>,
    /// Files nobody has in hand, in order.
    waiting: Vec<Item<J>>,
    /// Inputs that are taken when nothing else is under way, in order.
    alone: VecDeque<Alone<J>>,
    /// Hands and inputs that are being worked at.
    busy: usize,
    /// Whether one of them is an input that is taken while nothing else is.
    pub is_alone: bool,
    /// Whether somebody looks for new jobs.
    pub is_collecting: bool,
    /// Bytes of memory the jobs take that were given out and are not done.
    memory_of_jobs: usize,
    /// Large files that are not done.
    large: usize,
    /// Hands that hold such.
    hands_of_large: usize,
    /// Threads there are.
    pub threads: usize,
    /// Threads that wait for news.
    pub sleeping: usize,
    /// Whether a thread found no memory for a hand.
    pub is_short_of_memory: bool,
    /// The most bytes of one hand.
    pub memory: usize,
    /// Whether anybody has begun with anything.
    pub has_begun: bool,
    /// The ways to the devices.
    pub gates: Vec<(u64, Gate)>,
    /// The first failed write.
    pub result: io::Result<()>,
}

impl<'a, J: Job, O: Outlet<J>> Desk<'a, J, O> {
    pub fn new(resources: Resources, outlet: &'a mut O) -> Self {
        Self {
            resources,
            outlet,
            turn: 0,
            given: 0,
            is_exhausted: false,
            results: VecDeque::new(),
            waiting: Vec::new(),
            alone: VecDeque::new(),
            busy: 0,
            is_alone: false,
            is_collecting: false,
            memory_of_jobs: 0,
            large: 0,
            hands_of_large: 0,
            threads: 1,
            sleeping: 0,
            is_short_of_memory: false,
            memory: MEMORY_OF_THE_FIRST_HAND,
            has_begun: false,
            gates: Vec::new(),
            result: Ok(()),
        }
    }

    /// Takes files up again, and those that waited for their device: with `takes_any`, also such as would gain from waiting.
    pub fn take_waiting(&mut self, selection: &mut Selection<J>, takes_any: bool) {
        if self.waiting.is_empty() || self.is_alone {
            return;
        }
        if let Some(longest) = self.longest() {
            let item = self.waiting.remove(longest);
            if let Some(item) = self.select(selection, item, takes_any) {
                self.wait(item);
            }
            selection.is_full = !selection.items.is_empty();
        }
        let mut left = Vec::with_capacity(self.waiting.len());
        for item in std::mem::take(&mut self.waiting) {
            left.extend(self.select(selection, item, takes_any));
        }
        self.waiting = left;
    }

    /// A large file that will still be read when all others are done, and is better not held up by them.
    fn longest(&mut self) -> Option<usize> {
        if !self.is_exhausted || self.hands_of_large + 1 >= self.threads {
            return None;
        }
        let large = self.waiting.iter().enumerate().filter(|(_, item)| item.is_large());
        let (index, longest) = large.max_by_key(|(_, item)| item.left())?;
        let lanes = longest.job.task()?.lanes()?;
        let others = self.waiting.iter().map(Item::left).sum::<u64>() - longest.left();
        // As much faster are many at once than one.
        let factor = (lanes.count() / lanes.crossing()) as u64;
        let (left, device) = (longest.left(), longest.facts.device);
        (self.gate(device).is_open() && left.saturating_mul(factor) >= others).then_some(index)
    }

    /// Whether new jobs may be given out.
    pub fn wants_more(&self) -> bool {
        !self.is_exhausted
            && !self.is_collecting
            && !self.is_alone
            && self.alone.is_empty()
            && self.memory_of_jobs < MEMORY_OF_JOBS
            && self.given - self.turn < WINDOW
            && self.waiting.iter().filter(|item| !item.is_open()).count() < WAITING
    }

    /// How many may be given out at once: few where each may take its time.
    pub fn most_files(&self) -> usize {
        if self.gates.iter().any(|(_, gate)| gate.is_open()) || self.gates.is_empty() { MOST_FILES } else { WAITING }
    }

    /// Puts new jobs where they belong. Tells whether anything is new.
    pub fn distribute(&mut self, collected: Collected<J>, selection: &mut Selection<J>) -> bool {
        let is_news = !collected.jobs.is_empty() || (collected.is_exhausted && !self.is_exhausted);
        self.given += collected.jobs.len() as u64;
        self.is_exhausted = collected.is_exhausted;
        self.large +=
            collected.jobs.iter().filter(|given| matches!(given, Given::File(item) if item.is_large())).count();
        for given in collected.jobs {
            self.memory_of_jobs += given.job().memory();
            match given {
                Given::File(item) => {
                    if let Some(item) = self.select(selection, item, false) {
                        self.wait(item);
                    }
                }
                Given::Alone(alone) => self.leave_alone(alone),
                Given::Done(number, result) => self.settle(number, result),
            }
        }
        self.deliver();
        is_news
    }

    /// Begins with what was selected, or else with what is to be taken alone.
    pub fn begin(&mut self, mut selection: Selection<J>) -> Option<Work<J>> {
        let work = if selection.items.is_empty() {
            let alone = self.take_alone()?;
            self.is_alone = true;
            Work::Alone(alone)
        } else {
            if selection.items[0].is_large() {
                self.hands_of_large += 1;
                selection.give_back().into_iter().for_each(|item| self.wait(item));
            }
            Work::Hand(selection.items)
        };
        self.busy += 1;
        Some(work)
    }

    /// Takes a file into the selection, or gives it back when it does not go with the others.
    fn select(&mut self, selection: &mut Selection<J>, item: Item<J>, takes_any: bool) -> Option<Item<J>> {
        let device = item.facts.device;
        if selection.is_full || self.is_alone || selection.device.is_some_and(|selected| selected != device) {
            return Some(item);
        }
        let is_large = item.is_large();
        let goes_with_others = match selection.items.first() {
            None => !is_large || takes_any || self.may_take_large(&item),
            // Large files go with each other, so that they fill the lanes to the end.
            Some(first) if first.is_large() == is_large => !is_large || selection.items.len() < self.most_large(&item),
            Some(_) => false,
        };
        if !goes_with_others
            || !selection.room.has(item.room(self.resources))
            || (selection.device.is_none() && !self.gate(device).enter())
        {
            return Some(item);
        }
        selection.take(item, self.resources);
        None
    }

    /// Whether one more hand may be filled with large files. They are taken up by few, and by one alone not before there is nothing
    /// else to do: the more come together, the faster they go. A slow device's files are taken in order.
    fn may_take_large(&mut self, item: &Item<J>) -> bool {
        if !self.gate(item.facts.device).is_open() || !self.wants_more() {
            return true;
        }
        let of_a_hand = self.most_large(item).min(self.memory / item.room(self.resources)).max(1);
        self.hands_of_large < (self.large / of_a_hand).max(usize::from(self.threads > 1))
    }

    /// How many large files one hand may take: a lane for each, but when there are no more, no more than its share, so that all
    /// threads have something to do.
    fn most_large(&mut self, item: &Item<J>) -> usize {
        let is_open = self.gate(item.facts.device).is_open();
        let Some(lanes) = item.job.task().and_then(|task| task.lanes()).filter(|_| is_open) else { return 1 };
        let share = if self.is_exhausted { self.large.div_ceil(self.threads) } else { usize::MAX };
        share.clamp(lanes.crossing(), lanes.count())
    }

    fn take_alone(&mut self) -> Option<Alone<J>> {
        let is_turn = self.alone.front().is_some_and(|alone| alone.number == self.turn);
        let is_nothing_open = self.busy == 0 && !self.is_collecting && !self.waiting.iter().any(Item::is_open);
        if is_turn && is_nothing_open { self.alone.pop_front() } else { None }
    }

    pub fn gate(&mut self, device: u64) -> &mut Gate {
        let index = self.gates.iter().position(|(other, _)| *other == device).unwrap_or_else(|| {
            self.gates.push((device, Gate::new(Instant::now())));
            self.gates.len() - 1
        });
        &mut self.gates[index].1
    }

    /// Takes what a hand comes back with.
    pub fn put_back(&mut self, items: Vec<Item<J>>) {
        self.hands_of_large -= usize::from(items[0].is_large());
        for item in items {
            let is_large = item.is_large();
            match item.state {
                State::Done(result) => {
                    self.large -= usize::from(is_large);
                    self.settle(item.number, (item.job, Some(result)));
                }
                State::NeedsDescriptor => {
                    self.large -= usize::from(is_large);
                    self.leave_alone(Alone { number: item.number, job: item.job });
                }
                State::Unfinished | State::Ended => self.wait(item),
            }
        }
    }

    /// Leaves a file to whoever takes it up.
    pub fn wait(&mut self, item: Item<J>) {
        let place = self.waiting.partition_point(|other| other.number < item.number);
        self.waiting.insert(place, item);
    }

    fn leave_alone(&mut self, alone: Alone<J>) {
        let place = self.alone.partition_point(|other| other.number < alone.number);
        self.alone.insert(place, alone);
    }

    pub fn settle(&mut self, number: u64, result: Result<J>) {
        let index = usize::try_from(number - self.turn).expect("results fit into memory");
        if self.results.len() <= index {
            self.results.resize_with(index + 1, || None);
        }
        self.results[index] = Some(result);
    }

    /// Ends what [`Desk::begin`] gave.
    pub fn finish(&mut self) {
        self.busy -= 1;
        self.deliver();
    }

    /// Hands over what is known of the jobs whose turn it is.
    fn deliver(&mut self) {
        let before = self.turn;
        while self.result.is_ok()
            && let Some((job, result)) = self.results.front_mut().and_then(Option::take)
        {
            self.results.pop_front();
            self.turn += 1;
            self.memory_of_jobs -= job.memory();
            if job.task().is_some() {
                METER.done();
            }
            self.result = self.outlet.done(job, result);
        }
        if self.result.is_ok() && self.turn > before {
            self.result = self.outlet.show();
        }
    }

    /// Whether all is done, or nothing more is to be done.
    pub fn is_over(&self) -> bool {
        self.result.is_err() || (self.is_exhausted && self.turn == self.given)
    }

    /// Whether somebody works at anything, or looks for new jobs.
    pub fn is_under_way(&self) -> bool {
        self.busy > 0 || self.is_collecting
    }

    /// Whether there is nothing to do but to look for new jobs.
    pub fn is_idle(&self) -> bool {
        !self.is_under_way() && self.waiting.is_empty()
    }

    /// Whether there is anything for others to do.
    pub fn has_more(&self) -> bool {
        !self.is_exhausted || !self.waiting.is_empty()
    }

    /// Whether only one job is left.
    pub fn is_last(&self) -> bool {
        self.is_exhausted && self.turn + 1 == self.given
    }
}
