//! RIPEMD-160 (Dobbertin, Bosselaers and Preneel, "RIPEMD-160: A Strengthened Version of RIPEMD", 1996).
//!
//! Its two lines of 80 steps depend on each other only at the end: they run in two lanes of one register, or interleaved.

use std::arch::x86_64::*;
use std::hint::black_box;

use super::lanes::{Function, Together, end_le};
use super::merkle_damgard::{Compress, words};
use super::vector::{Avx2x8, Avx512x16, Vector, has_avx2, has_avx512, load_all, moved};
use super::{Implementation, LaneKernels, best, has_fast_avx512_rotations};
use crate::algorithm::Checksum;

/// The chaining value a message starts with.
pub const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The implementations, best first.
pub static IMPLEMENTATIONS: &[Implementation<Compress<5>>] = &[
    Implementation { name: "avx512vl", is_available: has_fast_avx512_rotations, compress: avx512vl },
    Implementation { name: "x86-64", is_available: || true, compress: plain },
];

/// The implementations for several messages at once, best first.
pub const LANES: LaneKernels = &[
    Implementation { name: "avx512", is_available: has_avx512, compress: &several(lanes_avx512) },
    Implementation { name: "avx2", is_available: has_avx2, compress: &several(lanes_avx2) },
];

/// Messages from which on lanes are faster: all of them take as long as 1.5 (AVX-512) and 1.6 (AVX2) one after the other.
const CROSSING: usize = 2;

const fn several<const LANES: usize>(together: Together<u32, 5, LANES>) -> Function<u32, 5, LANES> {
    Function {
        block_size: 64,
        keeps_last_block: false,
        crossing: CROSSING,
        piece_size: 2 << 10,
        initial: || INITIAL,
        together,
        alone: |state, blocks| {
            // SAFETY: the best implementation is available.
            unsafe { best(IMPLEMENTATIONS)(state, blocks.as_chunks().0) }
        },
        end: end_le,
        checksum: |state| Checksum::new(state.map(u32::to_le_bytes).as_flattened()),
    }
}

/// The left line, and the right one, in the tables and in the lanes.
const LEFT: usize = 0;
const RIGHT: usize = 1;

/// The message word each step of a line adds.
const WORD: [[usize; 80]; 2] = [
    [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8, 3,
        10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2, 4, 0,
        5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
    ],
    [
        5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2, 15,
        5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14, 12, 15,
        10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
    ],
];

/// Bits each step of a line rotates by.
const ROTATION: [[u32; 80]; 2] = [
    [
        11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12,
        11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12,
        9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
    ],
    [
        8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11,
        9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8,
        8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
    ],
];

/// What the steps of a round of a line add.
const CONSTANT: [[u32; 5]; 2] =
    [[0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e], [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0]];

/// The function of a line's round: the right line has those of the left one backwards.
#[inline(always)]
const fn function(line: usize, round: usize, b: u32, c: u32, d: u32) -> u32 {
    match if line == LEFT { round } else { 4 - round } {
        0 => b ^ c ^ d,
        1 => ((c ^ d) & b) ^ d,
        2 => (b | !c) ^ d,
        3 => ((b ^ c) & d) ^ c,
        _ => b ^ (c | !d),
    }
}

/// Runs `$step!(i, a, b, c, d, e)` for i from 0 to 79, the chaining words renamed from step to step.
macro_rules! all_steps {
    ($step:ident, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {
        all_steps!(@twenty $step, 0, $a, $b, $c, $d, $e);
        all_steps!(@twenty $step, 20, $a, $b, $c, $d, $e);
        all_steps!(@twenty $step, 40, $a, $b, $c, $d, $e);
        all_steps!(@twenty $step, 60, $a, $b, $c, $d, $e);
    };
    (@twenty $step:ident, $i:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {
        all_steps!(@five $step, $i, $a, $b, $c, $d, $e);
        all_steps!(@five $step, $i + 5, $a, $b, $c, $d, $e);
        all_steps!(@five $step, $i + 10, $a, $b, $c, $d, $e);
        all_steps!(@five $step, $i + 15, $a, $b, $c, $d, $e);
    };
    (@five $step:ident, $i:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {
        $step!($i, $a, $b, $c, $d, $e);
        $step!($i + 1, $e, $a, $b, $c, $d);
        $step!($i + 2, $d, $e, $a, $b, $c);
        $step!($i + 3, $c, $d, $e, $a, $b);
        $step!($i + 4, $b, $c, $d, $e, $a);
    };
}

/// The chaining value after a block, from the one before it and the ends of both lines.
fn combine(state: &[u32; 5], left: [u32; 5], right: [u32; 5]) -> [u32; 5] {
    std::array::from_fn(|i| state[(i + 1) % 5].wrapping_add(left[(i + 2) % 5]).wrapping_add(right[(i + 3) % 5]))
}

/// In general registers, both lines step by step.
fn plain(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    for block in blocks {
        let words = words(block);
        // Each word of a line beside that of the other.
        let [mut a, mut b, mut c, mut d, mut e] = state.map(|word| [word; 2]);
        macro_rules! step {
            ($i:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {
                step!(@line LEFT, $i, $a, $b, $c, $d, $e);
                step!(@line RIGHT, $i, $a, $b, $c, $d, $e);
            };
            (@line $line:expr, $i:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {{
                const LINE: usize = $line;
                const I: usize = $i;
                let sum = $a[LINE]
                    .wrapping_add(words[WORD[LINE][I]])
                    .wrapping_add(CONSTANT[LINE][I / 16])
                    .wrapping_add(function(LINE, I / 16, $b[LINE], $c[LINE], $d[LINE]));
                $a[LINE] = sum.rotate_left(ROTATION[LINE][I]).wrapping_add($e[LINE]);
                $c[LINE] = $c[LINE].rotate_left(10);
            }};
        }
        all_steps!(step, a, b, c, d, e);
        let line = |line: usize| [a, b, c, d, e].map(|word| word[line]);
        *state = combine(state, line(LEFT), line(RIGHT));
    }
}

/// The truth table for `vpternlogd` of c, d and the lane (all ones on the right) of both lines' functions in a round, for a given b.
const fn truth_table(round: usize, b: u32) -> i32 {
    let (c, d, right) = (0xf0, 0xcc, 0xaa);
    let left_part = function(LEFT, round, b, c, d) & !right;
    let right_part = function(RIGHT, round, b, c, d) & right;
    ((left_part | right_part) & 0xff).cast_signed()
}

/// What the functions of a round are where b is 0.
const fn without_b(round: usize) -> i32 {
    truth_table(round, 0)
}

/// Where b makes a difference to the functions of a round.
const fn change_by_b(round: usize) -> i32 {
    truth_table(round, 0) ^ truth_table(round, !0)
}

/// The truth table for `vpternlogd` of b, what b changes, and the function without b.
const WITH_B: i32 = 0xaa ^ (0xf0 & 0xcc);

/// The left line in one lane and the right one in the next. Both lines' functions are made of c and d before b is known; each line
/// rotates by its own count.
#[target_feature(enable = "avx512f,avx512vl")]
fn avx512vl(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    let right = _mm_setr_epi32(0, -1, 0, -1);
    for block in blocks {
        // Read from memory: taking them out of wide registers costs the steps' own execution ports.
        let sums = black_box(sums(block));
        let [mut a, mut b, mut c, mut d, mut e] = state.map(|word| _mm_set1_epi32(word.cast_signed()));
        macro_rules! step {
            ($i:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {{
                const I: usize = $i;
                let without = _mm_ternarylogic_epi32::<{ without_b(I / 16) }>($c, $d, right);
                let change = _mm_ternarylogic_epi32::<{ change_by_b(I / 16) }>($c, $d, right);
                let function = _mm_ternarylogic_epi32::<WITH_B>($b, change, without);
                let sum = _mm_add_epi32(_mm_add_epi32($a, pair(sums[I])), function);
                $a = _mm_add_epi32(_mm_rolv_epi32(sum, pair([ROTATION[LEFT][I], ROTATION[RIGHT][I]])), $e);
                $c = _mm_rol_epi32::<10>($c);
            }};
        }
        all_steps!(step, a, b, c, d, e);
        let lanes = [a, b, c, d, e].map(|word| _mm_cvtsi128_si64(word).cast_unsigned());
        *state = combine(state, lanes.map(|lanes| lanes as u32), lanes.map(|lanes| (lanes >> 32) as u32));
    }
}

/// Two words in the two lowest lanes.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn pair([left, right]: [u32; 2]) -> __m128i {
    _mm_cvtsi64_si128((u64::from(right) << 32 | u64::from(left)).cast_signed())
}

/// Groups of eight steps of both lines, whose sums are made at once.
const GROUPS: usize = 10;

/// The words the steps of each group add, those of both lines side by side.
static WORDS_OF_GROUP: [[u32; 16]; GROUPS] = {
    let mut words = [[0; 16]; GROUPS];
    let mut i = 0;
    while i < 16 * GROUPS {
        words[i / 16][i % 16] = WORD[i % 2][i / 2] as u32;
        i += 1;
    }
    words
};

/// The constants the steps of each group add.
static CONSTANTS_OF_GROUP: [[u32; 16]; GROUPS] = {
    let mut constants = [[0; 16]; GROUPS];
    let mut i = 0;
    while i < 16 * GROUPS {
        constants[i / 16][i % 16] = CONSTANT[i % 2][i / 32];
        i += 1;
    }
    constants
};

/// The message word and the constant of each step, those of both lines side by side.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn sums(block: &[u8; 64]) -> [[u32; 2]; 80] {
    let words = vector(words(block));
    let mut sums = [_mm512_setzero_si512(); GROUPS];
    for (group, sums) in sums.iter_mut().enumerate() {
        let chosen = _mm512_permutexvar_epi32(vector(WORDS_OF_GROUP[group]), words);
        *sums = _mm512_add_epi32(chosen, vector(CONSTANTS_OF_GROUP[group]));
    }
    // SAFETY: ten vectors of sixteen words are eighty pairs of words, without padding.
    unsafe { std::mem::transmute::<[__m512i; GROUPS], [[u32; 2]; 80]>(sums) }
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn vector(words: [u32; 16]) -> __m512i {
    // SAFETY: both are sixteen words without padding.
    unsafe { std::mem::transmute(words) }
}

/// # Safety
/// As [`Together`]'s.
#[inline(always)]
unsafe fn lanes<V: Vector<LANES, 16, Word = u32>, const LANES: usize>(
    states: &mut [[u32; LANES]; 5],
    blocks: [*const u8; LANES],
    count: usize,
) {
    for block in 0..count {
        // SAFETY: the caller vouches for the instructions and the blocks.
        let (state, words) = unsafe { (load_all(states), V::load_blocks::<1>(moved(blocks, 64 * block))) };
        let [a, b, c, d, e]: [V; 5] = state;
        let (mut a, mut b, mut c, mut d, mut e) = ([a; 2], [b; 2], [c; 2], [d; 2], [e; 2]);
        macro_rules! step {
            ($i:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {
                step!(@line LEFT, $i, $a, $b, $c, $d, $e);
                step!(@line RIGHT, $i, $a, $b, $c, $d, $e);
            };
            (@line $line:expr, $i:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {{
                const LINE: usize = $line;
                const I: usize = $i;
                let (b, c, d) = ($b[LINE], $c[LINE], $d[LINE]);
                let function = match if LINE == LEFT { I / 16 } else { 4 - I / 16 } {
                    0 => b.xor3(c, d),
                    1 => b.select(c, d),
                    2 => d.xor_or_not(b, c),
                    3 => d.select(b, c),
                    _ => b.xor_or_not(c, d),
                };
                let sum = $a[LINE].add(words[WORD[LINE][I]]).add(b.all(CONSTANT[LINE][I / 16])).add(function);
                $a[LINE] = sum.rotate_left(ROTATION[LINE][I]).add($e[LINE]);
                $c[LINE] = c.rotate_left(10);
            }};
        }
        all_steps!(step, a, b, c, d, e);
        let ends = [a, b, c, d, e];
        for (i, words) in states.iter_mut().enumerate() {
            state[(i + 1) % 5].add(ends[(i + 2) % 5][LEFT]).add(ends[(i + 3) % 5][RIGHT]).store(words);
        }
    }
}

lane_functions! {
    /// Sixteen messages at once.
    lanes_avx512: lanes::<Avx512x16, 16>, u32, 5, 16, "avx512f,avx512bw";
    /// Eight messages at once.
    lanes_avx2: lanes::<Avx2x8, 8>, u32, 5, 8, "avx2";
}
