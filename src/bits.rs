//! SHA-1 and SHA-2 of messages that end inside a byte.

use digest::Digest;
use digest::common::BlockSizeUser;
use digest::common::hazmat::SerializableState;

use crate::algorithm::{BitHasher, Checksum, Hasher};

/// A hasher of the Secure Hash Standard that pads at the bit (FIPS 180-4, section 5.1).
///
/// The crates pad whole bytes only, so the padding is written here and fed as part of the message; the digest
/// is then the state that stands after the last block.
pub struct Sha<D> {
    hasher: D,
    /// Whole bytes of the message so far.
    bytes: u128,
}

impl<D: Digest> Sha<D> {
    /// A hasher at the start of a message.
    pub fn new() -> Self {
        Self { hasher: D::new(), bytes: 0 }
    }
}

impl<D: Digest> Default for Sha<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Digest + BlockSizeUser + SerializableState + Send> Hasher for Sha<D> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
        self.bytes += data.len() as u128;
    }

    fn finish(self: Box<Self>) -> Checksum {
        Checksum::new(&self.hasher.finalize())
    }
}

impl<D: Digest + BlockSizeUser + SerializableState + Send> BitHasher for Sha<D> {
    fn finish_bits(mut self: Box<Self>, tail: u8, count: u32) -> Checksum {
        let padding = padding(self.bytes, tail, count, D::block_size());
        self.hasher.update(padding);
        let state = self.hasher.serialize();
        // The state is serialized with each word's lowest byte first; a digest has the highest first.
        let digest: Vec<u8> = state
            .chunks_exact(D::block_size() / 16)
            .flat_map(|word| word.iter().rev().copied())
            .take(<D as Digest>::output_size())
            .collect();
        Checksum::new(&digest)
    }
}

/// What completes a message of `bytes` whole bytes and `count` more bits to whole blocks: those bits, a one, zeros,
/// and the message's length in bits, highest byte first, in the last eighth of a block.
fn padding(bytes: u128, tail: u8, count: u32, block_size: usize) -> Vec<u8> {
    let length_size = block_size / 8;
    let bits = bytes * 8 + u128::from(count);
    let last = (u16::from(tail) << (8 - count)) as u8 | (0x80 >> count);
    let filled = (bytes % block_size as u128) as usize + 1;
    let zeros = (2 * block_size - length_size - filled) % block_size;
    let mut padding = vec![last];
    padding.resize(1 + zeros, 0);
    padding.extend_from_slice(&bits.to_be_bytes()[16 - length_size..]);
    padding
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::ALGORITHMS;
    use crate::kernel::crates::{CARRIES, state_after};

    #[test]
    fn no_extra_bits_is_the_ordinary_digest() {
        let message = [0x5a; 300];
        for row in &ALGORITHMS {
            let Some(perl) = &row.perl else { continue };
            for length in 0..message.len() {
                let mut hasher = (perl.bit_hasher)();
                hasher.update(&message[..length]);
                assert_eq!(hasher.finish_bits(0, 0), row.digest(&message[..length]), "{} of {length}", row.name);
            }
        }
    }

    fn no_extra_bits_is_the_ordinary_digest_after<D, const COUNT_AT: usize>(lengths: &[u64])
    where
        D: Digest + BlockSizeUser + SerializableState + Send,
    {
        for length in lengths.iter().map(|length| length - 2 * D::block_size() as u64) {
            for rest in 0..4 * D::block_size() {
                let hasher = || state_after::<D, COUNT_AT>(length);
                let mut own = Box::new(Sha { hasher: hasher(), bytes: length.into() });
                own.update(&vec![0x5a; rest]);
                let wanted = hasher().chain_update(vec![0x5a; rest]).finalize();
                assert_eq!(own.finish_bits(0, 0).as_bytes(), &wanted[..], "{length} and {rest} bytes");
            }
        }
    }

    #[test]
    fn no_extra_bits_is_the_ordinary_digest_past_every_carry() {
        no_extra_bits_is_the_ordinary_digest_after::<sha1::Sha1, 20>(&CARRIES[..3]);
        no_extra_bits_is_the_ordinary_digest_after::<sha2::Sha256, 32>(&CARRIES[..3]);
        no_extra_bits_is_the_ordinary_digest_after::<sha2::Sha512, 64>(&CARRIES);
    }
}
