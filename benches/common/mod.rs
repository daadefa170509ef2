//! What the benchmarks that time whole runs share.

#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The median of some times.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_md5");
/// Rounds of a comparison: fewer where they take long.
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=9;

/// How long a comparison may take before it is long.
const LONG: Duration = Duration::from_secs(30);

/// Wall and processor time of a shell command.
fn time(command: &str, variables: &[(&str, &Path)]) -> (Duration, Duration) {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).envs(variables.iter().copied()).env("MD5", PROGRAM).stdout(Stdio::null());
    let (before, start) = (processor_time(), Instant::now());
    let status = shell.status().expect("there is a shell");
    assert!(status.success(), "{command}");
    (start.elapsed(), processor_time() - before)
}

/// The processor time of all processes waited for.
fn processor_time() -> Duration {
    // SAFETY: a rusage of zeros is valid, and the call only fills it in.
    #[allow(unsafe_code, reason = "a system call")]
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

/// Runs shell commands in turn, `$MD5` being our program, and prints their medians beside the first one's. Those that start with
/// what is not installed are left out.
pub fn compare(title: &str, commands: &[String], variables: &[(&str, &Path)]) {
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
    let start = Instant::now();
    for round in 0..*ROUNDS.end() {
        if round >= *ROUNDS.start() && start.elapsed() > LONG {
            break;
        }
        for (command, (wall, processor)) in commands.iter().zip(&mut times) {
            let (taken, spent) = time(command, variables);
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
