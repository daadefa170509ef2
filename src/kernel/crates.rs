//! The crates' hashers, to compare with.

use digest::Digest;
use digest::common::BlockSizeUser;
use digest::common::hazmat::{SerializableState, SerializedState};

use crate::algorithm::{Hasher, Plain};

/// Makes the hasher of a message some bytes into it, whole blocks of which only the length is known.
pub type After = fn(u64) -> Box<dyn Hasher>;

/// One for each algorithm, in the table's order.
pub const CRATES: [After; 12] = [
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

fn after<D: Digest + BlockSizeUser + SerializableState + Send + 'static, const COUNT_AT: usize>(
    length: u64,
) -> Box<dyn Hasher> {
    let unit = if COUNT_AT == POSITION { 1 } else { D::block_size() as u64 };
    let mut state: SerializedState<D> = D::new().serialize();
    state[COUNT_AT..][..8].copy_from_slice(&(length / unit).to_le_bytes());
    Box::new(Plain(D::deserialize(&state).expect("only the count is another")))
}
