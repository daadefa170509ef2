//! Several files in the hands of one thread: reads a part of each into one buffer, and digests the parts side by side.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Job;
use super::gate::Reading;
use super::item::{Content, Item, LINE, Open, State};
use crate::ahead::Experience;
use crate::engine::Engine;
use crate::kernel::lanes::{Chain, Lanes, Part};
use crate::meter::METER;
use crate::plan::Resources;
use crate::spread::Spread;

/// How long reading may take before what was read is digested.
const PATIENCE: Duration = Duration::from_millis(10);

/// What a thread reads and digests with.
pub struct Hand {
    resources: Resources,
    starts: Starts,
    /// Those of the files that were read whole, and where their bytes are.
    chains: Vec<(&'static dyn Lanes, Chain, Range<usize>)>,
    /// For what is to be read to its end; its buffer is the hand's.
    pub engine: Engine,
}

impl Hand {
    /// A hand that may use this much.
    pub fn new(resources: Resources) -> Self {
        Self { resources, starts: Starts::default(), chains: Vec::new(), engine: Engine::new(resources) }
    }

    /// Reads the next part of each file, until its patience is at an end; the files behind are left as they are.
    ///
    /// # Errors
    /// When there is no memory for the first one.
    pub fn read<J: Job>(&mut self, items: &mut [Item<J>]) -> io::Result<Reading> {
        let start = Instant::now();
        let mut reading = Reading::default();
        items.iter_mut().for_each(|item| item.part = 0..0);
        let needed = items.iter().map(|item| item.room(self.resources) + LINE).sum();
        let buffer = self.engine.buffer();
        let (memory, items) = match (buffer.with_size(needed), items) {
            (Ok(memory), items) => (memory, items),
            (Err(_), [first, ..]) => (buffer.with_size(first.room(self.resources))?, slice::from_mut(first)),
            (Err(_), []) => return Ok(reading),
        };
        if let Some(name) = items.first().and_then(|item| item.job.task()).map(|task| task.source.name()) {
            METER.at(name);
        }
        let mut at = 0;
        for item in items {
            let room = item.room(self.resources).min(memory.len() - at);
            let length = item.read(memory, at, room, self.resources);
            reading.files += 1;
            reading.bytes += length as u64;
            at += length.next_multiple_of(LINE) + LINE;
            reading.time = start.elapsed();
            if reading.time > PATIENCE {
                break;
            }
        }
        METER.read(reading.bytes as usize);
        Ok(reading)
    }

    /// Gives memory back.
    pub fn release(&mut self) {
        self.engine = Engine::new(self.resources);
    }

    /// Digests the parts that were read; files that ended are done.
    pub fn digest<J: Job>(&mut self, items: &mut [Item<J>]) {
        let memory = self.engine.buffer().bytes();
        self.chains.clear();
        // Files that were read whole need no more than a chain for the time being.
        for item in items.iter().filter(|item| item.is_whole()) {
            let Some(task) = item.job.task() else { continue };
            let lanes = task.algorithms.iter().filter_map(|algorithm| task.lanes_of(algorithm));
            self.chains.extend(lanes.map(|lanes| (lanes, self.starts.get(lanes), item.part.clone())));
        }
        let whole = self.chains.iter_mut().map(|(lanes, chain, part)| {
            let data = &memory[part.clone()];
            (*lanes, Part { chain, data, is_last: true })
        });
        let mut beside: Vec<(&'static dyn Lanes, Part)> = whole.collect();
        for item in items.iter_mut() {
            let is_last = matches!(item.state, State::Ended);
            let data = &memory[item.part.clone()];
            if is_last || (matches!(item.state, State::Unfinished) && !data.is_empty()) {
                for content in item.open.iter_mut().flat_map(|open| &mut open.contents) {
                    match content {
                        Content::Lane(lanes, chain) => beside.push((*lanes, Part { chain, data, is_last })),
                        Content::Alone(message) => message.append(data),
                    }
                }
            }
        }
        update_beside(beside);
        let mut chains = self.chains.iter();
        for item in items {
            if item.is_whole()
                && let Some(task) = item.job.task()
            {
                let data = &memory[item.part.clone()];
                let checksums = task.algorithms.iter().map(|algorithm| match task.lanes_of(algorithm) {
                    Some(_) => Ok(chains.next().map(|(lanes, chain, _)| lanes.checksum(chain)).expect("one each")),
                    None => task.digest(algorithm, data),
                });
                item.state = State::Done(checksums.collect());
            }
            item.settle();
        }
    }

    /// Reads a file on that has begun, to its end, or until all is stopped.
    pub fn finish<J>(&mut self, item: &mut Item<J>, experience: Experience, is_stopped: &AtomicBool) {
        let Some(Open { input, contents, .. }) = &mut item.open else { return };
        let mut spread = Spread::new(contents.len(), self.resources);
        let read = self.engine.read_on(input, experience, &mut |part| {
            spread.each(contents, part, |content, part| content.append(part, false));
            if is_stopped.load(Ordering::Relaxed) { Err(ErrorKind::Interrupted.into()) } else { Ok(()) }
        });
        self.engine.release_others();
        contents.iter_mut().for_each(|content| content.append(&[], read.is_ok()));
        item.state = match read {
            Ok(()) => State::Ended,
            Err(failure) => State::Done(Err(failure.into())),
        };
        item.settle();
    }
}

/// Appends parts of messages, those of the same kind side by side.
fn update_beside(mut parts: Vec<(&'static dyn Lanes, Part)>) {
    while let Some(&(lanes, _)) = parts.first() {
        let (same, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(other, _)| ptr::addr_eq(*other, lanes));
        lanes.update(&mut same.into_iter().map(|(_, part)| part).collect::<Vec<_>>());
        parts = others;
    }
}

/// The chain a message starts with, which takes some computing, for each kernel that was asked for.
#[derive(Default)]
struct Starts(Vec<(&'static dyn Lanes, Chain)>);

impl Starts {
    fn get(&mut self, lanes: &'static dyn Lanes) -> Chain {
        if let Some((_, chain)) = self.0.iter().find(|(of, _)| ptr::addr_eq(*of, lanes)) {
            return chain.clone();
        }
        let chain = lanes.start();
        self.0.push((lanes, chain.clone()));
        chain
    }
}
