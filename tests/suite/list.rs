//! Digest lists: what is read, what is said, and what passes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::{ALPHA_MD5, EMPTY_MD5, Folder, Ran};

const ALPHA_SHA256: &str = "b6a98d9ce9a2d9149288fa3df42d377c3e42737afdcdaf714e33c0a100b51060";

/// Checks a list under a name of the family in a folder where `a` holds `alpha\n`.
fn check(program: &str, list: impl AsRef<[u8]>) -> Ran {
    Folder::with_alpha().file("list", list).run(program, ["-c", "list"])
}

#[test]
fn every_form_of_line_is_read() {
    for line in [
        format!("{ALPHA_SHA256}  a"),
        format!("{ALPHA_SHA256} *a"),
        format!("{ALPHA_SHA256} a"),
        format!("{ALPHA_SHA256}\ta"),
        format!("{ALPHA_SHA256} Ua"),
        format!(" \t{ALPHA_SHA256}  a"),
        format!("\\{ALPHA_SHA256}  a"),
        format!("{}  a", ALPHA_SHA256.to_uppercase()),
        format!("SHA256 (a) = {ALPHA_SHA256}"),
        format!("SHA256(a)= {ALPHA_SHA256}"),
        format!("SHA2-256(a)= {ALPHA_SHA256}"),
        format!("SHA256 (a)\t=\t{ALPHA_SHA256}"),
        "tqmNnOmi2RSSiPo99C03fD5Cc3r9za9xTjPAoQC1EGA=  a".to_owned(),
        "SHA256 (a) = tqmNnOmi2RSSiPo99C03fD5Cc3r9za9xTjPAoQC1EGA=".to_owned(),
    ] {
        for end in ["", "\n", "\r\n"] {
            let ran = check("sha256sum", format!("\u{feff}# comment\n\n  \n{line}{end}"));
            assert_eq!(ran.text(), ("a: OK\n", "", 0), "{line:?}");
        }
    }
}

#[test]
fn what_is_no_entry_never_passes() {
    let short = &ALPHA_SHA256[1..];
    for line in [
        "garbage".to_owned(),
        format!("{short}  a"),
        format!("{ALPHA_SHA256}0  a"),
        ALPHA_SHA256.to_owned(),
        format!("{ALPHA_SHA256} "),
        format!("{ALPHA_SHA256}a"),
        format!("g{short}  a"),
        format!("\\{ALPHA_SHA256}  a\\"),
        format!("\\{ALPHA_SHA256}  a\\x"),
        format!("SHA256 () = {ALPHA_SHA256}"),
        format!("SHA256 (a) = {short}"),
        format!("SHA256 (a) {ALPHA_SHA256}"),
        format!("SHA256 (a = {ALPHA_SHA256}"),
        format!("SHA1 (a) = {ALPHA_SHA256}"),
        format!("SHA512t256 (a) = {ALPHA_SHA256}"),
        format!("{ALPHA_SHA256}  a\0b"),
        "tqmNnOmi2RSSiPo99C03fD5Cc3r9za9xTjPAoQC1EGB=  a".to_owned(),
        "-----BEGIN PGP SIGNED MESSAGE-----".to_owned(),
        "SHA256".to_owned(),
        "(".to_owned(),
        "\\".to_owned(),
    ] {
        let ran = check("sha256sum", format!("{line}\n"));
        let mut wanted = "sha256sum: list: no properly formatted checksum lines found\n".to_owned();
        if line.starts_with("SHA512t256") {
            wanted +=
                "sha256sum: list: looks like a list of SHA512t256 checksums; --any takes those of every algorithm\n";
        }
        assert_eq!(ran.text(), ("", wanted.as_str(), 1), "{line:?}");
    }
}

#[test]
fn a_list_of_another_algorithm_is_told_once() {
    let list = format!("{ALPHA_SHA256}  a\n{ALPHA_SHA256}  b\n");
    let none = "md5sum: list: no properly formatted checksum lines found\n";
    let hint = "md5sum: list: looks like a list of SHA256 checksums; --any takes those of every algorithm\n";
    assert_eq!(check("md5sum", &list).text(), ("", format!("{none}{hint}").as_str(), 1));
    // Where there is something to check, only who asks for warnings is told.
    let mixed = format!("{ALPHA_MD5}  a\n{list}");
    let summary = "md5sum: WARNING: 2 lines are improperly formatted\n";
    assert_eq!(check("md5sum", &mixed).text(), ("a: OK\n", summary, 0));
    let ran = Folder::with_alpha().file("list", &mixed).run("md5sum", ["-c", "-w", "list"]);
    let line = "improperly formatted MD5 checksum line: wrong length for MD5: 64 digits, want 32\n";
    let wanted = format!("md5sum: list: 2: {line}md5sum: list: 3: {line}{summary}{hint}");
    assert_eq!(ran.text(), ("a: OK\n", wanted.as_str(), 0));
}

#[test]
fn a_mixed_list_is_checked_in_one_run_when_any_algorithm_is_asked_for() {
    let names =
        ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512t224", "skein256", "skein1024", "rmd160"];
    let folder = Folder::with_alpha();
    let line = |program: &str, args: &[&str]| String::from_utf8(folder.run(program, args).stdout).unwrap();
    let tagged = names.iter().map(|name| line(name, &["a"]));
    let untagged = names[..6].iter().map(|name| line(&format!("{name}sum"), &["a"]));
    let perl = ["1", "512224", "512256"].map(|number| line("shasum", &["--tag", "-a", number, "a"]));
    let list: String = tagged.chain(untagged).chain(perl).collect();
    let verdicts = "a: OK\n".repeat(19);
    let folder = Folder::with_alpha().file("list", &list).file("wrong", list.replace("b6a9", "b6a8"));
    for (program, check) in [("md5sum", "-c"), ("sha512sum", "-c"), ("shasum", "-c"), ("md5", "--check-list")] {
        let ran = folder.run(program, ["--any", "--strict", check, "list"]);
        assert_eq!(ran.text(), (verdicts.as_str(), "", 0), "{program}");
    }
    let ran = folder.run("md5sum", ["--any", "--quiet", "-c", "wrong"]);
    let summary = "md5sum: WARNING: 2 computed checksums did NOT match\n";
    assert_eq!(ran.text(), ("a: FAILED\na: FAILED\n", summary, 1));
    // The name the program is called by still says which algorithm of that length.
    let list = line("skein256sum", &["a"]) + &line("md5", &["a"]);
    let ran = Folder::with_alpha().file("list", list).run("skein256sum", ["--any", "-c", "list"]);
    assert_eq!(ran.text(), ("a: OK\na: OK\n", "", 0));
    let ran = folder.run_with_input("md5sum", ["--any", "-wc"], "BLAKE2b (a) = 00\n");
    let wanted = "md5sum: 'standard input': 1: improperly formatted checksum line: unknown tag BLAKE2b\n\
                  md5sum: 'standard input': no properly formatted checksum lines found\n";
    assert_eq!(ran.text(), ("", wanted, 1));
}

#[test]
fn names_start_in_the_base() {
    let list = format!("{ALPHA_MD5}  a\n{EMPTY_MD5}  ./gone\n");
    let folder = Folder::new().file("there/a", "alpha\n").file("there/list", &list).file("here/list", &list);
    let base = folder.path("there").into_os_string().into_string().unwrap();
    let wanted = "md5sum: ./gone: No such file or directory\nmd5sum: WARNING: 1 listed file could not be read\n";
    for args in [
        &["-c", "--base", "list", "there/list"][..],
        &["-c", "--base=there", "here/list"],
        &["-c", "--base", &base, "here/list"],
    ] {
        assert_eq!(folder.run("md5sum", args).text(), ("a: OK\n", wanted, 1), "{args:?}");
    }
    let ran = folder.run_with_input("md5sum", ["-c", "--base", "there"], &list);
    assert_eq!(ran.text().0, "a: OK\n");
    let ran = folder.run("md5", ["-q", "--base", "list", "--check-list", "there/list", "--check-list", "here/list"]);
    assert!(ran.text().1.contains("md5: a: No such file or directory\n"), "each list has its own base: {ran:?}");
    // Absolute names and standard input stay what they are.
    let list = format!("{ALPHA_MD5}  {base}/a\n{EMPTY_MD5}  -\n");
    let ran = folder.file("list", list).run("md5sum", ["-c", "--base", "nowhere", "list"]);
    assert_eq!(ran.text(), (format!("{base}/a: OK\n-: OK\n").as_str(), "", 0));
}

#[test]
fn lists_of_lines_that_end_in_nul_hold_names_as_they_are() {
    let names = ["a\nb", "back\\nslash", "\\lead", " space ", "return\r", "*star"];
    let folder = names.iter().fold(Folder::new(), |folder, name| folder.file(name, ""));
    for args in [&["-z", "--"][..], &["-z", "--tag", "--"]] {
        let list = folder.run("md5sum", args.iter().chain(&names)).stdout;
        for (program, args) in
            [("md5sum", &["-z", "--strict", "-c"][..]), ("md5", &["--zero", "--strict", "--check-list", "-"])]
        {
            let ran = folder.run_with_input(program, args, &list);
            let oks = ran.text().0.matches(": OK\n").count();
            assert_eq!((oks, ran.text().1, ran.status), (names.len(), "", 0), "{program} {args:?}");
        }
        let ran = folder.run_with_input("md5sum", ["-wc"], &list);
        assert_eq!(ran.status, 1);
    }
    let ran = folder.run_with_input("md5sum", ["-wc"], format!("{EMPTY_MD5}  a\0{EMPTY_MD5}  b\0"));
    let fault = "a NUL in it; lists of lines that end in NUL are read with --zero";
    assert!(ran.text().1.contains(fault), "{ran:?}");
    // Half a character in a name is no end of it.
    let folder = folder.file("a", "alpha\n");
    let units = format!("{ALPHA_MD5}  a").encode_utf16().chain([0xd800, 0]).collect::<Vec<_>>();
    for name in [&units[..], &units[..units.len() - 2]] {
        let list: Vec<u8> = [&[0xfeff], name].concat().into_iter().flat_map(u16::to_le_bytes).chain([b'x']).collect();
        let ran = folder.run_with_input("md5sum", ["-c", "--zero"], list);
        assert_eq!((ran.text().0, ran.status), ("", 1), "{ran:?}");
    }
}

#[test]
fn a_carriage_return_is_part_of_the_name_where_the_list_says_so() {
    let folder = Folder::with_alpha().file("a\r", "").file("b\r", "").file("c", "");
    let run = |list: String| folder.run_with_input("md5sum", ["-c"], list);
    let [a, none] = [ALPHA_MD5, EMPTY_MD5];
    // Lines before it end in a line feed alone.
    let ran = run(format!("{none}  c\n{none}  a\r\n{none}  b\r\n"));
    assert_eq!(ran.text(), ("c: OK\n\\a\\r: OK\n\\b\\r: OK\n", "", 0));
    // They end in both, and so does the name's.
    let ran = run(format!("{none}  c\r\n{a}  a\r\n{none}  b\r\r\n"));
    assert_eq!(ran.text(), ("c: OK\na: OK\n\\b\\r: OK\n", "", 0));
    // Only one of the names has a file.
    assert_eq!(run(format!("{none}  b\r\n")).text(), ("\\b\\r: OK\n", "", 0));
    assert_eq!(run(format!("{none}  c\n{none}  c\r\n")).text(), ("c: OK\nc: OK\n", "", 0));
    assert_eq!(run(format!("MD5 (b\r) = {none}\r\n")).text(), ("\\b\\r: OK\n", "", 0));
    // Of a comment that is too long the end is not seen.
    let comment = "#".repeat(70_000);
    assert_eq!(run(format!("{comment}\r\n{a}  a\r\n")).text(), ("a: OK\n", "", 0));
}

#[test]
fn a_list_that_verifies_nothing_fails() {
    for (list, about) in [
        (String::new(), "empty"),
        ("# only\n\n".to_owned(), "comments"),
        (format!("{ALPHA_SHA256}  a\n"), "of another algorithm"),
    ] {
        assert_eq!(check("md5sum", list).text().2, 1, "{about}");
    }
    let folder = Folder::with_alpha();
    assert_eq!(folder.run("md5sum", ["-c", "--status", "/dev/null"]).status, 1);
    assert_eq!(folder.run("md5sum", ["-c", "."]).text(), ("", "md5sum: .: Is a directory\n", 1));
    assert_eq!(folder.run_with_input("md5sum", ["-c"], "garbage\n").text().2, 1);
}

#[test]
fn a_single_space_is_settled_by_the_first_line_that_can() {
    let folder = || Folder::with_alpha().file(" a", "").file("*a", "");
    let run = |list: String| folder().file("list", list).run("md5sum", ["-c", "list"]);
    let ran = run(format!("{ALPHA_MD5} a\n{EMPTY_MD5}  a\n{EMPTY_MD5} *a\n"));
    assert_eq!(ran.text(), ("a: OK\n a: OK\n*a: OK\n", "", 0));
    let ran = run(format!("{ALPHA_MD5}  a\n{ALPHA_MD5} *a\n{ALPHA_MD5} a\n"));
    assert_eq!(ran.text(), ("a: OK\na: OK\n", "md5sum: WARNING: 1 line is improperly formatted\n", 0));
}

#[test]
fn a_letter_that_could_be_a_mark_is_part_of_the_name_if_there_is_such_a_file() {
    let folder = Folder::with_alpha().file("Ua", "").file("list", format!("{EMPTY_MD5} Ua\n"));
    assert_eq!(folder.run("md5sum", ["-c", "list"]).text(), ("Ua: OK\n", "", 0));
    let ran = check("md5sum", format!("{ALPHA_MD5} Ub\n"));
    assert!(ran.text().1.starts_with("md5sum: Ub: No such file or directory\n"), "neither is there");
}

#[test]
fn a_list_that_starts_with_such_a_name_is_still_one_of_single_spaces() {
    for first in ["Uniform", "^x"] {
        let folder = Folder::with_alpha().file(first, "").file(" lead", "").file("lead", "x").file("*star", "");
        let list = folder.run("md5", ["-r", first, " lead", "*star", "a"]).stdout;
        let ran = folder.file("list", list).run("md5sum", ["-c", "list"]);
        assert_eq!(ran.text(), (format!("{first}: OK\n lead: OK\n*star: OK\na: OK\n").as_str(), "", 0));
    }
}

#[test]
fn a_name_that_only_becomes_a_dash_is_a_file() {
    for line in [format!("{EMPTY_MD5}  \\-\n"), format!("{EMPTY_MD5} U-\n"), format!("MD5 (\\055) = {EMPTY_MD5}\n")] {
        let folder = Folder::new().file("-", "");
        assert_eq!(folder.run_with_input("md5sum", ["-c"], &line).text(), ("-: OK\n", "", 0), "{line}");
        let ran = folder.file("list", &line).run_with_input("md5sum", ["-c", "list"], "not read");
        assert_eq!(ran.text(), ("-: OK\n", "", 0), "{line}");
    }
}

#[test]
fn a_long_comment_is_a_comment_and_a_long_line_none() {
    let long = "x".repeat(200_000);
    let list = format!("# {long}\n{ALPHA_MD5}  a\n");
    assert_eq!(
        Folder::with_alpha().file("list", list).run("md5sum", ["-c", "--strict", "list"]).text(),
        ("a: OK\n", "", 0)
    );
    let ran = check("md5sum", format!("{ALPHA_MD5}  {long}\n{ALPHA_MD5}  a\n"));
    assert_eq!(ran.text(), ("a: OK\n", "md5sum: WARNING: 1 line is improperly formatted\n", 0));
    // Behind so much of a comment there may be lines that end in a line feed alone.
    let list = format!("# {long}\n{EMPTY_MD5}  a\n\0{ALPHA_MD5}  a\0");
    let ran = Folder::with_alpha().run_with_input("md5sum", ["-c", "--zero"], list);
    assert_eq!(ran.text(), ("a: OK\n", "md5sum: WARNING: 1 line is improperly formatted\n", 0));
}

#[test]
fn names_hold_what_they_like() {
    let names: [&[u8]; 11] = [
        b" lead and trail ",
        b"two  spaces",
        b"u (2007) = v) = x",
        b"#hash",
        b"-",
        b"tab\tname",
        b"back\\slash",
        b"back\\nslash",
        b"new\nline\r",
        b"\xff\xfe not UTF-8",
        b"d41d8cd98f00b204e9800998ecf8427e",
    ];
    for program in ["md5sum", "md5"] {
        for form in [&["--"][..], &["--tag", "--"], &["-b", "--"], &["-r", "--"]] {
            let (is_gnu, option) = (program == "md5sum", form[0]);
            if is_gnu == (option == "-r") || (!is_gnu && option == "--tag") {
                continue;
            }
            for name in names {
                let named = [b"./", name].concat();
                let name = OsStr::from_bytes(&named);
                let folder = Folder::new().file(name, "");
                let list = folder.run(program, form.iter().map(OsStr::new).chain([name])).stdout;
                assert_eq!(list.iter().filter(|&&byte| byte == b'\n').count(), 1);
                let folder = folder.file("list", &list);
                let ran = folder.run("md5sum", ["-c", "--strict", "--quiet", "list"]);
                assert_eq!(ran.text(), ("", "", 0), "{program} {form:?} {name:?}: {list:?}");
            }
        }
    }
}

#[test]
fn an_escaped_name_is_the_literal_one_where_there_is_such_a_file() {
    let literal = Folder::new().file(r"p \(1\)", "").file("p (1)", "alpha\n");
    let list = format!("MD5 (p \\(1\\)) = {EMPTY_MD5}\n");
    let ran = literal.file("list", &list).run("md5sum", ["-c", "list"]);
    assert_eq!(ran.text(), ("\\p \\\\(1\\\\): OK\n", "", 0));
    let ran = Folder::new().file("p (1)", "").file("list", &list).run("md5sum", ["-c", "list"]);
    assert_eq!(ran.text(), ("p (1): OK\n", "", 0));
}

#[test]
fn an_unreadable_file_is_told_and_counted_and_the_rest_is_checked() {
    let list = format!("{EMPTY_MD5}  gone\n{EMPTY_MD5}  .\n{ALPHA_MD5}  a\n");
    let ran = check("md5sum", list);
    let wanted = "md5sum: gone: No such file or directory\nmd5sum: .: Is a directory\n\
                  md5sum: WARNING: 2 listed files could not be read\n";
    assert_eq!(ran.text(), ("a: OK\n", wanted, 1));
}

#[test]
fn absent_files_are_passed_over_when_asked() {
    let folder = Folder::with_alpha()
        .file("some", format!("{EMPTY_MD5}  gone\n{ALPHA_MD5}  a\n"))
        .file("none", format!("{EMPTY_MD5}  gone\n"))
        .file("other", format!("{EMPTY_MD5}  gone\n{EMPTY_MD5}  .\n"));
    let run = |args: &[&str]| folder.run("md5sum", ["-c", "--ignore-missing"].iter().chain(args));
    assert_eq!(run(&["some"]).text(), ("a: OK\n", "", 0));
    assert_eq!(run(&["none"]).text(), ("", "md5sum: none: no file was verified\n", 0));
    assert_eq!(run(&["--status", "none"]).text(), ("", "", 0));
    assert_eq!(run(&["other"]).status, 1, "a directory is not absent");
}

#[test]
fn warn_status_and_quiet_override_each_other_as_in_gnu() {
    let folder = Folder::with_alpha().file("list", format!("x\n{ALPHA_MD5}  a\n"));
    let line = "md5sum: list: 1: improperly formatted MD5 checksum line\n";
    let sum = "md5sum: WARNING: 1 line is improperly formatted\n";
    let both = format!("{line}{sum}");
    for (args, stdout, stderr) in [
        (&["-c", "-w", "--status"][..], "", ""),
        (&["-c", "--status", "-w"], "a: OK\n", both.as_str()),
        (&["-c", "--quiet", "-w"], "a: OK\n", &both),
        (&["-c", "-w", "--quiet"], "", sum),
        (&["-c", "--status", "--quiet"], "", sum),
        (&["-c"], "a: OK\n", sum),
    ] {
        let ran = folder.run("md5sum", args.iter().chain(&["list"]));
        assert_eq!(ran.text(), (stdout, stderr, 0), "{args:?}");
    }
}

#[test]
fn several_lists_are_checked_in_order_and_one_bad_one_fails_all() {
    let folder = Folder::with_alpha()
        .file("good", format!("{ALPHA_MD5}  a\n"))
        .file("bad", format!("{EMPTY_MD5}  a\n{EMPTY_MD5}  a\n"));
    let ran = folder.run("md5sum", ["-c", "bad", "nope", "good"]);
    let wanted = "md5sum: WARNING: 2 computed checksums did NOT match\nmd5sum: nope: No such file or directory\n";
    assert_eq!(ran.text(), ("a: FAILED\na: FAILED\na: OK\n", wanted, 1));
}

#[test]
fn a_list_on_standard_input_cannot_list_standard_input() {
    let list = format!("{EMPTY_MD5}  -\n");
    let ran = Folder::new().run_with_input("md5sum", ["-c"], &list);
    assert_eq!(ran.text(), ("", "md5sum: 'standard input': no properly formatted checksum lines found\n", 1));
    let ran = Folder::new().file("list", &list).run_with_input("md5sum", ["-c", "list"], "");
    assert_eq!(ran.text(), ("-: OK\n", "", 0));
}

#[test]
fn bsd_names_check_lists_too() {
    let folder = Folder::with_alpha()
        .file("list", format!("MD5 (a) = {ALPHA_MD5}\nMD5 (b\\nc) = {EMPTY_MD5}\nx\n"))
        .file("b\nc", "")
        .file("absent", format!("MD5 (gone) = {EMPTY_MD5}\n"));
    let ran = folder.run("md5", ["--check-list", "list", "--warn"]);
    let wanted = "md5: list: 3: improperly formatted MD5 checksum line\nmd5: WARNING: 1 line is improperly formatted\n";
    assert_eq!(ran.text(), ("a: OK\nb\\nc: OK\n", wanted, 0));
    assert_eq!(folder.run("md5", ["-q", "--strict", "--check-list=list"]).text().2, 1);
    assert_eq!(folder.run("md5", ["--status", "--ignore-missing", "--check-list", "absent"]).text(), ("", "", 0));
    let ran = folder.run("md5", ["--strict", "a"]);
    assert!(ran.text().1.starts_with("md5: the --strict option is meaningful only with --check-list\n"));
    let ran = folder.run_with_input("md5", ["--check-list", "-"], format!("{ALPHA_MD5} a\n"));
    assert_eq!(ran.text(), ("a: OK\n", "", 0));
}

#[test]
fn a_line_without_an_end_is_no_reason_to_use_up_the_memory() {
    let ran = Folder::new().shell("ulimit -v 65536; head -c 200000000 /dev/zero | md5sum -c");
    assert_eq!(ran.text(), ("", "md5sum: 'standard input': no properly formatted checksum lines found\n", 1));
}

#[test]
fn verdicts_are_written_while_the_list_still_comes() {
    let script = format!(
        "(echo '{ALPHA_MD5}  a'; cat fifo >/dev/null; echo '{ALPHA_MD5}  a') | md5sum -c | (read -r line; echo \"$line\"; echo go >fifo; cat)"
    );
    let ran = Folder::with_alpha().shell(&format!("mkfifo fifo && {script}"));
    assert_eq!(ran.text(), ("a: OK\na: OK\n", "", 0));
}

#[test]
fn a_mark_behind_one_space_is_one_where_there_is_no_such_name() {
    let text = "The Magic Words are 01010011 01001111\r\n";
    let digest = "53d88300dfb2be42f0ef25e3d9de798e31bb7e69";
    let list = format!(
        "{digest} input\n{digest} *input\n{digest}  input\n\
         2290cf6ba4ac5387e520088de760b71a523871b0 ^input\nc1065e0d2bbc1c67dcecee0187d61316fb9c5582 Uinput\n"
    );
    let folder = Folder::new().file("input", text).file("list", &list);
    for (program, check) in [("sha1sum", "-c"), ("shasum", "-c"), ("sha1", "--check-list")] {
        assert_eq!(folder.run(program, ["--quiet", check, "list"]).text(), ("", "", 0), "{program}");
    }
    // A list that starts with two spaces never drops one of them.
    let folder = Folder::with_alpha().file(" a", "");
    let ran = folder.run_with_input("md5sum", ["-c"], format!("{EMPTY_MD5}  a\n"));
    assert_eq!(ran.text().0, "a: FAILED\n");
}

/// Behaviours that the public tests of other checkers hold to as well.
#[test]
fn what_other_checkers_promise_of_lists() {
    let [a, none] = [ALPHA_MD5, EMPTY_MD5];
    let bad = |count| format!("md5sum: WARNING: {count} improperly formatted\n");
    let one_bad = bad("1 line is");
    let nothing = "md5sum: 'standard input': no properly formatted checksum lines found\n";
    let failed = "md5sum: WARNING: 1 computed checksum did NOT match\n";
    let folder = Folder::with_alpha()
        .file("9t", "9t")
        .file("y)= ", "")
        .file("lines", "a\r\nb\r")
        .file("dd", "")
        .file(" b", "")
        .file("*c", "");
    let zeros = String::from_utf8(folder.run("md5sum", ["9t"]).stdout).unwrap();
    let lines = String::from_utf8(folder.run("md5sum", ["lines"]).stdout).unwrap();
    assert!(zeros.starts_with("006999e6df389641adf1fa3a74801d9d"));
    for (args, list, stdout, stderr, status) in [
        // A digest that starts with zeros is one, and an absent folder is an absent file.
        (&["--ignore-missing"][..], zeros.clone(), "9t: OK\n", "", 0),
        (&["--quiet", "--ignore-missing"], format!("{none}  gone/x\n{a}  a\n"), "", "", 0),
        // Unfinished tags.
        (&[], "MD5 (".to_owned(), "", nothing, 1),
        (&["--any"], "SHA256(".to_owned(), "", nothing, 1),
        (&["--any"], "SHA2-".to_owned(), "", nothing, 1),
        (&["--any"], "SHA512/".to_owned(), "", nothing, 1),
        (&["--any"], format!("SHA4 (a) = {a}\n"), "", nothing, 1),
        (&["--any"], format!("MD5-128 (a) = {a}\n"), "", nothing, 1),
        (&["--any"], format!("SHA2 (a) = {a}\n"), "", nothing, 1),
        (&["--any"], format!("(a) = {a}\na) = {a}\na = {a}\n"), "", nothing, 1),
        (&["--any"], format!("SHA2-128 (a) = {a}\n"), "", nothing, 1),
        // More than a line may hold.
        (&["--any"], format!("x MD5 (a) = {a}\n"), "", nothing, 1),
        (&["--any"], format!("MD5 (a) = {a} x\n"), "", nothing, 1),
        (&["--any"], format!("MD5 (a) = {a} \n"), "", nothing, 1),
        // A name with what looks like the end of one.
        (&[], format!("MD5 (y)= ) = {none}\n"), "y)= : OK\n", "", 0),
        (&[], format!("MD5(y)= )= {none}\n"), "y)= : OK\n", "", 0),
        // Silence.
        (&["--status"], format!("MD5 (a) = {none}\n"), "", "", 1),
        (&["--status"], format!("MD5(a)= {none}\n"), "", "", 1),
        (&["--status", "--ignore-missing"], format!("{none}  a\n{none}  gone\n"), "", "", 1),
        (&["--status"], "x\n".to_owned(), "", nothing, 1),
        (
            &["--warn", "--ignore-missing"],
            format!("{none}  gone\n"),
            "",
            "md5sum: 'standard input': no file was verified\n",
            0,
        ),
        // A word that is no digest settles nothing.
        (&[], format!("word dd\n{none}  dd\n{a} *a\n"), "dd: OK\na: OK\n", &one_bad, 0),
        (&[], format!("{none} dd\n{none}  b\n{none} *c\n"), "dd: OK\n b: OK\n*c: OK\n", "", 0),
        // A needless backslash, and blanks before the line.
        (&["--strict"], format!(" \\MD5 (a) = {a}\n \\{a}  a\n"), "a: OK\na: OK\n", "", 0),
        // The file's own line ends are its bytes.
        (&[], lines.clone(), "lines: OK\n", "", 0),
        (&[], lines.replace("  ", " *"), "lines: OK\n", "", 0),
        // Comments of any bytes, the last one without an end.
        (&["--strict"], format!("# \u{fffd}\n{a}  a\n#"), "a: OK\n", "", 0),
        // Hexadecimal and base64 in one list, and a bad one of each.
        (&[], format!("{a}  a\nn5+Q2+Pl7hIYyGuIOdsZlQ==  a\n"), "a: OK\na: OK\n", "", 0),
        (&[], format!("n5+Q2+Pl7hIYyGuIOdsZlQ=  a\n{a}  a\n"), "a: OK\n", &one_bad, 0),
        (&[], format!("MD5 (a) = n5+Q2+Pl7hIYyGuIOdsZlQ\n{a}  a\n"), "a: OK\n", &one_bad, 0),
        // A signed list.
        (
            &["--any"],
            format!(
                "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA384\n\n{a}  a\n-----BEGIN PGP SIGNATURE-----\n\nSHA384+BCAA\n=AWU7\n-----END PGP SIGNATURE-----\n"
            ),
            "a: OK\n",
            &bad("6 lines are"),
            0,
        ),
        (&[], format!("{none}  a\n"), "a: FAILED\n", failed, 1),
    ] {
        let ran = folder.run_with_input("md5sum", ["-c"].iter().chain(args), &list);
        assert_eq!(ran.text(), (stdout, stderr, status), "{args:?} {list:?}");
    }
}

#[test]
fn each_list_has_its_own_messages() {
    let folder = Folder::with_alpha()
        .file("empty", "")
        .file("two", format!("x\ny\n{ALPHA_MD5}  a\n"))
        .file("three", format!("x\ny\nz\n{ALPHA_MD5}  a\n"));
    let ran = folder.run("md5sum", ["-c", "empty", "/dev/null", "two", "three"]);
    let stderr = "md5sum: empty: no properly formatted checksum lines found\n\
                  md5sum: /dev/null: no properly formatted checksum lines found\n\
                  md5sum: WARNING: 2 lines are improperly formatted\n\
                  md5sum: WARNING: 3 lines are improperly formatted\n";
    assert_eq!(ran.text(), ("a: OK\na: OK\n", stderr, 1));
}

#[test]
fn names_in_verdicts_are_escaped_as_in_lists() {
    let folder = Folder::new().file("\\a", "").file("a\\", "").file("test\n\\file", "");
    let list = folder.run("md5sum", ["\\a", "a\\"]).stdout;
    let ran = folder.run_with_input("md5sum", ["-c"], list);
    assert_eq!(ran.text(), ("\\\\\\a: OK\n\\a\\\\: OK\n", "", 0));
    let line = format!("\\MD5 (test\\n\\\\file) = {EMPTY_MD5}\n");
    assert_eq!(folder.run("md5sum", ["--tag", "test\n\\file"]).text(), (line.as_str(), "", 0));
}

#[test]
fn nothing_passes_for_a_line_that_was_not_understood() {
    let [a, none] = [ALPHA_MD5, EMPTY_MD5];
    let folder = || Folder::with_alpha().file("b", "beta\n");
    let beta = "f0cf2a92516045024a0c99147b28f05b";
    // A file of the whole name is what the line means, whatever the list's other lines are like.
    let ran = folder().file("Ub", "corrupt").run_with_input("md5sum", ["-c"], format!("{a}  a\n{beta} Ub\n"));
    assert_eq!(ran.text().0, "a: OK\nUb: FAILED\n");
    // Half a character at the end is no character.
    for (list, about) in [(format!("{a}  ab"), "cut"), (format!("{a}  a"), "a surrogate")] {
        let mut utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(list.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        if about == "cut" {
            utf16.pop();
        } else {
            utf16.extend([0, 0xd8])
        }
        let ran = folder().run_with_input("md5sum", ["-c"], utf16);
        assert_eq!((ran.text().0, ran.status), ("", 1), "{about}");
    }
    // Blanks before a line do not hide it, nor does a comment before an entry that ends in NUL.
    let blanks = " ".repeat(70_000);
    let ran = folder().run_with_input("md5sum", ["-c", "--strict"], format!("{a}  a\n{blanks}{none}  b\n"));
    assert_eq!((ran.text().0, ran.status), ("a: OK\n", 1));
    let ran = folder().run_with_input("md5sum", ["-cz", "--strict"], format!("# made\n{none}  b\0{a}  a\0"));
    assert_eq!((ran.text().0, ran.status), ("a: OK\n", 1));
    // What stands behind a list of hashdeep's is still read, and only its own head is none of the lines.
    let head = "%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n";
    let ran = folder().run_with_input("md5sum", ["-c"], format!("{head}6,{a},a\n{none}  b\n"));
    assert_eq!(ran.text().0, "a: OK\nb: FAILED\n");
    let ran = folder().run_with_input("md5sum", ["-c", "--strict"], format!("{a}  a\n%%%% {none}  b\n"));
    assert_eq!(ran.status, 1);
    // A SHA-256 is no SHA-384 in base64.
    let ran = folder().run_with_input("sha384sum", ["-c"], format!("{ALPHA_SHA256}  a\n"));
    assert!(ran.text().1.contains("looks like a list of SHA256 checksums"), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn no_name_of_standard_input_is_a_file_of_the_list_on_it() {
    let folder = Folder::with_alpha();
    for name in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        for list in ["-", "/dev/stdin"] {
            let lines = format!("{EMPTY_MD5}  {name}\n{ALPHA_MD5}  a\n");
            let ran = folder.run_with_input("md5sum", ["-c", "--strict", list], lines);
            assert_eq!((ran.text().0, ran.status), ("a: OK\n", 1), "{name} in {list}");
        }
    }
}
