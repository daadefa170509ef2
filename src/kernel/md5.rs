//! MD5 (RFC 1321).
//!
//! Its 64 steps are one chain: each rotates a sum that holds a function of the last step's result. What can be done is to keep
//! all else off that chain, and to make the function one instruction.

use std::arch::x86_64::*;

use super::lanes::{Function, Together, end_le};
use super::merkle_damgard::{Compress, words};
use super::vector::{Avx2x8, Avx512x16, Vector, has_avx2, has_avx512, load_all, moved};
use super::{Implementation, LaneKernels, best, has_fast_avx512_rotations};
use crate::algorithm::Checksum;

/// The chaining value a message starts with.
pub const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// The implementations, best first.
pub static IMPLEMENTATIONS: &[Implementation<Compress<4>>] = &[
    Implementation { name: "avx512vl", is_available: has_fast_avx512_rotations, compress: avx512vl },
    Implementation { name: "x86-64", is_available: || true, compress: plain },
];

/// The implementations for several messages at once, best first.
pub const LANES: LaneKernels = &[
    Implementation { name: "avx512", is_available: has_avx512, compress: &several(lanes_avx512) },
    Implementation { name: "avx2", is_available: has_avx2, compress: &several(lanes_avx2) },
];

/// Messages from which on lanes are faster: all of them take as long as 1.4 (AVX-512) and 1.6 (AVX2) one after the other.
const CROSSING: usize = 2;

const fn several<const LANES: usize>(together: Together<u32, 4, LANES>) -> Function<u32, 4, LANES> {
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

/// The integer part of 2^32 × |sin(i + 1)|.
static SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];

/// Bits step `i` rotates by.
const fn rotation(i: usize) -> u32 {
    [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]][i / 16][i % 4]
}

/// The message word step `i` adds.
const fn word(i: usize) -> usize {
    [i, 5 * i + 1, 3 * i + 5, 7 * i][i / 16] % 16
}

/// Runs `$step!(i, a, b, c, d)` for i from 0 to 63, the chaining words renamed from step to step.
macro_rules! all_steps {
    ($step:ident, $a:ident, $b:ident, $c:ident, $d:ident) => {
        all_steps!(@round $step, 0, $a, $b, $c, $d);
        all_steps!(@round $step, 16, $a, $b, $c, $d);
        all_steps!(@round $step, 32, $a, $b, $c, $d);
        all_steps!(@round $step, 48, $a, $b, $c, $d);
    };
    (@round $step:ident, $i:expr, $a:ident, $b:ident, $c:ident, $d:ident) => {
        all_steps!(@four $step, $i, $a, $b, $c, $d);
        all_steps!(@four $step, $i + 4, $a, $b, $c, $d);
        all_steps!(@four $step, $i + 8, $a, $b, $c, $d);
        all_steps!(@four $step, $i + 12, $a, $b, $c, $d);
    };
    (@four $step:ident, $i:expr, $a:ident, $b:ident, $c:ident, $d:ident) => {
        $step!($i, $a, $b, $c, $d);
        $step!($i + 1, $d, $a, $b, $c);
        $step!($i + 2, $c, $d, $a, $b);
        $step!($i + 3, $b, $c, $d, $a);
    };
}

/// In general registers. What does not depend on the last step's result is summed while that is still being computed.
fn plain(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
    for block in blocks {
        let words = words(block);
        let [mut a, mut b, mut c, mut d] = *state;
        macro_rules! step {
            ($i:expr, $a:ident, $b:ident, $c:ident, $d:ident) => {{
                const I: usize = $i;
                let mut sum = $a.wrapping_add(SINES[I]).wrapping_add(words[word(I)]);
                if I / 16 == 1 {
                    sum = sum.wrapping_add(!$d & $c);
                }
                in_order!(reg, sum);
                let function = match I / 16 {
                    0 => (($c ^ $d) & $b) ^ $d,
                    1 => $d & $b,
                    2 => $c ^ $d ^ $b,
                    _ => $c ^ ($b | !$d),
                };
                $a = sum.wrapping_add(function).rotate_left(rotation(I)).wrapping_add($b);
            }};
        }
        all_steps!(step, a, b, c, d);
        for (value, change) in state.iter_mut().zip([a, b, c, d]) {
            *value = value.wrapping_add(change);
        }
    }
}

/// The truth table of step `i`'s function for `vpternlogd` of d, c, b.
const fn truth_table(i: usize) -> i32 {
    let (d, c, b) = (0xf0, 0xcc, 0xaa);
    0xff & match i / 16 {
        0 => (b & c) | (!b & d),
        1 => (d & b) | (!d & c),
        2 => b ^ c ^ d,
        _ => c ^ (b | !d),
    }
}

/// In the lowest lane of vector registers, where AVX-512 has the function and the rotation as one instruction each: four
/// cycles a step, as long as the chain itself.
#[target_feature(enable = "avx512f,avx512vl")]
fn avx512vl(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
    let [mut a, mut b, mut c, mut d] = state.map(|word| _mm_cvtsi32_si128(word.cast_signed()));
    for block in blocks {
        let words = words(block);
        let before = [a, b, c, d];
        macro_rules! step {
            ($i:expr, $a:ident, $b:ident, $c:ident, $d:ident) => {{
                const I: usize = $i;
                let word = _mm_set1_epi32(words[word(I)].cast_signed());
                let mut sum = _mm_add_epi32(_mm_add_epi32($a, _mm_set1_epi32(SINES[I].cast_signed())), word);
                in_order!(xmm_reg, sum);
                let function = _mm_ternarylogic_epi32::<{ truth_table(I) }>($d, $c, $b);
                let rotated = _mm_rol_epi32::<{ rotation(I).cast_signed() }>(_mm_add_epi32(sum, function));
                $a = _mm_add_epi32(rotated, $b);
            }};
        }
        all_steps!(step, a, b, c, d);
        a = _mm_add_epi32(a, before[0]);
        b = _mm_add_epi32(b, before[1]);
        c = _mm_add_epi32(c, before[2]);
        d = _mm_add_epi32(d, before[3]);
    }
    *state = [a, b, c, d].map(|word| _mm_cvtsi128_si32(word).cast_unsigned());
}

/// # Safety
/// As [`Together`]'s.
#[inline(always)]
unsafe fn lanes<V: Vector<LANES, 16, Word = u32>, const LANES: usize>(
    states: &mut [[u32; LANES]; 4],
    blocks: [*const u8; LANES],
    count: usize,
) {
    for block in 0..count {
        // SAFETY: the caller vouches for the instructions and the blocks.
        let (state, words) = unsafe { (load_all(states), V::load_blocks::<1>(moved(blocks, 64 * block))) };
        let [mut a, mut b, mut c, mut d]: [V; 4] = state;
        macro_rules! step {
            ($i:expr, $a:ident, $b:ident, $c:ident, $d:ident) => {{
                const I: usize = $i;
                let function = match I / 16 {
                    0 => $b.select($c, $d),
                    1 => $d.select($b, $c),
                    2 => $b.xor3($c, $d),
                    _ => $c.xor_or_not($b, $d),
                };
                let sum = $a.add($a.all(SINES[I])).add(words[word(I)]).add(function);
                $a = sum.rotate_left(rotation(I)).add($b);
            }};
        }
        all_steps!(step, a, b, c, d);
        for ((words, old), new) in states.iter_mut().zip(state).zip([a, b, c, d]) {
            old.add(new).store(words);
        }
    }
}

lane_functions! {
    /// Sixteen messages at once.
    lanes_avx512: lanes::<Avx512x16, 16>, u32, 4, 16, "avx512f,avx512bw";
    /// Eight messages at once.
    lanes_avx2: lanes::<Avx2x8, 8>, u32, 4, 8, "avx2";
}
