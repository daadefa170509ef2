//! The digests that standards and authors publish, asked of the library and of the program.
//!
//! They lie in `tests/data/vectors`, a folder for each algorithm; README.md there says where they come from.

use std::fs;
use std::path::Path;

use bsdigest::algorithm::{ALGORITHMS, Algorithm, Checksum};
use bsdigest::kernel::lanes::Part;

use crate::support::Folder;

/// How many messages of whole bytes, messages that end inside a byte, and checkpoints of pseudorandomly generated messages there
/// are, so that none is missed when a file is lost or read wrongly.
const COUNTS: [(&str, [usize; 3]); ALGORITHMS.len()] = [
    ("md5", [7, 0, 0]),
    ("sha1", [205, 905, 100]),
    ("sha224", [76, 3, 100]),
    ("sha256", [76, 3, 100]),
    ("sha384", [144, 3, 100]),
    ("sha512", [144, 3, 100]),
    ("sha512t224", [137, 0, 100]),
    ("sha512t256", [137, 0, 100]),
    ("rmd160", [9, 0, 0]),
    ("skein256", [36, 0, 0]),
    ("skein512", [36, 0, 0]),
    ("skein1024", [36, 0, 0]),
];

/// A message and its published digest.
struct Vector {
    message: Vec<u8>,
    /// The message's length in bits. Where it ends inside a byte, it has that byte's highest bits.
    length: usize,
    digest: Checksum,
}

/// What is published of an algorithm.
#[derive(Default)]
struct Published {
    /// Messages of whole bytes.
    of_bytes: Vec<Vector>,
    /// Messages that end inside a byte.
    of_bits: Vec<Vector>,
    /// What the pseudorandomly generated messages start with.
    seed: Vec<u8>,
    /// The digests at their checkpoints.
    checkpoints: Vec<Checksum>,
}

impl Published {
    fn of(algorithm: &Algorithm) -> Self {
        let mut published = Self::default();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors").join(algorithm.name);
        for file in fs::read_dir(folder).unwrap() {
            published.read(algorithm, &fs::read_to_string(file.unwrap().path()).unwrap());
        }
        let counts = [published.of_bytes.len(), published.of_bits.len(), published.checkpoints.len()];
        assert!(COUNTS.contains(&(algorithm.name, counts)), "{}: {counts:?}", algorithm.name);
        published
    }

    /// Reads a response file of NIST's Cryptographic Algorithm Validation System, which may say how often a message is repeated.
    fn read(&mut self, algorithm: &Algorithm, file: &str) {
        let (mut message, mut length) = (Vec::new(), None);
        let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            let (field, value) = line.trim_matches(['[', ']']).split_once(" = ").expect(line);
            let number = || value.parse::<usize>().expect(line);
            match field {
                "L" => assert_eq!(number(), algorithm.digest_size),
                "Len" => length = Some(number()),
                "Msg" => {
                    message = from_hex(value);
                    // The empty message is written as a byte, too.
                    message.truncate(length.unwrap().div_ceil(8));
                    assert_eq!(message.len(), length.unwrap().div_ceil(8), "{line}");
                }
                "Repeat" => (message, length) = (message.repeat(number()), length.map(|once| once * number())),
                "Seed" => self.seed = from_hex(value),
                "COUNT" => assert_eq!(number(), self.checkpoints.len()),
                "MD" => {
                    let digest = Checksum::new(&from_hex(value));
                    match length.take() {
                        None => self.checkpoints.push(digest),
                        Some(length) => {
                            let vectors = if length % 8 == 0 { &mut self.of_bytes } else { &mut self.of_bits };
                            vectors.push(Vector { message: message.clone(), length, digest });
                        }
                    }
                }
                _ => panic!("no field of a response file: {line}"),
            }
        }
    }
}

fn from_hex(digits: &str) -> Vec<u8> {
    let mut bytes = vec![0; digits.len() / 2];
    hex::decode_to_slice(digits, &mut bytes).unwrap();
    bytes
}

#[test]
fn messages_of_any_length_have_their_published_digests() {
    for algorithm in &ALGORITHMS {
        for Vector { message, digest, .. } in Published::of(algorithm).of_bytes {
            assert_eq!(algorithm.digest(&message), digest, "{} of {} bytes", algorithm.name, message.len());
        }
    }
}

#[test]
fn messages_digested_at_once_have_their_published_digests() {
    for algorithm in &ALGORITHMS {
        let vectors = Published::of(algorithm).of_bytes;
        for kernel in algorithm.lanes.iter().filter(|kernel| (kernel.is_available)()) {
            let lanes = kernel.compress;
            let mut chains = vec![lanes.start(); vectors.len()];
            let parts = chains.iter_mut().zip(&vectors);
            let parts = parts.map(|(chain, vector)| Part { chain, data: &vector.message, is_last: true });
            lanes.update(&mut parts.collect::<Vec<_>>());
            for (chain, Vector { message, digest, .. }) in chains.iter().zip(&vectors) {
                let name = (algorithm.name, kernel.name);
                assert_eq!(lanes.checksum(chain), *digest, "{name:?} of {} bytes", message.len());
            }
        }
    }
}

/// The procedure of the Secure Hash Algorithm Validation System, section 6.4.
#[test]
fn chains_of_a_hundred_thousand_digests_pass_the_published_checkpoints() {
    for algorithm in &ALGORITHMS {
        let Published { mut seed, checkpoints, .. } = Published::of(algorithm);
        for (count, checkpoint) in checkpoints.iter().enumerate() {
            let mut message = seed.repeat(3);
            for _ in 0..1000 {
                let digest = algorithm.digest(&message);
                message.drain(..seed.len());
                message.extend_from_slice(digest.as_bytes());
            }
            seed = message.split_off(2 * seed.len());
            assert_eq!(seed, checkpoint.as_bytes(), "{} at {count}", algorithm.name);
        }
    }
}

#[test]
fn messages_that_end_inside_a_byte_have_their_published_digests() {
    for algorithm in &ALGORITHMS {
        for Vector { message, length, digest } in Published::of(algorithm).of_bits {
            let (last, whole) = message.split_last().unwrap();
            let mut hasher = (algorithm.perl.as_ref().unwrap().bit_hasher)();
            hasher.update(whole);
            let count = length % 8;
            let checksum = hasher.finish_bits(last >> (8 - count), count as u32);
            assert_eq!(checksum, digest, "{} of {length} bits", algorithm.name);
        }
    }
}

#[test]
fn the_program_finds_every_published_digest_right() {
    for algorithm in &ALGORITHMS {
        let mut folder = Folder::new();
        let (mut list, mut wanted) = (String::new(), String::new());
        for (number, Vector { message, digest, .. }) in Published::of(algorithm).of_bytes.iter().enumerate() {
            folder = folder.file(number.to_string(), message);
            list += &format!("{} ({number}) = {}\n", algorithm.tag, digest.to_hex());
            wanted += &format!("{number}: OK\n");
        }
        let ran = folder.file("list", list).run(algorithm.name, ["--check-list", "list"]);
        assert_eq!(ran.text(), (wanted.as_str(), "", 0), "{}", algorithm.name);
    }
}

#[test]
fn shasum_finds_every_published_digest_of_bits_right() {
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.perl.is_some()) {
        let mut folder = Folder::new();
        let (mut list, mut wanted) = (String::new(), String::new());
        let Published { of_bytes, of_bits, .. } = Published::of(algorithm);
        for (number, Vector { message, length, digest }) in of_bytes.iter().chain(&of_bits).enumerate() {
            let digits: String = message.iter().map(|byte| format!("{byte:08b}")).collect();
            folder = folder.file(number.to_string(), &digits[..*length]);
            list += &format!("{} ^{number}\n", digest.to_hex());
            wanted += &format!("{number}: OK\n");
        }
        let number = algorithm.perl.as_ref().unwrap().number;
        let ran = folder.file("list", list).run("shasum", ["-a", number, "-c", "list"]);
        assert_eq!(ran.text(), (wanted.as_str(), "", 0), "{}", algorithm.name);
    }
}

#[test]
fn the_longest_published_message_may_come_through_a_pipe() {
    for algorithm in &ALGORITHMS {
        let vectors = Published::of(algorithm).of_bytes;
        let Vector { message, digest, .. } = vectors.iter().max_by_key(|vector| vector.length).unwrap();
        let ran = Folder::new().run_with_input::<&str>(algorithm.name, [], message);
        assert_eq!(ran.text(), (format!("{}\n", digest.to_hex()).as_str(), "", 0), "{}", algorithm.name);
    }
}
