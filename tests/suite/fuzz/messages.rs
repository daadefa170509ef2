//! Messages in parts: those that are digested one after the other and several at once, and those whose bytes mean others.

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use bsdigest::algorithm::{ALGORITHMS, Algorithm, Checksum};
use bsdigest::kernel::lanes::{Lanes, Part};
use bsdigest::transform::{Bits, Universal};
use digest::Digest;
use regex::bytes::Regex;

use super::{Case, mixture};

/// Messages, each in parts, and an algorithm.
#[derive(Debug)]
pub struct Messages {
    algorithm: &'static Algorithm,
    messages: Vec<Vec<Vec<u8>>>,
    text: Vec<Vec<u8>>,
}

impl Arbitrary<'_> for Messages {
    fn arbitrary(from: &mut Unstructured) -> Result<Self> {
        let pieces: [&[u8]; 8] = [b"\r", b"\n", b"\r\n", b"\r\r\n", b"0", b"1", b"0110100", b"text"];
        let text = (0..from.int_in_range(0..=4)?).map(|_| mixture(from, &pieces, 6)).collect::<Result<_>>()?;
        let algorithm = from.choose(&ALGORITHMS)?;
        let messages =
            (0..from.int_in_range(1..=40)?).map(|_| message(from, algorithm.block_size)).collect::<Result<_>>()?;
        Ok(Self { algorithm, messages, text })
    }
}

/// The parts of a message, most of them near a whole number of blocks.
fn message(from: &mut Unstructured, block_size: usize) -> Result<Vec<Vec<u8>>> {
    let part = |from: &mut Unstructured| {
        let blocks = from.int_in_range(0..=4)?;
        let size = if from.arbitrary()? { block_size * blocks } else { from.int_in_range(0..=block_size)? };
        let size = (size + from.int_in_range(0..=2)?).saturating_sub(1);
        let [seed, step] = from.arbitrary::<[u8; 2]>()?;
        Ok((0..size).map(|at| seed.wrapping_add(step.wrapping_mul(at as u8)) ^ (at >> 3) as u8).collect())
    };
    (0..from.int_in_range(0..=3)?).map(|_| part(from)).collect()
}

impl Case for Messages {
    fn check(&self) {
        self.check_digests();
        self.check_line_ends();
        self.check_bits();
    }
}

impl Messages {
    fn check_digests(&self) {
        let Self { algorithm, messages, .. } = self;
        let wanted: Vec<_> = messages.iter().map(|message| reference(algorithm.name)(&message.concat())).collect();
        for (message, wanted) in messages.iter().zip(&wanted) {
            let mut hasher = (algorithm.hasher)();
            message.iter().for_each(|part| hasher.update(part));
            assert_eq!(hasher.finish().as_bytes(), wanted, "{}", algorithm.name);
        }
        for kernel in algorithm.lanes.iter().filter(|kernel| (kernel.is_available)()) {
            let digests = digest_together(kernel.compress, messages);
            assert!(digests.iter().map(Checksum::as_bytes).eq(&wanted), "{} {}", algorithm.name, kernel.name);
        }
    }

    fn check_line_ends(&self) {
        let mut universal = Vec::new();
        let mut transform = Universal::default();
        self.text.iter().for_each(|part| transform.apply(part, &mut |bytes| universal.extend_from_slice(bytes)));
        transform.finish(&mut |bytes| universal.extend_from_slice(bytes));
        assert_eq!(universal, *LINE_END.replace_all(&self.text.concat(), &b"\n"[..]));
    }

    fn check_bits(&self) {
        let mut bytes = Vec::new();
        let mut transform = Bits::default();
        self.text.iter().for_each(|part| transform.apply(part, &mut |part| bytes.extend_from_slice(part)));
        let (tail, count) = transform.finish();
        let rest = format!("{tail:08b}");
        let bits = bytes.iter().map(|byte| format!("{byte:08b}")).collect::<String>() + &rest[8 - count as usize..];
        assert!(bits.bytes().eq(self.text.concat().into_iter().filter(|byte| b"01".contains(byte))), "{bits}");
    }
}

static LINE_END: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?-u)\r\n?").unwrap());

/// Appends the first part of each message, then the second of each, and so on.
fn digest_together(lanes: &dyn Lanes, messages: &[Vec<Vec<u8>>]) -> Vec<Checksum> {
    let mut chains = vec![lanes.start(); messages.len()];
    let longest = messages.iter().map(Vec::len).max().unwrap_or_default();
    // A message without a part ends with an empty one.
    for index in 0..longest.max(1) {
        let mut parts = Vec::new();
        for (chain, message) in chains.iter_mut().zip(messages) {
            if index < message.len().max(1) {
                let data = message.get(index).map_or(&[][..], Vec::as_slice);
                parts.push(Part { chain, data, is_last: index + 1 >= message.len() });
            }
        }
        lanes.update(&mut parts);
    }
    chains.iter().map(|chain| lanes.checksum(chain)).collect()
}

/// The digest by a RustCrypto crate.
fn reference(name: &str) -> fn(&[u8]) -> Vec<u8> {
    fn of<D: Digest>(message: &[u8]) -> Vec<u8> {
        D::digest(message).to_vec()
    }
    match name {
        "md5" => of::<md5::Md5>,
        "sha1" => of::<sha1::Sha1>,
        "sha224" => of::<sha2::Sha224>,
        "sha256" => of::<sha2::Sha256>,
        "sha384" => of::<sha2::Sha384>,
        "sha512" => of::<sha2::Sha512>,
        "sha512t224" => of::<sha2::Sha512_224>,
        "sha512t256" => of::<sha2::Sha512_256>,
        "rmd160" => of::<ripemd::Ripemd160>,
        "skein256" => of::<skein::Skein256_256>,
        "skein512" => of::<skein::Skein512_512>,
        "skein1024" => of::<skein::Skein1024_1024>,
        other => panic!("no crate digests {other}"),
    }
}
