//! GNU coreutils' md5sum(1) and its siblings: their options and what they mean.

use anyhow::{Result, bail};
use clap::{Arg, Command};

use super::getopt::{Complaint, Habits};
use super::manual::Manual;
use super::options::Options;
use super::{Request, Rules, check_extensions, flag, new_command, reading_extensions, tree_extensions};
use crate::format;
use crate::invocation::Invocation;
use crate::plan::{Grammar, Line, Names, Plan, Step, Style};

pub(super) const RULES: Rules = Rules {
    habits: Habits { options_first: false, perl_names: false, reads_behind_help: false },
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
    summary: "print or check checksums of files",
    description: include_str!("manual/gnu-description.txt"),
    lines: include_str!("manual/gnu-lines.man"),
    rest: include_str!("manual/gnu-rest.man"),
};

const CHECKS_ONLY: &str = "Only when checking";

fn command(invocation: &Invocation) -> Command {
    let name = invocation.algorithm.name;
    new_command(format!("{name}sum [OPTION]... [FILE]..."))
        .about(format!(
            "Print or check {} ({}-bit) checksums.\nWith no FILE, or when FILE is -, read standard input.",
            invocation.algorithm.tag,
            8 * invocation.algorithm.digest_size
        ))
        .args([
            flag("binary").short('b').overrides_with("text").help("Mark the names with *; bytes are read as they are"),
            flag("check").short('c').help("Read checksums from the FILEs and check them"),
            flag("tag").help("Write BSD-style lines"),
            flag("text").short('t').overrides_with("binary").help("Mark the names with a space (default)"),
            flag("zero").short('z').help("End lines with NUL, with names as they are; read such lists"),
        ])
        .args(
            [
                flag("ignore-missing").help("Pass over absent files"),
                flag("quiet").overrides_with_all(["status", "warn"]).help("Print no OK lines"),
                flag("status").overrides_with_all(["quiet", "warn"]).help("Print nothing; the exit status tells"),
                flag("strict").help("Fail for improperly formatted lines"),
                flag("warn").short('w').overrides_with_all(["quiet", "status"]).help("Name improperly formatted lines"),
            ]
            .map(|arg| arg.help_heading(CHECKS_ONLY)),
        )
        .args(
            [flag("help").help("Print this help"), flag("version").help("Print the version")]
                .map(|arg| arg.help_heading("Help")),
        )
}

fn extensions() -> Vec<Arg> {
    check_extensions().into_iter().chain(tree_extensions()).chain(reading_extensions()).collect()
}

fn algorithms() -> Vec<&'static str> {
    Vec::new()
}

fn style() -> Style {
    Style {
        tag: |algorithm| algorithm.tag,
        names: Names::Backslash,
        message_names: Names::ShellQuoted,
        terminator: b'\n',
        output: "write error",
    }
}

fn at_once(_: &Options) -> Vec<Step> {
    Vec::new()
}

fn plan(request: &Request) -> Result<Plan> {
    refuse_nonsense(request)?;
    let algorithm = request.invocation.algorithm;
    let options = &request.options;
    let line =
        if options.has("tag") { Line::Tagged } else { Line::Marked(if options.has("binary") { b'*' } else { b' ' }) };
    let mut style = style();
    if options.has("zero") && !options.has("check") {
        (style.terminator, style.names) = (0, Names::Raw);
    }
    let check = |source| Step::Check(request.check(source, Grammar::of(&[algorithm]), algorithm.tag));
    let steps =
        if options.has("check") { request.sources().into_iter().map(check).collect() } else { request.digests(line) };
    Ok(Plan { steps, ..request.plan(style)? })
}

/// In the reference's order.
fn refuse_nonsense(request: &Request) -> Result<()> {
    let has = |name| request.options.has(name);
    if has("check") {
        if has("tag") {
            bail!("the --tag option is meaningless when verifying checksums");
        }
        if has("binary") || has("text") {
            bail!("the --binary and --text options are meaningless when verifying checksums");
        }
    } else if let Some(flag) =
        request.only_checking(&["ignore-missing", "status", "warn", "quiet", "strict", "any", "base"])
    {
        bail!(only(flag, "when verifying checksums"));
    }
    if has("tag") && has("text") {
        bail!("--tag does not support --text mode");
    }
    request.refuse_aimless(only, has("check"))
}

/// In the words of glibc's getopt_long(3).
fn complaint(invocation: &Invocation, complaint: &Complaint) -> Vec<u8> {
    let text = match complaint {
        Complaint::UnknownLetter(letter) => [&b"invalid option -- '"[..], &[*letter], b"'"].concat(),
        Complaint::UnknownName(name) => [&b"unrecognized option '"[..], name, b"'"].concat(),
        Complaint::Ambiguous(name, candidates) => {
            let quoted: String = candidates.iter().map(|candidate| format!(" '{candidate}'")).collect();
            [&b"option '"[..], name, b"' is ambiguous; possibilities:", quoted.as_bytes()].concat()
        }
        Complaint::LetterWithoutValue(letter) => [&b"option requires an argument -- '"[..], &[*letter], b"'"].concat(),
        Complaint::NameWithoutValue(name) => format!("option '{}' requires an argument", name.full).into_bytes(),
        Complaint::UnwantedValue(name) => format!("option '{}' doesn't allow an argument", name.full).into_bytes(),
    };
    with_hint(invocation, &text)
}

fn only(option: &str, case: &str) -> String {
    format!("the --{option} option is meaningful only {case}")
}

fn refusal(invocation: &Invocation, text: &str) -> Vec<u8> {
    with_hint(invocation, text.as_bytes())
}

fn with_hint(invocation: &Invocation, text: &[u8]) -> Vec<u8> {
    let program = invocation.program.as_slice();
    [&format::message(program, text), &b"Try '"[..], program, b" --help' for more information.\n"].concat()
}
