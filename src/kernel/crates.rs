//! The crates' hashers, to compare with.

use digest::Digest;
use digest::common::BlockSizeUser;
use digest::common::hazmat::{SerializableState, SerializedState};

use crate::algorithm::{ALGORITHMS, Hasher, Plain};

/// Makes the hasher of a message some bytes into it, whole blocks of which only the length is known.
pub type After = fn(u64) -> Box<dyn Hasher>;

/// One for each algorithm, in the table's order.
pub const CRATES: [After; ALGORITHMS.len()] = [
    after::<md5::Md5, 16>,
    after::<sha1::Sha1, 20>,
    after::<sha2::Sha224, 32>,
    after::<sha2::Sha256, 32>,
    after::<sha2::Sha384, 64>,
    after::<sha2::Sha512, 64>,
    after::<sha2::Sha512_224, 64>,
    after::<sha2::Sha512_256, 64>,
    after::<ripemd::Ripemd160, 20>,
    after::<skein::Skein256_256, POSITION>,
    after::<skein::Skein512_512, POSITION>,
    after::<skein::Skein1024_1024, POSITION>,
];

/// Skein's state begins with its position, in bytes. The others count blocks behind their chaining value.
const POSITION: usize = 0;

/// Lengths in bytes at which a count carries: of bits into its second 32-bit word, of bytes into that, of bits into the highest
/// bit of 64, and past it. Messages of SHA-1, SHA-256 and the crate's RIPEMD-160 end before the last.
pub const CARRIES: [u64; 4] = [1 << 29, 1 << 32, 1 << 60, 1 << 61];

fn after<D: Digest + BlockSizeUser + SerializableState + Send + 'static, const COUNT_AT: usize>(
    length: u64,
) -> Box<dyn Hasher> {
    Box::new(Plain(state_after::<D, COUNT_AT>(length)))
}

/// The crate's state after as many bytes.
pub fn state_after<D: Digest + BlockSizeUser + SerializableState, const COUNT_AT: usize>(length: u64) -> D {
    let unit = if COUNT_AT == POSITION { 1 } else { D::block_size() as u64 };
    let mut state: SerializedState<D> = D::new().serialize();
    state[COUNT_AT..][..8].copy_from_slice(&(length / unit).to_le_bytes());
    D::deserialize(&state).expect("only the count is another")
}
