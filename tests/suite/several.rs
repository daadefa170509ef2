//! Several digests of the same bytes, which are read once.

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder, is_there};

const ALPHA_SHA1: &str = "d046cd9b7ffb7661e449683313d41f6fc33e3130";
const ALPHA_SHA256: &str = "b6a98d9ce9a2d9149288fa3df42d377c3e42737afdcdaf714e33c0a100b51060";

#[test]
fn each_file_has_a_line_for_each_algorithm_in_the_order_asked_for() {
    let folder = Folder::with_alpha().file("b", "");
    let lines = |name: &str| {
        let ran = folder.run(name, ["-q", "a", "b"]);
        ran.text().0.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (md5, sha256, sha1) = (lines("md5"), lines("sha256"), lines("sha1"));
    let wanted: String = (0..2)
        .map(|file| {
            let name = ["a", "b"][file];
            format!(
                "SHA256 ({name}) = {}\nMD5 ({name}) = {}\nSHA1 ({name}) = {}\n",
                sha256[file], md5[file], sha1[file]
            )
        })
        .collect();
    for typed in [
        &["--algorithm", "sha256,md5,sha1", "a", "b"][..],
        &["--algorithm=sha256", "a", "--algorithm=md5,SHA1", "b"],
        &["--algo=sha256,md5,sha256,sha1,md5", "a", "b", "--jobs=1"],
    ] {
        assert_eq!(folder.run("skein512", typed).text(), (wanted.as_str(), "", 0), "{typed:?}");
    }
}

#[test]
fn quiet_and_reversed_lines_strings_and_standard_input_have_several_too() {
    let folder = Folder::with_alpha();
    let run = |typed: &[&str]| {
        let ran = folder.run_with_input("md5", [&["--algorithm=md5,sha1"], typed].concat(), "alpha\n");
        ran.text().0.to_owned()
    };
    assert_eq!(run(&["-q", "a"]), format!("{ALPHA_MD5}\n{ALPHA_SHA1}\n"));
    assert_eq!(run(&["-r", "a"]), format!("{ALPHA_MD5} a\n{ALPHA_SHA1} a\n"));
    assert_eq!(run(&["-s", "alpha\n", "-q"]), format!("{ALPHA_MD5}\n{ALPHA_SHA1}\n"));
    assert_eq!(run(&[]), format!("MD5 (-) = {ALPHA_MD5}\nSHA1 (-) = {ALPHA_SHA1}\n"));
    assert_eq!(run(&["-q"]), format!("{ALPHA_MD5}\n{ALPHA_SHA1}\n"));
    assert_eq!(run(&["-p"]), format!("alpha\nMD5 (-) = {ALPHA_MD5}\nSHA1 (-) = {ALPHA_SHA1}\n"));
}

#[test]
fn their_lines_are_a_list_that_every_name_checks() {
    let folder = Folder::with_alpha();
    let ran = folder.shell("md5 --algorithm md5,sha256 a >list; md5 --any --check-list list; sha256sum --any -c list");
    assert_eq!(ran.text(), ("a: OK\na: OK\na: OK\na: OK\n", "", 0));
    let folder = Folder::with_alpha()
        .file("list", format!("MD5 (a) = {ALPHA_MD5}\nSHA256 (a) = {ALPHA_SHA256}\n{ALPHA_SHA1}  a\n{EMPTY_MD5}  a\n"));
    let ran = folder.run("md5", ["--algorithm=sha256,md5", "--check-list=list"]);
    let warnings = "md5: WARNING: 1 line is improperly formatted\nmd5: WARNING: 1 computed checksum did NOT match\n";
    assert_eq!(ran.text(), ("a: OK\na: OK\na: FAILED\n", warnings, 1));
}

#[test]
fn large_files_and_pipes_have_the_digests_they_have_one_by_one() {
    let content: Vec<u8> = (0..9_500_001_u32).map(|i| (i / 7 % 251) as u8).collect();
    let folder = Folder::with_alpha().file("large", content);
    let names = "md5 sha1 sha256 sha512 rmd160 skein512";
    let script = format!("for name in {names}; do $name large; done");
    let wanted = folder.shell(&script);
    let several = names.replace(' ', ",");
    for options in ["", "--jobs=1", "--jobs=3", "--buffer-size=200000 --read-ahead=3"] {
        assert!(folder.shell(&format!("md5 {options} --algorithm={several} large")) == wanted, "{options}");
        let piped = folder.shell(&format!("cat large | md5 {options} --algorithm={several} | sed 's/(-)/(large)/'"));
        assert!(piped == wanted, "{options}, from a pipe");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_is_read_once_however_many_digests_it_has() {
    let folder = Folder::new().file("large", vec![1; 20 << 20]);
    let script = "strace -f -y -e trace=read,pread64 -o trace md5 --algorithm md5,sha1,sha256,sha512 large >/dev/null && \
                  grep -c '/large>' trace";
    if is_there("strace") {
        let reads: u32 = folder.shell(script).text().0.trim().parse().unwrap();
        assert!((20..=22).contains(&reads), "{reads} reads of 20 buffers");
    }
}

#[test]
fn an_unreadable_file_is_told_once_and_has_no_line() {
    let folder = Folder::with_alpha();
    let ran = folder.run("md5", ["--algorithm=md5,sha1,sha256", "nope", "-q", "a"]);
    let wanted = format!("{ALPHA_MD5}\n{ALPHA_SHA1}\n{ALPHA_SHA256}\n");
    assert_eq!(ran.text(), (wanted.as_str(), "md5: nope: No such file or directory\n", 1));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = Folder::with_alpha();
    let refused = |typed: &[&str]| {
        let ran = folder.run("md5", typed);
        assert_eq!((ran.text().0, ran.status), ("", 1));
        ran.text().1.lines().next().unwrap().to_owned()
    };
    let names = "md5 sha1 sha224 sha256 sha384 sha512 sha512t224 sha512t256 rmd160 skein256 skein512 skein1024";
    assert_eq!(refused(&["--algorithm=md5,", "a"]), format!("md5: --algorithm: there is no ''; there are {names}"));
    assert_eq!(refused(&["--algorithm=md5,md4"]), format!("md5: --algorithm: there is no 'md4'; there are {names}"));
    let wanted = "md5: --check does not go with several algorithms";
    assert_eq!(refused(&["--algorithm=md5,sha1", "-c", ALPHA_MD5, "a"]), wanted);
}
