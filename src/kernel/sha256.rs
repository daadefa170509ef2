//! SHA-224 and SHA-256 (FIPS 180-4) of several messages at once. One alone is best left to the crate, which uses the processor's own instructions.

use super::lanes::{Function, Together, end_be};
use super::vector::{Avx512x16, Vector, has_avx512, load_all, moved};
use super::{Implementation, LaneKernels, places};
use crate::algorithm::Checksum;

/// The chaining value SHA-224 starts with (5.3.2).
const INITIAL_224: [u32; 8] =
    [0xc105_9ed8, 0x367c_d507, 0x3070_dd17, 0xf70e_5939, 0xffc0_0b31, 0x6858_1511, 0x64f9_8fa7, 0xbefa_4fa4];

/// The chaining value SHA-256 starts with (5.3.3).
const INITIAL_256: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The implementations of SHA-224 for several messages at once, best first.
pub const LANES_224: LaneKernels = &[Implementation {
    name: "avx512",
    is_available: has_avx512,
    compress: &several::<28, 16>(|| INITIAL_224, lanes_avx512),
}];

/// The implementations of SHA-256 for several messages at once, best first.
pub const LANES_256: LaneKernels = &[Implementation {
    name: "avx512",
    is_available: has_avx512,
    compress: &several::<32, 16>(|| INITIAL_256, lanes_avx512),
}];

/// Messages from which on lanes are faster: all of them take as long as 7.5 one after the other.
const CROSSING: usize = 8;

const fn several<const SIZE: usize, const LANES: usize>(
    initial: fn() -> [u32; 8],
    together: Together<u32, 8, LANES>,
) -> Function<u32, 8, LANES> {
    Function {
        block_size: 64,
        keeps_last_block: false,
        crossing: CROSSING,
        piece_size: 2 << 10,
        initial,
        together,
        alone: |state, blocks| sha2::block_api::compress256(state, blocks.as_chunks().0),
        end: end_be,
        checksum: |state| Checksum::new(&state.map(u32::to_be_bytes).as_flattened()[..SIZE]),
    }
}

/// The rounds' constants (4.2.2).
static CONSTANTS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// # Safety
/// As [`Together`]'s.
#[inline(always)]
unsafe fn lanes<V: Vector<LANES, 16, Word = u32>, const LANES: usize>(
    states: &mut [[u32; LANES]; 8],
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
        let mut s: [V; 8] = state;
        macro_rules! round {
            ($i:expr) => {{
                const I: usize = $i;
                if I >= 16 {
                    let (w15, w2) = (words[(I + 1) % 16], words[(I + 14) % 16]);
                    let sigma0 = rotate_right(w15, 7).xor3(rotate_right(w15, 18), w15.shift_right(3));
                    let sigma1 = rotate_right(w2, 17).xor3(rotate_right(w2, 19), w2.shift_right(10));
                    words[I % 16] = words[I % 16].add(sigma0).add(words[(I + 9) % 16]).add(sigma1);
                }
                let [a, b, c, d, e, f, g, h] = const { places(I) };
                let sum1 = rotate_right(s[e], 6).xor3(rotate_right(s[e], 11), rotate_right(s[e], 25));
                let sum = s[h].add(words[I % 16]).add(s[h].all(CONSTANTS[I])).add(s[e].select(s[f], s[g])).add(sum1);
                let sum0 = rotate_right(s[a], 2).xor3(rotate_right(s[a], 13), rotate_right(s[a], 22));
                s[d] = s[d].add(sum);
                s[h] = sum.add(sum0.add(s[a].majority(s[b], s[c])));
            }};
        }
        twenty!(round, 0);
        twenty!(round, 20);
        twenty!(round, 40);
        four!(round, 60);
        for ((words, old), new) in states.iter_mut().zip(state).zip(s) {
            old.add(new).store(words);
        }
    }
}

#[inline(always)]
fn rotate_right<V: Vector<LANES, 16, Word = u32>, const LANES: usize>(vector: V, count: u32) -> V {
    vector.rotate_left(32 - count)
}

lane_functions! {
    /// Sixteen messages at once.
    lanes_avx512: lanes::<Avx512x16, 16>, u32, 8, 16, "avx512f,avx512bw";
}
