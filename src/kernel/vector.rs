//! Vector registers, one word of each message in its lane, so that a kernel for several messages is written once.
//!
//! A vector is made by an unsafe function alone, whose caller vouches that the processor has the instructions; every operation on
//! one may then use them. All of it is inlined into functions that have them enabled.

use std::arch::x86_64::*;

/// A register with a word for each of LANES messages; WORDS of them hold 64 bytes of every message.
pub trait Vector<const LANES: usize, const WORDS: usize>: Copy {
    /// A word of one lane.
    type Word: Copy;

    /// One word for each lane.
    ///
    /// # Safety
    /// The processor has this vector's instructions.
    unsafe fn load(words: &[Self::Word; LANES]) -> Self;

    /// The words of the first `64 / PARTS` bytes of each block, the first of all lanes in the first vector; the vectors behind
    /// them are of no use. Words have the lowest byte first.
    ///
    /// # Safety
    /// The processor has this vector's instructions, and these bytes can be read.
    unsafe fn load_blocks<const PARTS: usize>(blocks: [*const u8; LANES]) -> [Self; WORDS];

    /// Writes each lane's word.
    fn store(self, words: &mut [Self::Word; LANES]);

    /// This word in every lane.
    fn all(self, word: Self::Word) -> Self;

    /// The sum, modulo the word's size.
    fn add(self, other: Self) -> Self;

    /// The exclusive or.
    fn xor(self, other: Self) -> Self;

    /// The exclusive or of three.
    fn xor3(self, second: Self, third: Self) -> Self;

    /// The bits of `ones` where this one's are set, those of `zeros` elsewhere.
    fn select(self, ones: Self, zeros: Self) -> Self;

    /// The bits that are set in two of three or more.
    fn majority(self, second: Self, third: Self) -> Self;

    /// The exclusive or with `or`, or'ed with what is not in `not`: self ^ (or | !not).
    fn xor_or_not(self, or: Self, not: Self) -> Self;

    /// Rotated to the left.
    fn rotate_left(self, count: u32) -> Self;

    /// Shifted to the right.
    fn shift_right(self, count: u32) -> Self;

    /// The bytes of each word turned round.
    fn swap_bytes(self) -> Self;
}

/// A state's words, a vector for each.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
pub unsafe fn load_all<V: Vector<LANES, WORDS>, const LANES: usize, const WORDS: usize, const N: usize>(
    words: &[[V::Word; LANES]; N],
) -> [V; N] {
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        let mut vectors = [V::load(&words[0]); N];
        for i in 1..N {
            vectors[i] = V::load(&words[i]);
        }
        vectors
    }
}

/// Pointers to as many bytes further on.
#[inline(always)]
pub fn moved<const LANES: usize>(mut pointers: [*const u8; LANES], bytes: usize) -> [*const u8; LANES] {
    for pointer in &mut pointers {
        *pointer = pointer.wrapping_add(bytes);
    }
    pointers
}

/// Sixteen 32-bit lanes of AVX-512 (F and BW).
#[derive(Clone, Copy)]
pub struct Avx512x16(__m512i);

/// Eight 64-bit lanes of AVX-512 (F and BW).
#[derive(Clone, Copy)]
pub struct Avx512x8(__m512i);

/// Eight 32-bit lanes of AVX2.
#[derive(Clone, Copy)]
pub struct Avx2x8(__m256i);

/// Four 64-bit lanes of AVX2.
#[derive(Clone, Copy)]
pub struct Avx2x4(__m256i);

/// Whether the processor has what the AVX-512 vectors need.
pub fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
}

/// Whether the processor has what the AVX2 vectors need.
pub fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

/// The truth tables of `vpternlog`.
const XOR3: i32 = 0x96;
const SELECT: i32 = 0xca;
const MAJORITY: i32 = 0xe8;
const XOR_OR_NOT: i32 = 0xf0 ^ (0xcc | (0xaa ^ 0xff));

/// The places the bytes of a vector of SIZE bytes come from when those of each word are turned round.
const fn swapping_bytes<const SIZE: usize>(word_size: usize) -> [u8; SIZE] {
    let mut order = [0; SIZE];
    let mut i = 0;
    while i < SIZE {
        order[i] = ((i % 16) ^ (word_size - 1)) as u8;
        i += 1;
    }
    order
}

macro_rules! avx512 {
    ($vector:ident, $word:ident, $lanes:literal, $words:literal, $set:ident, $add:ident, $ternary:ident, $rotate:ident, $shift:ident) => {
        impl Vector<$lanes, $words> for $vector {
            type Word = $word;

            #[inline(always)]
            unsafe fn load(words: &[$word; $lanes]) -> Self {
                // SAFETY: the array's 64 bytes are read; the caller vouches for the instructions.
                Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
            }

            #[inline(always)]
            unsafe fn load_blocks<const PARTS: usize>(blocks: [*const u8; $lanes]) -> [Self; $words] {
                // SAFETY: the caller vouches for the instructions and the bytes.
                unsafe {
                    let mut rows = [_mm512_setzero_si512(); $lanes];
                    for lane in 0..$lanes {
                        rows[lane] = load_512::<PARTS>(blocks[lane]);
                    }
                    let rows = transposed::$vector(rows);
                    let mut words = [Self(rows[0]); $words];
                    for i in 1..$words {
                        words[i] = Self(rows[i]);
                    }
                    words
                }
            }

            #[inline(always)]
            fn store(self, words: &mut [$word; $lanes]) {
                // SAFETY: the array's 64 bytes are written. There is a vector, so there are its instructions, here and below.
                unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn all(self, word: $word) -> Self {
                // SAFETY: as above.
                Self(unsafe { $set(word.cast_signed()) })
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm512_xor_si512(self.0, other.0) })
            }

            #[inline(always)]
            fn xor3(self, second: Self, third: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<XOR3>(self.0, second.0, third.0) })
            }

            #[inline(always)]
            fn select(self, ones: Self, zeros: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<SELECT>(self.0, ones.0, zeros.0) })
            }

            #[inline(always)]
            fn majority(self, second: Self, third: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<MAJORITY>(self.0, second.0, third.0) })
            }

            #[inline(always)]
            fn xor_or_not(self, or: Self, not: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<XOR_OR_NOT>(self.0, or.0, not.0) })
            }

            #[inline(always)]
            fn rotate_left(self, count: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $rotate(self.0, $set(count as _)) })
            }

            #[inline(always)]
            fn shift_right(self, count: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shift(self.0, $set(count as _)) })
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                let order = const { swapping_bytes::<64>(size_of::<$word>()) };
                // SAFETY: the array's 64 bytes are read; else as above.
                Self(unsafe { _mm512_shuffle_epi8(self.0, _mm512_loadu_si512(order.as_ptr().cast())) })
            }
        }
    };
}

avx512!(
    Avx512x16,
    u32,
    16,
    16,
    _mm512_set1_epi32,
    _mm512_add_epi32,
    _mm512_ternarylogic_epi32,
    _mm512_rolv_epi32,
    _mm512_srlv_epi32
);
avx512!(
    Avx512x8,
    u64,
    8,
    8,
    _mm512_set1_epi64,
    _mm512_add_epi64,
    _mm512_ternarylogic_epi64,
    _mm512_rolv_epi64,
    _mm512_srlv_epi64
);

macro_rules! avx2 {
    ($vector:ident, $word:ident, $lanes:literal, $words:literal, $set:ident, $add:ident, $left:ident, $right:ident) => {
        impl Vector<$lanes, $words> for $vector {
            type Word = $word;

            #[inline(always)]
            unsafe fn load(words: &[$word; $lanes]) -> Self {
                // SAFETY: the array's 32 bytes are read; the caller vouches for the instructions.
                Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
            }

            #[inline(always)]
            unsafe fn load_blocks<const PARTS: usize>(blocks: [*const u8; $lanes]) -> [Self; $words] {
                // SAFETY: the caller vouches for the instructions and the bytes: the second half is read of whole blocks.
                unsafe {
                    let mut words = [Self(_mm256_setzero_si256()); $words];
                    for half in 0..2 / PARTS {
                        let mut rows = [_mm256_setzero_si256(); $lanes];
                        for lane in 0..$lanes {
                            rows[lane] = _mm256_loadu_si256(blocks[lane].add(32 * half).cast());
                        }
                        let rows = transposed::$vector(rows);
                        for i in 0..$words / 2 {
                            words[half * $words / 2 + i] = Self(rows[i]);
                        }
                    }
                    words
                }
            }

            #[inline(always)]
            fn store(self, words: &mut [$word; $lanes]) {
                // SAFETY: the array's 32 bytes are written. There is a vector, so there are its instructions, here and below.
                unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn all(self, word: $word) -> Self {
                // SAFETY: as above.
                Self(unsafe { $set(word.cast_signed()) })
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm256_xor_si256(self.0, other.0) })
            }

            #[inline(always)]
            fn xor3(self, second: Self, third: Self) -> Self {
                self.xor(second).xor(third)
            }

            #[inline(always)]
            fn select(self, ones: Self, zeros: Self) -> Self {
                // SAFETY: as above.
                zeros.xor(Self(unsafe { _mm256_and_si256(self.0, ones.xor(zeros).0) }))
            }

            #[inline(always)]
            fn majority(self, second: Self, third: Self) -> Self {
                self.xor(second).select(third, second)
            }

            #[inline(always)]
            fn xor_or_not(self, or: Self, not: Self) -> Self {
                let all = self.all($word::MAX);
                // SAFETY: as above.
                self.xor(Self(unsafe { _mm256_or_si256(or.0, not.xor(all).0) }))
            }

            #[inline(always)]
            fn rotate_left(self, count: u32) -> Self {
                let right = self.shift_right($word::BITS - count);
                // SAFETY: as above.
                Self(unsafe { _mm256_or_si256($left(self.0, $set(count as _)), right.0) })
            }

            #[inline(always)]
            fn shift_right(self, count: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $right(self.0, $set(count as _)) })
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                let order = const { swapping_bytes::<32>(size_of::<$word>()) };
                // SAFETY: the array's 32 bytes are read; else as above.
                Self(unsafe { _mm256_shuffle_epi8(self.0, _mm256_loadu_si256(order.as_ptr().cast())) })
            }
        }
    };
}

avx2!(Avx2x8, u32, 8, 16, _mm256_set1_epi32, _mm256_add_epi32, _mm256_sllv_epi32, _mm256_srlv_epi32);
avx2!(Avx2x4, u64, 4, 8, _mm256_set1_epi64x, _mm256_add_epi64, _mm256_sllv_epi64, _mm256_srlv_epi64);

/// The first `64 / PARTS` bytes of a block.
///
/// # Safety
/// The processor has AVX-512, and the bytes can be read.
#[inline(always)]
unsafe fn load_512<const PARTS: usize>(block: *const u8) -> __m512i {
    // SAFETY: the caller vouches for both.
    unsafe {
        if PARTS == 1 {
            _mm512_loadu_si512(block.cast())
        } else {
            _mm512_zextsi256_si512(_mm256_loadu_si256(block.cast()))
        }
    }
}

/// Rows of a lane's words → rows of all lanes' word, in steps of two: pairs of words, pairs of pairs, then whole quarters. (Loops, for
/// a closure that is not inlined would lack the instructions.)
mod transposed {
    #![expect(non_snake_case, reason = "each is named for its vector")]

    use std::arch::x86_64::*;

    /// # Safety
    /// The processor has AVX-512.
    #[inline(always)]
    pub unsafe fn Avx512x16(rows: [__m512i; 16]) -> [__m512i; 16] {
        let (mut pairs, mut fours, mut halves, mut words) = (rows, rows, rows, rows);
        // SAFETY: the caller vouches for the instructions.
        unsafe {
            for i in 0..8 {
                pairs[2 * i] = _mm512_unpacklo_epi32(rows[2 * i], rows[2 * i + 1]);
                pairs[2 * i + 1] = _mm512_unpackhi_epi32(rows[2 * i], rows[2 * i + 1]);
            }
            // A quarter of fours[4 * row + word] is that word of four rows; quarter q of it is word 4 * q + word.
            for i in 0..4 {
                fours[4 * i] = _mm512_unpacklo_epi64(pairs[4 * i], pairs[4 * i + 2]);
                fours[4 * i + 1] = _mm512_unpackhi_epi64(pairs[4 * i], pairs[4 * i + 2]);
                fours[4 * i + 2] = _mm512_unpacklo_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
                fours[4 * i + 3] = _mm512_unpackhi_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
            }
            // Quarters 0 and 2 of eight rows, then quarters 1 and 3.
            for word in 0..4 {
                for half in 0..2 {
                    let (first, second) = (fours[8 * half + word], fours[8 * half + 4 + word]);
                    halves[4 * half + word] = _mm512_shuffle_i32x4::<0x88>(first, second);
                    halves[8 + 4 * half + word] = _mm512_shuffle_i32x4::<0xdd>(first, second);
                }
            }
            for word in 0..4 {
                words[word] = _mm512_shuffle_i32x4::<0x88>(halves[word], halves[4 + word]);
                words[4 + word] = _mm512_shuffle_i32x4::<0x88>(halves[8 + word], halves[12 + word]);
                words[8 + word] = _mm512_shuffle_i32x4::<0xdd>(halves[word], halves[4 + word]);
                words[12 + word] = _mm512_shuffle_i32x4::<0xdd>(halves[8 + word], halves[12 + word]);
            }
        }
        words
    }

    /// # Safety
    /// The processor has AVX-512.
    #[inline(always)]
    pub unsafe fn Avx512x8(rows: [__m512i; 8]) -> [__m512i; 8] {
        let (mut pairs, mut words) = (rows, rows);
        // SAFETY: the caller vouches for the instructions.
        unsafe {
            for i in 0..4 {
                pairs[2 * i] = _mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]);
                pairs[2 * i + 1] = _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1]);
            }
            // A quarter of pairs[2 * row + word] is that word of two rows; quarter q of it is word 2 * q + word.
            for word in 0..2 {
                let even_low = _mm512_shuffle_i64x2::<0x88>(pairs[word], pairs[2 + word]);
                let even_high = _mm512_shuffle_i64x2::<0x88>(pairs[4 + word], pairs[6 + word]);
                let odd_low = _mm512_shuffle_i64x2::<0xdd>(pairs[word], pairs[2 + word]);
                let odd_high = _mm512_shuffle_i64x2::<0xdd>(pairs[4 + word], pairs[6 + word]);
                words[word] = _mm512_shuffle_i64x2::<0x88>(even_low, even_high);
                words[2 + word] = _mm512_shuffle_i64x2::<0x88>(odd_low, odd_high);
                words[4 + word] = _mm512_shuffle_i64x2::<0xdd>(even_low, even_high);
                words[6 + word] = _mm512_shuffle_i64x2::<0xdd>(odd_low, odd_high);
            }
        }
        words
    }

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub unsafe fn Avx2x8(rows: [__m256i; 8]) -> [__m256i; 8] {
        let (mut pairs, mut fours, mut words) = (rows, rows, rows);
        // SAFETY: the caller vouches for the instructions.
        unsafe {
            for i in 0..4 {
                pairs[2 * i] = _mm256_unpacklo_epi32(rows[2 * i], rows[2 * i + 1]);
                pairs[2 * i + 1] = _mm256_unpackhi_epi32(rows[2 * i], rows[2 * i + 1]);
            }
            for i in 0..2 {
                fours[4 * i] = _mm256_unpacklo_epi64(pairs[4 * i], pairs[4 * i + 2]);
                fours[4 * i + 1] = _mm256_unpackhi_epi64(pairs[4 * i], pairs[4 * i + 2]);
                fours[4 * i + 2] = _mm256_unpacklo_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
                fours[4 * i + 3] = _mm256_unpackhi_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
            }
            for word in 0..4 {
                words[word] = _mm256_permute2x128_si256::<0x20>(fours[word], fours[4 + word]);
                words[4 + word] = _mm256_permute2x128_si256::<0x31>(fours[word], fours[4 + word]);
            }
        }
        words
    }

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub unsafe fn Avx2x4(rows: [__m256i; 4]) -> [__m256i; 4] {
        let (mut pairs, mut words) = (rows, rows);
        // SAFETY: the caller vouches for the instructions.
        unsafe {
            for i in 0..2 {
                pairs[2 * i] = _mm256_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]);
                pairs[2 * i + 1] = _mm256_unpackhi_epi64(rows[2 * i], rows[2 * i + 1]);
            }
            for word in 0..2 {
                words[word] = _mm256_permute2x128_si256::<0x20>(pairs[word], pairs[2 + word]);
                words[2 + word] = _mm256_permute2x128_si256::<0x31>(pairs[word], pairs[2 + word]);
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each lane's block is other bytes; word i of all lanes must come out in vector i.
    macro_rules! blocks_are_transposed {
        ($vector:ident, $word:ident, $lanes:literal, $words:literal, $features:literal) => {{
            #[target_feature(enable = $features)]
            fn load<const PARTS: usize>(blocks: &[[u8; 64]; $lanes]) -> [[$word; $lanes]; $words] {
                let pointers = blocks.each_ref().map(|block| block.as_ptr());
                // SAFETY: the features are enabled, and each pointer is a block's.
                let vectors = unsafe { $vector::load_blocks::<PARTS>(pointers) };
                vectors.map(|vector| {
                    let mut words = [0; $lanes];
                    vector.store(&mut words);
                    words
                })
            }
            let blocks: [[u8; 64]; $lanes] =
                std::array::from_fn(|lane| std::array::from_fn(|i| (lane * 64 + i * 3) as u8));
            let word = |lane: usize, i: usize| {
                let (words, _) = blocks[lane].as_chunks();
                $word::from_le_bytes(words[i])
            };
            // SAFETY: the test asked the processor.
            let (whole, half) = unsafe { (load::<1>(&blocks), load::<2>(&blocks)) };
            for i in 0..$words {
                let wanted: [$word; $lanes] = std::array::from_fn(|lane| word(lane, i));
                assert_eq!(whole[i], wanted, "{i}");
                assert!(i >= $words / 2 || half[i] == wanted, "{i}");
            }
        }};
    }

    #[test]
    fn blocks_are_loaded_with_a_lane_for_each() {
        if has_avx512() {
            blocks_are_transposed!(Avx512x16, u32, 16, 16, "avx512f,avx512bw");
            blocks_are_transposed!(Avx512x8, u64, 8, 8, "avx512f,avx512bw");
        }
        if has_avx2() {
            blocks_are_transposed!(Avx2x8, u32, 8, 16, "avx2");
            blocks_are_transposed!(Avx2x4, u64, 4, 8, "avx2");
        }
    }
}
