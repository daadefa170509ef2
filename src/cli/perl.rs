//! Perl's shasum(1): its options and what they mean.

use std::os::unix::ffi::OsStrExt;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, Command};

use super::getopt::{Complaint, Habits, LISTS};
use super::manual::Manual;
use super::options::Options;
use super::{Request, Rules, check_extensions, flag, new_command, reading_extensions, tree_extensions, value};
use crate::algorithm::{ALGORITHMS, Algorithm};
use crate::format;
use crate::invocation::Invocation;
use crate::plan::{Check, Grammar, InputMode, Line, Names, Plan, Step, Style};

pub(super) const RULES: Rules = Rules {
    habits: Habits { options_first: false, perl_names: true, reads_behind_help: true },
    command,
    extensions,
    algorithms,
    manual: &MANUAL,
    style,
    at_once,
    plan,
    complaint,
    only,
    refusal,
};

const MANUAL: Manual = Manual {
    summary: "print or check SHA checksums of files",
    description: include_str!("manual/perl-description.txt"),
    lines: include_str!("manual/perl-lines.man"),
    rest: include_str!("manual/perl-rest.man"),
};

const CHECKS_ONLY: &str = "Only when checking";

/// The options that say how input is read. At most one may be given.
const MODES: [(&str, InputMode, u8); 4] = [
    ("binary", InputMode::Binary, b'*'),
    ("UNIVERSAL", InputMode::Universal, b'U'),
    ("01", InputMode::Bits, b'^'),
    ("text", InputMode::Binary, b' '),
];

fn command(_: &Invocation) -> Command {
    let numbers = algorithms().join(", ");
    new_command("shasum [OPTION]... [FILE]...".to_owned())
        .about("Print or check SHA checksums.\nWith no FILE, or when FILE is -, read standard input.")
        .args([
            value("algorithm", "ALG").short('a').help(format!("{numbers} [default: 1]")),
            flag("binary").short('b').help("Read in binary mode"),
            flag("check").short('c').help("Read SHA sums from the FILEs and check them"),
            flag("tag").help("Write BSD-style lines"),
            flag("text").short('t').help("Read in text mode (default)"),
            flag("UNIVERSAL").short('U').help("Read line ends of every kind as line feeds"),
            Arg::new("01")
                .short('0')
                .long("01")
                .action(ArgAction::SetTrue)
                .help("Read the characters 0 and 1 as bits and skip the rest"),
        ])
        .args(
            [
                flag("ignore-missing").help("Pass over absent files"),
                flag("quiet").short('q').help("Print no OK lines"),
                flag("status").short('s').help("Print nothing; the exit status tells"),
                flag("strict").help("Fail for improperly formatted lines"),
                flag("warn").short('w').help("Name improperly formatted lines"),
            ]
            .map(|arg| arg.help_heading(CHECKS_ONLY)),
        )
        .args(
            [flag("help").short('h').help("Print this help"), flag("version").short('v').help("Print the version")]
                .map(|arg| arg.help_heading("Help")),
        )
}

fn extensions() -> Vec<Arg> {
    let zero = flag("zero").help("Read lines that end in NUL, with names as they are").help_heading(LISTS);
    check_extensions().into_iter().chain([zero]).chain(tree_extensions()).chain(reading_extensions()).collect()
}

fn algorithms() -> Vec<&'static str> {
    ALGORITHMS.iter().filter_map(|algorithm| algorithm.perl.as_ref()).map(|perl| perl.number).collect()
}

fn style() -> Style {
    Style {
        tag: |algorithm| algorithm.perl.as_ref().map_or(algorithm.tag, |perl| perl.tag),
        names: Names::Backslash,
        message_names: Names::Raw,
        terminator: b'\n',
        output: "write error",
    }
}

fn at_once(_: &Options) -> Vec<Step> {
    Vec::new()
}

fn plan(request: &Request) -> Result<Plan> {
    refuse_nonsense(request)?;
    let options = &request.options;
    let algorithm = match options.value("algorithm") {
        Some(number) => Algorithm::numbered(number.as_bytes()).context("Unrecognized algorithm")?,
        None => request.invocation.algorithm,
    };
    let given = MODES.into_iter().find(|(name, ..)| options.has(name));
    let (_, mode, mark) = given.unwrap_or(MODES[3]);
    let line = if options.has("tag") { Line::Tagged } else { Line::Marked(mark) };
    let check = |source| {
        Step::Check(Check {
            no_lines: "no properly formatted SHA checksum lines found",
            ..request.check(source, grammar(algorithm), "SHA")
        })
    };
    let steps =
        if options.has("check") { request.sources().into_iter().map(check).collect() } else { request.digests(line) };
    Ok(Plan { algorithms: vec![algorithm], mode, steps, ..request.plan(style())? })
}

/// A list's digests may be of every algorithm shasum has; where two have the same length, the one asked for comes first.
fn grammar(asked_for: &'static Algorithm) -> Grammar {
    let others = ALGORITHMS.iter().filter(|algorithm| algorithm.perl.is_some() && *algorithm != asked_for);
    let algorithms: Vec<_> = std::iter::once(asked_for).chain(others).collect();
    Grammar { tagged: algorithms.clone(), untagged: algorithms, marks_first: true, ..Grammar::of(&[]) }
}

/// In the reference's order.
fn refuse_nonsense(request: &Request) -> Result<()> {
    let has = |name| request.options.has(name);
    if MODES.iter().filter(|(name, ..)| has(name)).count() > 1 {
        bail!("Ambiguous file mode");
    }
    let only_checking =
        request.only_checking(&["warn", "status", "quiet", "ignore-missing", "strict", "any", "base", "zero"]);
    if let (false, Some(flag)) = (has("check"), only_checking) {
        bail!(only(flag, "when verifying checksums"));
    }
    if has("tag") {
        let unsupported = [("text", "--text"), ("UNIVERSAL", "Universal Newlines"), ("01", "BITS")];
        if let Some((_, words)) = unsupported.into_iter().find(|(name, _)| has(name)) {
            bail!("--tag does not support {words} mode");
        }
    }
    request.refuse_aimless(only, has("check"))
}

/// In the words of Perl's Getopt::Long.
fn complaint(_: &Invocation, complaint: &Complaint) -> Vec<u8> {
    let bare = |name: &[u8]| name.strip_prefix(b"--").unwrap_or(name).to_vec();
    let text = match complaint {
        Complaint::UnknownLetter(letter) => [&b"Unknown option: "[..], &[*letter]].concat(),
        Complaint::UnknownName(name) => {
            let name = bare(name);
            let end = name.iter().position(|&byte| byte == b'=').unwrap_or(name.len());
            [&b"Unknown option: "[..], &name[..end]].concat()
        }
        Complaint::Ambiguous(name, candidates) => {
            let candidates = candidates.iter().map(|candidate| candidate.trim_start_matches('-'));
            let candidates = candidates.collect::<Vec<_>>().join(", ");
            [&b"Option "[..], &bare(name), b" is ambiguous (", candidates.as_bytes(), b")"].concat()
        }
        Complaint::LetterWithoutValue(letter) => [&b"Option "[..], &[*letter], b" requires an argument"].concat(),
        Complaint::NameWithoutValue(name) => [&b"Option "[..], &bare(&name.typed), b" requires an argument"].concat(),
        Complaint::UnwantedValue(name) => [&b"Option "[..], &bare(&name.typed), b" does not take an argument"].concat(),
    };
    with_hint(&text)
}

fn only(option: &str, case: &str) -> String {
    format!("--{option} option used only {case}")
}

fn refusal(invocation: &Invocation, text: &str) -> Vec<u8> {
    let message = format::message(&invocation.program, text.as_bytes());
    with_hint(message.strip_suffix(b"\n").unwrap_or(&message))
}

fn with_hint(text: &[u8]) -> Vec<u8> {
    [text, b"\nType shasum -h for help\n"].concat()
}
