//! Many files at once: the lines, messages and status are those of one after the other, and the resources are bounded.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
#[cfg(target_os = "linux")]
use std::os::unix::fs::symlink;
use std::process::Stdio;

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder};

/// A folder of files of all sizes, with some that cannot be read: their names in order.
fn many(count: usize) -> (Folder, Vec<String>) {
    let mut folder = Folder::with_alpha();
    let mut names = Vec::new();
    for number in 0..count {
        let name = format!("f{number}");
        match number % 50 {
            7 => {}
            13 => fs::create_dir(folder.path(&name)).unwrap(),
            21 => folder = folder.file(&name, vec![number as u8; 200_000 + number * 1000]),
            _ => folder = folder.file(&name, vec![number as u8; number * number % 70_000]),
        }
        names.push(name);
    }
    (folder, names)
}

#[test]
fn lines_messages_and_status_do_not_depend_on_the_number_of_jobs() {
    let (folder, names) = many(600);
    for arguments in [&["md5"][..], &["sha256", "-r"], &["sha512", "-q"], &["md5", "-c", EMPTY_MD5], &["md5sum", "-z"]]
    {
        let run = |jobs: &str| {
            let command = [arguments, &["--jobs", jobs]].concat().join(" ");
            folder.shell(&format!("{command} {} 2>&1", names.join(" ")))
        };
        let one_by_one = run("1");
        assert_eq!(one_by_one.status, 1);
        for jobs in ["2", "3", "9"] {
            assert!(run(jobs) == one_by_one, "{arguments:?} {jobs}");
        }
    }
}

#[test]
fn a_list_is_checked_in_its_order_whatever_the_number_of_jobs() {
    let (folder, names) = many(500);
    let ran = folder.run("md5sum", &names);
    let mut list: Vec<String> = ran.text().0.lines().map(str::to_owned).collect();
    list[3] = list[3].replace(&list[3][..8], "00000000");
    list.insert(5, "no line of a list".to_owned());
    list.insert(9, format!("{EMPTY_MD5}  absent"));
    let folder = folder.file("list", list.join("\n"));
    let run = |jobs: &str| folder.shell(&format!("md5sum --warn --jobs {jobs} -c list 2>&1"));
    let one_by_one = run("1");
    assert_eq!(one_by_one.status, 1);
    assert_eq!(one_by_one.text().0.lines().nth(5), Some("md5sum: list: 6: improperly formatted MD5 checksum line"));
    for jobs in ["2", "8"] {
        assert!(run(jobs) == one_by_one, "{jobs}");
    }
}

#[test]
fn a_number_of_jobs_is_1_to_1024() {
    let folder = Folder::with_alpha();
    for name in ["md5", "md5sum", "shasum"] {
        assert_eq!(folder.run(name, ["--jobs=1024", "a"]), folder.run(name, ["a"]));
    }
    for number in ["0", "1025", "", "two", "-1", "99999999999999999999"] {
        let ran = folder.run("md5", [&format!("--jobs={number}"), "a"]);
        let wanted = format!("md5: --jobs: '{number}' is not a number from 1 (one file after the other) to 1024\n");
        assert!(ran.text().1.starts_with(&wanted), "{ran:?}");
        assert_eq!((ran.text().0, ran.status), ("", 1));
    }
}

#[test]
fn a_pipe_is_read_in_its_turn_and_nothing_behind_it_before() {
    let folder = Folder::with_alpha().file("later", "not yet");
    let script = "mkfifo pipe; (cat got >/dev/null; printf 'alpha\\n' >later; cat a >pipe) & mkfifo got; \
                  md5 -q a pipe later a | while read -r line; do echo \"$line\"; [ -e seen ] || { : >seen; echo >got; }; done; wait";
    // The pipe's writer waits for the first line, and changes the last file before it writes.
    let ran = folder.shell(&script.replace("(cat got", "mkfifo got; (cat got").replacen("& mkfifo got;", "&", 1));
    assert_eq!(ran.text(), (format!("{ALPHA_MD5}\n").repeat(4).as_str(), "", 0));
}

#[test]
fn standard_input_is_read_in_its_turn() {
    let folder = Folder::with_alpha().file("b", "");
    let ran = folder.shell("md5 -q b - a - b <a");
    let wanted = [EMPTY_MD5, ALPHA_MD5, ALPHA_MD5, EMPTY_MD5, EMPTY_MD5].map(|digest| format!("{digest}\n")).concat();
    assert_eq!(ran.text(), (wanted.as_str(), "", 0));
}

#[test]
fn a_verdict_is_told_before_the_next_line_of_the_list_is_waited_for() {
    let folder = Folder::with_alpha();
    let mut child = folder.program("md5sum").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut list, mut verdicts) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        writeln!(list, "{ALPHA_MD5}  a").unwrap();
        let mut verdict = String::new();
        verdicts.read_line(&mut verdict).unwrap();
        assert_eq!(verdict, "a: OK\n");
    }
    drop(list);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_verdict_waits_neither_for_a_comment_nor_for_the_next_line() {
    let folder = Folder::with_alpha().file("large", vec![7; 5 << 20]);
    let large = String::from_utf8(folder.run("md5sum", ["large"]).stdout).unwrap();
    for jobs in ["--jobs=1", "--jobs=2", "--jobs=8"] {
        for _ in 0..20 {
            let mut command = folder.program("md5sum");
            command.args(["-c", "--buffer-size=64K", jobs]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let (mut list, verdicts) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
            let mut verdicts = verdicts.lines().map(Result::unwrap);
            // Each in one write, which is read as one.
            list.write_all(format!("{ALPHA_MD5}  a\n\n# comment\n").as_bytes()).unwrap();
            assert_eq!(verdicts.next().unwrap(), "a: OK");
            list.write_all(large.as_bytes()).unwrap();
            assert_eq!(verdicts.next().unwrap(), "large: OK");
            drop(list);
            assert!(child.wait().unwrap().success());
        }
    }
}

#[test]
fn a_failed_write_ends_it_while_the_list_still_comes() {
    if !fs::exists("/dev/full").unwrap() {
        return;
    }
    let folder = Folder::with_alpha().file("large", vec![7; 40 << 20]);
    for jobs in ["--jobs=1", "--jobs=2", "--jobs=8"] {
        let mut command = folder.program("md5sum");
        command.args(["-c", "--quiet", jobs]).stdin(Stdio::piped()).stdout(File::create("/dev/full").unwrap());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut list = child.stdin.take().unwrap();
        list.write_all(format!("{ALPHA_MD5}  a\n").as_bytes()).unwrap();
        list.write_all(format!("{ALPHA_MD5}  a\n{EMPTY_MD5}  large\n").as_bytes()).unwrap();
        // The list does not end before the program does.
        let ran = child.wait_with_output().unwrap();
        assert_eq!(ran.status.code(), Some(1));
        assert_eq!(ran.stderr, b"md5sum: write error: No space left on device\n");
        drop(list);
    }
}

#[test]
fn nothing_is_said_behind_a_failed_write() {
    if !fs::exists("/dev/full").unwrap() {
        return;
    }
    for jobs in ["1", "2", "8"] {
        let ran = Folder::with_alpha().shell(&format!("md5 --jobs={jobs} a missing other a . >/dev/full"));
        assert_eq!(ran.text(), ("", "md5: stdout: No space left on device\n", 1), "{jobs}");
    }
}

#[test]
fn little_memory_makes_it_slower_and_nothing_else() {
    let mut folder = Folder::new();
    let names: Vec<String> = (0..60).map(|number| format!("{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        folder = folder.file(name, vec![number as u8; if number < 30 { 1000 } else { 3 << 20 }]);
    }
    let wanted = folder.run("md5", &names);
    for (limit, jobs) in [(24_000, 2), (40_000, 8), (64_000, 8)] {
        let ran = folder.shell(&format!("ulimit -v {limit}; exec md5 --jobs {jobs} {}", names.join(" ")));
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{limit} KiB, {jobs} jobs");
        assert!(ran == wanted, "{limit} KiB, {jobs} jobs");
    }
}

#[test]
fn few_descriptors_make_it_slower_and_nothing_else() {
    let (folder, names) = many(300);
    let wanted = folder.run("md5", &names);
    for limit in [4, 5, 7] {
        let ran = folder.shell(&format!("ulimit -n {limit}; exec md5 --jobs 8 {}", names.join(" ")));
        assert!(ran == wanted, "{limit}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_descriptor_is_none_of_another_inputs() {
    let folder = (0..6).fold(Folder::new(), |folder, number| folder.file(format!("{number}"), vec![number; 3 << 20]));
    symlink("/dev/fd/4", folder.path("link")).unwrap();
    symlink("link", folder.path("link to it")).unwrap();
    symlink("/proc/self/fd", folder.path("folder")).unwrap();
    let names = ["0", "1", "/dev/fd/3", "2", "link to it", "3", "folder/5", "4", "5", "/proc/self/fd/3"];
    let told: String = ["/dev/fd/3", "link to it", "folder/5", "/proc/self/fd/3"]
        .map(|name| format!("md5: {name}: No such file or directory\n"))
        .concat();
    for _ in 0..20 {
        let ran = folder.run("md5", ["--jobs=8"].into_iter().chain(names));
        let (stdout, stderr, status) = ran.text();
        assert_eq!((stdout.lines().count(), stderr, status), (6, told.as_str(), 1), "{stdout}");
    }
}

#[test]
fn a_full_disk_is_told_once_and_ends_it() {
    if !fs::exists("/dev/full").unwrap() {
        return;
    }
    let (folder, names) = many(300);
    let ran = folder
        .shell(&format!("md5 --jobs 4 {} 2>messages >/dev/full; echo $?; grep -c space messages", names.join(" ")));
    assert_eq!(ran.text(), ("1\n1\n", "", 0));
}

/// Runs the program with these operands and a pipe behind them, and gives the most memory it had when it came to the pipe, in bytes.
#[cfg(target_os = "linux")]
fn memory_for(folder: &Folder, arguments: &[&str], standard_input: Option<&str>) -> usize {
    let fed = folder.shell("mkfifo pipe");
    assert_eq!(fed.status, 0);
    let mut command = folder.program("md5");
    command.args(arguments).stdout(Stdio::null());
    if let Some(name) = standard_input {
        command.stdin(File::open(folder.path(name)).unwrap());
    }
    let mut child = command.spawn().unwrap();
    // Opening the pipe waits for its reader.
    let pipe = File::options().write(true).open(folder.path("pipe")).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(pipe);
    assert!(child.wait().unwrap().success());
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
}

#[cfg(target_os = "linux")]
const MEMORY: usize = 128 << 20;

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_files() {
    let names: Vec<String> = (0..100).map(|number| format!("{number}")).collect();
    let folder = names.iter().fold(Folder::new(), |folder, name| folder.file(name, name));
    let mut operands: Vec<&str> = names.iter().map(String::as_str).cycle().take(100_000).collect();
    operands.push("pipe");
    let used = memory_for(&folder, &operands, None);
    assert!(used < MEMORY, "{used} bytes for 100000 operands");
    let line = |name: &str| format!("{EMPTY_MD5}  {name}\n");
    let list: String = names.iter().cycle().take(200_000).map(|name| line(name)).chain([line("pipe")]).collect();
    let folder = Folder::new().file("list", list);
    let folder = names.iter().fold(folder, |folder, name| folder.file(name, ""));
    let used = memory_for(&folder, &["--check-list", "-"], Some("list"));
    assert!(used < MEMORY, "{used} bytes for 200000 lines");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_size_of_the_files() {
    let folder = Folder::in_memory();
    let names: Vec<String> = (0..40).map(|number| format!("{number}")).collect();
    for name in &names {
        File::create(folder.path(name)).unwrap().set_len(1 << 30).unwrap();
    }
    let operands: Vec<&str> = names.iter().map(String::as_str).chain(["pipe"]).collect();
    let used = memory_for(&folder, &operands, None);
    assert!(used < MEMORY, "{used} bytes for 40 files of 1 GiB");
}
