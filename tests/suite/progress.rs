//! How far a run is: a line on the terminal, and one for whoever sends the signal that asks.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder};

/// Starts a command on a terminal of its own, which is what the child's standard output shows; none where there is no script(1).
fn on_a_terminal(folder: &Folder, arguments: &str) -> Option<Child> {
    let help = Command::new("script").arg("--help").output().ok()?;
    if !String::from_utf8_lossy(&help.stdout).contains("--return") {
        println!("left out: there is no script(1) of util-linux");
        return None;
    }
    let run = format!("PATH={}:$PATH {arguments}", folder.links().display());
    let mut command = Command::new("script");
    command.args(["-qefc", &run, "/dev/null"]).current_dir(folder.path("")).stdin(Stdio::null());
    Some(command.stdout(Stdio::piped()).spawn().unwrap())
}

/// What is shown until it holds a text.
fn shown_until(terminal: &mut impl Read, text: &str) -> String {
    let (mut shown, mut byte) = (Vec::new(), [0]);
    while !String::from_utf8_lossy(&shown).contains(text) {
        assert_eq!(terminal.read(&mut byte).unwrap(), 1, "{:?}", String::from_utf8_lossy(&shown));
        shown.extend(byte);
    }
    String::from_utf8(shown).unwrap()
}

#[test]
fn the_terminal_shows_one_line_that_is_gone_at_the_end() {
    let folder = Folder::with_alpha().file("large", vec![0; 3 << 20]);
    assert_eq!(folder.shell("mkfifo pipe").status, 0);
    let Some(mut child) = on_a_terminal(&folder, "md5 --progress a large nope pipe") else { return };
    let mut terminal = child.stdout.take().unwrap();
    let mut pipe = File::options().write(true).open(folder.path("pipe")).unwrap();
    let shown = shown_until(&mut terminal, "pipe: 3.0 MiB, ");
    assert!(shown.contains(&format!("MD5 (a) = {ALPHA_MD5}\r\n")), "{shown:?}");
    let line = shown_until(&mut terminal, " files");
    assert!(line.ends_with("/s, 3 of 4 files"), "{line:?}");
    pipe.write_all(b"alpha\n").unwrap();
    drop(pipe);
    let mut rest = String::new();
    terminal.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let (_, behind) = rest.split_once(&format!("MD5 (pipe) = {ALPHA_MD5}\r\n")).unwrap();
    let last = behind.rsplit("\x1b[2K").next().unwrap();
    assert!(!last.contains("files"), "{rest:?}");
}

#[test]
fn a_check_and_a_tree_show_it_too() {
    let folder = Folder::with_alpha().file("d/a", "alpha\n").file("d/b", "alpha\n");
    for command in [
        "md5 --progress --recursive d pipe",
        "md5sum --progress -c list",
        "md5 --progress --files-from=names",
        "md5 --progress --jobs=1 d/a d/b pipe",
    ] {
        let script = format!(
            "rm -f pipe; mkfifo pipe; for name in d/a d/b pipe; do echo {ALPHA_MD5}\\ \\ $name; done >list; \
             printf 'd/a\\nd/b\\npipe\\n' >names"
        );
        assert_eq!(folder.shell(&script).status, 0);
        let Some(mut child) = on_a_terminal(&folder, command) else { return };
        let mut terminal = child.stdout.take().unwrap();
        let mut pipe = File::options().write(true).open(folder.path("pipe")).unwrap();
        let line = shown_until(&mut terminal, " of 3 files");
        assert!(line.contains("pipe: 12 B, ") && line.ends_with(" 2 of 3 files"), "{command}: {line:?}");
        pipe.write_all(b"alpha\n").unwrap();
        drop(pipe);
        terminal.read_to_end(&mut Vec::new()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{command}");
    }
}

#[test]
fn without_a_terminal_there_is_no_line() {
    let folder = Folder::with_alpha();
    assert_eq!(folder.shell("mkfifo pipe").status, 0);
    let script = "(sleep 1; cat a) >pipe & md5 --progress pipe a nope; status=$?; wait; exit $status";
    let ran = folder.shell(script);
    let wanted = format!("MD5 (pipe) = {ALPHA_MD5}\nMD5 (a) = {ALPHA_MD5}\n");
    assert_eq!(ran.text(), (wanted.as_str(), "md5: nope: No such file or directory\n", 1));
}

/// Sends the signal that asks how far a run is.
fn ask(child: &Child) {
    let signal = if cfg!(target_os = "linux") { "USR1" } else { "INFO" };
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn the_signal_is_answered_at_any_time_and_disturbs_nothing() {
    let folder = Folder::with_alpha();
    for arguments in [&["a", "pipe", "-"][..], &["--jobs=1", "a", "pipe", "-"]] {
        assert_eq!(folder.shell("rm -f pipe; mkfifo pipe").status, 0);
        let mut command = folder.program("md5");
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = File::options().write(true).open(folder.path("pipe")).unwrap();
        let mut answers = BufReader::new(child.stderr.take().unwrap());
        let mut answer = || {
            let mut line = String::new();
            answers.read_line(&mut line).unwrap();
            line
        };
        // Nothing comes from the pipe, and more than one such question may come while it is waited for.
        for _ in 0..3 {
            ask(&child);
            let line = answer();
            assert!(line.starts_with("md5: ") && line.contains("6 B, ") && line.contains(" 1 "), "{line:?}");
        }
        pipe.write_all(b"alpha\n").unwrap();
        drop(pipe);
        child.stdin.take().unwrap().write_all(b"").unwrap();
        let mut lines = String::new();
        child.stdout.take().unwrap().read_to_string(&mut lines).unwrap();
        let wanted = format!("MD5 (a) = {ALPHA_MD5}\nMD5 (pipe) = {ALPHA_MD5}\nMD5 (-) = {EMPTY_MD5}\n");
        assert_eq!((lines, answer()), (wanted, String::new()), "{arguments:?}");
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn many_signals_change_no_digest() {
    let folder = Folder::with_alpha().file("large", vec![3; 30 << 20]);
    let names: Vec<&str> = ["large", "a"].into_iter().cycle().take(20).collect();
    let wanted = folder.run("sha512", &names);
    for jobs in ["--jobs=1", "--jobs=2", "--read-ahead=4"] {
        let mut command = folder.program("sha512");
        let messages = File::create(folder.path("messages")).unwrap();
        command.arg(jobs).args(&names).arg("pipe").stdout(Stdio::piped()).stderr(messages);
        assert_eq!(folder.shell("rm -f pipe; mkfifo pipe").status, 0);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        for _ in 0..50 {
            ask(&child);
        }
        drop(File::options().write(true).open(folder.path("pipe")).unwrap());
        let mut rest = Vec::new();
        lines.read_to_end(&mut rest).unwrap();
        assert!(child.wait().unwrap().success());
        let all = [first.as_bytes(), &rest].concat();
        assert!(all.starts_with(&wanted.stdout), "{jobs}");
        let messages = fs::read_to_string(folder.path("messages")).unwrap();
        assert!(messages.lines().all(|line| line.starts_with("sha512: ")) && !messages.is_empty());
    }
}

#[test]
fn the_signal_takes_the_place_of_the_terminals_line() {
    let folder = Folder::with_alpha();
    assert_eq!(folder.shell("mkfifo pipe").status, 0);
    let Some(mut child) = on_a_terminal(&folder, "sh -c 'echo $$ >pid; exec md5 --progress a pipe'") else { return };
    let mut terminal = child.stdout.take().unwrap();
    let pipe = File::options().write(true).open(folder.path("pipe")).unwrap();
    shown_until(&mut terminal, " 1 of 2 files");
    let signal = if cfg!(target_os = "linux") { "USR1" } else { "INFO" };
    assert_eq!(folder.shell(&format!("kill -{signal} $(cat pid)")).status, 0);
    // At the start of a line that was cleared.
    shown_until(&mut terminal, "\r\x1b[Kmd5: pipe: 6 B, ");
    drop(pipe);
    terminal.read_to_end(&mut Vec::new()).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn where_lines_do_not_end_on_the_terminal_there_is_no_line() {
    let folder = Folder::with_alpha();
    for command in ["md5sum -z --progress a pipe", "md5 -p --progress <pipe"] {
        assert_eq!(folder.shell("rm -f pipe; mkfifo pipe").status, 0);
        let Some(mut child) = on_a_terminal(&folder, command) else { return };
        let ran = folder.shell("(sleep 1; cat a) >pipe");
        assert_eq!(ran.status, 0);
        let mut shown = String::new();
        child.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
        assert!(shown.contains(ALPHA_MD5) && !shown.contains("/s"), "{command}: {shown:?}");
        assert!(child.wait().unwrap().success());
    }
}
