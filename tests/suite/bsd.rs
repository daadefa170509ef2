//! The dialect of FreeBSD's md5(1).

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder};

const BETA_MD5: &str = "f0cf2a92516045024a0c99147b28f05b";

#[test]
fn the_time_trial_has_the_references_four_lines_and_the_known_digest() {
    let ran = Folder::new().run("sha1", ["-t"]);
    let (stdout, stderr, status) = ran.text();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines[0], "SHA1 time trial. Digesting 100000 10000-byte blocks ... done");
    assert_eq!(lines[1], "Digest = 02522491d7a8253fcab708560acfa84b2fb7ef1c");
    let number = |line: &str, start: &str, end: &str| -> f64 {
        line.strip_prefix(start).unwrap().strip_suffix(end).unwrap().parse().unwrap()
    };
    assert!(number(lines[2], "Time = ", " seconds") > 0.0);
    assert!(number(lines[3], "Speed = ", " MiB/second") > 0.0);
    assert_eq!((lines.len(), stderr, status), (4, "", 0));
}

#[test]
fn trials_run_before_the_fault_behind_them_is_told() {
    let (_, _, status) = Folder::new().run("md5", ["-x", "-Z"]).text();
    assert_eq!(status, 1);
    let ran = Folder::new().run("md5", ["-x", "-Z", "nope"]);
    let (stdout, stderr, _) = ran.text();
    assert_eq!(stdout.lines().next(), Some("MD5 test suite:"));
    assert_eq!(stderr, "md5: invalid option -- Z\nusage: md5 [-pqrtx] [-c string] [-s string] [files ...]\n");
}

#[test]
fn a_trial_reads_no_standard_input_but_files_are_digested() {
    let ran = Folder::with_alpha().run_with_input("md5", ["-x", "a"], "not read");
    let (stdout, ..) = ran.text();
    assert_eq!(stdout.lines().count(), 10);
    assert!(stdout.ends_with(&format!("MD5 (a) = {ALPHA_MD5}\n")));
    let ran = Folder::new().run_with_input("md5", ["-x"], "not read");
    assert_eq!(ran.text().0.lines().count(), 9);
}

#[test]
fn strings_are_digested_in_order_and_operands_are_ignored() {
    let ran = Folder::new().run("md5", ["-s", "", "nope", "-s=foo", "--string", "alpha\n", "-p"]);
    let wanted = format!(
        "MD5 (\"\") = {EMPTY_MD5}\nMD5 (\"=foo\") = 43860f48a6e56257044ae2bd3f88a7dd\nMD5 (\"alpha\n\") = {ALPHA_MD5}\n"
    );
    assert_eq!(ran.text(), (wanted.as_str(), "", 0));
}

#[test]
fn passing_through_ignores_operands_and_prints_the_bare_digest() {
    let ran = Folder::new().run_with_input("md5", ["-p", "-r", "nope"], "alpha\n");
    assert_eq!(ran.text(), (format!("alpha\n{ALPHA_MD5}\n").as_str(), "", 0));
}

#[test]
fn an_expected_digest_holds_for_files_strings_and_standard_input() {
    let folder = Folder::with_alpha().file("b", "beta\n");
    let upper = ALPHA_MD5.to_uppercase();
    assert_eq!(folder.run("md5", ["-c", &upper, "a"]).status, 0);
    assert_eq!(folder.run("md5", ["-c", &upper, "-s", "alpha\n"]).status, 0);
    assert_eq!(folder.run_with_input("md5", ["-c", &upper], "alpha\n").text().2, 0);
    let ran = folder.run("md5", ["-c", ALPHA_MD5, "a", "b"]);
    let wanted = format!("MD5 (a) = {ALPHA_MD5}\nMD5 (b) = {BETA_MD5} [ Failed ]\n");
    assert_eq!(ran.text(), (wanted.as_str(), "", 2));
    let ran = folder.run("md5", ["-q", "-c", ALPHA_MD5, "b"]);
    assert_eq!(ran.text(), (format!("{BETA_MD5}\n").as_str(), "", 2));
    let ran = folder.run_with_input("md5", ["-p", "-c", "x"], "alpha\n");
    assert_eq!(ran.text(), (format!("alpha\n{ALPHA_MD5} [ Failed ]\n").as_str(), "", 2));
}

#[test]
fn an_unreadable_file_wins_over_an_unexpected_digest() {
    let ran = Folder::with_alpha().run("md5", ["-c", "x", "a", "nope"]);
    assert_eq!((ran.status, ran.text().1), (1, "md5: nope: No such file or directory\n"));
}

#[test]
fn another_algorithm_can_be_named() {
    let ran = Folder::with_alpha().run("md5", ["--algorithm", "SHA1", "a"]);
    assert_eq!(ran.text(), ("SHA1 (a) = d046cd9b7ffb7661e449683313d41f6fc33e3130\n", "", 0));
    let ran = Folder::new().run("md5", ["--algorithm=crc"]);
    assert_eq!((ran.text().0, ran.status), ("", 1));
    assert!(ran.text().1.starts_with("md5: --algorithm: there is no 'crc'; there are md5 sha1 "));
}

#[test]
fn a_buffer_size_that_is_none_is_told_and_nothing_is_read() {
    for (size, reason) in [
        ("0", "the least size is 1"),
        ("0K", "the least size is 1"),
        ("-1", "'-1' is not a size such as 65536, 64K or 1M"),
        ("", "'' is not a size such as 65536, 64K or 1M"),
        ("K", "'K' is not a size such as 65536, 64K or 1M"),
        ("1T", "'1T' is not a size such as 65536, 64K or 1M"),
        ("1.5M", "'1.5M' is not a size such as 65536, 64K or 1M"),
        ("1025M", "'1025M' is too large: the greatest size is 1G"),
        ("99999999999999999999999999", "'99999999999999999999999999' is too large: the greatest size is 1G"),
    ] {
        let ran = Folder::with_alpha().run("md5", ["--buffer-size", size, "a"]);
        let (stdout, stderr, status) = ran.text();
        assert_eq!((stdout, status), ("", 1), "{size}");
        assert_eq!(stderr.lines().next(), Some(format!("md5: --buffer-size: {reason}").as_str()));
    }
}

#[test]
fn any_buffer_size_gives_the_same_digest() {
    let content: Vec<u8> = (0..300_000u32).map(|i| (i * 31 % 253) as u8).collect();
    let folder = Folder::new().file("f", content);
    let default = folder.run("md5", ["f"]);
    assert_eq!(default.status, 0);
    for size in ["1", "7", "64", "4096", "1k", "64KiB", "100kB", "1M", "3m", "20M", "1G"] {
        for read_ahead in ["0", "3"] {
            let args = ["--buffer-size", size, "--read-ahead", read_ahead, "f"];
            assert_eq!(folder.run("md5", args), default, "{args:?}");
        }
    }
    for number in ["", "x", "-1", "257"] {
        let ran = folder.run("md5", ["--read-ahead", number, "f"]);
        let wanted = format!("md5: --read-ahead: '{number}' is not a number from 0 (read in line) to 256");
        assert_eq!((ran.text().1.lines().next(), ran.status), (Some(wanted.as_str()), 1));
    }
}

#[test]
fn help_and_version_are_printed_where_they_stand() {
    let ran = Folder::new().run("sha256", ["--help", "-Z"]);
    let (stdout, stderr, status) = ran.text();
    assert!(stdout.starts_with("usage: sha256 [-bpqrtx] [-c string] [-s string] [files ...]\n"));
    for option in ["-c", "--passthrough", "-q", "--reverse", "--string", "-t", "--self-test", "--buffer-size"] {
        assert!(stdout.contains(option), "{option}");
    }
    assert_eq!((stderr, status), ("", 0));
    let ran = Folder::new().run("sha256", ["--version"]);
    assert_eq!(ran.text().0.lines().next(), Some(concat!("sha256 (bsdigest) ", env!("CARGO_PKG_VERSION"))));
    assert_eq!((ran.text().1, ran.status), ("", 0));
}

#[test]
fn messages_show_the_name_the_program_was_called_by() {
    let ran = Folder::new().run("/opt/SHA512", ["nope"]);
    assert_eq!(ran.text(), ("", "SHA512: nope: No such file or directory\n", 1));
}

#[test]
fn scripts_of_the_kind_people_have_work() {
    let folder = Folder::with_alpha().file("two words", "beta\n").file("sub/\nx", "");
    let script = r#"
        set -e
        [ "$(sha256 -q a)" = b6a98d9ce9a2d9149288fa3df42d377c3e42737afdcdaf714e33c0a100b51060 ]
        md5 -q a >a.md5
        md5 -c "$(cat a.md5)" a
        find . -type f ! -path './.links/*' ! -name a.md5 -print0 | sort -z | xargs -0 md5 -r
        md5 a | sed 's/.*= //'
        cat a | sha1
        test "$(md5 < a)" = "$(md5 -q a)"
        rmd160 -q a | tr a-f A-F
    "#;
    let wanted = format!(
        "MD5 (a) = {ALPHA_MD5}\n{ALPHA_MD5} ./a\n{EMPTY_MD5} ./sub/\\nx\n{BETA_MD5} ./two words\n{ALPHA_MD5}\n\
         d046cd9b7ffb7661e449683313d41f6fc33e3130\n1C113D9BF2941C0CC34B3EA5C4E2113C9EBAEB00\n"
    );
    assert_eq!(folder.shell(script).text(), (wanted.as_str(), "", 0));
}

#[test]
fn help_says_of_broken_algorithms_that_they_are() {
    let folder = Folder::new();
    for (name, broken) in
        [("md5", "MD5 is"), ("sha1sum", "SHA1 is"), ("shasum", "SHA1 is"), ("sha256", ""), ("rmd160", "")]
    {
        let ran = folder.run(name, ["--help"]);
        let last = ran.text().0.lines().next_back().unwrap();
        let wanted = format!("{broken} broken for signatures: it detects accidents, not attackers.");
        assert_eq!(last == wanted, !broken.is_empty(), "{name}: {last}");
    }
}
