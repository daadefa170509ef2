//! Skein-256-256, Skein-512-512 and Skein-1024-1024 (Ferguson et al., "The Skein Hash Function Family", version 1.3, 2010).
//!
//! Threefish's words never move: after four rounds its permutation is back where it began, so each round only names other
//! words. The subkeys lie in memory one behind the other, each a window of the key repeated, where an addition can take them from.

use std::arch::asm;

use digest::array::Array;
use digest::block_buffer::{BlockSizes, LazyBuffer};
use digest::consts::{U32, U64, U128};

use super::lanes::{Function, Together};
use super::vector::{Avx2x4, Avx512x8, Vector, has_avx2, has_avx512, load_all, moved};
use super::{Implementation, LaneKernels, best};
use crate::algorithm::{Checksum, Hasher};

/// Chains whole blocks into a chaining value of N words: UBI, section 3.4. The tweak's position is counted on by `step` bytes
/// before each block, and its first-block flag is cleared after it.
pub type Compress<const N: usize> = unsafe fn(&mut [u64; N], &mut [u64; 2], blocks: &[u8], step: u64);

/// The flag of the tweak's second word for the first block of a message.
const FIRST: u64 = 1 << 62;
/// The flag for the last block.
const FINAL: u64 = 1 << 63;
/// The types of what is processed: configuration, message, output.
const CONFIGURATION: u64 = 4 << 56;
const MESSAGE: u64 = 48 << 56;
const OUTPUT: u64 = 63 << 56;

/// What is added to the words of a key to make it never all zero (C240).
const PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;

/// The implementations of Skein-256's chaining, best first.
pub static IMPLEMENTATIONS_256: &[Implementation<Compress<4>>] =
    &[Implementation { name: "x86-64", is_available: || true, compress: plain::<4, 72> }];

/// The implementations of Skein-512's chaining, best first.
pub static IMPLEMENTATIONS_512: &[Implementation<Compress<8>>] =
    &[Implementation { name: "x86-64", is_available: || true, compress: plain::<8, 72> }];

/// The implementations of Skein-1024's chaining, best first.
pub static IMPLEMENTATIONS_1024: &[Implementation<Compress<16>>] = &[
    Implementation {
        name: "avx512f",
        is_available: || is_x86_feature_detected!("avx512f"),
        compress: avx512::compress,
    },
    Implementation { name: "x86-64", is_available: || true, compress: plain::<16, 80> },
];

/// The implementations of Skein-256 for several messages at once, best first.
pub const LANES_256: LaneKernels = &[
    Implementation { name: "avx512", is_available: has_avx512, compress: &several_256(lanes_256_avx512) },
    Implementation { name: "avx2", is_available: has_avx2, compress: &several_256(lanes_256_avx2) },
];

/// The implementations of Skein-512 for several messages at once, best first.
pub const LANES_512: LaneKernels = &[
    Implementation { name: "avx512", is_available: has_avx512, compress: &several_512(lanes_512_avx512) },
    Implementation { name: "avx2", is_available: has_avx2, compress: &several_512(lanes_512_avx2) },
];

/// The implementations of Skein-1024 for several messages at once, best first.
pub const LANES_1024: LaneKernels =
    &[Implementation { name: "avx512", is_available: has_avx512, compress: &several_1024(lanes_1024_avx512) }];

/// Messages from which on lanes are faster: all of them take as long as 1.6 (AVX-512) and 1.8 (AVX2) one after the other.
const CROSSING_256: usize = 2;
/// The same of Skein-512: 2.1 with both.
const CROSSING_512: usize = 3;
/// The same of Skein-1024, whose words are more than there are registers: 5.5 (AVX-512); AVX2 would not pay.
const CROSSING_1024: usize = 6;

/// Makes the functions for several messages of one size, whose state is the chaining value and the tweak.
macro_rules! several {
    ($($name:ident, $hasher:ty, $words:literal, $implementations:ident, $crossing:ident;)*) => {
        $(const fn $name<const LANES: usize>(
            together: Together<u64, { $words + 2 }, LANES>,
        ) -> Function<u64, { $words + 2 }, LANES> {
            Function {
                block_size: 8 * $words,
                keeps_last_block: true,
                crossing: $crossing,
                piece_size: 2 << 10,
                initial: || {
                    let hasher = <$hasher>::new(best($implementations));
                    std::array::from_fn(|i| if i < $words { hasher.state[i] } else { hasher.tweak[i - $words] })
                },
                together,
                alone: |state, blocks| {
                    let (chain, tweak) = state.split_first_chunk_mut().expect("the state begins with the chaining value");
                    let tweak = tweak.try_into().expect("and ends with the tweak");
                    // SAFETY: the best implementation is available.
                    unsafe { best($implementations)(chain, tweak, blocks, 8 * $words) }
                },
                end: |step, state, length, rest, tail| {
                    let [.., position, kind] = state;
                    // The position is counted on by a whole block, whatever is in it.
                    match step {
                        0 => (*position, *kind) = (length.wrapping_sub(8 * $words), *kind | FINAL),
                        1 => (*position, *kind) = (8_u64.wrapping_sub(8 * $words), FIRST | FINAL | OUTPUT),
                        _ => return 0,
                    }
                    let block = &mut tail[..8 * $words];
                    block.fill(0);
                    if step == 0 {
                        block[..rest.len()].copy_from_slice(rest);
                    }
                    1
                },
                checksum: |state| {
                    let chain = state.first_chunk::<$words>().expect("the state begins with the chaining value");
                    Checksum::new(chain.map(u64::to_le_bytes).as_flattened())
                },
            }
        })*
    };
}

several! {
    several_256, Skein256, 4, IMPLEMENTATIONS_256, CROSSING_256;
    several_512, Skein512, 8, IMPLEMENTATIONS_512, CROSSING_512;
    several_1024, Skein1024, 16, IMPLEMENTATIONS_1024, CROSSING_1024;
}

/// A hasher of N words whose output is as long as its state; `Size` is that length in bytes.
pub struct Skein<const N: usize, Size: BlockSizes> {
    state: [u64; N],
    pub(super) tweak: [u64; 2],
    buffer: LazyBuffer<Size>,
    compress: Compress<N>,
}

impl<const N: usize, Size: BlockSizes> Skein<N, Size> {
    /// A hasher at the start of a message. The implementation must be available.
    pub fn new(compress: Compress<N>) -> Self {
        let mut hasher = Self { state: [0; N], tweak: [0; 2], buffer: LazyBuffer::default(), compress };
        // Section 3.5.2: "SHA3", version 1, the output's length in bits, no tree.
        let mut configuration = Array::<u8, Size>::default();
        configuration[..8].copy_from_slice(&0x0000_0001_3341_4853_u64.to_le_bytes());
        configuration[8..16].copy_from_slice(&(Size::U64 * 8).to_le_bytes());
        hasher.process(FIRST | FINAL | CONFIGURATION, &configuration, 32);
        hasher.tweak = [0, FIRST | MESSAGE];
        hasher
    }

    /// Processes a block that is the only one of its kind, `length` bytes of it.
    fn process(&mut self, kind: u64, block: &[u8], length: u64) {
        // SAFETY: the implementation is available.
        unsafe { (self.compress)(&mut self.state, &mut [0, kind], block, length) };
    }
}

impl<const N: usize, Size: BlockSizes> Hasher for Skein<N, Size>
where
    Size: Send,
{
    fn update(&mut self, data: &[u8]) {
        self.buffer.digest_blocks(data, |blocks| {
            let blocks = Array::slice_as_flattened(blocks);
            // SAFETY: the implementation is available.
            unsafe { (self.compress)(&mut self.state, &mut self.tweak, blocks, Size::U64) };
        });
    }

    fn finish(mut self: Box<Self>) -> Checksum {
        let length = self.buffer.get_pos() as u64;
        let last = self.buffer.pad_with_zeros();
        self.tweak[1] |= FINAL;
        // SAFETY: the implementation is available.
        unsafe { (self.compress)(&mut self.state, &mut self.tweak, &last, length) };
        // The output's first block, which is all of it: its number is 0.
        self.process(FIRST | FINAL | OUTPUT, &Array::<u8, Size>::default(), 8);
        Checksum::new(self.state.map(u64::to_le_bytes).as_flattened())
    }
}

/// A hasher of Skein-256-256.
pub type Skein256 = Skein<4, U32>;
/// A hasher of Skein-512-512.
pub type Skein512 = Skein<8, U64>;
/// A hasher of Skein-1024-1024.
pub type Skein1024 = Skein<16, U128>;

/// Threefish's rotations by round (modulo 8) and pair of words: table 4 of the paper.
const fn rotation(words: usize, round: usize, pair: usize) -> u32 {
    const R256: [[u32; 2]; 8] = [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];
    const R512: [[u32; 4]; 8] = [
        [46, 36, 19, 37],
        [33, 27, 14, 42],
        [17, 49, 36, 39],
        [44, 9, 54, 56],
        [39, 30, 34, 24],
        [13, 50, 10, 17],
        [25, 29, 39, 43],
        [8, 35, 56, 22],
    ];
    const R1024: [[u32; 8]; 8] = [
        [24, 13, 8, 47, 8, 17, 22, 37],
        [38, 19, 10, 55, 49, 18, 23, 52],
        [33, 4, 51, 13, 34, 41, 59, 17],
        [5, 20, 48, 41, 47, 28, 16, 25],
        [41, 9, 37, 31, 12, 47, 44, 30],
        [16, 34, 56, 51, 4, 53, 42, 41],
        [31, 44, 47, 46, 19, 42, 44, 25],
        [9, 48, 35, 52, 23, 31, 37, 20],
    ];
    match words {
        4 => R256[round % 8][pair],
        8 => R512[round % 8][pair],
        _ => R1024[round % 8][pair],
    }
}

/// The word that stands at `place` after `rounds` permutations: table 3 of the paper, repeated.
const fn word_at(words: usize, rounds: usize, place: usize) -> usize {
    const P256: [usize; 4] = [0, 3, 2, 1];
    const P512: [usize; 8] = [2, 1, 4, 7, 6, 5, 0, 3];
    const P1024: [usize; 16] = [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1];
    let mut place = place;
    let mut left = rounds % 4;
    while left > 0 {
        place = match words {
            4 => P256[place],
            8 => P512[place],
            _ => P1024[place],
        };
        left -= 1;
    }
    place
}

/// In general registers.
fn plain<const N: usize, const ROUNDS: usize>(state: &mut [u64; N], tweak: &mut [u64; 2], blocks: &[u8], step: u64) {
    let mut chain = *state;
    for block in blocks.chunks_exact(8 * N) {
        tweak[0] = tweak[0].wrapping_add(step);
        let message: [u64; N] = std::array::from_fn(|i| {
            let word = block[8 * i..].first_chunk().expect("a block has N words");
            u64::from_le_bytes(*word)
        });
        let key = Key::new(chain, tweak);
        let mut words: [u64; N] = std::array::from_fn(|i| message[i].wrapping_add(chain[i]));
        words[N - 3] = words[N - 3].wrapping_add(tweak[0]);
        words[N - 2] = words[N - 2].wrapping_add(tweak[1]);
        macro_rules! four_rounds_before {
            ($($subkey:literal)*) => {
                $(four_rounds::<N, { ($subkey - 1) % 2 * 4 }>(&mut words);
                key.inject::<$subkey>(&mut words);)*
            };
        }
        four_rounds_before!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
        if ROUNDS == 80 {
            four_rounds_before!(19 20);
        }
        chain = std::array::from_fn(|i| words[i] ^ message[i]);
        tweak[1] &= !FIRST;
    }
    *state = chain;
}

/// A key and a tweak, each with its parity word behind it.
#[repr(C)]
struct Key<const N: usize> {
    words: [u64; N],
    parity: u64,
    tweak: [u64; 3],
}

impl<const N: usize> Key<N> {
    #[inline(always)]
    fn new(words: [u64; N], tweak: &[u64; 2]) -> Self {
        let parity = words.iter().fold(PARITY, |parity, word| parity ^ word);
        Self { words, parity, tweak: [tweak[0], tweak[1], tweak[0] ^ tweak[1]] }
    }

    /// Adds the subkey of this number. Each addition takes its word from memory, so that the registers are left to the words;
    /// the compiler would hold the key in them and put the words on the stack. The last three words get the sum of two.
    #[inline(always)]
    fn inject<const SUBKEY: usize>(&self, words: &mut [u64; N]) {
        macro_rules! add {
            ($($place:literal)*) => {
                $(if $place < N - 3 {
                    // SAFETY: it reads one of the N + 1 words that lie one behind the other from the start of the key on.
                    unsafe {
                        asm!("add {word}, qword ptr [{key} + {offset}]", word = inout(reg) words[$place], key = in(reg) self,
                            offset = const (SUBKEY + $place) % (N + 1) * 8, options(pure, readonly, nostack));
                    }
                })*
            };
        }
        add!(0 1 2 3 4 5 6 7 8 9 10 11 12);
        let added = [self.tweak[SUBKEY % 3], self.tweak[(SUBKEY + 1) % 3], SUBKEY as u64];
        macro_rules! add_sum {
            ($($behind:literal)*) => {
                $(// SAFETY: as above.
                unsafe {
                    asm!("add {sum}, qword ptr [{key} + {offset}]", "add {word}, {sum}", word = inout(reg) words[N - 3 + $behind],
                        sum = inout(reg) added[$behind] => _, key = in(reg) self,
                        offset = const (SUBKEY + N - 3 + $behind) % (N + 1) * 8, options(pure, readonly, nostack));
                })*
            };
        }
        add_sum!(0 1 2);
    }
}

#[inline(always)]
fn four_rounds<const N: usize, const FROM: usize>(words: &mut [u64; N]) {
    round::<N, FROM, 0>(words);
    round::<N, FROM, 1>(words);
    round::<N, FROM, 2>(words);
    round::<N, FROM, 3>(words);
}

#[inline(always)]
fn round<const N: usize, const FROM: usize, const ROUND: usize>(words: &mut [u64; N]) {
    for pair in 0..N / 2 {
        let (even, odd) = (word_at(N, ROUND, 2 * pair), word_at(N, ROUND, 2 * pair + 1));
        words[even] = words[even].wrapping_add(words[odd]);
        words[odd] = words[odd].rotate_left(rotation(N, FROM + ROUND, pair)) ^ words[even];
    }
}

/// Skein-1024 in two registers: the even words in one, the odd in the other. A round adds, rotates and combines all eight pairs at
/// once; then only the even words move to the lanes of their next partners.
mod avx512 {
    use std::arch::x86_64::*;

    use super::{FIRST, PARITY, rotation, word_at};

    /// The pair whose odd word is in each lane before a round.
    const fn pairs(round: usize) -> [usize; 8] {
        let mut pairs = [0; 8];
        let mut pair = 0;
        while pair < 8 {
            // Odd words stay where they were in the first round.
            pairs[word_at(16, round, 2 * pair + 1) / 2] = pair;
            pair += 1;
        }
        pairs
    }

    /// For each lane, the lane its even word comes from after a round.
    const fn moves(round: usize) -> [u64; 8] {
        let (before, after) = (pairs(round), pairs(round + 1));
        let mut moves = [0; 8];
        let mut lane = 0;
        while lane < 8 {
            let pair = word_at(16, 1, 2 * after[lane]) / 2;
            let mut from = 0;
            while before[from] != pair {
                from += 1;
            }
            moves[lane] = from as u64;
            lane += 1;
        }
        moves
    }

    /// For each lane, how far its odd word is rotated in a round.
    const fn rotations(round: usize) -> [u64; 8] {
        let pairs = pairs(round);
        let mut rotations = [0; 8];
        let mut lane = 0;
        while lane < 8 {
            rotations[lane] = rotation(16, round, pairs[lane]) as u64;
            lane += 1;
        }
        rotations
    }

    const MOVES: [[u64; 8]; 4] = [moves(0), moves(1), moves(2), moves(3)];

    #[target_feature(enable = "avx512f")]
    pub(super) fn compress(state: &mut [u64; 16], tweak: &mut [u64; 2], blocks: &[u8], step: u64) {
        let (even, odd) = parted(state);
        let (mut chain_even, mut chain_odd) = (vector(even), vector(odd));
        for block in blocks.chunks_exact(128) {
            tweak[0] = tweak[0].wrapping_add(step);
            let (even, odd) = parted(&std::array::from_fn(|i| {
                let word = block[8 * i..].first_chunk().expect("a block has sixteen words");
                u64::from_le_bytes(*word)
            }));
            let (message_even, message_odd) = (vector(even), vector(odd));
            let key = Key::new(chain_even, chain_odd, tweak);
            let (mut even, mut odd) = (message_even, message_odd);
            macro_rules! round {
                ($round:expr) => {
                    even = _mm512_add_epi64(even, odd);
                    odd = _mm512_xor_si512(_mm512_rolv_epi64(odd, vector(const { rotations($round) })), even);
                    even = _mm512_permutexvar_epi64(vector(MOVES[$round % 4]), even);
                };
            }
            macro_rules! four_rounds_after {
                ($($subkey:literal)*) => {
                    $((even, odd) = key.inject::<$subkey>(even, odd);
                    round!($subkey % 2 * 4);
                    round!($subkey % 2 * 4 + 1);
                    round!($subkey % 2 * 4 + 2);
                    round!($subkey % 2 * 4 + 3);)*
                };
            }
            four_rounds_after!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
            (even, odd) = key.inject::<20>(even, odd);
            chain_even = _mm512_xor_si512(even, message_even);
            chain_odd = _mm512_xor_si512(odd, message_odd);
            tweak[1] &= !FIRST;
        }
        let (even, odd) = (words(chain_even), words(chain_odd));
        *state = std::array::from_fn(|i| if i % 2 == 0 { even[i / 2] } else { odd[i / 2] });
    }

    /// The key's seventeen words in steps of two, round and round: each subkey's even words, and its odd ones, lie together.
    struct Key {
        ring: [u64; 26],
        tweak: [u64; 3],
    }

    impl Key {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn new(even: __m512i, odd: __m512i, tweak: &[u64; 2]) -> Self {
            let (even, odd) = (words(even), words(odd));
            let parity = even.iter().chain(&odd).fold(PARITY, |parity, word| parity ^ word);
            let mut ring = [parity; 26];
            ring[..8].copy_from_slice(&even);
            ring[9..17].copy_from_slice(&odd);
            ring[17..25].copy_from_slice(&even);
            Self { ring, tweak: [tweak[0], tweak[1], tweak[0] ^ tweak[1]] }
        }

        /// Eight words of the key: the one of this number and every second one behind it.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn every_second(&self, from: usize) -> __m512i {
            // Half of it, modulo 17: the ring takes two steps at a time.
            let place = from % 17 * 9 % 17;
            vector(std::array::from_fn(|i| self.ring[place + i]))
        }

        /// Adds the subkey of this number.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn inject<const SUBKEY: usize>(&self, even: __m512i, odd: __m512i) -> (__m512i, __m512i) {
            let tweak = _mm512_maskz_set1_epi64(0x80, self.tweak[(SUBKEY + 1) % 3].cast_signed());
            let even = _mm512_add_epi64(even, _mm512_add_epi64(self.every_second(SUBKEY), tweak));
            let tweak = _mm512_maskz_set1_epi64(0x40, self.tweak[SUBKEY % 3].cast_signed());
            let tweak = _mm512_or_si512(tweak, vector([0, 0, 0, 0, 0, 0, 0, SUBKEY as u64]));
            let odd = _mm512_add_epi64(odd, _mm512_add_epi64(self.every_second(SUBKEY + 1), tweak));
            (even, odd)
        }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn vector(words: [u64; 8]) -> __m512i {
        let [a, b, c, d, e, f, g, h] = words.map(u64::cast_signed);
        _mm512_setr_epi64(a, b, c, d, e, f, g, h)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn words(vector: __m512i) -> [u64; 8] {
        // SAFETY: both are eight words without padding.
        unsafe { std::mem::transmute(vector) }
    }

    /// The even and the odd ones of sixteen words.
    #[inline]
    fn parted(words: &[u64; 16]) -> ([u64; 8], [u64; 8]) {
        (std::array::from_fn(|i| words[2 * i]), std::array::from_fn(|i| words[2 * i + 1]))
    }
}

/// N chaining words and the tweak's two make the STATE; a block is one of PARTS of 64 bytes, or BLOCKS of them.
///
/// # Safety
/// As [`Together`]'s.
#[inline(always)]
unsafe fn lanes<
    V: Vector<LANES, 8, Word = u64>,
    const LANES: usize,
    const N: usize,
    const STATE: usize,
    const ROUNDS: usize,
>(
    states: &mut [[u64; LANES]; STATE],
    blocks: [*const u8; LANES],
    count: usize,
) {
    for block in 0..count {
        let blocks = moved(blocks, 8 * N * block);
        // SAFETY: the caller vouches for the instructions and the blocks.
        let (state, low, high) = unsafe {
            let low = if N == 4 { V::load_blocks::<2>(blocks) } else { V::load_blocks::<1>(blocks) };
            let high = if N == 16 { V::load_blocks::<1>(moved(blocks, 64)) } else { low };
            (load_all::<V, LANES, 8, STATE>(states), low, high)
        };
        let mut message = [state[0]; N];
        let mut chain = message;
        let mut parity = state[0].all(PARITY);
        for i in 0..N {
            message[i] = if i < 8 { low[i] } else { high[i - 8] };
            chain[i] = state[i];
            parity = parity.xor(chain[i]);
        }
        let (position, kind) = (state[N].add(state[N].all(8 * N as u64)), state[N + 1]);
        let tweak = [position, kind, position.xor(kind)];
        let mut words = message;
        macro_rules! four_rounds_after {
            ($($subkey:literal)*) => {
                $(inject::<V, LANES, N>(&mut words, &chain, parity, &tweak, $subkey);
                lane_round::<V, LANES, N, 0, { $subkey % 2 * 4 }>(&mut words);
                lane_round::<V, LANES, N, 1, { $subkey % 2 * 4 }>(&mut words);
                lane_round::<V, LANES, N, 2, { $subkey % 2 * 4 }>(&mut words);
                lane_round::<V, LANES, N, 3, { $subkey % 2 * 4 }>(&mut words);)*
            };
        }
        four_rounds_after!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
        if ROUNDS == 80 {
            four_rounds_after!(18 19);
        }
        inject::<V, LANES, N>(&mut words, &chain, parity, &tweak, ROUNDS / 4);
        for (i, chain) in states[..N].iter_mut().enumerate() {
            words[i].xor(message[i]).store(chain);
        }
        position.store(&mut states[N]);
        for kind in &mut states[N + 1] {
            *kind &= !FIRST;
        }
    }
}

/// Adds the subkey of this number.
#[inline(always)]
fn inject<V: Vector<LANES, 8, Word = u64>, const LANES: usize, const N: usize>(
    words: &mut [V; N],
    chain: &[V; N],
    parity: V,
    tweak: &[V; 3],
    subkey: usize,
) {
    for (i, word) in words.iter_mut().enumerate() {
        let key = (subkey + i) % (N + 1);
        *word = word.add(if key == N { parity } else { chain[key] });
        match N - i {
            3 => *word = word.add(tweak[subkey % 3]),
            2 => *word = word.add(tweak[(subkey + 1) % 3]),
            1 => *word = word.add(word.all(subkey as u64)),
            _ => {}
        }
    }
}

#[inline(always)]
fn lane_round<V, const LANES: usize, const N: usize, const ROUND: usize, const FROM: usize>(words: &mut [V; N])
where
    V: Vector<LANES, 8, Word = u64>,
{
    for pair in 0..N / 2 {
        let (even, odd) = (word_at(N, ROUND, 2 * pair), word_at(N, ROUND, 2 * pair + 1));
        words[even] = words[even].add(words[odd]);
        words[odd] = words[odd].rotate_left(rotation(N, FROM + ROUND, pair)).xor(words[even]);
    }
}

lane_functions! {
    /// Eight messages of Skein-256 at once.
    lanes_256_avx512: lanes::<Avx512x8, 8, 4, 6, 72>, u64, 6, 8, "avx512f,avx512bw";
    /// Four messages of Skein-256 at once.
    lanes_256_avx2: lanes::<Avx2x4, 4, 4, 6, 72>, u64, 6, 4, "avx2";
    /// Eight messages of Skein-512 at once.
    lanes_512_avx512: lanes::<Avx512x8, 8, 8, 10, 72>, u64, 10, 8, "avx512f,avx512bw";
    /// Four messages of Skein-512 at once.
    lanes_512_avx2: lanes::<Avx2x4, 4, 8, 10, 72>, u64, 10, 4, "avx2";
    /// Eight messages of Skein-1024 at once.
    lanes_1024_avx512: lanes::<Avx512x8, 8, 16, 18, 80>, u64, 18, 8, "avx512f,avx512bw";
}
