//! A file on its way to its checksum, part by part.

use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use super::{Job, Task};
use crate::ahead;
use crate::algorithm::{Algorithm, Checksum, Checksums};
use crate::kernel::lanes::{Chain, Lanes, Part};
use crate::message::Message;
use crate::plan::{InputMode, Resources};
use crate::pump;
use crate::source::{self, Facts, Input};

/// Bytes of the largest small file.
const LARGE: u64 = 128 << 10;

/// Parts start at a cache line, and no two at the same place of a page: lanes would drive each other out of the nearest cache.
pub const LINE: usize = 64;

/// The least room for a file: those in /proc do not tell how long they are.
const LEAST_ROOM: usize = 4096;

/// A regular file on its way to its checksum.
pub struct Item<J> {
    /// Its place in the order.
    pub number: u64,
    /// What it was asked for by.
    pub job: J,
    /// What the file system says of it.
    pub facts: Facts,
    /// What is known by now.
    pub state: State,
    /// What is kept of it between two parts.
    pub open: Option<Open>,
    /// Where in the buffer its part is.
    pub part: Range<usize>,
}

/// How far an [`Item`] is.
pub enum State {
    /// There is more to read.
    Unfinished,
    /// All of it was read.
    Ended,
    /// The system has no descriptor left to open it with.
    NeedsDescriptor,
    /// It is done.
    Done(io::Result<Checksums>),
}

/// What is kept of a file between two parts.
pub struct Open {
    /// Where the next part comes from.
    pub input: Input,
    /// Bytes read so far.
    length: u64,
    /// What the parts came to by each algorithm.
    pub contents: Vec<Content>,
}

/// A message that takes a lane beside others, or one that does not.
pub enum Content {
    /// Beside others.
    Lane(&'static dyn Lanes, Box<Chain>),
    /// By itself.
    Alone(Message),
}

impl Content {
    fn new(task: &Task, algorithm: &Algorithm) -> io::Result<Self> {
        Ok(match task.lanes_of(algorithm) {
            Some(lanes) => Self::Lane(lanes, Box::new(lanes.start())),
            None => Self::Alone(Message::new(algorithm, task.mode)?),
        })
    }

    /// Appends a part's bytes.
    pub fn append(&mut self, data: &[u8], is_last: bool) {
        match self {
            Self::Lane(lanes, chain) => lanes.update(&mut [Part { chain, data, is_last }]),
            Self::Alone(message) => message.append(data),
        }
    }

    /// The digest, when all was appended.
    pub fn finish(self) -> Checksum {
        match self {
            Self::Lane(lanes, chain) => lanes.checksum(&chain),
            Self::Alone(message) => message.finish(),
        }
    }
}

impl Task<'_> {
    /// What digests several of these side by side by its first algorithm that can, if any can.
    pub fn lanes(&self) -> Option<&'static dyn Lanes> {
        self.algorithms.iter().find_map(|algorithm| self.lanes_of(algorithm))
    }

    /// The digest of all its bytes by one of its algorithms.
    ///
    /// # Errors
    /// As [`Message::new`].
    pub fn digest(&self, algorithm: &Algorithm, bytes: &[u8]) -> io::Result<Checksum> {
        let mut message = Message::new(algorithm, self.mode)?;
        message.append(bytes);
        Ok(message.finish())
    }

    /// What digests several of these side by side by an algorithm, if anything does.
    pub fn lanes_of(&self, algorithm: &Algorithm) -> Option<&'static dyn Lanes> {
        let kernels = algorithm.lanes.iter();
        let mut available = kernels.filter(|kernel| self.mode == InputMode::Binary && (kernel.is_available)());
        available.next().map(|kernel| kernel.compress)
    }
}

impl<J: Job> Item<J> {
    /// A file that is not open yet.
    pub fn new(number: u64, job: J, facts: Facts) -> Self {
        Self { number, job, facts, state: State::Unfinished, open: None, part: 0..0 }
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether it goes with large ones: among small ones it would soon be alone in its lane.
    pub fn is_large(&self) -> bool {
        self.facts.size > LARGE
    }

    /// Room in the buffer its next part needs.
    pub fn room(&self, resources: Resources) -> usize {
        let left = match usize::try_from(self.left()) {
            // It is longer than it was said to be.
            Ok(0) if self.is_open() => usize::MAX,
            left => left.unwrap_or(usize::MAX).max(LEAST_ROOM),
        };
        // A little more than is left, to see the end.
        left.min(portion(resources, &self.facts)).next_multiple_of(LINE) + LINE
    }

    /// Bytes it still seems to have.
    pub fn left(&self) -> u64 {
        self.facts.size.saturating_sub(self.open.as_ref().map_or(0, |open| open.length))
    }

    /// Reads its next part into `memory` from `at` on, no more than `room` bytes, and gives the number of bytes.
    pub fn read(&mut self, memory: &mut [u8], at: usize, room: usize, resources: Resources) -> usize {
        self.part = at..at;
        self.state = match self.read_part(&mut memory[at..at + room], resources) {
            Ok(true) => State::Ended,
            Ok(false) => State::Unfinished,
            Err(error) if source::is_short_of_descriptors(&error) => State::NeedsDescriptor,
            Err(error) => State::Done(Err(error)),
        };
        self.part.len()
    }

    /// Reads its next part and tells whether it is the last.
    fn read_part(&mut self, memory: &mut [u8], resources: Resources) -> io::Result<bool> {
        let size = pump::buffer_size(resources.buffer_size, self.facts.record_size);
        let portion = portion(resources, &self.facts);
        let left = self.left();
        // Parts that are not the last are whole buffers.
        let room = if left > portion as u64 { memory.len().min(portion) } else { memory.len() };
        if let Some(open) = &mut self.open {
            let (length, end) = fill(&mut open.input, &mut memory[..room], size, left);
            open.length += length as u64;
            self.part.end += length;
            return end;
        }
        let task = self.job.task().ok_or(ErrorKind::InvalidInput)?;
        let name = task.source.file_name().ok_or(ErrorKind::InvalidInput)?;
        let mut input = Input::open_regular(name, &self.facts)?;
        let (length, end) = fill(&mut input, &mut memory[..room], size, left);
        let is_last = end?;
        if !is_last {
            let contents = task.algorithms.iter().map(|algorithm| Content::new(&task, algorithm));
            let contents = contents.collect::<io::Result<_>>()?;
            self.open = Some(Open { input, length: length as u64, contents });
        }
        self.part.end += length;
        Ok(is_last)
    }
}

/// Bytes of a part.
fn portion(resources: Resources, facts: &Facts) -> usize {
    ahead::portion(pump::buffer_size(resources.buffer_size, facts.record_size))
}

/// Reads until the room is full or the file ends, no more than `read_size` bytes at once, and tells whether it ended.
fn fill(reader: &mut dyn Read, room: &mut [u8], read_size: usize, left: u64) -> (usize, io::Result<bool>) {
    let mut filled = 0;
    while filled < room.len() {
        let asked = read_size.min(room.len() - filled);
        match reader.read(&mut room[filled..][..asked]) {
            Ok(0) => return (filled, Ok(true)),
            Ok(count) => {
                filled += count;
                // A short read is no end, nor is the size the file was said to have: both together are.
                if count < asked && filled as u64 == left {
                    return (filled, Ok(true));
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (filled, Err(error)),
        }
    }
    (filled, Ok(false))
}

impl<J> Item<J> {
    /// Whether all of it is in its part.
    pub fn is_whole(&self) -> bool {
        self.open.is_none() && matches!(self.state, State::Ended)
    }

    /// Makes a digest of a file that has ended, and closes what is done.
    pub fn settle(&mut self) {
        if let State::Ended = self.state {
            if let Some(open) = self.open.take() {
                self.state = State::Done(Ok(open.contents.into_iter().map(Content::finish).collect()));
            }
        } else if let State::Done(_) = self.state {
            self.open = None;
        }
    }
}
