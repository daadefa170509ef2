//! How long the whole process takes for one tiny file, beside `md5sum` and `sha256sum`, run in turn. Compare the ratios.

mod common;

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::median;

const PROGRAM: &str = env!("CARGO_BIN_EXE_md5");
const ROUNDS: usize = 1000;

/// A program, the name it is called by, and the peer it is compared with.
const PAIRS: [(&str, &str); 2] = [("md5", "md5sum"), ("sha256", "sha256sum")];

fn time(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = command.status().expect("it runs");
    let time = start.elapsed();
    assert!(status.success());
    time
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny");
    std::fs::write(&file, "tiny\n").unwrap();
    for (name, peer) in PAIRS {
        let mut ours = Command::new(PROGRAM);
        ours.arg0(name).arg(&file).stdout(Stdio::null());
        let mut theirs = Command::new(peer);
        theirs.arg(&file).stdout(Stdio::null());
        if theirs.status().is_err() {
            println!("{name}: left out, {peer} is not installed");
            continue;
        }
        let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            our_times.push(time(&mut ours));
            their_times.push(time(&mut theirs));
        }
        let (ours, theirs) = (median(our_times), median(their_times));
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        println!("{name} {ours:.0?}  {peer} {theirs:.0?}  ratio {ratio:.2} (medians of {ROUNDS} runs in turn)");
    }
}
