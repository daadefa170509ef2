//! What a run gives up before it reads.

use std::fs::{self, File};
use std::process::Stdio;

use crate::support::Folder;

#[test]
fn version_tells_what_is_given_up() {
    for name in ["md5", "sha256sum", "shasum"] {
        let ran = Folder::new().run(name, ["--version"]);
        let (stdout, stderr, status) = ran.text();
        let lines: Vec<&str> = stdout.lines().collect();
        assert!(lines[0].starts_with(&format!("{name} (bsdigest) ")), "{stdout}");
        assert!(lines[1].starts_with("sandbox: "), "{stdout}");
        assert_eq!((lines.len(), stderr, status), (2, "", 0));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn it_is_given_up_before_the_first_byte_is_read() {
    let folder = Folder::new();
    assert_eq!(folder.shell("mkfifo pipe").status, 0);
    let mut child = folder.program("md5").arg("pipe").stdout(Stdio::null()).spawn().unwrap();
    // Opening the pipe waits for its reader, which has read nothing yet.
    let pipe = File::options().write(true).open(folder.path("pipe")).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    assert!(status.contains("NoNewPrivs:\t1\n"), "{status}");
    drop(pipe);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_stands_for_an_open_descriptor_is_read_all_the_same() {
    let folder = Folder::with_alpha().file("list", "9f9f90dbe3e5ee1218c86b8839db1995  /dev/fd/3\n");
    let ran = folder.shell(
        "md5 -q /dev/stdin <a; md5 -q /dev/fd/3 3<a; cat a | md5 -q /dev/stdin; mkfifo pipe; cat a >pipe & md5 -q pipe; \
         md5sum -c list 3<a; md5 -p <a >copy; md5 -p <a >/dev/stdout",
    );
    let digest = "9f9f90dbe3e5ee1218c86b8839db1995\n";
    let wanted = [&digest.repeat(4), "/dev/fd/3: OK\nalpha\n", digest].concat();
    assert_eq!(ran.text(), (wanted.as_str(), "", 0));
}
