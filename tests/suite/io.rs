//! Reading, writing and failing: kinds of files, descriptors, signals, memory.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::record_store::{self, RecordStore, Shape};
use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder, Ran, feed};

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_digested() {
    let folder = Folder::with_alpha();
    fs::create_dir(folder.path("dir")).unwrap();
    symlink("nowhere", folder.path("broken")).unwrap();
    symlink("loop", folder.path("loop")).unwrap();
    let long = "x".repeat(300);
    let ran = folder.run("md5", ["nope", "dir", "broken", "loop", "a/b", &long, "", "a"]);
    let wanted = format!(
        "md5: nope: No such file or directory\nmd5: dir: Is a directory\nmd5: broken: No such file or directory\n\
         md5: loop: Too many levels of symbolic links\nmd5: a/b: Not a directory\nmd5: {long}: File name too long\n\
         md5: : No such file or directory\n"
    );
    assert_eq!(ran.text(), (format!("MD5 (a) = {ALPHA_MD5}\n").as_str(), wanted.as_str(), 1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_that_fails_gives_an_error_and_no_digest() {
    // The first page of a process's memory is never mapped.
    let ran = Folder::with_alpha().run("sha256sum", ["/proc/self/mem", "a"]);
    let (stdout, stderr, status) = ran.text();
    assert_eq!((stderr, status), ("sha256sum: /proc/self/mem: Input/output error\n", 1));
    assert_eq!(stdout.lines().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_a_size_are_read_to_their_end() {
    let content = fs::read("/proc/version").unwrap();
    assert_eq!(fs::metadata("/proc/version").unwrap().len(), 0);
    let folder = Folder::new().file("copy", content);
    let digest = |name| folder.run("md5", ["-q", name]).stdout;
    assert_eq!(digest("/proc/version"), digest("copy"));
}

#[cfg(not(target_vendor = "apple"))]
#[test]
fn names_are_bytes_from_the_argument_to_the_line() {
    let name = OsStr::from_bytes(b"a\xff");
    let folder = Folder::new().file(name, "");
    assert_eq!(folder.run("md5", [name]).stdout, format!("MD5 (a\\377) = {EMPTY_MD5}\n").into_bytes());
    assert_eq!(folder.run("md5sum", [name]).stdout, [EMPTY_MD5.as_bytes(), b"  a\xff\n"].concat());
    let ran = Folder::new().run("md5", [name]);
    assert_eq!(ran.text().1, "md5: a\\377: No such file or directory\n");
}

#[test]
fn a_fifo_with_a_slow_writer_is_read_to_its_end() {
    let folder = Folder::new();
    assert_eq!(folder.shell("mkfifo fifo").status, 0);
    let fifo = folder.path("fifo");
    let writer = thread::spawn(move || {
        let mut fifo = File::create(fifo).unwrap();
        for part in ["al", "p", "ha\n"] {
            fifo.write_all(part.as_bytes()).unwrap();
            thread::sleep(Duration::from_millis(30));
        }
    });
    assert_eq!(folder.run("md5", ["fifo"]).text(), (format!("MD5 (fifo) = {ALPHA_MD5}\n").as_str(), "", 0));
    writer.join().unwrap();
}

#[test]
fn a_digest_is_written_before_the_next_input_is_awaited() {
    let folder = Folder::with_alpha();
    let script = "mkfifo fifo; md5 -q a fifo | (read -r first; echo $first; echo >fifo; cat)";
    let ran = folder.shell(script);
    assert_eq!(ran.text().0, format!("{ALPHA_MD5}\n68b329da9893e34099c7d8ad5cb9c940\n"));
}

#[test]
fn what_is_read_ahead_counts_as_read() {
    let content: Vec<u8> = (0..300_000u32).map(|i| (i % 251) as u8).collect();
    let folder = Folder::new().file("f", &content).file("rest", &content[10..]);
    let script = "(head -c 10 >/dev/null; md5 -q --buffer-size 4096 --read-ahead 5; md5 -q) <f; md5 -q rest; \
                  md5 -q --buffer-size 4096 --read-ahead 5 rest rest";
    let ran = folder.shell(&script.replace("head -c 10", "dd bs=10 count=1 2>/dev/null"));
    let lines: Vec<&str> = ran.text().0.lines().collect();
    assert_eq!(lines, [lines[2], EMPTY_MD5, lines[2], lines[2], lines[2]]);
}

#[test]
fn standard_input_is_read_from_where_it_stands() {
    let folder = Folder::new().file("f", "skipalpha\n");
    let ran = folder.shell("(dd bs=4 count=1 of=/dev/null 2>/dev/null; md5; md5) <f");
    assert_eq!(ran.text().0, format!("{ALPHA_MD5}\n{EMPTY_MD5}\n"));
}

#[test]
fn closed_standard_input_is_an_error_only_where_it_is_read() {
    let folder = Folder::with_alpha().file("list", format!("{ALPHA_MD5}  a\n"));
    for (script, stdout, stderr, status) in [
        ("md5 <&-", String::new(), "md5: -: Bad file descriptor\n", 1),
        ("md5 -p <&-", String::new(), "md5: -: Bad file descriptor\n", 1),
        ("md5sum <&-", String::new(), "md5sum: -: Bad file descriptor\n", 1),
        ("md5sum -c <&-", String::new(), "md5sum: 'standard input': Bad file descriptor\n", 1),
        ("md5 -q a - <&-", format!("{ALPHA_MD5}\n"), "md5: -: Bad file descriptor\n", 1),
        ("md5 -q a <&-", format!("{ALPHA_MD5}\n"), "", 0),
        ("md5sum -c list <&-", "a: OK\n".to_owned(), "", 0),
        ("md5 -q /dev/null </dev/null", format!("{EMPTY_MD5}\n"), "", 0),
        ("md5 0>w", String::new(), "md5: -: Bad file descriptor\n", 1),
    ] {
        assert_eq!(folder.shell(script).text(), (stdout.as_str(), stderr, status), "{script}");
    }
    let folder = folder.file("bad", format!("{EMPTY_MD5}  /dev/stdin\n"));
    for script in ["md5 /dev/stdin <&-", "md5sum -c bad <&-"] {
        let ran = folder.shell(script);
        assert_eq!((ran.text().0, ran.status), ("", 1), "no digest of nothing: {script}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = Folder::with_alpha().file("list", format!("{ALPHA_MD5}  a\n"));
    for (script, stderr) in [
        ("md5 a >&-", "md5: stdout: Bad file descriptor\n"),
        ("md5sum a >&-", "md5sum: write error: Bad file descriptor\n"),
        ("md5 -p <a >&-", "md5: stdout: Bad file descriptor\n"),
        ("md5 --help >&-", "md5: stdout: Bad file descriptor\n"),
    ] {
        assert_eq!(folder.shell(script).text(), ("", stderr, 1), "{script}");
    }
    if !fs::exists("/dev/full").unwrap() {
        return;
    }
    for (script, stderr) in [
        ("md5 a a >/dev/full", "md5: stdout: No space left on device\n"),
        ("md5 -p <a >/dev/full", "md5: stdout: No space left on device\n"),
        ("md5 -x >/dev/full", "md5: stdout: No space left on device\n"),
        ("md5sum -c list >/dev/full", "md5sum: write error: No space left on device\n"),
        ("shasum a >/dev/full", "shasum: write error: No space left on device\n"),
    ] {
        assert_eq!(folder.shell(script).text(), ("", stderr, 1), "{script}");
    }
    assert_eq!(folder.shell("md5sum --status -c list >/dev/full").text(), ("", "", 0), "nothing was to be written");
    assert_eq!(folder.shell("md5 a nope 2>&-").status, 1, "lost messages do not hide the status");
}

#[cfg(target_os = "linux")]
#[test]
fn as_few_descriptors_as_the_references_need_are_enough() {
    let folder = Folder::with_alpha().file("list", format!("{ALPHA_MD5}  a\n"));
    assert_eq!(folder.shell("ulimit -n 4; md5 -q a").text(), (format!("{ALPHA_MD5}\n").as_str(), "", 0));
    assert_eq!(folder.shell("ulimit -n 5; md5sum -c list").text(), ("a: OK\n", "", 0));
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let folder = Folder::with_alpha();
    let ran = folder.shell("(md5 -p </dev/zero; echo $? >status) | head -c 5 | od -An -tx1; cat status");
    assert_eq!(ran.text(), (" 00 00 00 00 00\n141\n", "", 0));
    let ran = folder.shell("(trap '' PIPE; md5 -p </dev/zero; echo $? >status) | head -c 5 >/dev/null; cat status");
    assert_eq!(ran.text(), ("1\n", "", 0), "where the signal is ignored");
}

#[test]
fn an_interrupt_ends_the_run_at_once() {
    let folder = Folder::new();
    let mut child = folder.program("md5").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.text(), ("", "", 130));
    drop(stdin);
}

#[test]
fn what_is_passed_through_is_every_byte_and_then_the_digest() {
    let input: Vec<u8> = (0..5_000_000u32).map(|i| (i.wrapping_mul(7919) >> 5) as u8).collect();
    let folder = Folder::new().file("f", &input);
    let digest = folder.run("sha256", ["-q", "f"]).stdout;
    for size in ["1M", "65536", "999", "16M"] {
        let ran = feed(folder.program("sha256").args(["-p", "--buffer-size", size]), &input);
        assert!(ran.stdout == [input.as_slice(), &digest].concat(), "{size}");
        assert_eq!(ran.status, 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_file() {
    let folder = Folder::new();
    File::create(folder.path("large")).unwrap().set_len(2 << 30).unwrap();
    let ran = folder.shell("ulimit -v 16384; md5 -q large");
    assert_eq!(ran.text(), ("a981130cf2b7e09f4686dc273cf7187e\n", "", 0));
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_cannot_be_had_is_an_error() {
    let folder = Folder::with_alpha();
    File::create(folder.path("large")).unwrap().set_len(2 << 30).unwrap();
    let ran = folder.shell("ulimit -v 65536; md5 -q --buffer-size 1G large a; md5 --buffer-size 1G -qs 'alpha\n'");
    let wanted = format!("{ALPHA_MD5}\n{ALPHA_MD5}\n");
    assert_eq!(ran.text(), (wanted.as_str(), "md5: large: Cannot allocate memory\n", 0), "a small file needs little");
    // Room for the program, but for no such buffer.
    let ran = folder.shell("ulimit -v 16384; md5 -q --buffer-size 16M large a");
    assert_eq!(ran.text(), (format!("{ALPHA_MD5}\n").as_str(), "md5: large: Cannot allocate memory\n", 1));
}

#[test]
fn ten_thousand_operands_are_digested_in_order() {
    let folder = (0..100).fold(Folder::new(), |folder, i| folder.file(format!("{i}"), format!("{i}")));
    let names: Vec<String> = (0..10_000).map(|i| format!("{}", i % 100)).collect();
    let ran = folder.run("md5", &names);
    let lines: Vec<&str> = ran.text().0.lines().collect();
    assert_eq!((lines.len(), ran.status), (10_000, 0));
    for (line, name) in lines.iter().zip(&names) {
        assert!(line.starts_with(&format!("MD5 ({name}) = ")), "{line}");
    }
    assert_eq!(lines[7], lines[9_907]);
}

/// Counts the read calls strace sees on a file. `None` without strace.
#[cfg(target_os = "linux")]
fn reads_of(file: &Path, args: &[&str]) -> Option<usize> {
    let mut command = std::process::Command::new("strace");
    command.args(["-f", "-c", "-e", "trace=read,pread64,readv,preadv", "-P"]).arg(file);
    command.arg(crate::support::PROGRAM).args(args).arg(file);
    let Ok(output) = command.output() else {
        eprintln!("left out: strace is not installed");
        return None;
    };
    assert!(output.status.success(), "{output:?}");
    let trace = String::from_utf8(output.stderr).unwrap();
    // The summary's last line: share, seconds, microseconds a call, calls, and "total".
    let total = trace.lines().rfind(|line| line.ends_with("total")).unwrap();
    total.split_whitespace().nth(3).map(|calls| calls.parse().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_64_mib_takes_one_read_a_buffer_and_two() {
    let folder = Folder::new();
    File::create(folder.path("f")).unwrap().set_len(64 << 20).unwrap();
    for (args, at_most) in [
        (&[][..], 66),
        (&["--read-ahead=0"], 66),
        (&["--read-ahead=8"], 66),
        (&["--buffer-size", "4M"], 18),
        (&["--buffer-size=16K"], 4098),
        (&["--buffer-size=16K", "--read-ahead=4"], 4098),
    ] {
        if let Some(reads) = reads_of(&folder.path("f"), args) {
            assert!(reads > at_most - 3 && reads <= at_most, "{args:?}: {reads} reads");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn each_record_of_a_store_is_fetched_once() {
    const SIZE: usize = 50 << 20;
    let folder = Folder::new().file("copy", record_store::content(SIZE + 4321));
    let wanted = folder.run("sha256", ["-q", "copy"]);
    for record_size in [128 << 10, 1 << 20, 4 << 20, 16 << 20] {
        let shape = Shape { record_size, files: 1, size: (SIZE + 4321) as u64, cost: Duration::ZERO, jump: None };
        let store = match RecordStore::mount(shape) {
            Ok(store) => store,
            Err(error) => return eprintln!("left out: no FUSE here: {error}"),
        };
        let file = store.file(0);
        assert_eq!(fs::metadata(&file).unwrap().blksize(), u64::from(record_size));
        for args in [&["-q"][..], &["-q", "--read-ahead=0"], &["-q", "--read-ahead=16"]] {
            store.records_fetched();
            assert_eq!(folder.program("sha256").args(args).arg(&file).output().unwrap().stdout, wanted.stdout);
            let records = SIZE / record_size as usize + 1;
            if record_size as usize <= record_store::LARGEST_READ {
                assert_eq!(store.records_fetched(), records as u64, "{record_size} {args:?}");
            } else if let Some(reads) = reads_of(&file, args) {
                // A larger read reaches the store in pieces: what counts is that it was one. The last one finds the end.
                assert_eq!(reads, records + 1, "{record_size} {args:?}");
            }
        }
    }
}
