//! Each system call of a run fails in turn: no digest is wrong, no line is lost without a word, and nothing hangs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder, Ran, feed, is_there};

/// A run whose calls fail in turn.
struct Scene {
    title: &'static str,
    command: &'static str,
    /// The file that comes through a pipe as standard input.
    input: Option<&'static str>,
    /// What all that is behind it needs: a list, or standard input.
    source: Option<&'static str>,
}

impl Scene {
    const fn of_files(title: &'static str, command: &'static str) -> Self {
        Self { title, command, input: None, source: None }
    }

    const fn of_list(title: &'static str, command: &'static str, list: &'static str) -> Self {
        Self { title, command, input: None, source: Some(list) }
    }

    const fn of_pipe(title: &'static str, command: &'static str, input: &'static str, name: &'static str) -> Self {
        Self { title, command, input: Some(input), source: Some(name) }
    }

    fn program(&self) -> &str {
        self.command.split(' ').next().unwrap()
    }
}

const SCENES: &[Scene] = &[
    Scene::of_files("a small file", "md5 a"),
    Scene::of_files("in line", "md5 --jobs=1 --read-ahead=0 --buffer-size=64K large"),
    Scene::of_files("in parts", "md5 --read-ahead=0 --buffer-size=64K large"),
    Scene::of_files("read ahead", "md5 --jobs=1 --read-ahead=2 --buffer-size=64K large"),
    Scene::of_files("parts, then ahead", "md5 --jobs=3 --read-ahead=2 --buffer-size=64K large"),
    Scene::of_files("many, one job", "md5 --jobs=1 a b d/a d/b.txt nope d/e/c d/e/d"),
    Scene::of_files("many, three jobs", "md5 --jobs=3 --buffer-size=64K a b large d/a d/b.txt nope d/e/c d/e/d other"),
    Scene::of_files("large ones, three jobs", "md5 --jobs=3 --buffer-size=256K large ./large d/../large .//large b"),
    Scene::of_pipe("a pipe", "md5 --buffer-size=64K", "other", "-"),
    Scene::of_pipe("-p", "md5 -p --buffer-size=64K", "other", "-"),
    Scene::of_list("a check, one job", "md5sum --jobs=1 -c sums", "sums"),
    Scene::of_list("a check, three jobs", "md5sum --jobs=3 -c sums", "sums"),
    Scene::of_list("a failed check", "md5 --check-list wrong", "wrong"),
    Scene::of_pipe("a check of a pipe", "md5sum -c", "sums", "'standard input'"),
    Scene::of_pipe("a check of its own pipe", "md5sum -c", "own sums", "'standard input'"),
    Scene::of_files("several digests", "md5 --jobs=3 --buffer-size=256K --algorithm md5,sha256 large a"),
    Scene::of_files("--recursive", "md5 --recursive d"),
    Scene::of_files("--recursive, one job", "md5 --jobs=1 --recursive d"),
    Scene::of_files("--recursive --follow", "md5 --recursive --follow d"),
    Scene::of_list("--files-from", "md5 --files-from names", "names"),
    Scene::of_pipe("--files-from a pipe", "md5 --files-from -", "names", "-"),
    Scene::of_pipe("--files-from with its own pipe", "md5 --files-from - --jobs=1", "own names", "-"),
];

/// What a fault is, to strace and to the user.
#[derive(Debug, Clone, Copy)]
struct Kind {
    call: &'static str,
    error: i32,
    /// Which calls behind the first one fail too: `+` is all, `+2` each second one.
    again: &'static str,
    /// Whether the signal comes too that the system sends with it.
    signal: Option<&'static str>,
}

const fn kind(call: &'static str, error: i32) -> Kind {
    Kind { call, error, again: "", signal: None }
}

const fn lasting(call: &'static str, error: i32) -> Kind {
    Kind { again: "+", ..kind(call, error) }
}

impl Kind {
    /// What has strace inject it into the call with this number.
    fn options(&self, number: usize) -> [String; 2] {
        let Self { call, error, again, signal } = self;
        let signal = signal.map(|signal| format!(":signal={signal}")).unwrap_or_default();
        [format!("--trace={call}"), format!("--inject={call}:error={error}{signal}:when={number}{again}")]
    }

    /// The system's words.
    fn reason(&self) -> String {
        let text = io::Error::from_raw_os_error(self.error).to_string();
        text.strip_suffix(&format!(" (os error {})", self.error)).unwrap().to_owned()
    }
}

/// A folder with all that the scenes need.
fn folder() -> Folder {
    let lines = |count: u32| (0..count).map(|number| format!("{number:07}\n")).collect::<String>();
    let mut folder = Folder::with_alpha().file("b", "").file("large", lines(125_000)).file("other", lines(30_000));
    for (name, count) in [("d/a", 1), ("d/b.txt", 900), ("d/e/c", 20_000), ("d/e/d", 3), ("d/f", 0)] {
        folder = folder.file(name, lines(count));
    }
    symlink("../tree", folder.path("d/linked")).unwrap();
    folder = folder.file("tree/a", "alpha\n").file("tree/b/c", "").file("names", "a\nd/b.txt\nd/e/c\nb\n");
    folder = folder.file("own names", "a\n-\nb\n/dev/stdin\nd/a\n");
    folder = folder.file("own sums", format!("{ALPHA_MD5}  a\n{ALPHA_MD5}  -\n{EMPTY_MD5}  b\n"));
    let ran = folder.shell("md5sum a b d/b.txt d/e/c other >sums; sed 's/^[^ ]*  b$/x&/;s/^x./0/' sums >wrong");
    assert_eq!(ran.text(), ("", "", 0));
    folder
}

/// What a run under strace gave, and the lines of the trace.
fn traced(folder: &Folder, scene: &Scene, trace: &str, options: &[String]) -> (Ran, Vec<String>) {
    let mut words = scene.command.split(' ');
    let program = folder.links().join(words.next().unwrap());
    let mut command = Command::new("timeout");
    // A hang is not waited for.
    command.args(["--signal=KILL", "30", "strace", "-f", "-qq", "--signal=none", "-o", trace]).args(options);
    command.arg(program).args(words).current_dir(folder.path("")).env_remove("POSIXLY_CORRECT").stdin(Stdio::null());
    let ran = match scene.input {
        Some(input) => feed(&mut command, &fs::read(folder.path(input)).unwrap()),
        None => command.output().unwrap().into(),
    };
    let lines = fs::read(folder.path(trace))
        .map_or_else(|_| Vec::new(), |trace| String::from_utf8_lossy(&trace).lines().map(str::to_owned).collect());
    drop(fs::remove_file(folder.path(trace)));
    (ran, lines)
}

/// Which calls of this name a thread of a scene makes at most, counted from 1; not those before `main`.
fn numbers(trace: &[String], name: &str) -> Range<usize> {
    let mut counts = BTreeMap::<&str, usize>::new();
    let mut first = None;
    for line in trace {
        let (thread, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if call.starts_with("fcntl(0, F_GETFD") {
            // The first thing `main` does.
            first.get_or_insert_with(|| counts.get(thread).copied().unwrap_or_default());
        }
        if call.split_once('(').is_some_and(|(called, _)| called == name) {
            *counts.entry(thread).or_default() += 1;
        }
    }
    first.expect("main was seen") + 1..counts.values().max().copied().unwrap_or_default() + 1
}

/// Whether there is a strace that can make calls fail; says so where there is none.
fn can_trace(folder: &Folder) -> bool {
    if !is_there("strace") || !is_there("timeout") {
        return false;
    }
    let (ran, trace) = traced(folder, &SCENES[0], "trace", &kind("read", libc::EIO).options(1));
    let can_trace = trace.iter().any(|line| line.contains("(INJECTED)"));
    if !can_trace {
        println!("left out: strace cannot trace here: {}", String::from_utf8_lossy(&ran.stderr));
    }
    can_trace
}

/// A run in which calls failed.
struct Faulted<'a> {
    scene: &'a Scene,
    kind: Kind,
    /// What the scene gives undisturbed.
    wanted: &'a Ran,
    ran: Ran,
    /// The calls that failed, as strace writes them.
    calls: Vec<String>,
}

/// Has each call of each scene fail in turn in each of these ways, and `judge` say what is wrong with what came of it. Prints how
/// many were tried.
fn try_all<'a>(
    scenes: impl Iterator<Item = &'a Scene>,
    kinds: &[Kind],
    judge: impl Fn(&Faulted) -> Result<(), String> + Sync,
) {
    let folder = folder();
    if !can_trace(&folder) {
        return;
    }
    let undisturbed: Vec<_> = scenes.map(|scene| (scene, traced(&folder, scene, "trace", &[]))).collect();
    let mut faults = Vec::new();
    for (scene, (wanted, trace)) in &undisturbed {
        assert!(wanted.status < 2 && !wanted.stdout.is_empty(), "{}: {wanted:?}", scene.command);
        for &kind in kinds {
            faults.extend(numbers(trace, kind.call).map(|number| (*scene, wanted, kind, number)));
        }
    }
    let faults = Mutex::new(faults.into_iter().enumerate());
    let results = Mutex::new((BTreeMap::<_, BTreeMap<_, u32>>::new(), Vec::new()));
    let work = || {
        let next = || faults.lock().unwrap().next();
        while let Some((index, (scene, wanted, kind, number))) = next() {
            let options = kind.options(number);
            let (ran, mut calls) = traced(&folder, scene, &format!("trace{index}"), &options);
            calls.retain(|call| call.contains("(INJECTED)"));
            if calls.is_empty() {
                // Threads share their work otherwise each time.
                continue;
            }
            let faulted = Faulted { scene, kind, wanted, ran, calls };
            let judged = judge(&faulted);
            let (tried, wrong) = &mut *results.lock().unwrap();
            let of_scene = tried.entry(scene.title).or_default();
            *of_scene.entry(format!("{}{}: {}", kind.call, kind.again, kind.reason())).or_default() += 1;
            wrong.extend(judged.err().map(|why| faulted.show(&options, &why)));
        }
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(work))));
    let (tried, wrong) = results.into_inner().unwrap();
    for (scene, counts) in &tried {
        let counts: Vec<_> = counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        println!("{scene}: {}", counts.join(", "));
    }
    println!("{} faults", tried.values().flat_map(BTreeMap::values).sum::<u32>());
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

impl Faulted<'_> {
    fn show(&self, options: &[String], why: &str) -> String {
        let Self { scene, ran: Ran { stdout, stderr, status }, calls, .. } = self;
        let (stdout, stderr) = (stdout.escape_ascii(), stderr.escape_ascii());
        let (command, options, calls) = (scene.command, options.join(" "), calls.join("\n"));
        format!("{command}: {options}: {why}\n{calls}\n{stdout:.500}\n{stderr:.500}\n{status}\n")
    }

    /// Whether nothing is different.
    fn is_same(&self) -> Result<(), String> {
        if self.ran == *self.wanted { Ok(()) } else { Err("it makes a difference".to_owned()) }
    }

    /// Whether all is there as it should be, or there is a message why not.
    fn is_told(&self) -> Result<(), String> {
        let Self { scene, kind, wanted, ran, .. } = self;
        if ran == *wanted {
            return Ok(());
        }
        if kind.signal.is_some() && ran.status == 128 + libc::SIGPIPE {
            let is_begun = wanted.stdout.starts_with(&ran.stdout);
            return if is_begun { Ok(()) } else { Err("another output".to_owned()) };
        }
        let (is_output_lost, is_mute) = (self.is_write_lost(1), self.is_write_lost(2));
        let told = self.told()?;
        let is_about_all = |name: &str| scene.source == Some(name) || ["stdout", "write error"].contains(&name);
        let is_end_told = told.iter().any(|name| is_about_all(name))
            // A closed pipe is no news, and without standard error there is nowhere to tell it.
            || (is_output_lost && (kind.error == libc::EPIPE || is_mute));
        let is_named = |line: &str| told.iter().any(|name| is_about(line, name));
        let mut rest = lines(&ran.stdout).into_iter().peekable();
        let mut is_over = false;
        for line in lines(&wanted.stdout) {
            if rest.next_if_eq(&line).is_some() {
                let is_both = told.iter().any(|name| is_about(&line, name) && !line.contains(&format!("({name}/")));
                if is_over || is_both {
                    return Err(format!("there in spite of a message: {line}"));
                }
            } else if !is_named(&line) {
                if !is_end_told {
                    return Err(format!("lost without a word, or another line: {line}"));
                }
                is_over = true;
            }
        }
        if let Some(line) = rest.next() {
            return Err(format!("another line: {line}"));
        }
        let messages = lines(&ran.stderr);
        let is_lost = |message: &String| !messages.contains(message) && !self.is_warning(message) && !is_named(message);
        if let Some(message) = lines(&wanted.stderr).into_iter().find(is_lost).filter(|_| !is_mute && !is_end_told) {
            return Err(format!("lost without a word: {message}"));
        }
        let status = if is_mute && ran.stdout == wanted.stdout { wanted.status } else { 1 };
        if ran.status == status { Ok(()) } else { Err(format!("the status should be {status}")) }
    }

    /// The names messages give the reason for, each once.
    fn told(&self) -> Result<Vec<String>, String> {
        let usual = lines(&self.wanted.stderr);
        let mut names = Vec::new();
        for message in lines(&self.ran.stderr) {
            if usual.contains(&message) || self.is_warning(&message) {
                continue;
            }
            let name = message.strip_prefix(&format!("{}: ", self.scene.program()));
            match name.and_then(|name| name.strip_suffix(&format!(": {}\n", self.kind.reason()))) {
                Some(name) if !names.iter().any(|other| other == name) => names.push(name.to_owned()),
                _ => return Err(format!("a message of something else, or one too many: {message}")),
            }
        }
        Ok(names)
    }

    /// Whether it is the count of something at the end of a check.
    fn is_warning(&self, message: &str) -> bool {
        message.starts_with(&format!("{}: WARNING: ", self.scene.program()))
    }

    fn is_write_lost(&self, descriptor: u32) -> bool {
        self.calls.iter().any(|call| call.contains(&format!(" write({descriptor}, ")))
    }
}

fn lines(bytes: &[u8]) -> Vec<String> {
    bytes.split_inclusive(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}

/// Whether a line or a message is about a file of this name, or one in a folder of this name.
fn is_about(line: &str, name: &str) -> bool {
    let parts = [format!("({name})"), format!("({name}/"), format!(": {name}: ")];
    parts.iter().any(|part| line.contains(part)) || line.starts_with(&format!("{name}: "))
}

#[test]
fn what_is_interrupted_is_resumed() {
    let calls = ["read", "pread64", "openat", "write", "close"].map(|call| kind(call, libc::EINTR));
    let each_second = ["read", "pread64", "write"].map(|call| Kind { again: "+2", ..kind(call, libc::EINTR) });
    try_all(SCENES.iter(), &[&calls[..], &each_second].concat(), |faulted| faulted.is_same());
}

#[test]
fn what_cannot_be_read_is_told_by_name_and_has_no_digest() {
    let kinds = [
        kind("read", libc::EIO),
        kind("read", libc::EAGAIN),
        kind("read", libc::ENOMEM),
        lasting("read", libc::ESTALE),
        kind("pread64", libc::EIO),
        lasting("pread64", libc::ESTALE),
        kind("openat", libc::EACCES),
        kind("openat", libc::ENOMEM),
        kind("openat", libc::EMFILE),
        lasting("openat", libc::EMFILE),
        kind("openat", libc::ENFILE),
        kind("statx", libc::EACCES),
        kind("statx", libc::ESTALE),
        kind("newfstatat", libc::EIO),
        kind("getdents64", libc::EIO),
        kind("lseek", libc::EIO),
    ];
    try_all(SCENES.iter(), &kinds, |faulted| faulted.is_told());
}

#[test]
fn what_cannot_be_written_is_told_and_ends_it() {
    let broken_pipe = Kind { signal: Some("SIGPIPE"), ..kind("write", libc::EPIPE) };
    let others = [libc::ENOSPC, libc::EIO, libc::EAGAIN, libc::EPIPE].map(|error| kind("write", error));
    try_all(SCENES.iter(), &[&[broken_pipe][..], &others].concat(), |faulted| faulted.is_told());
}

#[test]
fn memory_that_cannot_be_had_is_told_or_done_without() {
    let calls = ["mmap", "mprotect", "mremap"].map(|call| kind(call, libc::ENOMEM));
    try_all(SCENES.iter(), &calls, |faulted| faulted.is_told());
}

#[test]
fn without_threads_it_is_slower_and_nothing_else() {
    let threads = ["clone", "clone3"].map(|call| [kind(call, libc::EAGAIN), lasting(call, libc::ENOMEM)]).concat();
    let processors = [kind("sched_getaffinity", libc::EPERM)];
    try_all(SCENES.iter(), &[&threads[..], &processors].concat(), |faulted| faulted.is_same());
}

#[test]
fn what_cannot_be_closed_was_read_all_the_same() {
    // Folders are the standard library's, which panics; systems have no such error for them.
    let scenes = SCENES.iter().filter(|scene| !scene.command.contains("--recursive"));
    try_all(scenes, &[kind("close", libc::EIO)], |faulted| faulted.is_same());
}

#[test]
fn a_folder_that_cannot_be_read_is_told_by_its_own_name() {
    let folder = folder();
    if !can_trace(&folder) {
        return;
    }
    let scene = SCENES.iter().find(|scene| scene.command == "md5 --recursive d").unwrap();
    // Two calls for each folder: what is there, and that this is all.
    for (number, name, count) in [(1, "d", 0), (2, "d", 5), (3, "d/e", 3), (4, "d/e", 5)] {
        let options = kind("getdents64", libc::EIO).options(number);
        let (ran, _) = traced(&folder, scene, "trace", &options);
        let wanted = (format!("md5: {name}: Input/output error\n"), count);
        assert_eq!((ran.text().1.to_owned(), lines(&ran.stdout).len()), wanted, "{number}");
    }
}

#[test]
fn a_pipe_gives_the_same_however_small_its_pieces_are() {
    let folder = folder();
    for scene in SCENES {
        let Some(input) = scene.input else { continue };
        let (name, arguments) = scene.command.split_once(' ').unwrap_or((scene.command, ""));
        let content = fs::read(folder.path(input)).unwrap();
        let content = &content[..content.len().min(100_003)];
        let run = |size: usize| {
            let mut command = folder.program(name);
            command.args(arguments.split_whitespace()).stdin(Stdio::piped());
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let mut pipe = child.stdin.take().unwrap();
            thread::scope(|scope| {
                scope.spawn(move || content.chunks(size).for_each(|piece| pipe.write_all(piece).unwrap()));
                Ran::from(child.wait_with_output().unwrap())
            })
        };
        let wanted = run(content.len());
        assert!(wanted.status < 2 && !wanted.stdout.is_empty(), "{}: {wanted:?}", scene.command);
        for size in [1, 7, 4093, 65_537] {
            assert!(run(size) == wanted, "{}: {size} bytes at a time", scene.command);
        }
    }
}
