//! How fast each algorithm digests 1 MiB in memory beside its peers, in turn and on one core: our implementations, the crate's,
//! OpenSSL's, and Botan's where its command is installed. Compare a row's ratio, ours to the peer's; those of one run are to be
//! trusted, the figures less. `cargo bench --bench peers --features peers` needs OpenSSL's headers; its output is a table in Markdown.

mod common;

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use bsdigest::algorithm::{ALGORITHMS, Algorithm, Hasher};
use common::median;
use digest::Digest;
use openssl::hash::MessageDigest;

const SIZE: usize = 1 << 20;
const ROUNDS: usize = 101;

type Make = Box<dyn Fn() -> Box<dyn Hasher>>;
type Run<'a> = Box<dyn FnMut() + 'a>;

/// Our implementations of an algorithm that the processor can run but would not choose, by name.
fn other_implementations(name: &str) -> Vec<(&'static str, Make)> {
    #[cfg(target_arch = "x86_64")]
    {
        use bsdigest::kernel::{md5, merkle_damgard::Hash, rmd160, sha512, skein};
        macro_rules! others {
            ($implementations:expr, $compress:ident => $hasher:expr) => {{
                let available = $implementations.iter().filter(|implementation| (implementation.is_available)());
                let others = available.skip(1).map(|implementation| {
                    let $compress = implementation.compress;
                    let make = move || Box::new($hasher) as Box<dyn Hasher>;
                    (implementation.name, Box::new(make) as Make)
                });
                others.collect()
            }};
        }
        match name {
            "md5" => others!(md5::IMPLEMENTATIONS, compress => Hash::new(md5::INITIAL, compress)),
            "sha512" => others!(sha512::IMPLEMENTATIONS, compress => {
                sha512::Sha512::<64>::new(sha512::INITIAL_512, compress)
            }),
            "rmd160" => others!(rmd160::IMPLEMENTATIONS, compress => Hash::new(rmd160::INITIAL, compress)),
            "skein256" => others!(skein::IMPLEMENTATIONS_256, compress => skein::Skein256::new(compress)),
            "skein512" => others!(skein::IMPLEMENTATIONS_512, compress => skein::Skein512::new(compress)),
            "skein1024" => others!(skein::IMPLEMENTATIONS_1024, compress => skein::Skein1024::new(compress)),
            _ => Vec::new(),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = name;
        Vec::new()
    }
}

fn of_the_crate(name: &str) -> fn(&[u8]) {
    fn digest<D: Digest>(message: &[u8]) {
        black_box(D::digest(message));
    }
    match name {
        "md5" => digest::<md5::Md5>,
        "sha1" => digest::<sha1::Sha1>,
        "sha224" => digest::<sha2::Sha224>,
        "sha256" => digest::<sha2::Sha256>,
        "sha384" => digest::<sha2::Sha384>,
        "sha512" => digest::<sha2::Sha512>,
        "sha512t224" => digest::<sha2::Sha512_224>,
        "sha512t256" => digest::<sha2::Sha512_256>,
        "rmd160" => digest::<ripemd::Ripemd160>,
        "skein256" => digest::<skein::Skein256_256>,
        "skein512" => digest::<skein::Skein512_512>,
        "skein1024" => digest::<skein::Skein1024_1024>,
        _ => panic!("{name} needs a line here"),
    }
}

fn of_openssl(name: &str) -> Option<MessageDigest> {
    let name = match name {
        "sha512t224" => "sha512-224",
        "sha512t256" => "sha512-256",
        "rmd160" => "ripemd160",
        name => name,
    };
    MessageDigest::from_name(name)
}

/// Botan's speed in MB/s, from its command's line `… bytes: 486.600 MiB/sec …`.
fn botan_speed(algorithm: &Algorithm) -> Option<f64> {
    let name = match algorithm.name {
        "md5" => "MD5",
        "sha1" => "SHA-1",
        "sha256" => "SHA-256",
        "sha512" => "SHA-512",
        "rmd160" => "RIPEMD-160",
        "skein512" => "Skein-512(512)",
        _ => return None,
    };
    let output =
        Command::new("botan").args(["speed", "--msec=300", &format!("--buf-size={SIZE}"), name]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (before, _) = text.split_once(" MiB/sec")?;
    Some(before.rsplit(' ').next()?.parse::<f64>().ok()? * (1 << 20) as f64 / 1e6)
}

/// Each run's median speed in MB/s, the runs taken in turn.
fn speeds(runs: &mut [Run]) -> Vec<f64> {
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..ROUNDS {
        for (run, times) in runs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed());
        }
    }
    times.into_iter().map(|times| SIZE as f64 / median(times).as_secs_f64() / 1e6).collect()
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key| info.lines().find(|line| line.starts_with(key)).and_then(|line| line.split(": ").nth(1));
    let [name, family, model] = ["model name", "cpu family", "model\t"].map(|key| value(key).unwrap_or("?"));
    format!("{name}, family {family}, model {model}")
}

fn main() {
    let message = &(0..SIZE as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<u8>>();
    println!("{}; {}; MB/s of 1 MiB in memory, medians of {ROUNDS}\n", processor(), openssl::version::version());
    println!("| algorithm | ours | peer | its speed | ours ÷ its |\n|---|---|---|---|---|");
    for algorithm in &ALGORITHMS {
        let hash = |mut hasher: Box<dyn Hasher>| {
            hasher.update(message);
            black_box(hasher.finish());
        };
        let mut names = vec!["ours".to_string()];
        let mut runs: Vec<Run> = vec![Box::new(|| hash((algorithm.hasher)()))];
        for (name, make) in other_implementations(algorithm.name) {
            names.push(format!("ours, {name}"));
            runs.push(Box::new(move || hash(make())));
        }
        let crates = of_the_crate(algorithm.name);
        names.push("the crate".into());
        runs.push(Box::new(move || crates(message)));
        if let Some(digest) = of_openssl(algorithm.name) {
            names.push("OpenSSL".into());
            runs.push(Box::new(move || {
                black_box(openssl::hash::hash(digest, message).unwrap());
            }));
        }
        let mut speeds = speeds(&mut runs);
        if let Some(speed) = botan_speed(algorithm) {
            names.push("Botan".into());
            speeds.push(speed);
        }
        let ours = speeds[0];
        for (name, speed) in names.iter().zip(&speeds).skip(1) {
            println!("| {} | {ours:.0} | {name} | {speed:.0} | {:.2} |", algorithm.name, ours / speed);
        }
    }
}
