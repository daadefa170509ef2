use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use super::getopt::EXTENSIONS;
use super::*;
use crate::plan::{InputMode, Job, Line};

/// A command line's plan in words: what differs from the plain digest, then the steps.
fn told(typed: &[&str], options_first: bool) -> String {
    let invocation = Invocation::from_argv0(OsStr::new(typed[0]));
    let plan = plan(&invocation, typed[1..].iter().map(OsString::from), options_first);
    let mut words = Vec::new();
    if let Some(expected) = &plan.expected {
        words.push(format!("expect {}", String::from_utf8_lossy(&expected.digits)));
    }
    if plan.algorithms != [invocation.algorithm] {
        words.extend(plan.algorithms.iter().map(|algorithm| algorithm.name.to_owned()));
    }
    if let Some(size) = plan.resources.buffer_size {
        words.push(format!("buffer {size}"));
    }
    if plan.mode != InputMode::Binary {
        words.push(format!("{:?}", plan.mode).to_lowercase());
    }
    words.extend(plan.steps.iter().map(step));
    words.join("; ")
}

fn step(step: &Step) -> String {
    match step {
        Step::Print(text) => format!("print {}", text.split(' ').next().unwrap_or_default()),
        Step::Complain(text) => {
            let text = String::from_utf8_lossy(text);
            text.lines().next().unwrap_or_default().to_owned()
        }
        Step::TellSandbox => "sandbox".to_owned(),
        Step::TimeTrial => "trial".to_owned(),
        Step::SelfTest => "test".to_owned(),
        Step::Check(check) => format!("check {}", source(&check.list)),
        Step::DigestListed(NameList { list, terminator, .. }) => format!("listed {} {terminator}", source(list)),
        Step::InstallLinks(links) => {
            let names = links.names[Dialect::Bsd.names().len()..].join(" ");
            format!("{} {} {names}", if links.force { "force" } else { "link" }, links.folder.display())
        }
        Step::Digest(Job { source: from, line, pass_through }) => {
            let form = match line {
                Line::Bare => "bare",
                Line::Tagged => "tagged",
                Line::Reversed => "reversed",
                Line::Marked(b' ') => "plain",
                Line::Marked(_) => "marked",
            };
            format!("{}{form} {}", if *pass_through { "pass " } else { "" }, source(from))
        }
    }
}

fn source(source: &Source) -> String {
    let name = String::from_utf8_lossy(source.name());
    match source {
        Source::File(_) => name.into_owned(),
        Source::StandardInput => "<stdin>".to_owned(),
        Source::Text(_) => format!("\"{name}\""),
    }
}

/// What getopt_long(3) makes of each line, one case a row.
#[test]
fn command_lines_mean_what_getopt_makes_of_them() {
    for (typed, wanted) in [
        // Bundles and glued values.
        (&["md5", "-qr", "f"][..], "bare f"),
        (&["md5", "-rq", "f"], "bare f"),
        (&["md5", "-sabc"], "tagged \"abc\""),
        (&["md5", "-s=foo"], "tagged \"=foo\""),
        (&["md5", "-s", "=foo"], "tagged \"=foo\""),
        (&["md5", "-s", ""], "tagged \"\""),
        (&["md5", "-qs", "a b"], "bare \"a b\""),
        (&["md5", "-rsq"], "reversed \"q\""),
        (&["md5", "-c=AB", "f"], "expect =AB; tagged f"),
        (&["md5", "-cAB", "f"], "expect AB; tagged f"),
        (&["md5", "-c", "AB", "-c", "CD", "f"], "expect CD; tagged f"),
        (&["md5", "-s", "-q"], "tagged \"-q\""),
        (&["md5", "-s", "--"], "tagged \"--\""),
        (&["shasum", "-a256", "f"], "sha256; plain f"),
        (&["shasum", "-ba", "512224", "f"], "sha512t224; marked f"),
        // Long names: whole, shortened, with and without `=`.
        (&["md5", "--string=abc"], "tagged \"abc\""),
        (&["md5", "--string==abc"], "tagged \"=abc\""),
        (&["md5", "--string="], "tagged \"\""),
        (&["md5", "--string", "abc"], "tagged \"abc\""),
        (&["md5", "--string", "--quiet"], "tagged \"--quiet\""),
        (&["md5", "--str", "abc"], "tagged \"abc\""),
        (&["md5", "--st", "abc"], "tagged \"abc\""),
        (&["md5", "--rev", "f"], "reversed f"),
        (&["md5", "--check", "AB", "f"], "expect AB; tagged f"),
        (&["md5", "--ch=AB", "f"], "expect AB; tagged f"),
        (&["md5", "--check-l", "f"], "check f"),
        (&["md5", "--bu", "4096", "f"], "buffer 4096; tagged f"),
        (&["md5", "--b", "4096", "f"], "md5: option `--b' is ambiguous"),
        (&["md5sum", "--b", "f"], "marked f"),
        (&["md5sum", "--bu=2K", "f"], "buffer 2048; plain f"),
        (&["md5sum", "--c", "f"], "check f"),
        (&["shasum", "--uni", "f"], "universal; marked f"),
        (&["shasum", "--0", "f"], "bits; marked f"),
        (&["shasum", "--s", "--c", "f"], "check f"),
        (&["shasum", "--t", "--tag"], "shasum: --tag does not support --text mode"),
        (&["sha1", "--algorithm=MD5", "f"], "md5; tagged f"),
        (&["sha1", "--algo", "md5,sha256", "f", "--algorithm=md5,sha1"], "md5; sha256; sha1; tagged f"),
        // Operands among the options, `-`, and `--`.
        (&["md5", "f", "-q", "g"], "bare f; bare g"),
        (&["md5", "f", "--", "-q"], "tagged f; tagged -q"),
        (&["md5", "--", "--", "f"], "tagged --; tagged f"),
        (&["md5", "--"], "bare <stdin>"),
        (&["md5"], "bare <stdin>"),
        (&["md5", "-r"], "bare <stdin>"),
        (&["md5", "-"], "tagged <stdin>"),
        (&["md5", "-r", "-", "f"], "reversed <stdin>; reversed f"),
        (&["md5sum"], "plain <stdin>"),
        (&["md5sum", "-c"], "check <stdin>"),
        (&["md5sum", "f", "-c", "-"], "check f; check <stdin>"),
        // Steps in the order given.
        (&["md5", "-t", "-x", "-t"], "trial; test; trial"),
        (&["md5", "-xtx", "f"], "test; trial; test; tagged f"),
        (&["md5", "-x", "-s", "b", "-x", "-s", "a", "f"], "test; tagged \"b\"; test; tagged \"a\""),
        (&["md5", "--check-list", "l", "-x", "--check-list", "-"], "check l; test; check <stdin>"),
        (&["md5", "-p", "f"], "pass bare <stdin>"),
        (&["md5", "-pr"], "pass bare <stdin>"),
        (&["md5", "-p", "-s", "a"], "tagged \"a\""),
        (&["md5", "-b", "f"], "tagged f"),
        (&["md5", "-p", "--check-list", "f"], "md5: --check and --passthrough do not go with --check-list"),
        (&["md5", "--zero", "f"], "md5: the --zero option is meaningful only with --check-list"),
        (&["md5", "--base", ".", "f"], "md5: the --base option is meaningful only with --check-list"),
        (&["md5sum", "--any", "f"], "md5sum: the --any option is meaningful only when verifying checksums"),
        (&["md5sum", "--tag", "-c", "f"], "md5sum: the --tag option is meaningless when verifying checksums"),
        (&["shasum", "--zero", "f"], "shasum: --zero option used only when verifying checksums"),
        (&["md5sum", "-zc", "f"], "check f"),
        (&["shasum", "-c", "--z", "--any", "f"], "check f"),
        (&["md5", "-c", "x", "--check-list", "f"], "md5: --check and --passthrough do not go with --check-list"),
        // What is wrong, and what is still done before it.
        (&["md5", "-Z", "f"], "md5: invalid option -- Z"),
        (&["md5", "-qZ", "f"], "md5: invalid option -- Z"),
        (&["md5", "-t", "-Z", "-x"], "trial; md5: invalid option -- Z"),
        (&["md5", "-xt", "--nope"], "test; trial; md5: unrecognized option `--nope'"),
        (&["md5", "-s", "a", "-Z"], "md5: invalid option -- Z"),
        (&["md5", "--s"], "md5: option `--s' is ambiguous"),
        (&["md5", "--s=x"], "md5: option `--s' is ambiguous"),
        (&["md5", "--qui=yes"], "md5: option `--qui' doesn't allow an argument"),
        (&["md5sum", "--qui=yes"], "md5sum: option '--quiet' doesn't allow an argument"),
        (&["md5sum", "--s=x"], "md5sum: option '--s=x' is ambiguous; possibilities: '--status' '--strict'"),
        (&["md5", "-qs"], "md5: option requires an argument -- s"),
        (&["md5", "--string"], "md5: option `--string' requires an argument"),
        (&["md5sum", "--s"], "md5sum: option '--s' is ambiguous; possibilities: '--status' '--strict'"),
        (&["md5sum", "-q"], "md5sum: invalid option -- 'q'"),
        (&["md5", "-="], "md5: invalid option -- ="),
        (&["md5", "-é"], "md5: invalid option -- \u{fffd}"),
        // Help and version end the options where they stand.
        (&["md5", "--help", "-Z"], "print usage:"),
        (&["md5", "-t", "--version", "f"], "trial; print md5; sandbox"),
        (&["md5", "-Z", "--help"], "md5: invalid option -- Z"),
        (&["md5sum", "--tag", "-c", "--help"], "print usage:"),
        (&["shasum", "-v"], "print shasum; sandbox"),
        (&["shasum", "-v", "-y"], "Unknown option: y"),
        (&["shasum", "f", "-vh"], "print usage:"),
        (&["md5sum", "--", "--help"], "plain --help"),
        // Setting the program up.
        (&["md5", "--install-links", "d"], "link d "),
        (
            &["md5sum", "--install=d", "--for", "--na", "shasum,sha1sum", "--names=md5,sha1sum"],
            "force d shasum sha1sum",
        ),
        (&["md5", "--install-links", "d", "--names", "shasum,md4"], "md5: --names: there is no 'md4' in the family"),
        (&["md5", "--install-links", "d", "--names="], "md5: --names: there is no '' in the family"),
        (&["md5", "--install-links", "d", "f"], "md5: no files go with --install-links and --generate: 'f'"),
        (&["md5", "--force", "f"], "md5: the --force option is meaningful only with --install-links"),
        (&["md5sum", "--names=sum"], "md5sum: the --names option is meaningful only with --install-links"),
        (&["shasum", "--FORCE", "-c"], "shasum: --force option used only with --install-links"),
        (&["md5sum", "--gen=complete-bash"], "print _md5sum()"),
        (
            &["shasum", "--generate", "x"],
            "shasum: --generate: there is no 'x'; there are man complete-bash complete-zsh complete-fish",
        ),
        (&["md5", "-s", "--force"], "tagged \"--force\""),
        (&["md5", "--", "--force"], "tagged --force"),
    ] {
        assert_eq!(told(typed, false), wanted, "{typed:?}");
    }
}

#[test]
fn with_posixly_correct_the_first_operand_ends_the_options() {
    for (typed, wanted) in [
        (&["md5", "-q", "f", "-r"][..], "bare f; bare -r"),
        (&["md5sum", "f", "--tag"], "plain f; plain --tag"),
        (&["md5", "f", "--", "g"], "tagged f; tagged --; tagged g"),
        (&["md5", "-", "-q"], "tagged <stdin>; tagged -q"),
    ] {
        assert_eq!(told(typed, true), wanted, "{typed:?}");
    }
}

#[test]
fn values_and_operands_are_bytes() {
    let invocation = Invocation::from_argv0(OsStr::new("md5"));
    let plan = plan(&invocation, [b"-s\xff".to_vec()].map(OsString::from_vec), false);
    assert!(matches!(&plan.steps[..], [Step::Digest(Job { source: Source::Text(text), .. })] if text == b"\xff"));
    let plan = super::plan(&invocation, [b"a\xff".to_vec()].map(OsString::from_vec), false);
    assert!(matches!(&plan.steps[..], [Step::Digest(job)] if job.source.name() == b"a\xff"));
}

#[test]
fn sizes_are_digits_and_a_unit() {
    for (typed, size) in [
        ("1", 1),
        ("007", 7),
        ("1000", 1000),
        ("3B", 3),
        ("64k", 64 << 10),
        ("64KiB", 64 << 10),
        ("64kB", 64_000),
        ("1M", 1 << 20),
        ("3m", 3 << 20),
        ("5MB", 5_000_000),
        ("1g", 1 << 30),
        ("1GB", 1_000_000_000),
        ("1073741824", 1 << 30),
    ] {
        assert_eq!(parse_size(OsStr::new(typed)).unwrap(), size, "{typed}");
    }
    let nonsense = ["", "K", "-1", "+1", "1 K", " 1", "1KK", "0x10", "1e3", "1.5M", "١", "1T", "0", "0G", "1073741825"];
    for typed in nonsense.into_iter().chain(["2G", "99999999999999999999", "18446744073709551615G"]) {
        assert!(parse_size(OsStr::new(typed)).is_err(), "{typed:?}");
    }
}

#[test]
fn every_option_of_the_references_is_there() {
    let letters_and_names = |program: &str| {
        let command = command(&Invocation::from_argv0(OsStr::new(program)));
        let letters: Vec<char> = command.get_arguments().filter_map(Arg::get_short).collect();
        let names: Vec<String> = command.get_arguments().filter_map(Arg::get_long).map(str::to_owned).collect();
        (letters, names)
    };
    for (program, letters, names) in [
        ("md5", "bcpqrstx", "check passthrough quiet reverse string time-trial self-test"),
        ("md5sum", "bctwz", "binary check help ignore-missing quiet status strict tag text version warn zero"),
        (
            "shasum",
            "0abchqstUvw",
            "01 algorithm binary check help ignore-missing quiet status strict tag text UNIVERSAL version warn",
        ),
    ] {
        let (known_letters, known_names) = letters_and_names(program);
        for letter in letters.chars() {
            assert!(known_letters.contains(&letter), "{program} -{letter}");
        }
        for name in names.split(' ').chain(["help", "version", "buffer-size"]) {
            assert!(known_names.iter().any(|known| known == name), "{program} --{name}");
        }
    }
}

#[test]
fn the_help_fits_80_columns_and_has_our_own_options_behind_the_references() {
    for program in ["md5", "sha512t256", "skein1024sum", "shasum"] {
        let mut command = command(&Invocation::from_argv0(OsStr::new(program)));
        let help = command.render_help().to_string();
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        let is_ours = |arg: &Arg| arg.get_help_heading().is_some_and(|heading| EXTENSIONS.contains(&heading));
        let are_ours: Vec<bool> = command.get_arguments().map(is_ours).collect();
        assert!(are_ours.is_sorted() && are_ours.contains(&true), "{help}");
    }
}
