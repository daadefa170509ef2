//! The limits of the system and of a process: it is slower or says why, and loses nothing.

use std::fmt::Write;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;

use bsdigest::algorithm::Checksum;
use sha1::{Digest, Sha1};

use crate::support::{ALPHA_MD5, Folder, PROGRAM, Ran, is_there};

/// The most bytes of a path, without the zero behind it.
const LONGEST_PATH: usize = 4095;

/// A folder of ten thousand files, lists of their names and of their digests, and the lines of one after the other.
fn ten_thousand() -> (Folder, Ran) {
    let folder = Folder::new();
    let mut names = String::new();
    fs::create_dir(folder.path("d")).unwrap();
    for number in 0..10_000 {
        let name = format!("d/{number:04}");
        fs::write(folder.path(&name), &name).unwrap();
        writeln!(names, "{name}").unwrap();
    }
    let folder = folder.file("names", names);
    let wanted = folder.shell("md5 --jobs=1 $(cat names) | tee list");
    assert_eq!((wanted.text().0.lines().count(), wanted.text().1, wanted.status), (10_000, "", 0));
    (folder, wanted)
}

#[test]
fn ten_thousand_files_need_no_more_than_eight_descriptors() {
    let (folder, wanted) = ten_thousand();
    for operands in ["$(cat names)", "--files-from names", "--recursive d"] {
        let ran = folder.shell(&format!("ulimit -n 8; exec md5 --jobs=8 {operands}"));
        assert!(ran == wanted, "{operands}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    let ran = folder.shell("ulimit -n 8; exec md5sum --jobs=8 -c list");
    let verdicts: String = (0..10_000).map(|number| format!("d/{number:04}: OK\n")).collect();
    assert!(ran.text() == (&verdicts, "", 0), "{}", ran.text().1);
}

#[test]
fn where_no_process_may_be_started_one_thread_does_it_all() {
    if !is_there("prlimit") || !is_there("setpriv") {
        return;
    }
    let folder = (0..40).fold(Folder::new(), |folder, number| folder.file(format!("{number}"), vec![number; 200_000]));
    // Another process copies it: what a test that starts one meanwhile has open for writing is not executed.
    assert_eq!(folder.shell(&format!("cp {PROGRAM} md5")).status, 0);
    fs::set_permissions(folder.path(""), Permissions::from_mode(0o755)).unwrap();
    // For root there is no such limit.
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let user = if is_root { "setpriv --reuid=65534 --regid=65534 --clear-groups" } else { "" };
    for arguments in
        ["--jobs=8", "--jobs=1 --read-ahead=8 --buffer-size=16K", "--jobs=3 --algorithm md5,sha256", "--recursive"]
    {
        let operands = if arguments.contains("recursive") { "." } else { "$(seq 0 39)" };
        let run = |limit: &str| folder.shell(&format!("exec {user} {limit} ./md5 {arguments} {operands}"));
        let wanted = run("");
        if wanted.status != 0 {
            return println!("left out: no run as another user: {}", String::from_utf8_lossy(&wanted.stderr));
        }
        assert!(run("prlimit --nproc=1") == wanted, "{arguments}");
    }
}

#[test]
fn lines_for_which_a_file_may_not_grow_are_not_lost_without_a_word() {
    let folder = (0..40).fold(Folder::new(), |folder, number| folder.file(format!("{number}"), ""));
    for jobs in ["--jobs=1", "--jobs=3"] {
        // A unit is 512 or 1024 bytes.
        let script = format!("ulimit -f 1; md5 {jobs} $(seq 0 39) $(seq 0 39) >lines");
        let ran = folder.shell(&format!("trap '' XFSZ; {script}"));
        let told = "md5: stdout: File too large\n";
        assert_eq!(ran.text(), ("", told, 1), "{jobs}");
        // Without that the signal ends it, unless it is ignored where the test was started.
        let ended = folder.shell(&format!("({script}); echo $?"));
        let (status, messages, _) = ended.text();
        let is_told = status == "1\n" && messages == told;
        assert!(is_told || status == format!("{}\n", 128 + libc::SIGXFSZ), "{ended:?}");
    }
}

#[test]
fn the_longest_path_is_a_name_like_any_other_and_a_longer_one_is_told() {
    let folder = Folder::new();
    let component = "n".repeat(255);
    let path = vec![component.as_str(); (LONGEST_PATH + 1) / 256].join("/");
    assert_eq!(path.len(), LONGEST_PATH);
    // Step by step: with the folder's own name before it, it would be too long.
    let script =
        format!("for i in $(seq 15); do mkdir {component}; cd {component}; done; printf 'alpha\\n' >{component}");
    assert_eq!(folder.shell(&script).text(), ("", "", 0));
    let long = format!("./{path}");
    let folder = folder.file("names", format!("{path}\n{long}\n"));
    let folder = folder.file("list", format!("{ALPHA_MD5}  {path}\n{ALPHA_MD5}  {long}\n"));
    let line = format!("MD5 ({path}) = {ALPHA_MD5}\n");
    let told = format!("md5: {long}: File name too long\n");
    for jobs in ["--jobs=1", "--jobs=3"] {
        assert_eq!(folder.run("md5", [jobs, &path, &long]).text(), (line.as_str(), told.as_str(), 1));
        assert_eq!(folder.run("md5", [jobs, "--files-from", "names"]).text(), (line.as_str(), told.as_str(), 1));
        assert_eq!(folder.run("md5", [jobs, "--recursive", &component]).text(), (line.as_str(), "", 0));
        let ran = folder.run("md5sum", [jobs, "-c", "list"]);
        let messages = "md5sum: WARNING: 1 listed file could not be read\n";
        let told = format!("md5sum: {long}: File name too long\n{messages}");
        assert_eq!(ran.text(), (format!("{path}: OK\n").as_str(), told.as_str(), 1));
    }
    // Shells and rm walk it step by step.
    assert_eq!(folder.shell(&format!("rm -r {component}")).status, 0);
}

#[test]
fn a_chain_of_links_is_followed_as_far_as_the_system_does() {
    let folder = Folder::with_alpha();
    for number in 1..=41 {
        let target = if number == 1 { "a".to_owned() } else { format!("{}", number - 1) };
        symlink(target, folder.path(format!("{number}"))).unwrap();
    }
    let _socket = UnixListener::bind(folder.path("socket")).unwrap();
    let told = "md5: 41: Too many levels of symbolic links\nmd5: socket: No such device or address\n";
    for jobs in ["--jobs=1", "--jobs=3"] {
        let ran = folder.run("md5", ["-q", jobs, "41", "40", "socket", "a"]);
        assert_eq!(ran.text(), (format!("{ALPHA_MD5}\n{ALPHA_MD5}\n").as_str(), told, 1));
    }
}

#[test]
fn files_of_the_kernel_are_read_to_their_end_whatever_size_they_claim() {
    let names = [
        "/proc/version",
        "/proc/devices",
        "/proc/filesystems",
        // These take more than one read.
        "/proc/crypto",
        "/proc/kallsyms",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "/sys/devices/system/cpu/online",
    ];
    let can_be_read = |name: &&str| {
        let can_be_read = fs::read(name).is_ok();
        if !can_be_read {
            println!("left out: no {name}");
        }
        can_be_read
    };
    let names: Vec<_> = names.into_iter().filter(can_be_read).collect();
    let content = |name: &&str| (fs::read(name).unwrap(), name.replace('/', "_"));
    let folder = names.iter().map(content).fold(Folder::new(), |folder, (content, name)| folder.file(name, content));
    for arguments in ["--jobs=1", "--jobs=1 --buffer-size=16 --read-ahead=3", "--jobs=3", "--jobs=3 --buffer-size=16"] {
        let run = |names: String| folder.shell(&format!("md5 -q {arguments} {names}"));
        let ran = run(names.join(" "));
        assert_eq!((ran.text().0.lines().count(), ran.status), (names.len(), 0));
        assert_eq!(ran, run(names.join(" ").replace('/', "_")), "{arguments}");
    }
    let folder = folder.file("a", "alpha\n");
    let ran = folder.shell("md5 -q /proc/self/fd/5 /dev/fd/5 /proc/self/fd/6 5<a 6>&-");
    let told = "md5: /proc/self/fd/6: No such file or directory\n";
    assert_eq!(ran.text(), (format!("{ALPHA_MD5}\n{ALPHA_MD5}\n").as_str(), told, 1));
}

#[test]
fn a_file_of_more_than_4_gib_is_read_to_its_end_in_each_way() {
    const HOLE: u64 = 4 << 30;
    let folder = Folder::in_memory().file("small", "alpha\n");
    let file = File::create(folder.path("f")).unwrap();
    file.write_all_at(b"alpha\n", HOLE + 11).unwrap();
    file.set_len(HOLE + 4097).unwrap();
    let mut hasher = Sha1::new();
    let zeros = vec![0; 1 << 20];
    (0..HOLE >> 20).for_each(|_| hasher.update(&zeros));
    let mut end = vec![0; 4097];
    end[11..17].copy_from_slice(b"alpha\n");
    hasher.update(&end);
    let wanted = Checksum::new(&hasher.finalize()).to_hex();
    for script in [
        "sha1 -q --jobs=1 --read-ahead=0 f",
        "sha1 -q --jobs=1 --read-ahead=4 f",
        // What is behind a pipe waits for it, so that the file is none of the last.
        "mkfifo pipe; : >pipe & sha1 -q --jobs=2 f pipe | head -n 1",
        "sha1 -p <f | tail -c 41",
    ] {
        assert_eq!(folder.shell(script).text(), (format!("{wanted}\n").as_str(), "", 0), "{script}");
    }
}
