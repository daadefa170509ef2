//! The whole program on one cached file of 1 GiB, in turn with its peers: by algorithm with and without read-ahead, by buffer size,
//! and passing through a pipe beside tee(1). Compare the ratios of a block with its first line.

mod common;

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::median;

const PROGRAM: &str = env!("CARGO_BIN_EXE_md5");
const ROUNDS: usize = 9;

/// Wall and processor time of a shell command on the file `$FILE`.
fn time(command: &str, file: &std::path::Path) -> (Duration, Duration) {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("FILE", file).env("MD5", PROGRAM).stdout(Stdio::null());
    let (before, start) = (processor_time(), Instant::now());
    let status = shell.status().expect("there is a shell");
    assert!(status.success(), "{command}");
    (start.elapsed(), processor_time() - before)
}

/// The processor time of all processes waited for.
fn processor_time() -> Duration {
    // SAFETY: a rusage of zeros is valid, and the call only fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    [usage.ru_utime, usage.ru_stime]
        .map(|time| Duration::new(time.tv_sec as u64, 1000 * time.tv_usec as u32))
        .into_iter()
        .sum()
}

/// Runs the commands in turn and prints their medians beside the first one's.
fn compare(title: &str, commands: &[String], file: &std::path::Path) {
    println!("{title}");
    let is_installed = |command: &&String| {
        let program = command.split(' ').next().unwrap_or_default();
        Command::new("sh")
            .args(["-c", &format!("MD5='{PROGRAM}'; command -v {program}")])
            .output()
            .unwrap()
            .status
            .success()
    };
    let commands: Vec<&String> = commands.iter().filter(is_installed).collect();
    let mut times = vec![(Vec::new(), Vec::new()); commands.len()];
    for _ in 0..ROUNDS {
        for (command, (wall, processor)) in commands.iter().zip(&mut times) {
            let (taken, spent) = time(command, file);
            wall.push(taken);
            processor.push(spent);
        }
    }
    let mut first = None;
    for (command, (wall, processor)) in commands.iter().zip(times) {
        let (wall, processor) = (median(wall).as_secs_f64(), median(processor).as_secs_f64());
        let (first_wall, first_processor) = *first.get_or_insert((wall, processor));
        let (wall_ratio, processor_ratio) = (wall / first_wall, processor / first_processor);
        println!(
            "  {command:52} {wall:6.3} s {wall_ratio:5.2} ×   processor {processor:6.3} s {processor_ratio:5.2} ×"
        );
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cached");
    let mut file = File::create(&path).unwrap();
    let part = vec![0x5a; 1 << 20];
    (0..1024).for_each(|_| file.write_all(&part).unwrap());
    let ours = |arguments: &str| format!("$MD5 {arguments} \"$FILE\"");
    for name in ["md5", "sha256", "sha512"] {
        let commands = [
            ours(&format!("--read-ahead=0 --algorithm={name}")),
            ours(&format!("--algorithm={name}")),
            format!("openssl dgst -{name} \"$FILE\""),
            format!("{name}sum \"$FILE\""),
        ];
        compare(name, &commands, &path);
    }
    let sizes = ["1M", "64K", "256K", "4M", "16M"];
    compare("buffer sizes", &sizes.map(|size| ours(&format!("--buffer-size={size}"))), &path);
    let passing = ["$MD5 --algorithm=sha256 -p", "tee /dev/null"];
    compare("passing through", &passing.map(|command| format!("{command} <\"$FILE\" | cat >/dev/null")), &path);
}
