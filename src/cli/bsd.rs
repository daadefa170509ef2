//! FreeBSD's md5(1): its options and what they mean.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgAction, Command, value_parser};

use super::getopt::{Complaint, Habits, LISTS, OTHER};
use super::manual::Manual;
use super::options::Options;
use super::{
    Request, Rules, check_extensions, flag, in_order, new_command, reading_extensions, tree_extensions, value,
};
use crate::algorithm::{ALGORITHMS, Algorithm};
use crate::format;
use crate::invocation::Invocation;
use crate::plan::{Expected, Grammar, Job, Line, Names, Plan, Source, Step, Style};

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
    summary: "print or check message digests of files",
    description: include_str!("manual/bsd-description.txt"),
    lines: include_str!("manual/bsd-lines.man"),
    rest: include_str!("manual/bsd-rest.man"),
};

fn usage(invocation: &Invocation) -> String {
    format!("{} [-bpqrtx] [-c string] [-s string] [files ...]", invocation.algorithm.name)
}

fn command(invocation: &Invocation) -> Command {
    let name = invocation.algorithm.tag;
    new_command(usage(invocation))
        .about(format!(
            "Print the {name} digest of each file.\nWith no file, or when a file is -, read standard input."
        ))
        .args([
            Arg::new("binary").short('b').action(ArgAction::SetTrue).help("Accepted and ignored"),
            value("check", "string").short('c').help("Compare with this digest; exit 2 when one differs"),
            flag("passthrough").short('p').help("Pass standard input through, then print its digest"),
            flag("quiet").short('q').help("Print only the digest"),
            flag("reverse").short('r').help("Print the digest before the name"),
            value("string", "string").short('s').action(ArgAction::Append).help("Digest the string"),
            repeated_flag("time-trial").short('t').help("Run a time trial"),
            repeated_flag("self-test").short('x').help("Run the self-test"),
        ])
}

fn extensions() -> Vec<Arg> {
    let lists = [
        value("check-list", "LIST").action(ArgAction::Append).help("Check the files of this digest list"),
        flag("ignore-missing").help("Pass over absent files"),
        flag("status").overrides_with("warn").help("Print nothing; the exit status tells"),
        flag("strict").help("Fail for improperly formatted lines"),
        flag("warn").overrides_with("status").help("Name improperly formatted lines"),
        flag("zero").help("Read lines that end in NUL, with names as they are"),
    ]
    .map(|arg| arg.help_heading(LISTS));
    let others = [
        value("algorithm", "NAMES").action(ArgAction::Append).help("Print these digests of each file: md5,sha256,..."),
        flag("help").help("Print this help"),
        flag("version").help("Print the version"),
    ]
    .map(|arg| arg.help_heading(OTHER));
    let shared = check_extensions().into_iter().chain(tree_extensions()).chain(reading_extensions());
    lists.into_iter().chain(shared).chain(others).collect()
}

/// A flag of which each occurrence counts.
fn repeated_flag(long: &'static str) -> Arg {
    Arg::new(long)
        .long(long)
        .num_args(0)
        .default_missing_value("")
        .value_parser(value_parser!(OsString))
        .action(ArgAction::Append)
}

fn algorithms() -> Vec<&'static str> {
    ALGORITHMS.each_ref().map(|algorithm| algorithm.name).to_vec()
}

fn style() -> Style {
    Style {
        tag: |algorithm| algorithm.tag,
        names: Names::Vis,
        message_names: Names::Vis,
        terminator: b'\n',
        output: "stdout",
    }
}

fn at_once(options: &Options) -> Vec<Step> {
    in_order(trials(options))
}

fn trials(options: &Options) -> Vec<(usize, Step)> {
    let trials = options.occurrences("time-trial").map(|(index, _)| (index, Step::TimeTrial));
    let tests = options.occurrences("self-test").map(|(index, _)| (index, Step::SelfTest));
    trials.chain(tests).collect()
}

fn plan(request: &Request) -> Result<Plan> {
    let options = &request.options;
    let algorithms = algorithms_of(request)?;
    let has_list = options.value("check-list").is_some();
    request.refuse_aimless(only, false)?;
    let of_checks = ["ignore-missing", "status", "warn", "strict", "zero", "any", "base"];
    if let (false, Some(flag)) = (has_list, request.only_checking(&of_checks)) {
        bail!(only(flag, "with --check-list"));
    }
    let pass_through = options.has("passthrough");
    let expected = options.value("check");
    if has_list && (pass_through || expected.is_some()) {
        bail!("--check and --passthrough do not go with --check-list");
    }
    let is_one = algorithms.len() == 1;
    if expected.is_some() && !is_one {
        bail!("--check does not go with several algorithms");
    }
    let line = match (options.has("quiet"), options.has("reverse")) {
        (true, _) => Line::Bare,
        (false, true) => Line::Reversed,
        (false, false) => Line::Tagged,
    };
    let job = |source, line, pass_through| Step::Digest(Job { source, line, pass_through });
    let mut steps = trials(options);
    for (index, list) in options.occurrences("check-list") {
        let list = Source::operand(list.clone());
        let tags = algorithms.iter().map(|algorithm| algorithm.tag).collect::<Vec<_>>().join(" or ");
        steps.push((index, Step::Check(request.check(list, Grammar::of(&algorithms), &tags))));
    }
    let has_own_steps = !steps.is_empty();
    let mut has_string = false;
    for (index, string) in options.occurrences("string") {
        has_string = true;
        steps.push((index, job(Source::Text(string.as_bytes().to_vec()), line, false)));
    }
    let mut steps = in_order(steps);
    if has_string {
        // The strings are all the input there is.
    } else if pass_through || !request.has_inputs() {
        if !has_own_steps {
            // One digest needs no name beside it; several need to be told apart.
            let line = if is_one { Line::Bare } else { line };
            steps.push(job(Source::StandardInput, line, pass_through));
        }
    } else {
        steps.extend(request.digests(line));
    }
    Ok(Plan {
        algorithms,
        expected: expected.map(|typed| Expected { digits: typed.as_bytes().to_vec(), marked: !options.has("quiet") }),
        steps,
        ..request.plan(style())?
    })
}

/// Those asked for, each once, in the order given; else the one of the program's name.
fn algorithms_of(request: &Request) -> Result<Vec<&'static Algorithm>> {
    let mut algorithms = Vec::new();
    for typed in request.options.values("algorithm") {
        for name in typed.as_bytes().split(|&byte| byte == b',') {
            let algorithm = named(name)?;
            if !algorithms.contains(&algorithm) {
                algorithms.push(algorithm);
            }
        }
    }
    if algorithms.is_empty() {
        algorithms.push(request.invocation.algorithm);
    }
    Ok(algorithms)
}

fn named(name: &[u8]) -> Result<&'static Algorithm> {
    Algorithm::named(name).ok_or_else(|| {
        let names = algorithms().join(" ");
        anyhow!("--algorithm: there is no '{}'; there are {names}", OsStr::from_bytes(name).display())
    })
}

/// In the words of FreeBSD's getopt_long(3).
fn complaint(invocation: &Invocation, complaint: &Complaint) -> Vec<u8> {
    let text = match complaint {
        Complaint::UnknownLetter(letter) => [&b"invalid option -- "[..], &[*letter]].concat(),
        Complaint::UnknownName(name) => [&b"unrecognized option `"[..], name, b"'"].concat(),
        Complaint::Ambiguous(typed, _) => {
            let name = typed.split(|&byte| byte == b'=').next().unwrap_or_default();
            [&b"option `"[..], name, b"' is ambiguous"].concat()
        }
        Complaint::LetterWithoutValue(letter) => [&b"option requires an argument -- "[..], &[*letter]].concat(),
        Complaint::NameWithoutValue(name) => [&b"option `"[..], &name.typed, b"' requires an argument"].concat(),
        Complaint::UnwantedValue(name) => [&b"option `"[..], &name.typed, b"' doesn't allow an argument"].concat(),
    };
    with_usage(invocation, &text)
}

fn only(option: &str, case: &str) -> String {
    format!("the --{option} option is meaningful only {case}")
}

fn refusal(invocation: &Invocation, text: &str) -> Vec<u8> {
    with_usage(invocation, text.as_bytes())
}

fn with_usage(invocation: &Invocation, text: &[u8]) -> Vec<u8> {
    let usage = format!("usage: {} [-pqrtx] [-c string] [-s string] [files ...]\n", invocation.algorithm.name);
    [&format::message(&invocation.program, text), usage.as_bytes()].concat()
}
