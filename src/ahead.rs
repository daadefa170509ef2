//! Read-ahead: several buffers of a regular file on their way at once, handed on in order.
//!
//! A store that takes its time for each record serves several requests in the time of one, and even cached data is copied by
//! another processor while this one digests. Threads end with the call, which is why none of this is for pipes or terminals:
//! a read of theirs may never end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use crate::pump::{self, Buffer, Failure};

/// Readers at once where the store is slow, unless something else is asked for: 1.6 ms a record where one takes 13 ms, which
/// is what the fastest digests need for a MiB, with less memory than a small program.
pub const DEFAULT_READERS: usize = 8;

/// The most readers that can be asked for.
pub const MAX_READERS: usize = 256;

/// Bytes all buffers of the default read-ahead may take.
const MAX_MEMORY: usize = 64 << 20;

/// Bytes left to read from which on a second thread gains more than its start takes, when reading is faster than digesting.
const WORTH_A_THREAD: u64 = 8 << 20;

/// A wait for the next buffer after which one more reader is put to work.
const PATIENCE: Duration = Duration::from_micros(300);

/// Bytes from which on handing them over costs nothing beside digesting them: smaller buffers are handed over several at once.
const WORTH_HANDING_OVER: usize = 256 << 10;

/// Bytes of a reader's stack: it calls little more than pread(2).
const STACK_SIZE: usize = 64 << 10;

/// What the first buffer of a file told.
#[derive(Debug, Clone, Copy)]
pub struct Experience {
    /// How long it took to read.
    pub reading: Duration,
    /// How long it took to digest.
    pub digesting: Duration,
}

/// How many readers to start with, and how many there may be. None where reading in line is as good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Readers {
    /// Started at once.
    pub first: usize,
    /// Put to work one by one while they are waited for.
    pub most: usize,
}

impl Readers {
    /// The readers for `portions` more portions of `size` bytes: as many as requested, or what the first buffer's times suggest
    /// on a machine of `processors` processors.
    pub fn choose(
        requested: Option<usize>,
        portions: u64,
        size: usize,
        experience: Experience,
        processors: impl FnOnce() -> usize,
    ) -> Option<Self> {
        if portions < 2 {
            return None;
        }
        let at_most = usize::try_from(portions).unwrap_or(usize::MAX);
        if let Some(requested) = requested {
            let readers = requested.min(at_most);
            return (readers > 0).then_some(Self { first: readers, most: readers });
        }
        let most = DEFAULT_READERS.min(MAX_MEMORY / size).min(at_most).max(1);
        if experience.reading > experience.digesting {
            return Some(Self { first: most, most });
        }
        let is_worth_it = portions.saturating_mul(size as u64) >= WORTH_A_THREAD && processors() > 1;
        is_worth_it.then_some(Self { first: 1, most })
    }
}

/// Bytes a reader hands over at once: a buffer of `size` bytes, or as many small ones as are worth it.
pub fn portion(size: usize) -> usize {
    WORTH_HANDING_OVER.div_ceil(size) * size
}

/// What of a file is read ahead.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// How many portions it has.
    pub count: u64,
    /// Bytes of a portion: what a reader hands over at once.
    pub size: usize,
    /// The most bytes that are asked for in one read.
    pub read_size: usize,
}

/// Hands each portion of a stretch of `file` to `sink` in order, and gives the number of bytes.
///
/// It ends early, without an error, at the first portion the file does not fill, or when there is no thread or memory to be had:
/// what is left is to be read in line.
///
/// # Errors
/// The first error of reading or of the sink. What was read before it is handed on.
pub fn pump(
    file: &File,
    stretch: Stretch,
    readers: Readers,
    buffers: &mut Vec<Buffer>,
    sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> Result<u64, Failure> {
    let queue = Queue { file, stretch, state: Mutex::default(), filled: Condvar::new(), freed: Condvar::new() };
    thread::scope(|scope| {
        let pool = Pool { queue: &queue, scope, buffers };
        let result = pool.run(readers, sink);
        queue.lock().is_over = true;
        queue.freed.notify_all();
        result
    })
}

/// What readers and the digesting thread share.
struct Queue<'a> {
    file: &'a File,
    stretch: Stretch,
    state: Mutex<State>,
    /// Told when a buffer is filled.
    filled: Condvar,
    /// Told when a buffer is free, or all is over.
    freed: Condvar,
}

#[derive(Default)]
struct State {
    /// The first portion no reader has taken on.
    next: u64,
    free: Vec<Buffer>,
    filled: BTreeMap<u64, Filled>,
    is_over: bool,
}

/// A portion that was read.
struct Filled {
    buffer: Buffer,
    length: usize,
    fault: io::Result<()>,
}

impl Queue<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills one buffer after the other until all are taken on or all is over.
    fn read(&self) {
        let mut state = self.lock();
        while !state.is_over && state.next < self.stretch.count {
            let Some(mut buffer) = state.free.pop() else {
                state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let number = state.next;
            state.next += 1;
            drop(state);
            let Stretch { offset, size, read_size, .. } = self.stretch;
            let mut reader = At { file: self.file, offset: offset + number * size as u64, read_size };
            let (length, fault) = match buffer.with_size(size) {
                Ok(memory) => pump::fill(&mut reader, memory),
                Err(error) => (0, Err(error)),
            };
            state = self.lock();
            state.filled.insert(number, Filled { buffer, length, fault });
            self.filled.notify_one();
        }
    }

    /// Waits for a buffer, calling `on_wait` each time it takes longer than [`PATIENCE`].
    fn wait_for(&self, number: u64, mut on_wait: impl FnMut(&mut State)) -> Filled {
        let mut state = self.lock();
        loop {
            if let Some(filled) = state.filled.remove(&number) {
                return filled;
            }
            let (guard, waited) = self.filled.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            state = guard;
            if waited.timed_out() {
                on_wait(&mut state);
            }
        }
    }
}

/// A file from an offset on, read without moving the file's own position.
struct At<'a> {
    file: &'a File,
    offset: u64,
    read_size: usize,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.read_size);
        let count = self.file.read_at(&mut buffer[..length], self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}

/// The digesting thread's side: it starts readers and takes their buffers.
struct Pool<'scope, 'env, 'a> {
    queue: &'scope Queue<'a>,
    scope: &'scope Scope<'scope, 'env>,
    /// Buffers of earlier files.
    buffers: &'a mut Vec<Buffer>,
}

impl Pool<'_, '_, '_> {
    fn run(mut self, readers: Readers, sink: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<u64, Failure> {
        let queue = self.queue;
        let mut working = 0;
        while working < readers.first && self.start_reader(&mut queue.lock()) {
            working += 1;
        }
        if working == 0 {
            return Ok(0);
        }
        // One more for the buffer that is being digested.
        self.add_buffer(&mut queue.lock());
        let result = self.hand_on(working, readers.most, sink);
        self.buffers.append(&mut queue.lock().free);
        result
    }

    fn hand_on(
        &mut self,
        mut working: usize,
        most: usize,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<u64, Failure> {
        let queue = self.queue;
        let mut handed = 0;
        for number in 0..queue.stretch.count {
            let Filled { mut buffer, length, fault } = queue.wait_for(number, |state| {
                if working < most && self.start_reader(state) {
                    working += 1;
                }
            });
            let memory = buffer.with_size(queue.stretch.size).map_err(Failure::Input)?;
            if length > 0 {
                sink(&memory[..length]).map_err(Failure::Output)?;
            }
            fault.map_err(Failure::Input)?;
            handed += length as u64;
            if length < queue.stretch.size {
                break;
            }
            queue.lock().free.push(buffer);
            queue.freed.notify_one();
        }
        Ok(handed)
    }

    /// Puts one more reader and its buffer to work, unless there is no memory or no thread for it.
    fn start_reader(&mut self, state: &mut State) -> bool {
        let queue = self.queue;
        self.add_buffer(state)
            && thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(self.scope, || queue.read()).is_ok()
    }

    fn add_buffer(&mut self, state: &mut State) -> bool {
        let mut buffer = self.buffers.pop().unwrap_or_default();
        let has_memory = buffer.with_size(self.queue.stretch.size).is_ok();
        if has_memory {
            state.free.push(buffer);
        }
        has_memory
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const SIZE: usize = 1000;
    const ALL: Readers = Readers { first: 4, most: 4 };

    fn stretch(offset: u64, count: u64) -> Stretch {
        Stretch { offset, count, size: SIZE, read_size: 300 }
    }

    fn file_of(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file
    }

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|i| (i * 7 % 253) as u8).collect()
    }

    #[test]
    fn buffers_are_handed_on_whole_and_in_order() {
        let content = content(50 * SIZE + 123);
        let file = file_of(&content);
        for readers in [(1, 1), (1, 8), (3, 3), (8, 8), (100, 100)].map(|(first, most)| Readers { first, most }) {
            for (offset, count) in [(0, 50), (0, 1), (17, 49), (3 * SIZE, 2)] {
                let mut buffers = Vec::new();
                let mut passed = Vec::new();
                let handed = pump(&file, stretch(offset as u64, count), readers, &mut buffers, &mut |part| {
                    assert_eq!(part.len(), SIZE);
                    passed.extend_from_slice(part);
                    Ok(())
                });
                let length = count as usize * SIZE;
                assert_eq!(handed.unwrap(), length as u64);
                assert!(passed == content[offset..offset + length], "{readers:?} {offset} {count}");
                assert!(!buffers.is_empty(), "buffers are kept");
            }
        }
    }

    #[test]
    fn a_file_shorter_than_it_seemed_ends_where_it_ends() {
        for length in [0, 1, SIZE, 3 * SIZE, 3 * SIZE + 1, 7 * SIZE - 1] {
            let content = content(length);
            let mut passed = Vec::new();
            let handed = pump(&file_of(&content), stretch(0, 20), ALL, &mut Vec::new(), &mut |part| {
                passed.extend_from_slice(part);
                Ok(())
            });
            assert_eq!(handed.unwrap(), length as u64);
            assert!(passed == content);
        }
    }

    #[test]
    fn a_fault_is_told_in_its_place() {
        // A directory opens, and each read of it fails.
        let folder = File::open("/").unwrap();
        let failure = pump(&folder, stretch(0, 20), ALL, &mut Vec::new(), &mut |_| panic!("nothing was read"));
        assert!(matches!(failure, Err(Failure::Input(error)) if error.raw_os_error() == Some(libc::EISDIR)));
    }

    #[test]
    fn a_failing_sink_ends_it() {
        let mut calls = 0;
        let failure = pump(&file_of(&content(50 * SIZE)), stretch(0, 50), ALL, &mut Vec::new(), &mut |_| {
            calls += 1;
            if calls == 5 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        });
        assert!(matches!(failure, Err(Failure::Output(_))));
        assert_eq!(calls, 5);
    }

    #[test]
    fn small_buffers_are_handed_over_several_at_once() {
        for (size, wanted) in [(1, 256 << 10), (16 << 10, 256 << 10), (100_000, 300_000), (1 << 20, 1 << 20)] {
            assert_eq!(portion(size), wanted);
        }
    }

    #[test]
    fn readers_are_put_to_work_where_they_gain() {
        const MIB: usize = 1 << 20;
        let experience = |reading, digesting| Experience {
            reading: Duration::from_micros(reading),
            digesting: Duration::from_micros(digesting),
        };
        let choose = |requested, buffers, size, experience, processors| {
            Readers::choose(requested, buffers, size, experience, || processors)
                .map_or((0, 0), |Readers { first, most }| (first, most))
        };
        let (slow, fast) = (experience(13_000, 1_400), experience(120, 1_400));
        assert_eq!(choose(None, 400, MIB, slow, 1), (8, 8), "waiting readers need no processor");
        assert_eq!(choose(None, 400, 16 * MIB, slow, 2), (4, 4), "64 MiB are enough");
        assert_eq!(choose(None, 3, MIB, slow, 2), (3, 3), "no more than there are buffers");
        assert_eq!(choose(None, 400, MIB, fast, 2), (1, 8));
        assert_eq!(choose(None, 400, MIB, fast, 1), (0, 0), "one processor does not read while it digests");
        assert_eq!(choose(None, 7, MIB, fast, 2), (0, 0), "too little for a thread");
        assert_eq!(choose(None, 1, MIB, slow, 2), (0, 0));
        assert_eq!(choose(None, 400, 1 << 30, slow, 2), (1, 1));
        assert_eq!(choose(Some(0), 400, MIB, slow, 2), (0, 0));
        assert_eq!(choose(Some(3), 400, MIB, fast, 1), (3, 3), "what is asked for is done");
    }
}
