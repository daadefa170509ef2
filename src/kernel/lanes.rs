//! Several messages at once, each in a lane of vector registers.
//!
//! One message is a chain of dependent steps; the steps of different messages depend on nothing of each other. Lanes whose message
//! ends take the next one, and a few messages left over go on one by one, when that is faster.

use std::array;
use std::cmp::Reverse;
use std::fmt;
use std::ops::Range;

use super::{prefetch, with_prefetch};
use crate::algorithm::Checksum;

/// Bytes in the largest block.
const MAX_BLOCK: usize = 128;

/// Words in the largest state: Skein-1024's chaining value and tweak.
const MAX_WORDS: usize = 18;

/// Bytes a lane takes at once, whole blocks of every function; those behind them are asked for meanwhile.
const STRIDE: usize = 1024;

/// Where a message stands between two of its parts.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The state after the last whole block.
    pub(super) words: [u64; MAX_WORDS],
    /// Bytes of the message so far.
    pub(super) length: u64,
    /// The bytes behind the last whole block.
    rest: [u8; MAX_BLOCK],
    rest_length: usize,
}

/// A part of a message to be digested beside parts of others.
#[derive(Debug)]
pub struct Part<'a> {
    /// Where its message stands.
    pub chain: &'a mut Chain,
    /// Its bytes.
    pub data: &'a [u8],
    /// Whether the message ends with it.
    pub is_last: bool,
}

/// Digests several messages at once.
pub trait Lanes: Sync {
    /// The most messages at once.
    fn count(&self) -> usize;

    /// The fewest messages that are faster at once than one after the other.
    fn crossing(&self) -> usize;

    /// A message's start.
    fn start(&self) -> Chain;

    /// Appends each part to its message.
    fn update(&self, parts: &mut [Part]);

    /// The digest of a message whose last part was appended.
    fn checksum(&self, chain: &Chain) -> Checksum;
}

impl fmt::Debug for dyn Lanes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} lanes", self.count())
    }
}

/// A word of a state.
pub trait Word: Copy + Default {
    /// From the one a [`Chain`] keeps.
    fn from_chain(word: u64) -> Self;
    /// To the one a [`Chain`] keeps.
    fn to_chain(self) -> u64;
}

impl Word for u32 {
    fn from_chain(word: u64) -> Self {
        word as u32
    }

    fn to_chain(self) -> u64 {
        self.into()
    }
}

impl Word for u64 {
    fn from_chain(word: u64) -> Self {
        word
    }

    fn to_chain(self) -> u64 {
        self
    }
}

/// Updates the states of LANES messages, `states[word][lane]`, with `count` blocks of each. To be called only where its instructions
/// are available and as many blocks can be read.
pub type Together<W, const N: usize, const LANES: usize> =
    unsafe fn(states: &mut [[W; LANES]; N], blocks: [*const u8; LANES], count: usize);

/// What a message of this length, whose last bytes are given, ends with: writes as many blocks to `tail` as it says, or ends the
/// message with none. It is called with 0, 1, … until then, and may change the state.
pub type End<W, const N: usize> =
    fn(step: usize, state: &mut [W; N], length: u64, rest: &[u8], tail: &mut [u8; 2 * MAX_BLOCK]) -> usize;

/// A compression function with a state of N words, for LANES messages at once.
pub struct Function<W, const N: usize, const LANES: usize> {
    /// Bytes in a block.
    pub block_size: usize,
    /// Whether a message's last whole block belongs to its end.
    pub keeps_last_block: bool,
    /// See [`Lanes::crossing`].
    pub crossing: usize,
    /// See [`Hasher::piece_size`](crate::algorithm::Hasher::piece_size).
    pub piece_size: usize,
    /// The state a message starts with.
    pub initial: fn() -> [W; N],
    /// Several messages at once.
    pub together: Together<W, N, LANES>,
    /// Whole blocks of one message.
    pub alone: fn(&mut [W; N], &[u8]),
    /// The end of a message.
    pub end: End<W, N>,
    /// The digest a state stands for.
    pub checksum: fn(&[W; N]) -> Checksum,
}

impl<W: Word, const N: usize, const LANES: usize> Lanes for Function<W, N, LANES> {
    fn count(&self) -> usize {
        LANES
    }

    fn crossing(&self) -> usize {
        self.crossing
    }

    fn start(&self) -> Chain {
        let mut chain = Chain { words: [0; MAX_WORDS], length: 0, rest: [0; MAX_BLOCK], rest_length: 0 };
        chain.set_state((self.initial)());
        chain
    }

    fn update(&self, parts: &mut [Part]) {
        // The longest first, so that the lanes come to their ends together.
        let mut order: Vec<&mut Part> = parts.iter_mut().collect();
        order.sort_by_key(|part| Reverse(part.data.len()));
        let mut waiting = order.into_iter();
        let mut lanes: [Option<Lane<W, N>>; LANES] = array::from_fn(|_| None);
        loop {
            for lane in lanes.iter_mut().filter(|lane| lane.is_none()) {
                *lane = waiting.next().map(|part| Lane::new(self, part));
            }
            match lanes.iter().flatten().count() {
                0 => return,
                few if few < self.crossing => lanes.iter_mut().flatten().for_each(|lane| lane.run_alone(self)),
                _ => self.run_together(&mut lanes),
            }
            for lane in &mut lanes {
                lane.take_if(|lane| lane.blocks().is_empty() && !lane.go_on(self));
            }
        }
    }

    fn checksum(&self, chain: &Chain) -> Checksum {
        (self.checksum)(&chain.state())
    }
}

impl<W: Word, const N: usize, const LANES: usize> Function<W, N, LANES> {
    /// Runs all lanes as far as the one with the fewest blocks goes.
    fn run_together(&self, lanes: &mut [Option<Lane<W, N>>; LANES]) {
        let shortest = lanes.iter().flatten().map(|lane| lane.blocks().len()).min().unwrap_or_default();
        let mut states = [[W::default(); LANES]; N];
        for (index, lane) in lanes.iter().enumerate() {
            let state = lane.as_ref().map_or([W::default(); N], |lane| lane.state);
            (0..N).for_each(|word| states[word][index] = state[word]);
        }
        for at in (0..shortest).step_by(STRIDE) {
            let size = STRIDE.min(shortest - at);
            // Empty lanes run with another's blocks; nobody asks what becomes of them.
            let mut some = [0].as_ptr();
            for lane in lanes.iter().flatten() {
                let blocks = &lane.blocks()[at..];
                some = blocks.as_ptr();
                prefetch(&blocks[size..blocks.len().min(2 * size)]);
            }
            let blocks = array::from_fn(|lane| lanes[lane].as_ref().map_or(some, |lane| lane.blocks()[at..].as_ptr()));
            // SAFETY: the implementation is available, and each lane has as many bytes; `update` runs no lanes where there are none.
            unsafe { (self.together)(&mut states, blocks, size / self.block_size) };
        }
        for (index, lane) in lanes.iter_mut().enumerate() {
            if let Some(lane) = lane {
                lane.state = array::from_fn(|word| states[word][index]);
                lane.skip(shortest);
            }
        }
    }
}

impl Chain {
    fn state<W: Word, const N: usize>(&self) -> [W; N] {
        array::from_fn(|word| W::from_chain(self.words[word]))
    }

    fn set_state<W: Word, const N: usize>(&mut self, state: [W; N]) {
        self.words.iter_mut().zip(state).for_each(|(word, new)| *word = new.to_chain());
    }
}

/// A part on its way through a lane.
struct Lane<'a, W, const N: usize> {
    chain: &'a mut Chain,
    state: [W; N],
    /// Blocks that do not lie in the part: the one the parts before began, or the message's end.
    made: [u8; 2 * MAX_BLOCK],
    /// Which of them are still to be taken, before all else.
    made_left: Range<usize>,
    /// The part's own blocks that are still to be taken.
    blocks: &'a [u8],
    /// The part's bytes behind its blocks.
    rest: &'a [u8],
    is_last: bool,
    /// Steps of the message's end that were taken.
    steps: usize,
}

impl<'a, W: Word, const N: usize> Lane<'a, W, N> {
    fn new<const LANES: usize>(function: &Function<W, N, LANES>, part: &'a mut Part) -> Self {
        let Part { chain, data, is_last } = part;
        chain.length = chain.length.wrapping_add(data.len() as u64);
        let size = function.block_size;
        let mut data = *data;
        let mut total = chain.rest_length + data.len();
        // What belongs to the message's end is not taken before it is known to be no more than that.
        total -= usize::from(function.keeps_last_block && total > 0);
        let mut made = [0; 2 * MAX_BLOCK];
        let mut made_left = 0..0;
        if chain.rest_length > 0 && total >= size {
            let (completing, others) = data.split_at(size - chain.rest_length);
            made[..chain.rest_length].copy_from_slice(&chain.rest[..chain.rest_length]);
            made[chain.rest_length..size].copy_from_slice(completing);
            (made_left, data, chain.rest_length, total) = (0..size, others, 0, total - size);
        }
        let whole = if chain.rest_length > 0 { 0 } else { total / size * size };
        let (blocks, rest) = data.split_at(whole);
        Self { state: chain.state(), chain, made, made_left, blocks, rest, is_last: *is_last, steps: 0 }
    }

    /// Whole blocks to be taken now; none when it is time to go on.
    fn blocks(&self) -> &[u8] {
        if self.made_left.is_empty() { self.blocks } else { &self.made[self.made_left.clone()] }
    }

    /// Leaves out as many bytes of [`Lane::blocks`], which were taken.
    fn skip(&mut self, bytes: usize) {
        if self.made_left.is_empty() {
            self.blocks = &self.blocks[bytes..];
        } else {
            self.made_left.start += bytes;
        }
    }

    fn run_alone<const LANES: usize>(&mut self, function: &Function<W, N, LANES>) {
        let mut state = self.state;
        with_prefetch(self.blocks(), function.piece_size, &mut |blocks| (function.alone)(&mut state, blocks));
        self.state = state;
        self.skip(self.blocks().len());
    }

    /// Makes the blocks that come behind those taken. False when there are no more: then the message stands behind the part.
    fn go_on<const LANES: usize>(&mut self, function: &Function<W, N, LANES>) -> bool {
        let Chain { rest, rest_length, length, .. } = self.chain;
        rest[*rest_length..][..self.rest.len()].copy_from_slice(self.rest);
        *rest_length += self.rest.len();
        self.rest = &[];
        if self.is_last {
            let blocks = (function.end)(self.steps, &mut self.state, *length, &rest[..*rest_length], &mut self.made);
            self.steps += 1;
            self.made_left = 0..blocks * function.block_size;
        }
        self.chain.set_state(self.state);
        !self.made_left.is_empty()
    }
}

/// The padding of MD5 and RIPEMD-160 (RFC 1321, 3.1 and 3.2): a one, zeros, and the length in bits with the lowest byte first.
pub fn end_le<const N: usize>(
    step: usize,
    _state: &mut [u32; N],
    length: u64,
    rest: &[u8],
    tail: &mut [u8; 2 * MAX_BLOCK],
) -> usize {
    pad(step, 64, &length.wrapping_mul(8).to_le_bytes(), rest, tail)
}

/// The padding of SHA-1 and SHA-256 (FIPS 180-4, 5.1.1): a one, zeros, and the length in bits with the highest byte first.
pub fn end_be<const N: usize>(
    step: usize,
    _state: &mut [u32; N],
    length: u64,
    rest: &[u8],
    tail: &mut [u8; 2 * MAX_BLOCK],
) -> usize {
    pad(step, 64, &length.wrapping_mul(8).to_be_bytes(), rest, tail)
}

/// The padding of SHA-512 (FIPS 180-4, 5.1.2): as above, with twice the block and a length of 128 bits.
pub fn end_be_128(
    step: usize,
    _state: &mut [u64; 8],
    length: u64,
    rest: &[u8],
    tail: &mut [u8; 2 * MAX_BLOCK],
) -> usize {
    pad(step, 128, &(u128::from(length) * 8).to_be_bytes(), rest, tail)
}

fn pad(step: usize, block_size: usize, length: &[u8], rest: &[u8], tail: &mut [u8; 2 * MAX_BLOCK]) -> usize {
    if step > 0 {
        return 0;
    }
    let blocks = (rest.len() + 1 + length.len()).div_ceil(block_size);
    let tail = &mut tail[..blocks * block_size];
    tail.fill(0);
    tail[..rest.len()].copy_from_slice(rest);
    tail[rest.len()] = 0x80;
    let end = tail.len() - length.len();
    tail[end..].copy_from_slice(length);
    blocks
}
