//! What MD5 and RIPEMD-160 share: blocks of 64 bytes, words with the lowest byte first, and the length in bits at the end.

use digest::array::Array;
use digest::block_buffer::EagerBuffer;
use digest::consts::U64;

use crate::algorithm::{Checksum, Hasher};

/// Updates a chaining value of N words with whole blocks.
pub type Compress<const N: usize> = unsafe fn(&mut [u32; N], &[[u8; 64]]);

/// A hasher around a compression function.
pub struct Hash<const N: usize> {
    state: [u32; N],
    /// Bytes of the message so far, modulo 2^64 as the padding wants it.
    pub(super) length: u64,
    buffer: EagerBuffer<U64>,
    compress: Compress<N>,
}

impl<const N: usize> Hash<N> {
    /// A hasher at the start of a message. The implementation must be available.
    pub fn new(initial: [u32; N], compress: Compress<N>) -> Self {
        Self { state: initial, length: 0, buffer: EagerBuffer::default(), compress }
    }
}

impl<const N: usize> Hasher for Hash<N> {
    fn update(&mut self, data: &[u8]) {
        self.length = self.length.wrapping_add(data.len() as u64);
        self.buffer.digest_blocks(data, |blocks| {
            // SAFETY: the implementation is available.
            unsafe { (self.compress)(&mut self.state, Array::cast_slice_to_core(blocks)) };
        });
    }

    fn finish(mut self: Box<Self>) -> Checksum {
        self.buffer.len64_padding_le(self.length.wrapping_mul(8), |block| {
            // SAFETY: the implementation is available.
            unsafe { (self.compress)(&mut self.state, &[block.0]) };
        });
        Checksum::new(self.state.map(u32::to_le_bytes).as_flattened())
    }
}

/// The sixteen words of a block.
#[inline(always)]
pub(super) fn words(block: &[u8; 64]) -> [u32; 16] {
    let (words, _) = block.as_chunks();
    std::array::from_fn(|i| u32::from_le_bytes(words[i]))
}
