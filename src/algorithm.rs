//! The table of algorithms: one row each, and nothing about an algorithm stands anywhere else.
//!
//! The link names, the displayed names, Perl's numbers, list tags, digest lengths, the self-test, the benchmarks
//! and the tests all loop over [`ALGORITHMS`].

use std::slice;

use digest::Digest;
use digest::array::ArraySize;
use digest::common::BlockSizeUser;
use digest::common::hazmat::SerializableState;

use crate::bits::Sha;
use crate::kernel::{self, LaneKernels};
use crate::vectors::{self, Answers};

/// Bytes in the longest digest any row produces (Skein-1024-1024).
pub const MAX_DIGEST_SIZE: usize = 128;

/// One digest algorithm with every name it goes by.
#[derive(Debug)]
pub struct Algorithm {
    /// The BSD link name, `sha512t256`; with `sum` behind it, the GNU one.
    pub name: &'static str,
    /// The displayed name, which is also the tag of a BSD line: `SHA512t256`.
    pub tag: &'static str,
    /// Tags other programs write for it in digest lists, compared without regard to case.
    pub other_tags: &'static [&'static str],
    /// What Perl's shasum knows of it; `None` for what shasum does not have.
    pub perl: Option<Perl>,
    /// Bytes in a digest.
    pub digest_size: usize,
    /// Whether a list's digest of this length is one of this algorithm when nothing else is said.
    pub owns_length: bool,
    /// Whether two messages with one digest can be made, so that it tells of accidents and not of attackers (MD5: RFC 6151; SHA-1:
    /// Stevens et al., "The first collision for full SHA-1", 2017).
    pub is_broken: bool,
    /// Bytes in a block of the compression function.
    pub block_size: usize,
    /// Makes a hasher at the start of a message.
    pub hasher: fn() -> Box<dyn Hasher>,
    /// The kernels that digest several messages at once, best first, for the processors that have their instructions.
    pub lanes: LaneKernels,
    /// The digests of the [self-test's messages](vectors::MESSAGES), in hexadecimal.
    pub answers: &'static Answers,
}

/// The side of an [`Algorithm`] that Perl's shasum shows.
#[derive(Debug)]
pub struct Perl {
    /// The number its `-a` takes: `512256`.
    pub number: &'static str,
    /// The tag its `--tag` writes: `SHA512/256`.
    pub tag: &'static str,
    /// Makes a hasher whose message may end inside a byte.
    pub bit_hasher: fn() -> Box<dyn BitHasher>,
}

/// A message digest in the making.
pub trait Hasher: Send {
    /// Appends `data` to the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message and gives its digest.
    fn finish(self: Box<Self>) -> Checksum;

    /// Bytes that are best appended at once when there are many: a call's cost is spread over them, and the next ones are
    /// prefetched meanwhile, without driving each other out of the nearest cache.
    fn piece_size(&self) -> usize {
        2 << 10
    }
}

/// A [`Hasher`] whose message may end inside a byte.
pub trait BitHasher: Hasher {
    /// Ends the message with the `count` lowest bits of `tail` (0 to 7 of them, the highest first) and gives its digest.
    fn finish_bits(self: Box<Self>, tail: u8, count: u32) -> Checksum;
}

/// A finished digest of up to [`MAX_DIGEST_SIZE`] bytes.
#[derive(Clone, Copy)]
pub struct Checksum {
    bytes: [u8; MAX_DIGEST_SIZE],
    size: usize,
}

impl Checksum {
    /// A digest of the given bytes.
    ///
    /// # Panics
    /// When there are more than [`MAX_DIGEST_SIZE`] bytes: no algorithm has such a digest.
    pub fn new(digest: &[u8]) -> Self {
        let mut bytes = [0; MAX_DIGEST_SIZE];
        bytes[..digest.len()].copy_from_slice(digest);
        Self { bytes, size: digest.len() }
    }

    /// The digest of these hexadecimal digits, in any case; none when something else is among them or they are too many.
    pub fn from_hex(digits: &[u8]) -> Option<Self> {
        let mut checksum = Self { bytes: [0; MAX_DIGEST_SIZE], size: digits.len() / 2 };
        let bytes = checksum.bytes.get_mut(..checksum.size)?;
        let (pairs, rest) = digits.as_chunks();
        let mut seen = if rest.is_empty() { 0 } else { NO_DIGIT };
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            let [high, low] = [high, low].map(|digit| digit_value(*digit));
            seen |= high | low;
            *byte = high << 4 | low;
        }
        (seen & NO_DIGIT == 0).then_some(checksum)
    }

    /// The digest's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.size]
    }

    /// Appends the digest to `line` in lower-case hexadecimal.
    pub fn write_hex(&self, line: &mut Vec<u8>) {
        let mut digits = [0; 2 * MAX_DIGEST_SIZE];
        let digits = &mut digits[..2 * self.size];
        hex::encode_to_slice(self.as_bytes(), digits).expect("two digits a byte");
        line.extend_from_slice(digits);
    }

    /// The digest in lower-case hexadecimal.
    pub fn to_hex(&self) -> String {
        let mut digits = Vec::with_capacity(2 * self.size);
        self.write_hex(&mut digits);
        String::from_utf8(digits).expect("hexadecimal is ASCII")
    }
}

/// The digests of one input, by one algorithm or by several in their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Checksums {
    /// By one, which takes no memory of its own.
    One(Checksum),
    /// By several.
    Several(Vec<Checksum>),
}

impl Checksums {
    /// All of them.
    pub fn as_slice(&self) -> &[Checksum] {
        match self {
            Self::One(checksum) => slice::from_ref(checksum),
            Self::Several(checksums) => checksums,
        }
    }
}

impl FromIterator<Checksum> for Checksums {
    fn from_iter<I: IntoIterator<Item = Checksum>>(checksums: I) -> Self {
        let mut checksums = checksums.into_iter();
        match (checksums.next(), checksums.next()) {
            (Some(only), None) => Self::One(only),
            (first, second) => Self::Several(first.into_iter().chain(second).chain(checksums).collect()),
        }
    }
}

/// A bit that the value of no digit has.
const NO_DIGIT: u8 = 0x80;

/// The value of a hexadecimal digit, or [`NO_DIGIT`]. Without a branch or a table, so that many are computed at once.
fn digit_value(digit: u8) -> u8 {
    let number = digit.wrapping_sub(b'0');
    let letter = (digit | 0x20).wrapping_sub(b'a');
    let letter_value = if letter < 6 { letter + 10 } else { NO_DIGIT };
    if number < 10 { number } else { letter_value }
}

impl PartialEq for Checksum {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl std::fmt::Debug for Checksum {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.to_hex())
    }
}

/// A hasher of a RustCrypto crate.
pub(crate) struct Plain<D>(pub(crate) D);

impl<D: Digest + Send> Hasher for Plain<D> {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Checksum {
        Checksum::new(&self.0.finalize())
    }
}

pub(crate) fn plain<D: Digest + Send + 'static>() -> Box<dyn Hasher> {
    Box::new(Plain(D::new()))
}

fn bit_hasher<D>() -> Box<dyn BitHasher>
where
    D: Digest + BlockSizeUser + SerializableState + Send + 'static,
    D::SerializedStateSize: ArraySize,
{
    Box::new(Sha::<D>::new())
}

/// All algorithms, in the reference's order.
///
/// MD5: RFC 1321. SHA-1 and SHA-2: FIPS 180-4. RIPEMD-160: Dobbertin, Bosselaers and Preneel, 1996.
/// Skein: version 1.3 of the specification; each variant's output is as long as its state.
pub static ALGORITHMS: [Algorithm; 12] = [
    Algorithm {
        name: "md5",
        tag: "MD5",
        other_tags: &[],
        perl: None,
        digest_size: 16,
        owns_length: true,
        is_broken: true,
        block_size: 64,
        hasher: kernel::md5,
        lanes: kernel::MD5_LANES,
        answers: &vectors::MD5,
    },
    Algorithm {
        name: "sha1",
        tag: "SHA1",
        other_tags: &["SHA-1"],
        perl: Some(Perl { number: "1", tag: "SHA1", bit_hasher: bit_hasher::<sha1::Sha1> }),
        digest_size: 20,
        owns_length: true,
        is_broken: true,
        block_size: 64,
        hasher: plain::<sha1::Sha1>,
        lanes: kernel::SHA1_LANES,
        answers: &vectors::SHA1,
    },
    Algorithm {
        name: "sha224",
        tag: "SHA224",
        other_tags: &["SHA2-224", "SHA-224"],
        perl: Some(Perl { number: "224", tag: "SHA224", bit_hasher: bit_hasher::<sha2::Sha224> }),
        digest_size: 28,
        owns_length: true,
        is_broken: false,
        block_size: 64,
        hasher: plain::<sha2::Sha224>,
        lanes: kernel::SHA224_LANES,
        answers: &vectors::SHA224,
    },
    Algorithm {
        name: "sha256",
        tag: "SHA256",
        other_tags: &["SHA2-256", "SHA-256"],
        perl: Some(Perl { number: "256", tag: "SHA256", bit_hasher: bit_hasher::<sha2::Sha256> }),
        digest_size: 32,
        owns_length: true,
        is_broken: false,
        block_size: 64,
        hasher: plain::<sha2::Sha256>,
        lanes: kernel::SHA256_LANES,
        answers: &vectors::SHA256,
    },
    Algorithm {
        name: "sha384",
        tag: "SHA384",
        other_tags: &["SHA2-384", "SHA-384"],
        perl: Some(Perl { number: "384", tag: "SHA384", bit_hasher: bit_hasher::<sha2::Sha384> }),
        digest_size: 48,
        owns_length: true,
        is_broken: false,
        block_size: 128,
        hasher: kernel::sha384,
        lanes: kernel::SHA384_LANES,
        answers: &vectors::SHA384,
    },
    Algorithm {
        name: "sha512",
        tag: "SHA512",
        other_tags: &["SHA2-512", "SHA-512"],
        perl: Some(Perl { number: "512", tag: "SHA512", bit_hasher: bit_hasher::<sha2::Sha512> }),
        digest_size: 64,
        owns_length: true,
        is_broken: false,
        block_size: 128,
        hasher: kernel::sha512,
        lanes: kernel::SHA512_LANES,
        answers: &vectors::SHA512,
    },
    Algorithm {
        name: "sha512t224",
        tag: "SHA512t224",
        other_tags: &["SHA512/224", "SHA2-512/224", "SHA512-224", "SHA-512/224"],
        perl: Some(Perl { number: "512224", tag: "SHA512/224", bit_hasher: bit_hasher::<sha2::Sha512_224> }),
        digest_size: 28,
        owns_length: false,
        is_broken: false,
        block_size: 128,
        hasher: kernel::sha512t224,
        lanes: kernel::SHA512T224_LANES,
        answers: &vectors::SHA512T224,
    },
    Algorithm {
        name: "sha512t256",
        tag: "SHA512t256",
        other_tags: &["SHA512/256", "SHA2-512/256", "SHA512-256", "SHA-512/256"],
        perl: Some(Perl { number: "512256", tag: "SHA512/256", bit_hasher: bit_hasher::<sha2::Sha512_256> }),
        digest_size: 32,
        owns_length: false,
        is_broken: false,
        block_size: 128,
        hasher: kernel::sha512t256,
        lanes: kernel::SHA512T256_LANES,
        answers: &vectors::SHA512T256,
    },
    Algorithm {
        name: "rmd160",
        tag: "RMD160",
        other_tags: &["RIPEMD160", "RIPEMD-160"],
        perl: None,
        digest_size: 20,
        owns_length: false,
        is_broken: false,
        block_size: 64,
        hasher: kernel::rmd160,
        lanes: kernel::RMD160_LANES,
        answers: &vectors::RMD160,
    },
    Algorithm {
        name: "skein256",
        tag: "Skein256",
        other_tags: &["Skein-256-256"],
        perl: None,
        digest_size: 32,
        owns_length: false,
        is_broken: false,
        block_size: 32,
        hasher: kernel::skein256,
        lanes: kernel::SKEIN256_LANES,
        answers: &vectors::SKEIN256,
    },
    Algorithm {
        name: "skein512",
        tag: "Skein512",
        other_tags: &["Skein-512-512"],
        perl: None,
        digest_size: 64,
        owns_length: false,
        is_broken: false,
        block_size: 64,
        hasher: kernel::skein512,
        lanes: kernel::SKEIN512_LANES,
        answers: &vectors::SKEIN512,
    },
    Algorithm {
        name: "skein1024",
        tag: "Skein1024",
        other_tags: &["Skein-1024-1024"],
        perl: None,
        digest_size: 128,
        owns_length: false,
        is_broken: false,
        block_size: 128,
        hasher: kernel::skein1024,
        lanes: kernel::SKEIN1024_LANES,
        answers: &vectors::SKEIN1024,
    },
];

impl Algorithm {
    /// The algorithm with this link name, whatever its case.
    pub fn named(name: &[u8]) -> Option<&'static Self> {
        ALGORITHMS.iter().find(|algorithm| name.eq_ignore_ascii_case(algorithm.name.as_bytes()))
    }

    /// The algorithm Perl's `-a` calls by this number.
    pub fn numbered(number: &[u8]) -> Option<&'static Self> {
        ALGORITHMS.iter().find(|row| row.perl.as_ref().is_some_and(|perl| perl.number.as_bytes() == number))
    }

    /// Whether a list line's tag means this algorithm, whatever program wrote it.
    pub fn has_tag(&self, tag: &[u8]) -> bool {
        std::iter::once(&self.tag).chain(self.other_tags).any(|known| tag.eq_ignore_ascii_case(known.as_bytes()))
    }

    /// The digest of one whole message.
    pub fn digest(&self, message: &[u8]) -> Checksum {
        let mut hasher = (self.hasher)();
        hasher.update(message);
        hasher.finish()
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_whole() {
        for row in &ALGORITHMS {
            assert_eq!(row.digest(b"").as_bytes().len(), row.digest_size, "{}", row.name);
            assert!(row.digest_size <= MAX_DIGEST_SIZE, "{}", row.name);
            assert_eq!(row.tag.to_ascii_lowercase(), row.name);
            if let Some(perl) = &row.perl {
                assert!(row.has_tag(perl.tag.as_bytes()), "lists with {} are read", perl.tag);
                assert_eq!((perl.bit_hasher)().finish(), row.digest(b""));
            }
        }
    }

    #[test]
    fn no_two_rows_share_a_name() {
        let names = |row: &'static Algorithm| {
            let number = row.perl.as_ref().map(|perl| perl.number);
            [row.name].into_iter().chain([row.tag]).chain(row.other_tags.iter().copied()).chain(number)
        };
        for (index, row) in ALGORITHMS.iter().enumerate() {
            for other in &ALGORITHMS[index + 1..] {
                for name in names(row) {
                    assert!(names(other).all(|theirs| !name.eq_ignore_ascii_case(theirs)), "{name}");
                }
            }
        }
    }

    #[test]
    fn each_length_of_md5_sha1_and_sha2_has_one_owner() {
        for size in [16, 20, 28, 32, 48, 64] {
            let owners = ALGORITHMS.iter().filter(|row| row.owns_length && row.digest_size == size);
            assert_eq!(owners.count(), 1, "{size} bytes");
        }
        assert_eq!(ALGORITHMS.iter().filter(|row| row.owns_length).count(), 6);
    }

    #[test]
    fn the_published_vectors_come_out() {
        for row in &ALGORITHMS {
            for (message, answer) in vectors::MESSAGES.iter().zip(row.answers) {
                assert_eq!(row.digest(message.as_bytes()).to_hex(), *answer, "{} of {message:?}", row.name);
            }
        }
    }

    #[test]
    fn splitting_the_message_changes_nothing() {
        let message: Vec<u8> = (0..700u32).map(|i| (i * 7 % 251) as u8).collect();
        for row in &ALGORITHMS {
            let whole = row.digest(&message);
            for cut in 0..message.len() {
                let mut hasher = (row.hasher)();
                hasher.update(&message[..cut]);
                hasher.update(&message[cut..]);
                assert_eq!(hasher.finish(), whole, "{} cut at {cut}", row.name);
            }
        }
    }

    #[test]
    fn hexadecimal_is_read_as_by_the_crate() {
        let decoded = |digits: &[u8]| {
            let mut digest = [0; MAX_DIGEST_SIZE];
            let digest = &mut digest[..digits.len() / 2];
            hex::decode_to_slice(digits, digest).ok().map(|()| Checksum::new(digest))
        };
        for first in 0..=255 {
            for second in [b'0', b'A', b'f', first] {
                for digits in [&[first, second][..], &[second, first, b'7', b'e'], &[first], &[b'1', b'2', first]] {
                    assert_eq!(Checksum::from_hex(digits), decoded(digits), "{digits:?}");
                }
            }
        }
        assert_eq!(Checksum::from_hex(&[b'0'; 2 * MAX_DIGEST_SIZE + 2]), None);
        assert_eq!(Checksum::from_hex(b""), Some(Checksum::new(b"")));
    }

    #[test]
    fn names_match_whole_and_in_any_case() {
        assert_eq!(Algorithm::named(b"Sha512T256").unwrap().tag, "SHA512t256");
        assert!(Algorithm::named(b"md").is_none());
        assert!(Algorithm::named(b"md55").is_none());
    }
}
