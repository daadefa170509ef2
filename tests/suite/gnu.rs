//! The dialect of GNU coreutils' md5sum(1).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder};

#[test]
fn each_form_of_line() {
    let folder = Folder::with_alpha();
    for (args, wanted) in [
        (&["a"][..], format!("{ALPHA_MD5}  a\n")),
        (&["-b", "a"], format!("{ALPHA_MD5} *a\n")),
        (&["-bt", "a"], format!("{ALPHA_MD5}  a\n")),
        (&["-tb", "a"], format!("{ALPHA_MD5} *a\n")),
        (&["--tag", "a"], format!("MD5 (a) = {ALPHA_MD5}\n")),
        (&["--tag", "-b", "a"], format!("MD5 (a) = {ALPHA_MD5}\n")),
        (&["--zero", "--tag", "a"], format!("MD5 (a) = {ALPHA_MD5}\0")),
        (&[], format!("{EMPTY_MD5}  -\n")),
    ] {
        assert_eq!(folder.run("md5sum", args).text(), (wanted.as_str(), "", 0), "{args:?}");
    }
}

#[test]
fn names_come_out_as_the_bytes_they_are_and_escaped_where_a_line_would_break() {
    for (name, line) in [
        (&b"a\xff"[..], [EMPTY_MD5.as_bytes(), b"  a\xff\n"].concat()),
        (b"a\nb", [b"\\", EMPTY_MD5.as_bytes(), b"  a\\nb\n"].concat()),
        (b"a\rb\\", [b"\\", EMPTY_MD5.as_bytes(), b"  a\\rb\\\\\n"].concat()),
        (b"a\tb", [EMPTY_MD5.as_bytes(), b"  a\tb\n"].concat()),
    ] {
        let name = OsStr::from_bytes(name);
        let folder = Folder::new().file(name, "");
        let ran = folder.run("md5sum", [name]);
        assert_eq!((ran.stdout.as_slice(), ran.status), (line.as_slice(), 0), "{name:?}");
        let ran = folder.file("list", line).run("md5sum", ["-c", "--quiet", "list"]);
        assert_eq!(ran.text(), ("", "", 0), "and its own list checks");
    }
}

#[test]
fn options_that_make_no_sense_together_are_refused_in_gnus_words() {
    let folder = Folder::with_alpha();
    for (args, words) in [
        (&["--any"][..], "the --any option is meaningful only when verifying checksums"),
        (&["-c", "--tag"], "the --tag option is meaningless when verifying checksums"),
        (&["-bc"], "the --binary and --text options are meaningless when verifying checksums"),
        (&["-ct"], "the --binary and --text options are meaningless when verifying checksums"),
        (&["--ignore-missing"], "the --ignore-missing option is meaningful only when verifying checksums"),
        (&["--status"], "the --status option is meaningful only when verifying checksums"),
        (&["-w"], "the --warn option is meaningful only when verifying checksums"),
        (&["--quiet"], "the --quiet option is meaningful only when verifying checksums"),
        (&["--strict"], "the --strict option is meaningful only when verifying checksums"),
        (&["--tag", "-t"], "--tag does not support --text mode"),
        (&["-y"], "invalid option -- 'y'"),
        (&["--st"], "option '--st' is ambiguous; possibilities: '--status' '--strict'"),
        (&["--tag=1"], "option '--tag' doesn't allow an argument"),
        (&["--nope=1"], "unrecognized option '--nope=1'"),
        (&["--buffer-size"], "option '--buffer-size' requires an argument"),
    ] {
        let ran = folder.run("md5sum", args);
        let wanted = format!("md5sum: {words}\nTry 'md5sum --help' for more information.\n");
        assert_eq!(ran.text(), ("", wanted.as_str(), 1), "{args:?}");
    }
}

#[test]
fn our_own_options_make_no_shortened_name_ambiguous() {
    let ran = Folder::with_alpha().run("md5sum", ["--b", "a"]);
    assert_eq!(ran.text(), (format!("{ALPHA_MD5} *a\n").as_str(), "", 0), "--b is --binary beside --buffer-size");
}

#[test]
fn messages_quote_names_as_gnu_does() {
    let ran = Folder::new().run("md5sum", ["no pe", "nope"]);
    let wanted = "md5sum: 'no pe': No such file or directory\nmd5sum: nope: No such file or directory\n";
    assert_eq!(ran.text(), ("", wanted, 1));
}

#[test]
fn help_and_version() {
    let ran = Folder::new().run("sha512sum", ["--help"]);
    let (stdout, stderr, status) = ran.text();
    assert!(
        stdout.starts_with("usage: sha512sum [OPTION]... [FILE]...\n\nPrint or check SHA512 (512-bit) checksums.\n")
    );
    assert_eq!((stderr, status), ("", 0));
    let ran = Folder::new().run("sha512sum", ["--version"]);
    assert!(ran.text().0.starts_with("sha512sum (bsdigest) "));
}
