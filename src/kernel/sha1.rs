//! SHA-1 (FIPS 180-4) of several messages at once. One alone is best left to the crate, which uses the processor's own instructions.

use super::lanes::{Function, Together, end_be};
use super::vector::{Avx2x8, Avx512x16, Vector, has_avx2, has_avx512, load_all, moved};
use super::{Implementation, LaneKernels, places};
use crate::algorithm::Checksum;

/// The chaining value a message starts with (5.3.1).
pub const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The implementations for several messages at once, best first.
pub const LANES: LaneKernels = &[
    Implementation { name: "avx512", is_available: has_avx512, compress: &several(lanes_avx512) },
    Implementation { name: "avx2", is_available: has_avx2, compress: &several(lanes_avx2) },
];

/// Messages from which on lanes are faster: all of them take as long as 4.3 (AVX-512) and 4.5 (AVX2) one after the other.
const CROSSING: usize = 5;

const fn several<const LANES: usize>(together: Together<u32, 5, LANES>) -> Function<u32, 5, LANES> {
    Function {
        block_size: 64,
        keeps_last_block: false,
        crossing: CROSSING,
        piece_size: 2 << 10,
        initial: || INITIAL,
        together,
        alone: |state, blocks| sha1::block_api::compress(state, blocks.as_chunks().0),
        end: end_be,
        checksum: |state| Checksum::new(state.map(u32::to_be_bytes).as_flattened()),
    }
}

/// The rounds' constants (4.2.1).
static CONSTANTS: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

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
        let mut words = words;
        for word in &mut words {
            *word = word.swap_bytes();
        }
        let mut s: [V; 5] = state;
        macro_rules! round {
            ($i:expr) => {{
                const I: usize = $i;
                if I >= 16 {
                    let sum = words[I % 16].xor3(words[(I + 2) % 16], words[(I + 8) % 16]).xor(words[(I + 13) % 16]);
                    words[I % 16] = sum.rotate_left(1);
                }
                let [a, b, c, d, e] = const { places(I) };
                let function = match I / 20 {
                    0 => s[b].select(s[c], s[d]),
                    2 => s[b].majority(s[c], s[d]),
                    _ => s[b].xor3(s[c], s[d]),
                };
                let sum = s[e].add(words[I % 16]).add(s[e].all(CONSTANTS[I / 20])).add(function);
                s[e] = sum.add(s[a].rotate_left(5));
                s[b] = s[b].rotate_left(30);
            }};
        }
        twenty!(round, 0);
        twenty!(round, 20);
        twenty!(round, 40);
        twenty!(round, 60);
        for ((words, old), new) in states.iter_mut().zip(state).zip(s) {
            old.add(new).store(words);
        }
    }
}

lane_functions! {
    /// Sixteen messages at once.
    lanes_avx512: lanes::<Avx512x16, 16>, u32, 5, 16, "avx512f,avx512bw";
    /// Eight messages at once.
    lanes_avx2: lanes::<Avx2x8, 8>, u32, 5, 8, "avx2";
}
