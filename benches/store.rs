//! A file on a store that hands out whole records at a cost each and keeps none: the case this program was made for. It has 1 MiB
//! records; every program reads the whole file. Compare the times in a column with the first one's, and the records fetched
//! with those the file has. Then many files on a disk that seeks, one after the other and several at once. `cargo bench --bench store -- full` takes the file of the report (402 MiB, a quarter of an hour), `-- disk` the disk
//! alone.

#[cfg(target_os = "linux")]
#[path = "../tests/suite/record_store.rs"]
mod record_store;

#[cfg(target_os = "linux")]
fn main() -> std::io::Result<()> {
    let has = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    if !has("disk") {
        linux::run(if has("full") { 402 } else { 40 })?;
    }
    linux::run_disk()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("left out: the store is made for Linux' FUSE");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::record_store::{RecordStore, Shape};

    const RECORD_SIZE: u32 = 1 << 20;

    /// A program, the name it is called by, and its arguments. The first is what the others are compared with.
    const RUNS: [(&str, &str, &[&str]); 6] = [
        (env!("CARGO_BIN_EXE_md5"), "md5", &[]),
        (env!("CARGO_BIN_EXE_md5"), "md5", &["--read-ahead=0"]),
        (env!("CARGO_BIN_EXE_md5"), "md5", &["--read-ahead=0", "--buffer-size=16K"]),
        (env!("CARGO_BIN_EXE_md5"), "md5", &["--read-ahead=8", "--buffer-size=16K"]),
        ("md5sum", "md5sum", &[]),
        ("openssl", "openssl", &["dgst", "-md5"]),
    ];

    /// Many files on a disk, one behind the other: a hundred megabytes a second, and eight milliseconds for each jump. The lines
    /// are the medians of three.
    pub fn run_disk() -> io::Result<()> {
        for (files, size) in [(400, 16 << 10), (60, 1 << 20), (12, 8 << 20)] {
            let jump = Some(Duration::from_millis(8));
            let shape = Shape { record_size: 4096, files, size, cost: Duration::from_micros(41), jump };
            let Ok(store) = RecordStore::mount(shape) else { return Ok(()) };
            println!("{files} files of {} KiB on a disk", size >> 10);
            let mut first = None;
            for args in [&["--jobs=1"][..], &["--jobs=2"], &["--jobs=8"]] {
                let mut times = [0.0; 3];
                for time in &mut times {
                    let mut command = Command::new(env!("CARGO_BIN_EXE_md5"));
                    command.args(args).args((0..files).map(|number| store.file(number))).stdout(Stdio::null());
                    let start = Instant::now();
                    assert!(command.status()?.success(), "{command:?}");
                    *time = start.elapsed().as_secs_f64();
                }
                times.sort_by(f64::total_cmp);
                let ratio = times[1] / *first.get_or_insert(times[1]);
                println!("md5 {:44} {:8.3} s {ratio:7.2} ×", args.join(" "), times[1]);
            }
        }
        Ok(())
    }

    pub fn run(records: u64) -> io::Result<()> {
        for cost in [12_800, 23_000].map(Duration::from_micros) {
            let shape = Shape { record_size: RECORD_SIZE, files: 1, size: records << 20, cost, jump: None };
            let store = match RecordStore::mount(shape) {
                Ok(store) => store,
                Err(error) => {
                    println!("left out: no FUSE here: {error}");
                    return Ok(());
                }
            };
            println!("{records} records of 1 MiB, {cost:?} each");
            let mut first = None;
            for (program, name, args) in RUNS {
                let mut command = Command::new(program);
                command.arg0(name).args(args).arg(store.file(0)).stdout(Stdio::null());
                let start = Instant::now();
                match command.status() {
                    Ok(status) => assert!(status.success(), "{command:?}"),
                    Err(_) => {
                        println!("{name}: left out, it is not installed");
                        continue;
                    }
                }
                let time = start.elapsed().as_secs_f64();
                let ratio = time / *first.get_or_insert(time);
                let line = [&[name], args].concat().join(" ");
                println!("{line:40} {:6} records {time:8.3} s {ratio:7.1} ×", store.records_fetched());
            }
        }
        Ok(())
    }
}
