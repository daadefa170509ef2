//! The dialect of Perl's shasum(1).

use crate::support::Folder;

const ALPHA_SHA1: &str = "d046cd9b7ffb7661e449683313d41f6fc33e3130";

#[test]
fn each_mode_has_its_mark() {
    let folder = Folder::with_alpha();
    for (args, mark) in [(&[][..], ' '), (&["-t"], ' '), (&["-b"], '*'), (&["-U"], 'U'), (&["--universal"], 'U')] {
        let ran = folder.run("shasum", args.iter().copied().chain(["a"]));
        assert_eq!(ran.text(), (format!("{ALPHA_SHA1} {mark}a\n").as_str(), "", 0), "{args:?}");
    }
}

#[test]
fn universal_mode_makes_line_feeds_across_buffers() {
    let folder = Folder::new().file("dos", "a\r\nb\rc\r").file("unix", "a\nb\nc\n");
    let wanted = folder.run("shasum", ["unix"]).stdout;
    for size in ["1", "2", "3", "1M"] {
        let ran = folder.run("shasum", ["--buffer-size", size, "-U", "dos"]);
        assert_eq!(ran.stdout[..40], wanted[..40], "{size}");
    }
}

/// Perl's own Digest::SHA gave these.
#[test]
fn bits_of_any_number_are_padded_at_the_bit() {
    let bits: String = (0..20_003).map(|i| if i * i % 7 == 2 { '1' } else { '0' }).collect();
    let spaced: String = bits.chars().flat_map(|bit| [bit, ' ']).collect();
    let folder = Folder::new().file("bits", bits).file("spaced", spaced);
    for (number, wanted) in [
        ("1", "ca6995a2c332ca3e6a1038084efe2b23cf0c9618"),
        ("224", "b464ec12f415ea22ebb602cf2044197fefb5139d53212199e2284647"),
        ("256", "a75e13ec180f9c52165330a4c150893cc022253cd9685bdf86503f02b4478627"),
        ("384", "df7e9cb8d78ab73ddf75d6b928ca54df06f3242425888dec262086c4007427f9de79e4af02592af8d078597443adc31e"),
        (
            "512",
            "f9bdf54f6b0943e093f2a84693643d731f8a573f09c371214ce111f1f50a13f0a844d389dc821b20f8396c9cea2ba849054bb9a8fc5d62431d752a13d6ec2cc9",
        ),
        ("512224", "a6db686454df4d90ea4c9a1f8dd1bf45e916a39a0d42147a44cbc92d"),
        ("512256", "05325c140d0c22543c04f0675fe7009e6c0dd7b22470e4001260c5d11e8f4eb6"),
    ] {
        for (file, size) in [("bits", "1M"), ("spaced", "1M"), ("bits", "4096"), ("spaced", "4093")] {
            let ran = folder.run("shasum", ["-0", "-a", number, "--buffer-size", size, file]);
            assert_eq!(ran.text(), (format!("{wanted} ^{file}\n").as_str(), "", 0), "{size}");
        }
    }
}

#[test]
fn options_that_make_no_sense_are_refused_in_perls_words() {
    for (args, words) in [
        (&["-bU"][..], "shasum: Ambiguous file mode"),
        (&["-0t"], "shasum: Ambiguous file mode"),
        (&["-w"], "shasum: --warn option used only when verifying checksums"),
        (&["-s"], "shasum: --status option used only when verifying checksums"),
        (&["-q"], "shasum: --quiet option used only when verifying checksums"),
        (&["--ignore-missing"], "shasum: --ignore-missing option used only when verifying checksums"),
        (&["--strict"], "shasum: --strict option used only when verifying checksums"),
        (&["--tag", "-t"], "shasum: --tag does not support --text mode"),
        (&["--tag", "-U"], "shasum: --tag does not support Universal Newlines mode"),
        (&["--tag", "-0"], "shasum: --tag does not support BITS mode"),
        (&["-a", "9"], "shasum: Unrecognized algorithm"),
        (&["-a"], "Option a requires an argument"),
        (&["-y"], "Unknown option: y"),
        (&["--nope=1"], "Unknown option: nope"),
        (&["--st"], "Option st is ambiguous (status, strict)"),
        (&["--tag=1"], "Option tag does not take an argument"),
    ] {
        let ran = Folder::new().run("shasum", args);
        let wanted = format!("{words}\nType shasum -h for help\n");
        assert_eq!(ran.text(), ("", wanted.as_str(), 1), "{args:?}");
    }
}

#[test]
fn a_list_is_checked_by_each_lines_own_algorithm_and_mode() {
    let folder = Folder::with_alpha().file("dos", "a\r\nb\r\n").file("bits", "0110 0001 1");
    let all = [
        folder.run("shasum", ["a"]).stdout,
        folder.run("shasum", ["-a", "384", "-b", "a"]).stdout,
        folder.run("shasum", ["-a", "512256", "--tag", "a"]).stdout,
        folder.run("shasum", ["-a", "256", "-U", "dos"]).stdout,
        folder.run("shasum", ["-0", "bits"]).stdout,
    ];
    let ran = folder.file("list", all.concat()).run("shasum", ["-c", "list"]);
    assert_eq!(ran.text(), ("a: OK\na: OK\na: OK\ndos: OK\nbits: OK\n", "", 0));
}

#[test]
fn lists_of_the_truncated_sums_need_their_algorithm_as_in_perl() {
    let folder = Folder::with_alpha();
    let list = folder.run("shasum", ["-a", "512224", "a"]).stdout;
    let folder = folder.file("list", list);
    assert_eq!(folder.run("shasum", ["-a", "512224", "-c", "list"]).text(), ("a: OK\n", "", 0));
    assert_eq!(folder.run("shasum", ["-c", "list"]).text().2, 1);
}

#[test]
fn list_messages_are_perls() {
    let folder = Folder::with_alpha().file("list", format!("x\n{ALPHA_SHA1}  a\n")).file("bad", "x\n");
    let ran = folder.run("shasum", ["-cw", "list"]);
    let wanted =
        "shasum: list: 1: improperly formatted SHA checksum line\nshasum: WARNING: 1 line is improperly formatted\n";
    assert_eq!(ran.text(), ("a: OK\n", wanted, 0));
    let ran = folder.run("shasum", ["-c", "bad"]);
    assert_eq!(ran.text(), ("", "shasum: bad: no properly formatted SHA checksum lines found\n", 1));
}
