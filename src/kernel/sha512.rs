//! SHA-512 and its family (FIPS 180-4).
//!
//! The 80 rounds of a block depend on each other, the words they add do not depend on the rounds. So the words of four blocks
//! are computed at once, in the lanes of vector registers, between the rounds of the four blocks before them; with AVX2, of two.

use std::arch::x86_64::*;

use digest::array::Array;
use digest::block_buffer::EagerBuffer;
use digest::consts::U128;

use super::lanes::{Function, Together, end_be_128};
use super::vector::{Avx2x4, Avx512x8, Vector, has_avx2, load_all, moved};
use super::{Implementation, LaneKernels, best, places};
use crate::algorithm::{Checksum, Hasher};

/// Updates a chaining value with whole blocks.
pub type Compress = unsafe fn(&mut [u64; 8], &[[u8; 128]]);

/// The implementations, best first.
pub static IMPLEMENTATIONS: &[Implementation<Compress>] = &[
    Implementation { name: "avx512", is_available: has_avx512, compress: avx512 },
    Implementation { name: "avx2", is_available: has_avx2_and_bmi, compress: avx2 },
    Implementation { name: "sha2", is_available: || true, compress: sha2::block_api::compress512 },
];

/// The chaining value SHA-384 starts with (5.3.4).
pub const INITIAL_384: [u64; 8] = [
    0xcbbb_9d5d_c105_9ed8,
    0x629a_292a_367c_d507,
    0x9159_015a_3070_dd17,
    0x152f_ecd8_f70e_5939,
    0x6733_2667_ffc0_0b31,
    0x8eb4_4a87_6858_1511,
    0xdb0c_2e0d_64f9_8fa7,
    0x47b5_481d_befa_4fa4,
];

/// The chaining value SHA-512 starts with (5.3.5).
pub const INITIAL_512: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// The chaining value SHA-512/224 starts with (5.3.6.1).
pub const INITIAL_512_224: [u64; 8] = [
    0x8c3d_37c8_1954_4da2,
    0x73e1_9966_89dc_d4d6,
    0x1dfa_b7ae_32ff_9c82,
    0x679d_d514_582f_9fcf,
    0x0f6d_2b69_7bd4_4da8,
    0x77e3_6f73_04c4_8942,
    0x3f9d_85a8_6a1d_36c8,
    0x1112_e6ad_91d6_92a1,
];

/// The chaining value SHA-512/256 starts with (5.3.6.2).
pub const INITIAL_512_256: [u64; 8] = [
    0x2231_2194_fc2b_f72c,
    0x9f55_5fa3_c84c_64c2,
    0x2393_b86b_6f53_b151,
    0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3,
    0xbe5e_1e25_5386_3992,
    0x2b01_99fc_2c85_b8aa,
    0x0eb7_2ddc_81c5_2ca2,
];

/// The implementations of SHA-384 for several messages at once, best first.
pub const LANES_384: LaneKernels = &[
    Implementation {
        name: "avx512",
        is_available: has_avx512,
        compress: &several::<48, 8>(|| INITIAL_384, lanes_avx512),
    },
    Implementation { name: "avx2", is_available: has_avx2, compress: &several::<48, 4>(|| INITIAL_384, lanes_avx2) },
];

/// The implementations of SHA-512 for several messages at once, best first.
pub const LANES_512: LaneKernels = &[
    Implementation {
        name: "avx512",
        is_available: has_avx512,
        compress: &several::<64, 8>(|| INITIAL_512, lanes_avx512),
    },
    Implementation { name: "avx2", is_available: has_avx2, compress: &several::<64, 4>(|| INITIAL_512, lanes_avx2) },
];

/// The implementations of SHA-512/224 for several messages at once, best first.
pub const LANES_512_224: LaneKernels = &[
    Implementation {
        name: "avx512",
        is_available: has_avx512,
        compress: &several::<28, 8>(|| INITIAL_512_224, lanes_avx512),
    },
    Implementation {
        name: "avx2",
        is_available: has_avx2,
        compress: &several::<28, 4>(|| INITIAL_512_224, lanes_avx2),
    },
];

/// The implementations of SHA-512/256 for several messages at once, best first.
pub const LANES_512_256: LaneKernels = &[
    Implementation {
        name: "avx512",
        is_available: has_avx512,
        compress: &several::<32, 8>(|| INITIAL_512_256, lanes_avx512),
    },
    Implementation {
        name: "avx2",
        is_available: has_avx2,
        compress: &several::<32, 4>(|| INITIAL_512_256, lanes_avx2),
    },
];

/// Messages from which on lanes are faster: all of them take as long as 2.1 (AVX-512) and 2.6 (AVX2) one after the other.
const CROSSING: usize = 3;

const fn several<const SIZE: usize, const LANES: usize>(
    initial: fn() -> [u64; 8],
    together: Together<u64, 8, LANES>,
) -> Function<u64, 8, LANES> {
    Function {
        block_size: 128,
        keeps_last_block: false,
        crossing: CROSSING,
        piece_size: PIECE_SIZE,
        initial,
        together,
        alone: |state, blocks| {
            // SAFETY: the best implementation is available.
            unsafe { best(IMPLEMENTATIONS)(state, blocks.as_chunks().0) }
        },
        end: end_be_128,
        checksum: |state| Checksum::new(&state.map(u64::to_be_bytes).as_flattened()[..SIZE]),
    }
}

/// Bytes best taken at once: the words of the first blocks of each call are computed while no rounds run.
const PIECE_SIZE: usize = 8 << 10;

/// A hasher around a compression function, for a digest of SIZE bytes.
pub struct Sha512<const SIZE: usize> {
    state: [u64; 8],
    /// Bytes of the message so far.
    pub(super) length: u128,
    buffer: EagerBuffer<U128>,
    compress: Compress,
}

impl<const SIZE: usize> Sha512<SIZE> {
    /// A hasher at the start of a message. The implementation must be available.
    pub fn new(initial: [u64; 8], compress: Compress) -> Self {
        Self { state: initial, length: 0, buffer: EagerBuffer::default(), compress }
    }
}

impl<const SIZE: usize> Hasher for Sha512<SIZE> {
    fn update(&mut self, data: &[u8]) {
        self.length = self.length.wrapping_add(data.len() as u128);
        self.buffer.digest_blocks(data, |blocks| {
            // SAFETY: the implementation is available.
            unsafe { (self.compress)(&mut self.state, Array::cast_slice_to_core(blocks)) };
        });
    }

    fn finish(mut self: Box<Self>) -> Checksum {
        self.buffer.len128_padding_be(self.length.wrapping_mul(8), |block| {
            // SAFETY: the implementation is available.
            unsafe { (self.compress)(&mut self.state, &[block.0]) };
        });
        Checksum::new(&self.state.map(u64::to_be_bytes).as_flattened()[..SIZE])
    }

    fn piece_size(&self) -> usize {
        PIECE_SIZE
    }
}

fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

fn has_avx2_and_bmi() -> bool {
    has_avx2() && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2")
}

/// The rounds' constants (4.2.3), in pairs.
static CONSTANTS: [[u64; 2]; 40] = [
    [0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd],
    [0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc],
    [0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019],
    [0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118],
    [0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe],
    [0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2],
    [0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1],
    [0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694],
    [0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3],
    [0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65],
    [0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483],
    [0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5],
    [0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210],
    [0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4],
    [0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725],
    [0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70],
    [0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926],
    [0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df],
    [0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8],
    [0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b],
    [0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001],
    [0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30],
    [0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910],
    [0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8],
    [0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53],
    [0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8],
    [0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb],
    [0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3],
    [0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60],
    [0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec],
    [0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9],
    [0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b],
    [0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207],
    [0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178],
    [0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6],
    [0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b],
    [0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493],
    [0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c],
    [0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a],
    [0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817],
];

/// A pair of words for each of some blocks.
trait Pairs<const BLOCKS: usize>: Copy {
    /// Those of the blocks' messages.
    ///
    /// # Safety
    /// The processor has this vector's instructions; so for the others.
    unsafe fn of_message(blocks: &[[u8; 128]; BLOCKS], pair: usize) -> Self;

    /// Those computed from the eight pairs before them (6.4.2, step 1), of which these are the words counted from here back.
    ///
    /// # Safety
    /// As above.
    unsafe fn expanded(before: [Self; 8]) -> Self;

    /// Their sums with the rounds' constants.
    ///
    /// # Safety
    /// As above.
    unsafe fn add_constants(self, constants: [u64; 2], sums: &mut [[u64; 2]; BLOCKS]);
}

/// A sum that is added to in the order written, which is that of the terms' arrival.
#[inline(always)]
fn in_order(mut sum: u64) -> u64 {
    in_order!(reg, sum);
    sum
}

/// One round, but for the renaming of its words. `$last` is b ^ c, which the round before had as its a ^ b.
macro_rules! round {
    ($sum:expr, $last:ident, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident, $f:ident, $g:ident, $h:ident) => {
        let e = in_order($d.wrapping_add(in_order($h.wrapping_add($sum))));
        let e = in_order(in_order(e.wrapping_add(!$e & $g)).wrapping_add($e & $f));
        let sigma = in_order($e.rotate_right(14) ^ $e.rotate_right(18) ^ $e.rotate_right(41));
        let ab = $a ^ $b;
        let majority = (ab & $last) ^ $b;
        $last = ab;
        // The next e is d and a sum, the next a is that sum and more: what e has and a has not is taken off.
        let rest = in_order(majority.wrapping_sub($d));
        $d = in_order(e.wrapping_add(sigma));
        let rest = in_order(rest.wrapping_add($d));
        $h = rest.wrapping_add($a.rotate_right(28) ^ $a.rotate_right(34) ^ $a.rotate_right(39));
    };
}

/// Two rounds; the words are renamed by the order in which they are given next.
macro_rules! two_rounds {
    ($sums:expr, $block:expr, $last:ident, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident, $f:ident, $g:ident, $h:ident) => {
        round!($sums[$block][0], $last, $a, $b, $c, $d, $e, $f, $g, $h);
        round!($sums[$block][1], $last, $h, $a, $b, $c, $d, $e, $f, $g);
    };
}

/// Some blocks at a time; a rest of fewer is left to the crate.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn compress<V: Pairs<BLOCKS>, const BLOCKS: usize>(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    let (groups, rest) = blocks.as_chunks::<BLOCKS>();
    if let Some(first) = groups.first() {
        // SAFETY: the caller vouches for the instructions.
        let mut words = [unsafe { V::of_message(first, 0) }; 40];
        let (mut sums, mut next_sums) = (&mut Sums([[[0; 2]; BLOCKS]; 40]), &mut Sums([[[0; 2]; BLOCKS]; 40]));
        for pair in 0..40 {
            // SAFETY: the caller vouches for the instructions.
            unsafe { schedule(first, pair, &mut words, sums) };
        }
        for (index, group) in groups.iter().enumerate() {
            // After the last group nothing uses what is computed.
            let next = groups.get(index + 1).unwrap_or(group);
            for block in 0..BLOCKS {
                let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
                let mut last = b ^ c;
                let (sixteens, _) = sums.0.as_chunks::<8>();
                for (part, [p0, p1, p2, p3, p4, p5, p6, p7]) in sixteens.iter().enumerate() {
                    // Few at once, so that what waits for the rounds leaves room for them.
                    macro_rules! schedule_next {
                        ($quarter:expr) => {
                            if BLOCKS == 2 || $quarter % 2 == 1 {
                                let pair = (40 * block + 8 * part + 2 * $quarter) / BLOCKS;
                                // SAFETY: the caller vouches for the instructions.
                                unsafe { schedule(next, pair, &mut words, next_sums) };
                            }
                        };
                    }
                    two_rounds!(p0, block, last, a, b, c, d, e, f, g, h);
                    two_rounds!(p1, block, last, g, h, a, b, c, d, e, f);
                    schedule_next!(0);
                    two_rounds!(p2, block, last, e, f, g, h, a, b, c, d);
                    two_rounds!(p3, block, last, c, d, e, f, g, h, a, b);
                    schedule_next!(1);
                    two_rounds!(p4, block, last, a, b, c, d, e, f, g, h);
                    two_rounds!(p5, block, last, g, h, a, b, c, d, e, f);
                    schedule_next!(2);
                    two_rounds!(p6, block, last, e, f, g, h, a, b, c, d);
                    two_rounds!(p7, block, last, c, d, e, f, g, h, a, b);
                    schedule_next!(3);
                }
                for (value, change) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                    *value = value.wrapping_add(change);
                }
            }
            std::mem::swap(&mut sums, &mut next_sums);
        }
    }
    sha2::block_api::compress512(state, rest);
}

/// The words of a group with the rounds' constants added: 40 pairs for each block.
#[repr(align(64))]
struct Sums<const BLOCKS: usize>([[[u64; 2]; BLOCKS]; 40]);

/// Computes one pair of words for each block of the group, from those before it.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn schedule<V: Pairs<BLOCKS>, const BLOCKS: usize>(
    group: &[[u8; 128]; BLOCKS],
    pair: usize,
    words: &mut [V; 40],
    sums: &mut Sums<BLOCKS>,
) {
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        words[pair] = match words[..pair].last_chunk() {
            None => V::of_message(group, pair),
            Some(before) => V::expanded(*before),
        };
        words[pair].add_constants(CONSTANTS[pair], &mut sums.0[pair]);
    }
}

impl Pairs<4> for __m512i {
    #[inline(always)]
    unsafe fn of_message(blocks: &[[u8; 128]; 4], pair: usize) -> Self {
        // SAFETY: the caller vouches for the instructions, and 16 bytes of each block are read.
        unsafe {
            let mut words = _mm512_castsi128_si512(load_pair(&blocks[0], pair));
            words = _mm512_inserti64x2::<1>(words, load_pair(&blocks[1], pair));
            words = _mm512_inserti64x2::<2>(words, load_pair(&blocks[2], pair));
            words = _mm512_inserti64x2::<3>(words, load_pair(&blocks[3], pair));
            let swap_bytes = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(swap_bytes))
        }
    }

    #[inline(always)]
    unsafe fn expanded([w16, w14, _, _, w8, w6, _, w2]: [Self; 8]) -> Self {
        // SAFETY: the caller vouches for the instructions.
        unsafe {
            let w15 = _mm512_alignr_epi8::<8>(w14, w16);
            let w7 = _mm512_alignr_epi8::<8>(w6, w8);
            let (ror1, ror8) = (_mm512_ror_epi64::<1>(w15), _mm512_ror_epi64::<8>(w15));
            let sigma0 = _mm512_ternarylogic_epi64::<0x96>(ror1, ror8, _mm512_srli_epi64::<7>(w15));
            let (ror19, ror61) = (_mm512_ror_epi64::<19>(w2), _mm512_ror_epi64::<61>(w2));
            let sigma1 = _mm512_ternarylogic_epi64::<0x96>(ror19, ror61, _mm512_srli_epi64::<6>(w2));
            _mm512_add_epi64(_mm512_add_epi64(_mm512_add_epi64(w16, sigma0), w7), sigma1)
        }
    }

    #[inline(always)]
    unsafe fn add_constants(self, constants: [u64; 2], sums: &mut [[u64; 2]; 4]) {
        let [low, high] = constants.map(u64::cast_signed);
        // SAFETY: the caller vouches for the instructions, and 64 bytes are written.
        unsafe {
            let sum = _mm512_add_epi64(self, _mm512_broadcast_i64x2(_mm_set_epi64x(high, low)));
            _mm512_storeu_si512(sums.as_mut_ptr().cast(), sum);
        }
    }
}

impl Pairs<2> for __m256i {
    #[inline(always)]
    unsafe fn of_message(blocks: &[[u8; 128]; 2], pair: usize) -> Self {
        // SAFETY: the caller vouches for the instructions, and 16 bytes of each block are read.
        unsafe {
            let words = _mm256_set_m128i(load_pair(&blocks[1], pair), load_pair(&blocks[0], pair));
            let swap_bytes = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(swap_bytes))
        }
    }

    #[inline(always)]
    unsafe fn expanded([w16, w14, _, _, w8, w6, _, w2]: [Self; 8]) -> Self {
        // SAFETY: the caller vouches for the instructions.
        unsafe {
            let w15 = _mm256_alignr_epi8::<8>(w14, w16);
            let w7 = _mm256_alignr_epi8::<8>(w6, w8);
            let ror1 = _mm256_xor_si256(_mm256_srli_epi64::<1>(w15), _mm256_slli_epi64::<63>(w15));
            let ror8 = _mm256_xor_si256(_mm256_srli_epi64::<8>(w15), _mm256_slli_epi64::<56>(w15));
            let sigma0 = _mm256_xor_si256(_mm256_xor_si256(ror1, ror8), _mm256_srli_epi64::<7>(w15));
            let ror19 = _mm256_xor_si256(_mm256_srli_epi64::<19>(w2), _mm256_slli_epi64::<45>(w2));
            let ror61 = _mm256_xor_si256(_mm256_srli_epi64::<61>(w2), _mm256_slli_epi64::<3>(w2));
            let sigma1 = _mm256_xor_si256(_mm256_xor_si256(ror19, ror61), _mm256_srli_epi64::<6>(w2));
            _mm256_add_epi64(_mm256_add_epi64(_mm256_add_epi64(w16, sigma0), w7), sigma1)
        }
    }

    #[inline(always)]
    unsafe fn add_constants(self, constants: [u64; 2], sums: &mut [[u64; 2]; 2]) {
        let [low, high] = constants.map(u64::cast_signed);
        // SAFETY: the caller vouches for the instructions, and 32 bytes are written.
        unsafe {
            let sum = _mm256_add_epi64(self, _mm256_broadcastsi128_si256(_mm_set_epi64x(high, low)));
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), sum);
        }
    }
}

fn load_pair(block: &[u8; 128], pair: usize) -> __m128i {
    let (pairs, _) = block.as_chunks::<16>();
    // SAFETY: every x86-64 has the instruction, and the array's 16 bytes are read.
    unsafe { _mm_loadu_si128(pairs[pair].as_ptr().cast()) }
}

/// Four blocks at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,bmi1,bmi2")]
fn avx512(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // SAFETY: these are the vector's instructions.
    unsafe { compress::<__m512i, 4>(state, blocks) }
}

/// Two blocks at a time.
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn avx2(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // SAFETY: these are the vector's instructions.
    unsafe { compress::<__m256i, 2>(state, blocks) }
}

/// # Safety
/// As [`Together`]'s.
#[inline(always)]
unsafe fn lanes<V: Vector<LANES, 8, Word = u64>, const LANES: usize>(
    states: &mut [[u64; LANES]; 8],
    blocks: [*const u8; LANES],
    count: usize,
) {
    for block in 0..count {
        // SAFETY: the caller vouches for the instructions and the blocks.
        let (state, low, high) = unsafe {
            let low = V::load_blocks::<1>(moved(blocks, 128 * block));
            (load_all(states), low, V::load_blocks::<1>(moved(blocks, 128 * block + 64)))
        };
        let mut words = [low[0]; 16];
        for i in 0..8 {
            words[i] = low[i].swap_bytes();
            words[8 + i] = high[i].swap_bytes();
        }
        let mut s: [V; 8] = state;
        macro_rules! round {
            ($i:expr) => {{
                const I: usize = $i;
                if I >= 16 {
                    let (w15, w2) = (words[(I + 1) % 16], words[(I + 14) % 16]);
                    let sigma0 = rotate_right(w15, 1).xor3(rotate_right(w15, 8), w15.shift_right(7));
                    let sigma1 = rotate_right(w2, 19).xor3(rotate_right(w2, 61), w2.shift_right(6));
                    words[I % 16] = words[I % 16].add(sigma0).add(words[(I + 9) % 16]).add(sigma1);
                }
                let [a, b, c, d, e, f, g, h] = const { places(I) };
                let sum1 = rotate_right(s[e], 14).xor3(rotate_right(s[e], 18), rotate_right(s[e], 41));
                let constant = s[h].all(CONSTANTS[I / 2][I % 2]);
                let sum = s[h].add(words[I % 16]).add(constant).add(s[e].select(s[f], s[g])).add(sum1);
                let sum0 = rotate_right(s[a], 28).xor3(rotate_right(s[a], 34), rotate_right(s[a], 39));
                s[d] = s[d].add(sum);
                s[h] = sum.add(sum0.add(s[a].majority(s[b], s[c])));
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

#[inline(always)]
fn rotate_right<V: Vector<LANES, 8, Word = u64>, const LANES: usize>(vector: V, count: u32) -> V {
    vector.rotate_left(64 - count)
}

lane_functions! {
    /// Eight messages at once.
    lanes_avx512: lanes::<Avx512x8, 8>, u64, 8, 8, "avx512f,avx512bw";
    /// Four messages at once.
    lanes_avx2: lanes::<Avx2x4, 4>, u64, 8, 4, "avx2";
}
