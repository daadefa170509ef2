//! Every implementation this processor can run gives the digests of the crates.

use std::thread;

use digest::block_buffer::BlockSizes;

use super::crates::{After, CARRIES, CRATES};
use super::lanes::{Chain, Lanes, Part};
use super::merkle_damgard::Hash;
use super::sha512::{self, Sha512};
use super::skein::{self, Skein, Skein256, Skein512, Skein1024};
use super::{Implementation, md5, rmd160};
use crate::algorithm::{ALGORITHMS, Algorithm, Checksum, Hasher};
use crate::random::Random;

/// Offsets from the start of a cache line.
const OFFSETS: usize = if cfg!(miri) { 4 } else { 64 };

/// The longest message but for those of gigabytes. Lanes take the next blocks, and ask for those behind them, several times in it.
const LONGEST: usize = if cfg!(miri) { 400 } else { 3000 };

/// How often each number of messages of different lengths is tried.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 60 };

/// One implementation of an algorithm.
struct Subject {
    row: &'static Algorithm,
    name: &'static str,
    kernel: Kernel,
    crates: After,
}

enum Kernel {
    /// One message after the other, each by a hasher that is made some bytes into it.
    Alone(Box<dyn Fn(u64) -> Box<dyn Hasher> + Send>),
    Together(&'static dyn Lanes),
}

/// A hasher whose message can be told to have begun some bytes before.
trait Count: Hasher {
    fn set_length(&mut self, length: u64);
}

impl<const N: usize> Count for Hash<N> {
    fn set_length(&mut self, length: u64) {
        self.length = length;
    }
}

impl<const SIZE: usize> Count for Sha512<SIZE> {
    fn set_length(&mut self, length: u64) {
        self.length = length.into();
    }
}

impl<const N: usize, Size: BlockSizes + Send> Count for Skein<N, Size> {
    fn set_length(&mut self, length: u64) {
        self.tweak[0] = length;
    }
}

/// Those this processor can run, by their names.
fn available<F: Copy>(
    implementations: &'static [Implementation<F>],
    kernel: impl Fn(F) -> Kernel,
) -> Vec<(&'static str, Kernel)> {
    let (there, absent): (Vec<_>, Vec<_>) = implementations.iter().partition(|one| (one.is_available)());
    absent.iter().for_each(|one| eprintln!("left out: {}, this processor has no such instructions", one.name));
    there.iter().map(|one| (one.name, kernel(one.compress))).collect()
}

fn alone<F: Copy + Send + 'static, H: Count + 'static>(
    implementations: &'static [Implementation<F>],
    new: fn(F) -> H,
) -> Vec<(&'static str, Kernel)> {
    available(implementations, |compress| {
        Kernel::Alone(Box::new(move |length| {
            let mut hasher = Box::new(new(compress));
            hasher.set_length(length);
            hasher
        }))
    })
}

/// Those that take one message after the other.
fn those_alone(row: &Algorithm) -> Vec<(&'static str, Kernel)> {
    match row.name {
        "md5" => alone(md5::IMPLEMENTATIONS, |compress| Hash::new(md5::INITIAL, compress)),
        "sha1" | "sha224" | "sha256" => Vec::new(), // They are the crates'.
        "sha384" => alone(sha512::IMPLEMENTATIONS, |compress| Sha512::<48>::new(sha512::INITIAL_384, compress)),
        "sha512" => alone(sha512::IMPLEMENTATIONS, |compress| Sha512::<64>::new(sha512::INITIAL_512, compress)),
        "sha512t224" => alone(sha512::IMPLEMENTATIONS, |compress| Sha512::<28>::new(sha512::INITIAL_512_224, compress)),
        "sha512t256" => alone(sha512::IMPLEMENTATIONS, |compress| Sha512::<32>::new(sha512::INITIAL_512_256, compress)),
        "rmd160" => alone(rmd160::IMPLEMENTATIONS, |compress| Hash::new(rmd160::INITIAL, compress)),
        "skein256" => alone(skein::IMPLEMENTATIONS_256, Skein256::new),
        "skein512" => alone(skein::IMPLEMENTATIONS_512, Skein512::new),
        "skein1024" => alone(skein::IMPLEMENTATIONS_1024, Skein1024::new),
        other => panic!("nothing is said of {other} here"),
    }
}

fn subjects() -> impl Iterator<Item = Subject> {
    // Skein's additions are assembly, which no interpreter runs.
    let rows = ALGORITHMS.iter().zip(CRATES).filter(|(row, _)| !(cfg!(miri) && row.name.starts_with("skein")));
    rows.flat_map(|(row, crates)| {
        let kernels = those_alone(row).into_iter().chain(available(row.lanes, Kernel::Together));
        kernels.map(move |(name, kernel)| Subject { row, name, kernel, crates })
    })
}

impl Subject {
    /// How many messages are tried at once: each number of them to more than there are lanes, and one for each offset.
    fn numbers(&self) -> impl Iterator<Item = usize> + use<> {
        (1..=self.lanes() + 1).chain([OFFSETS])
    }

    fn lanes(&self) -> usize {
        match self.kernel {
            Kernel::Alone(_) => 1,
            Kernel::Together(lanes) => lanes.count(),
        }
    }

    /// All lengths to four blocks and a byte. An interpreter, which looks for other faults, takes its time for each.
    fn lengths(&self) -> impl Iterator<Item = usize> + use<> {
        let block_size = self.row.block_size;
        (0..=4 * block_size + 1).step_by(if cfg!(miri) { 2 * block_size + 1 } else { 1 })
    }

    fn compare(&self, messages: &[Message], random: &mut Random) {
        let digests = self.digest(messages, random);
        for (message, digest) in messages.iter().zip(digests) {
            let wanted = message.digest((self.crates)(message.before));
            assert_eq!(digest, wanted, "{} by {}, {message:?}", self.row.name, self.name);
        }
    }

    fn digest(&self, messages: &[Message], random: &mut Random) -> Vec<Checksum> {
        let lanes = match &self.kernel {
            Kernel::Alone(after) => {
                return messages.iter().map(|message| message.digest(after(message.before))).collect();
            }
            Kernel::Together(lanes) => lanes,
        };
        let mut chains: Vec<Chain> = messages.iter().map(|message| self.chain(*lanes, message.before)).collect();
        let mut waiting: Vec<_> = chains.iter_mut().zip(messages.iter().map(|message| message.parts.iter())).collect();
        while !waiting.is_empty() {
            let mut parts = Vec::new();
            for (chain, rest) in &mut waiting {
                // Some have nothing to append yet.
                if random.below(4) > 0
                    && let Some(data) = rest.next()
                {
                    parts.push(Part { chain, data, is_last: rest.len() == 0 });
                }
            }
            lanes.update(&mut parts);
            waiting.retain(|(_, rest)| rest.len() > 0);
        }
        chains.iter().map(|chain| lanes.checksum(chain)).collect()
    }

    fn chain(&self, lanes: &dyn Lanes, length: u64) -> Chain {
        let mut chain = lanes.start();
        chain.length = length;
        if self.row.name.starts_with("skein") {
            // Behind the chaining value.
            chain.words[self.row.block_size / 8] = length;
        }
        chain
    }
}

/// A message in parts.
struct Message<'a> {
    /// Bytes before these parts, of which only their number is known.
    before: u64,
    parts: Vec<&'a [u8]>,
}

impl<'a> Message<'a> {
    /// One of these bytes in parts of any length, also of none.
    fn new(before: u64, mut rest: &'a [u8], block_size: usize, random: &mut Random) -> Self {
        let mut parts = Vec::new();
        while !rest.is_empty() {
            let size = match random.below(4) {
                0 => random.below(2),
                1 => random.below(block_size + 1),
                2 => random.below(5) * block_size,
                _ => rest.len(),
            };
            let (part, behind) = rest.split_at(size.min(rest.len()));
            parts.push(part);
            rest = behind;
        }
        if parts.is_empty() || random.below(2) == 0 {
            parts.push(&[]);
        }
        Self { before, parts }
    }

    fn digest(&self, mut hasher: Box<dyn Hasher>) -> Checksum {
        self.parts.iter().for_each(|part| hasher.update(part));
        hasher.finish()
    }
}

impl std::fmt::Debug for Message<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lengths: Vec<usize> = self.parts.iter().map(|part| part.len()).collect();
        write!(formatter, "parts of {lengths:?} after {} bytes", self.before)
    }
}

/// Runs a test of each implementation with random bytes, as many as the longest message at any offset has.
fn each(test: impl Fn(&Subject, &[u8], &mut Random) + Sync) {
    thread::scope(|scope| {
        for subject in subjects() {
            let test = &test;
            scope.spawn(move || {
                let mut random = Random(0x9e37_79b9_7f4a_7c15);
                let content: Vec<u8> = (0..LONGEST + OFFSETS).map(|_| random.below(256) as u8).collect();
                test(&subject, &content, &mut random);
            });
        }
    });
}

#[test]
fn any_number_of_messages_of_every_length_at_every_offset_in_any_parts_agrees_with_the_crate() {
    each(|subject, content, random| {
        for length in subject.lengths() {
            for number in subject.numbers() {
                let messages: Vec<_> = (0..number)
                    .map(|i| &content[(i + length) % OFFSETS..][..length])
                    .map(|content| Message::new(0, content, subject.row.block_size, random))
                    .collect();
                subject.compare(&messages, random);
            }
        }
    });
}

#[test]
fn different_lengths_at_once_agree_with_the_crate() {
    each(|subject, content, random| {
        for _ in 0..ROUNDS {
            for number in subject.numbers() {
                let messages: Vec<_> = (0..number)
                    .map(|_| {
                        let content = &content[random.below(OFFSETS)..][..random.below(LONGEST + 1)];
                        Message::new(0, content, subject.row.block_size, random)
                    })
                    .collect();
                subject.compare(&messages, random);
            }
        }
    });
}

#[test]
fn lengths_past_every_carry_agree_with_the_crate() {
    each(|subject, content, random| {
        let block_size = subject.row.block_size;
        let carries = match subject.row.name {
            "sha1" | "sha224" | "sha256" | "rmd160" => &CARRIES[..3],
            _ => &CARRIES,
        };
        for length in subject.lengths() {
            let messages: Vec<_> = (0..OFFSETS)
                .map(|i| (carries[i % carries.len()] - 2 * block_size as u64, &content[i..][..length]))
                .map(|(before, content)| Message::new(before, content, block_size, random))
                .collect();
            subject.compare(&messages, random);
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn messages_of_more_than_four_gibibytes_agree_with_the_crate() {
    let piece: Vec<u8> = (0..1_u32 << 20).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
    let parts = [vec![&piece[..]; 1 << 12], vec![&piece[..777]]].concat();
    thread::scope(|scope| {
        for (row, crates) in ALGORITHMS.iter().zip(CRATES) {
            let parts = &parts;
            scope.spawn(move || {
                let message = || Message { before: 0, parts: parts.clone() };
                let wanted = message().digest(crates(0));
                for subject in subjects().filter(|subject| subject.row == row) {
                    let number = match subject.kernel {
                        Kernel::Alone(_) => 1,
                        Kernel::Together(lanes) => lanes.crossing(),
                    };
                    let messages: Vec<_> = (0..number).map(|_| message()).collect();
                    let digests = subject.digest(&messages, &mut Random(1));
                    assert_eq!(digests, vec![wanted; number], "{} by {}", row.name, subject.name);
                }
            });
        }
    });
}
