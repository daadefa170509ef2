//! Whole trees, and lists of names.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Stdio;

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder};

/// A tree whose names are sorted otherwise as a whole than folder by folder.
fn tree() -> Folder {
    let names = ["d/src/z", "d/src/a", "d/src.txt", "d/src-b", "d/.hidden", "d/x/y/z/deep", "d/B", "d/ä", "d/sr"];
    names.iter().fold(Folder::with_alpha(), |folder, name| folder.file(name, "alpha\n"))
}

fn lines(names: &[&str]) -> String {
    names.iter().map(|name| format!("MD5 ({name}) = {ALPHA_MD5}\n")).collect()
}

const SORTED: [&str; 9] =
    ["d/.hidden", "d/B", "d/sr", "d/src-b", "d/src.txt", "d/src/a", "d/src/z", "d/x/y/z/deep", "d/ä"];

#[test]
fn the_files_of_a_folder_come_in_the_order_of_their_names_bytes() {
    let folder = tree();
    assert_eq!(folder.run("md5", ["--recursive", "d"]).text(), (lines(&SORTED).as_str(), "", 0));
    let sorted = folder.shell("find d -type f | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 md5");
    assert_eq!(folder.run("md5", ["d", "--recursive", "--jobs=1"]), sorted);
    for (name, typed) in [("md5sum", &["--tag"][..]), ("shasum", &["--tag"]), ("sha256", &["-r"])] {
        let ran = folder.run(name, [typed, &["--recursive", "d"]].concat());
        assert_eq!(ran, folder.run(name, [typed, &SORTED].concat()), "{name}");
    }
}

#[test]
fn operands_keep_their_order_and_files_among_them_are_taken_as_they_are() {
    let folder = tree();
    let ran = folder.run_with_input("md5", ["--recursive", "d/src", "a", "nope", "-", "d/src/", "d/src//a"], "");
    let wanted = [
        lines(&["d/src/a", "d/src/z", "a"]),
        format!("MD5 (-) = {EMPTY_MD5}\n"),
        lines(&["d/src/a", "d/src/z", "d/src//a"]),
    ];
    assert_eq!(ran.text(), (wanted.concat().as_str(), "md5: nope: No such file or directory\n", 1));
}

#[test]
fn without_an_operand_it_is_the_current_folder() {
    let folder = tree();
    let ran = folder.shell("cd d/src; md5 --recursive; cd ../x; sha1 --recursive -q | wc -l");
    assert_eq!(ran.text(), (format!("{}1\n", lines(&["./a", "./z"])).as_str(), "", 0));
}

#[test]
fn without_being_asked_for_it_no_folder_is_walked() {
    let ran = tree().run("md5", ["a", "d"]);
    assert_eq!(ran.text(), (lines(&["a"]).as_str(), "md5: d: Is a directory\n", 1));
}

#[test]
fn links_are_not_followed_unless_asked_for_but_as_operands() {
    let folder = tree();
    for (target, name) in [("../src", "d/x/folder"), ("../B", "d/x/file"), ("nowhere", "d/x/gone"), ("..", "d/x/up")] {
        symlink(target, folder.path(name)).unwrap();
    }
    let ran = folder.run("md5", ["--recursive", "d/x", "d/x/folder", "d/x/file"]);
    let wanted = lines(&["d/x/y/z/deep", "d/x/folder/a", "d/x/folder/z", "d/x/file"]);
    assert_eq!(ran.text(), (wanted.as_str(), "", 0));
    let ran = folder.run("md5", ["--recursive", "--follow", "d/x"]);
    let wanted = lines(&["d/x/file", "d/x/folder/a", "d/x/folder/z", "d/x/y/z/deep"]);
    let messages = "md5: d/x/gone: No such file or directory\nmd5: d/x/up: Too many levels of symbolic links\n";
    assert_eq!(ran.text(), (wanted.as_str(), messages, 1));
}

#[test]
fn what_is_no_file_is_passed_over_with_a_word_when_asked_for_one() {
    let folder = tree();
    let made = folder.shell("mkfifo d/src/pipe");
    assert_eq!(made.status, 0);
    let _socket = UnixListener::bind(folder.path("d/src/socket")).unwrap();
    symlink("a", folder.path("d/src/link")).unwrap();
    let wanted = lines(&["d/src/a", "d/src/z"]);
    assert_eq!(folder.run("md5", ["--recursive", "d/src"]).text(), (wanted.as_str(), "", 0));
    for name in ["md5", "md5sum", "shasum"] {
        let ran = folder.run(name, ["--recursive", "--warn", "d/src"]);
        let messages = format!(
            "{name}: d/src/link: a symbolic link, passed over\n{name}: d/src/pipe: a FIFO, passed over\n\
             {name}: d/src/socket: a socket, passed over\n"
        );
        assert_eq!((ran.text().1, ran.status), (messages.as_str(), 0));
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_told_and_the_rest_goes_on() {
    let folder = tree();
    // For root there are no permissions, but a path can be too long for everybody.
    let deep = "n".repeat(250);
    let script = format!("cd d/src; for i in $(seq 16); do mkdir {deep}; cd {deep}; done; mkdir {deep}");
    assert_eq!(folder.shell(&script).status, 0);
    let ran = folder.run("md5", ["--recursive", "d"]);
    let (stdout, stderr, status) = ran.text();
    assert_eq!((stdout, status), (lines(&SORTED).as_str(), 1));
    assert!(stderr.starts_with("md5: d/src/nnn") && stderr.ends_with("n: File name too long\n"), "{stderr}");
    // Shells and rm walk it step by step.
    assert_eq!(folder.shell(&format!("rm -r d/src/{deep}")).status, 0);
}

#[test]
fn other_file_systems_are_entered_unless_told_not_to() {
    if !fs::exists("/proc/sys/kernel/ostype").unwrap() || !fs::exists("/dev/shm").unwrap() {
        return;
    }
    let memory = Folder::in_memory().file("in/a", "alpha\n");
    let folder = Folder::new().file("d/b", "alpha\n");
    let link = folder.path("d/other");
    symlink(memory.path("in"), &link).unwrap();
    let run = |typed: &[&str]| folder.run("md5", [&["--recursive", "--follow", "d"], typed].concat());
    assert_eq!(run(&[]).text().0, lines(&["d/b", "d/other/a"]));
    if fs::metadata(&link).unwrap().dev() != fs::metadata(folder.path("d")).unwrap().dev() {
        assert_eq!(run(&["--one-file-system"]).text(), (lines(&["d/b"]).as_str(), "", 0));
    }
}

#[test]
fn the_lines_of_a_tree_are_the_same_whatever_the_number_of_jobs() {
    let mut folder = Folder::new();
    for number in 0..400_usize {
        folder = folder.file(format!("d/{}/{number}", number % 17), vec![number as u8; number * number]);
    }
    symlink("gone", folder.path("d/5/link")).unwrap();
    let run = |jobs: &str| folder.shell(&format!("sha256 --recursive --follow --jobs {jobs} d nope 2>&1"));
    let one_by_one = run("1");
    assert_eq!((one_by_one.text().0.lines().count(), one_by_one.status), (402, 1));
    for jobs in ["2", "8"] {
        assert!(run(jobs) == one_by_one, "{jobs}");
    }
}

#[test]
fn a_list_of_names_gives_the_lines_of_operands() {
    let folder = tree().file("names", "a\n\nd/sr\nnope\nd/B").file("zero", b"a\0d/new\nline\0d/B\0");
    let folder = folder.file("d/new\nline", "alpha\n");
    let message = "md5: nope: No such file or directory\n";
    let wanted = lines(&["a", "d/sr", "d/B"]);
    assert_eq!(folder.run("md5", ["--files-from", "names"]).text(), (wanted.as_str(), message, 1));
    let piped = folder.shell("cat names | md5 --files-from=-");
    assert_eq!(piped.text(), (wanted.as_str(), message, 1));
    let ran = folder.run("md5", ["--files-from=zero", "--null"]);
    assert_eq!(ran.text(), (lines(&["a", "d/new\\nline", "d/B"]).as_str(), "", 0));
    let ran = folder.run("md5sum", ["--files-from=zero", "--null", "-z"]);
    assert_eq!(ran.stdout, format!("{ALPHA_MD5}  a\0{ALPHA_MD5}  d/new\nline\0{ALPHA_MD5}  d/B\0").as_bytes());
}

#[test]
fn lists_of_names_come_before_operands_and_folders_in_them_are_walked_with_recursive() {
    let folder = tree().file("one", "d/sr\nd/src\n").file("two", "a\n");
    let ran = folder.run("md5", ["d/B", "--files-from=two", "--files-from=one"]);
    assert_eq!(ran.text(), (lines(&["a", "d/sr", "d/B"]).as_str(), "md5: d/src: Is a directory\n", 1));
    let ran = folder.run("md5", ["--recursive", "--files-from=one"]);
    assert_eq!(ran.text(), (lines(&["d/sr", "d/src/a", "d/src/z"]).as_str(), "", 0));
}

#[test]
fn names_in_a_list_are_bytes_and_may_be_of_any_length() {
    let odd = OsStr::from_bytes(b"\xef\xbb\xbf \xff\r");
    let folder = Folder::new().file(odd, "alpha\n");
    let list = [odd.as_bytes(), b"\n", &b"n".repeat(100_000), b"\n", &b"n".repeat(5_000), b"\n", odd.as_bytes()];
    let ran = folder.run_with_input("md5", ["-q", "--files-from=-"], list.concat());
    assert_eq!((ran.text().0, ran.status), (format!("{ALPHA_MD5}\n{ALPHA_MD5}\n").as_str(), 1));
    let messages: Vec<&str> = ran.text().1.lines().collect();
    assert_eq!(messages.len(), 2);
    assert!(messages.iter().all(|message| message.ends_with("n: File name too long")));
}

#[test]
fn an_empty_name_is_a_line_without_one_but_between_nuls_a_fault() {
    let folder = Folder::with_alpha();
    let wanted = format!("{ALPHA_MD5}\n{ALPHA_MD5}\n");
    let ran = folder.run_with_input("md5", ["-q", "--files-from=-"], "a\n\na\n");
    assert_eq!(ran.text(), (wanted.as_str(), "", 0));
    let ran = folder.run_with_input("md5", ["-q", "--files-from=-", "--null"], "a\0\0a\0");
    assert_eq!(ran.text(), (wanted.as_str(), "md5: : No such file or directory\n", 1));
}

#[test]
fn standard_input_is_a_list_or_a_file_and_never_both() {
    let folder = Folder::with_alpha().file("names", "a\n-\n/dev/stdin\na\n");
    for script in ["md5 --files-from - <names", "cat names | md5 --files-from -"] {
        let ran = folder.shell(script);
        let messages =
            "md5: -: standard input is the list of names\nmd5: /dev/stdin: standard input is the list of names\n";
        assert_eq!(ran.text(), (lines(&["a", "a"]).as_str(), messages, 1), "{script}");
    }
    let ran = folder.run_with_input("md5", ["--files-from=names"], "alpha\n");
    assert_eq!(ran.text().0.lines().nth(1), Some(&*format!("MD5 (-) = {ALPHA_MD5}")));
    for typed in [&["--files-from=-", "-"][..], &["--files-from=-", "--files-from=-"]] {
        let ran = folder.run_with_input("md5", typed, "a\n");
        assert!(ran.text().1.starts_with("md5: --files-from: standard input can be read only once\n"));
        assert_eq!((ran.text().0, ran.status), ("", 1));
    }
}

#[test]
fn a_list_that_cannot_be_read_is_told_and_the_rest_goes_on() {
    let folder = Folder::with_alpha();
    let ran = folder.run("md5", ["--files-from=nope", "--files-from=.", "a"]);
    let messages = "md5: nope: No such file or directory\nmd5: .: Is a directory\n";
    assert_eq!(ran.text(), (lines(&["a"]).as_str(), messages, 1));
}

#[test]
fn an_empty_list_of_names_is_nothing_to_do() {
    let ran = Folder::new().run_with_input("md5", ["--files-from=-"], "");
    assert_eq!(ran.text(), ("", "", 0));
}

#[test]
fn a_digest_is_shown_before_the_next_name_is_waited_for() {
    let folder = Folder::with_alpha();
    let mut command = folder.program("md5");
    command.args(["-q", "--files-from=-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut names, mut digests) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        names.write_all(b"a\n").unwrap();
        let mut digest = String::new();
        digests.read_line(&mut digest).unwrap();
        assert_eq!(digest, format!("{ALPHA_MD5}\n"));
    }
    drop(names);
    assert!(child.wait().unwrap().success());
}

#[test]
fn nothing_is_held_back_behind_an_empty_line_a_folder_or_another_list() {
    for (typed, first, told) in [
        ("md5 -q --files-from=-", "a\n\n", 1),
        ("md5 -q --files-from=-", "\n\na\n\n\n", 1),
        ("md5 -q --recursive --files-from=-", "d\n", 2),
        ("md5 -q --recursive --files-from=-", "d\nempty\n", 2),
        ("md5 -q --files-from=names --files-from=-", "", 1),
        ("md5 -q --recursive --files-from=- --jobs=1", "d\nempty\n", 2),
    ] {
        let folder = Folder::with_alpha().file("d/1", "alpha\n").file("d/2", "alpha\n").file("names", "a\n");
        fs::create_dir(folder.path("empty")).unwrap();
        let mut words = typed.split(' ');
        let mut command = folder.program(words.next().unwrap());
        let mut child = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut names, digests) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut digests = digests.lines().map(Result::unwrap);
        names.write_all(first.as_bytes()).unwrap();
        for _ in 0..told {
            assert_eq!(digests.next().unwrap(), ALPHA_MD5, "{typed} {first:?}");
        }
        names.write_all(b"a\n").unwrap();
        assert_eq!(digests.next().unwrap(), ALPHA_MD5);
        drop(names);
        assert_eq!(digests.next(), None);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_link_to_a_folder_is_sorted_as_the_folder_it_stands_for() {
    let folder = Folder::new().file("d/a-b", "").file("d/a.b", "").file("other/x", "");
    symlink("../other", folder.path("d/a")).unwrap();
    let ran = folder.run("md5", ["--recursive", "--follow", "d"]);
    let names: Vec<&str> = ran.text().0.lines().map(|line| line.split(['(', ')']).nth(1).unwrap()).collect();
    assert_eq!(names, ["d/a-b", "d/a.b", "d/a/x"]);
}

#[test]
fn few_descriptors_lose_no_folder() {
    let mut folder = Folder::new();
    for number in 0..40 {
        folder = folder.file(format!("d/{number}/f"), vec![number; 3_000_000]);
    }
    let wanted = folder.run("md5", ["--recursive", "d"]);
    assert_eq!(wanted.text().0.lines().count(), 40);
    for (descriptors, jobs) in [(5, 2), (6, 2), (8, 2), (8, 8), (16, 8)] {
        let ran = folder.shell(&format!("ulimit -n {descriptors}; exec md5 --jobs={jobs} --recursive d"));
        assert!(ran == wanted, "{descriptors} {jobs}: {}", ran.text().1);
    }
}

#[test]
fn options_that_are_about_nothing_are_refused() {
    let folder = Folder::with_alpha();
    for (name, typed, wanted) in [
        ("md5", "--follow", "the --follow option is meaningful only with --recursive"),
        ("md5sum", "--one-file-system", "the --one-file-system option is meaningful only with --recursive"),
        ("shasum", "--null", "--null option used only with --files-from"),
        ("md5sum", "-c --recursive", "the --recursive option is meaningless when verifying checksums"),
        ("shasum", "-c --files-from=a", "the --files-from option is meaningless when verifying checksums"),
    ] {
        let ran = folder.shell(&format!("{name} {typed} a"));
        assert_eq!((ran.text().0, ran.status), ("", 1));
        assert_eq!(ran.text().1.lines().next(), Some(&*format!("{name}: {wanted}")));
    }
}
