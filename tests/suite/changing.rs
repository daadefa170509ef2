//! Files that change while they are read: a digest is that of bytes a reader could have come by, or it is said why there is none,
//! and the lines of all other files stay as they are.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use bsdigest::algorithm::Checksum;
use md5::{Digest, Md5};
use sha2::Sha256;

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder, Ran};

/// The unit in which the system reads files and changes their length.
const PAGE: usize = 4096;

/// Buffers are a whole number of so many bytes, so that a reader may stand at any multiple of it when the file is cut short.
const STEP: usize = 64;

/// Bytes that are read, and handed over, at once by a reader ahead.
const PORTION: usize = 256 << 10;

/// Runs of each command while the file changes.
const RUNS: usize = 20;

/// Each way in which `d/f` may be read, beside files that do not change.
const COMMANDS: [&str; 7] = [
    "md5 --jobs=1 --read-ahead=0 --buffer-size=64K d/a d/f d/other",
    "md5 --jobs=1 --read-ahead=3 --buffer-size=64K d/a d/f d/other",
    "md5 --jobs=3 --buffer-size=64K d/a d/other d/f d/0 d/1 d/2 d/other",
    "md5 --jobs=2 --read-ahead=3 --buffer-size=64K d/a d/f",
    "md5 --jobs=3 --buffer-size=256K --algorithm md5,sha256 d/a d/f d/other",
    "md5 --recursive d",
    "md5 --files-from names",
];

/// It is in memory: on a disk, Linux' read(2) may give zeros in place of what is cut off and written again meanwhile.
fn folder() -> Folder {
    let names = (0..60).map(|number| format!("d/{number}"));
    let folder = names.fold(Folder::in_memory(), |folder, name| folder.file(&name, &name));
    let folder = folder.file("d/a", "alpha\n").file("d/other", vec![7; 4 * PORTION]).file("d/f", "");
    folder.file("names", "d/a\nd/f\nd/other\nd/0\nd/f\n")
}

/// Bytes of which no two pages are equal.
fn content(size: usize) -> Vec<u8> {
    (0..size as u32).map(|index| (index.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect()
}

#[derive(Clone, Default)]
struct Hashers(Md5, Sha256);

impl Hashers {
    fn and(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes);
        self.1.update(bytes);
        self
    }
}

/// The states a file may be seen in, each by its digests.
#[derive(Default)]
struct States(HashMap<String, usize>);

impl States {
    fn add(&mut self, state: usize, Hashers(md5, sha256): Hashers) {
        self.0.insert(Checksum::new(&md5.finalize()).to_hex(), state);
        self.0.insert(Checksum::new(&sha256.finalize()).to_hex(), state);
    }

    /// Those of whole contents.
    fn of(contents: &[Vec<u8>]) -> Self {
        let mut states = Self::default();
        contents.iter().enumerate().for_each(|(state, content)| states.add(state, Hashers::default().and(content)));
        states
    }

    /// Runs each command again and again while `change` does the same, and has all that is said of `d/f` be one of the states, or
    /// one of these messages.
    fn are_told(&self, folder: &Folder, messages: &[&str], change: impl Fn() + Sync) {
        while_it_changes(change, || {
            let mut seen = HashSet::new();
            for command in COMMANDS {
                let wanted = others(&run(folder, command).stdout);
                for _ in 0..RUNS {
                    seen.extend(self.judge(command, &run(folder, command), &wanted, messages));
                }
            }
            assert!(seen.len() > 1, "it was seen to change");
        });
    }

    /// The states a run told of.
    fn judge(&self, command: &str, ran: &Ran, wanted: &[String], messages: &[&str]) -> Vec<usize> {
        let (stdout, stderr, status) = ran.text();
        assert_eq!(others(&ran.stdout), wanted, "{command}: the other files");
        assert!(stderr.lines().all(|line| messages.contains(&line)), "{command}: {stderr}");
        assert_eq!(status, i32::from(!stderr.is_empty()), "{command}: {stderr}");
        let lines: Vec<_> = stdout.lines().filter(|line| line.contains("(d/f) = ")).collect();
        let told = lines.len() / algorithms(command) + stderr.lines().count();
        let is_listed = !command.contains("--recursive");
        let operands = if command.contains("names") { 2 } else { 1 };
        assert!(told == operands || (told == 0 && !is_listed), "{command}: {stdout}{stderr}");
        let state = |line: &&str| {
            let digest = line.rsplit(' ').next().unwrap();
            *self.0.get(digest).unwrap_or_else(|| panic!("{command}: what never was there: {line}"))
        };
        let states: Vec<_> = lines.iter().map(state).collect();
        for of_one in states.chunks(algorithms(command)) {
            assert!(of_one.iter().all(|state| *state == of_one[0]), "{command}: digests of other bytes each: {stdout}");
        }
        states
    }
}

/// Has `change` done again and again until `work` ends, be it with a panic.
fn while_it_changes(change: impl Fn() + Sync, work: impl FnOnce()) {
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = End(&is_over);
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                change();
            }
        });
        work();
    });
}

fn algorithms(command: &str) -> usize {
    if command.contains("--algorithm") { 2 } else { 1 }
}

fn command(folder: &Folder, command: &str) -> Command {
    let mut words = command.split(' ');
    let mut command = folder.program(words.next().unwrap());
    command.args(words);
    command
}

fn run(folder: &Folder, line: &str) -> Ran {
    command(folder, line).output().unwrap().into()
}

/// The lines about other files than `d/f`.
fn others(stdout: &[u8]) -> Vec<String> {
    let text = String::from_utf8(stdout.to_vec()).unwrap();
    text.lines().filter(|line| !line.contains("d/f")).map(str::to_owned).collect()
}

#[test]
fn a_file_that_grows_and_is_cut_short_has_the_digest_of_a_beginning() {
    const PAGES: usize = 12 * PORTION / PAGE;
    let folder = folder();
    if !folder.is_in_memory() {
        return;
    }
    let content = content(PAGES * PAGE);
    let mut states = States::default();
    let mut hashers = Hashers::default();
    states.add(0, hashers.clone());
    for (step, bytes) in content.chunks(STEP).enumerate() {
        hashers = hashers.and(bytes);
        states.add(step + 1, hashers.clone());
    }
    let file = File::options().write(true).open(folder.path("d/f")).unwrap();
    file.write_all_at(&content, 0).unwrap();
    states.are_told(&folder, &[], || {
        // All numbers of pages, far from each other, and over and over those that leave next to nothing.
        for left in (0..PAGES).map(|number| number * 389 % PAGES) {
            for left in [left, left % 5] {
                file.set_len((left * PAGE) as u64).unwrap();
                file.write_all_at(&content[left * PAGE..], (left * PAGE) as u64).unwrap();
            }
        }
    });
}

#[test]
fn a_file_that_is_replaced_or_removed_has_the_digest_of_one_or_is_told_to_be_gone() {
    let contents = [8 * PORTION, 100, 5 * PORTION + 1, 0, PORTION - 1].map(content);
    let folder = contents.iter().enumerate().fold(folder(), |folder, (number, content)| {
        let content: Vec<u8> = content.iter().map(|byte| byte ^ number as u8).collect();
        folder.file(format!("new/{number}"), content)
    });
    let contents: Vec<_> =
        (0..contents.len()).map(|number| fs::read(folder.path(format!("new/{number}"))).unwrap()).collect();
    States::of(&contents).are_told(&folder, &["md5: d/f: No such file or directory"], || {
        for gone in [false, true] {
            for number in 0..contents.len() {
                fs::hard_link(folder.path(format!("new/{number}")), folder.path("next")).unwrap();
                fs::rename(folder.path("next"), folder.path("d/f")).unwrap();
                if gone {
                    fs::remove_file(folder.path("d/f")).unwrap();
                }
            }
        }
    });
}

#[test]
fn a_file_that_is_written_to_has_the_digest_of_what_was_there_at_each_place() {
    const PLACES: usize = 8;
    let folder = folder();
    let content = content(PLACES * PORTION);
    // One byte of each portion changes, at its beginning, at its end or between: a single byte is either old or new.
    let place = |number: usize| number * PORTION + [0, PORTION - 1, PORTION / 2 + 1][number % 3];
    let mut beginnings = vec![(0, Hashers::default())];
    for (number, portion) in content.chunks(PORTION).enumerate() {
        let both = beginnings.into_iter().flat_map(|(state, hashers)| {
            [0, 1].map(|bit| {
                let mut portion = portion.to_vec();
                portion[place(number) % PORTION] ^= bit;
                (state | usize::from(bit) << number, hashers.clone().and(&portion))
            })
        });
        beginnings = both.collect();
    }
    let mut states = States::default();
    beginnings.into_iter().for_each(|(state, hashers)| states.add(state, hashers));
    let file = File::options().write(true).open(folder.path("d/f")).unwrap();
    file.write_all_at(&content, 0).unwrap();
    states.are_told(&folder, &[], || {
        for number in (0..PLACES).chain((0..PLACES).rev()) {
            for bit in [1, 0, 1, 0].into_iter().take(3 - number % 2) {
                file.write_all_at(&[content[place(number)] ^ bit], place(number) as u64).unwrap();
            }
        }
    });
}

#[test]
fn a_file_that_is_replaced_never_passes_for_a_mixture_of_both() {
    let (one, other) = (content(5 * PORTION), vec![9; 5 * PORTION]);
    let mixture = [&one[..PORTION], &other[PORTION..]].concat();
    let folder = folder().file("one", &one).file("other", &other).file("d/f", &mixture);
    let listed = folder.shell("md5sum d/a d/f d/other d/0 >list; md5sum -c list");
    assert_eq!(listed.text(), ("d/a: OK\nd/f: OK\nd/other: OK\nd/0: OK\n", "", 0));
    let failed =
        ("d/a: OK\nd/f: FAILED\nd/other: OK\nd/0: OK\n", "md5sum: WARNING: 1 computed checksum did NOT match\n", 1);
    let gone = (
        "d/a: OK\nd/other: OK\nd/0: OK\n",
        "md5sum: d/f: No such file or directory\nmd5sum: WARNING: 1 listed file could not be read\n",
        1,
    );
    fs::remove_file(folder.path("d/f")).unwrap();
    let change = || {
        for name in ["one", "other", "one"] {
            fs::hard_link(folder.path(name), folder.path("next")).unwrap();
            fs::rename(folder.path("next"), folder.path("d/f")).unwrap();
        }
        fs::remove_file(folder.path("d/f")).unwrap();
    };
    while_it_changes(change, || {
        for options in ["--jobs=1 --read-ahead=0", "--jobs=1 --read-ahead=3", "--jobs=3"] {
            for _ in 0..RUNS {
                let ran = run(&folder, &format!("md5sum {options} --buffer-size=64K -c list"));
                assert!([failed, gone].contains(&ran.text()), "{options}: {ran:?}");
            }
        }
    });
}

#[test]
fn what_changes_before_its_turn_is_read_as_it_is_then() {
    for jobs in ["--jobs=1", "--jobs=3"] {
        let folder = folder().file("grown", "al").file("cut", content(5 * PORTION)).file("gone", "").file("new", "new");
        assert_eq!(folder.shell("mkfifo pipe; mkdir folder").status, 0);
        let names = ["pipe", "grown", "cut", "gone", "new", "folder", "d/a"];
        let mut child = command(&folder, "md5 -q");
        let child = child.arg(jobs).args(names).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Opening the pipe waits for its reader.
        let pipe = File::options().write(true).open(folder.path("pipe")).unwrap();
        File::options().append(true).open(folder.path("grown")).unwrap().write_all(b"pha\n").unwrap();
        File::options().write(true).open(folder.path("cut")).unwrap().set_len(0).unwrap();
        fs::remove_file(folder.path("gone")).unwrap();
        fs::rename(folder.path("d/a"), folder.path("new")).unwrap();
        fs::remove_dir(folder.path("folder")).unwrap();
        fs::rename(folder.path("new"), folder.path("folder")).unwrap();
        fs::create_dir(folder.path("new")).unwrap();
        drop(pipe);
        let ran: Ran = child.wait_with_output().unwrap().into();
        let digests = [EMPTY_MD5, ALPHA_MD5, EMPTY_MD5, ALPHA_MD5].map(|digest| format!("{digest}\n")).concat();
        let messages =
            "md5: gone: No such file or directory\nmd5: new: Is a directory\nmd5: d/a: No such file or directory\n";
        assert_eq!(ran.text(), (digests.as_str(), messages, 1), "{jobs}");
    }
}

/// Waits until a process has a file open. It may have ended before that was seen.
#[cfg(target_os = "linux")]
fn wait_for_open(child: &mut std::process::Child, file: &std::path::Path) {
    let open = format!("/proc/{}/fd", child.id());
    let is_open = || {
        let descriptors = fs::read_dir(&open).into_iter().flatten().flatten();
        descriptors.flat_map(|descriptor| fs::read_link(descriptor.path())).any(|target| target == file)
    };
    while !is_open() && child.try_wait().unwrap().is_none() {
        thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_open_is_read_to_its_end_even_if_its_name_is_gone_or_anothers() {
    let folder = folder();
    let file = fs::canonicalize(folder.path("d")).unwrap().join("f");
    let zeros = vec![0; 8 << 20];
    for line in COMMANDS.into_iter().filter(|line| !line.contains("names")) {
        fs::write(&file, &zeros).unwrap();
        let wanted = run(&folder, line);
        for replaces in [false, true] {
            fs::write(&file, &zeros).unwrap();
            let mut child = command(&folder, line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            wait_for_open(&mut child, &file);
            if replaces {
                fs::write(folder.path("next"), "new").unwrap();
                fs::rename(folder.path("next"), &file).unwrap();
            } else {
                fs::remove_file(&file).unwrap();
            }
            assert_eq!(Ran::from(child.wait_with_output().unwrap()), wanted, "{line}");
        }
    }
}

#[test]
fn a_file_that_changes_while_it_is_passed_on_has_the_digest_of_what_was_passed() {
    let folder = Folder::new().file("f", vec![b'x'; 1_600_000]);
    // The program stops at the full pipe, of 1 MiB at most, while the file is changed behind its first buffer.
    let during = |change: &dyn Fn(&File)| {
        let file = fs::OpenOptions::new().append(true).open(folder.path("f")).unwrap();
        let mut child = folder
            .program("md5")
            .args(["-p", "--buffer-size", "1500000"])
            .stdin(File::open(folder.path("f")).unwrap())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut first = vec![0; 1000];
        stdout.read_exact(&mut first).unwrap();
        change(&file);
        let mut passed = first;
        stdout.read_to_end(&mut passed).unwrap();
        assert!(child.wait().unwrap().success());
        let digest = passed.split_off(passed.len() - 33);
        let copy = Folder::new().file("copy", &passed);
        assert_eq!(copy.run("md5", ["-q", "copy"]).stdout, digest);
        passed.len()
    };
    assert_eq!(during(&|mut file| file.write_all(&[b'y'; 5000]).unwrap()), 1_605_000);
    assert_eq!(during(&|file| file.set_len(10).unwrap()), 1_500_000);
}
