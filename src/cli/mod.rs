//! The command line → a [`Plan`]. The only part that knows clap, getopt's habits or a dialect's options.

mod bsd;
mod completion;
mod getopt;
mod gnu;
mod housekeeping;
mod manual;
mod options;
mod perl;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgAction, Command, value_parser};

use crate::ahead::MAX_READERS;
use crate::algorithm::Algorithm;
use crate::crew::MAX_JOBS;
use crate::invocation::{Dialect, Invocation};
use crate::plan::{Check, Grammar, Job, Line, NameList, Plan, Resources, Source, Step, Style, Walk};
use crate::pump::MAX_BUFFER_SIZE;
use getopt::{Arranged, Complaint, Habits, LISTS, READING, TREES};
use manual::Manual;
use options::Options;

/// What a dialect brings of its own.
struct Rules {
    habits: Habits,
    /// The reference's options.
    command: fn(&Invocation) -> Command,
    /// Our own.
    extensions: fn() -> Vec<Arg>,
    /// The names its `--algorithm` takes.
    algorithms: fn() -> Vec<&'static str>,
    /// What its manual page says besides.
    manual: &'static Manual,
    /// How its lines are written.
    style: fn() -> Style,
    /// The steps it takes while it still reads its options.
    at_once: fn(&Options) -> Vec<Step>,
    /// What the options mean; the error is a refusal.
    plan: fn(&Request) -> Result<Plan>,
    /// How it words what getopt has to say.
    complaint: fn(&Invocation, &Complaint) -> Vec<u8>,
    /// How it words that an option is of no use but in some case.
    only: fn(&str, &str) -> String,
    /// How it words a refusal.
    refusal: fn(&Invocation, &str) -> Vec<u8>,
}

/// What was typed, understood but not yet weighed.
struct Request<'a> {
    invocation: &'a Invocation,
    options: Options,
    operands: Vec<OsString>,
}

fn rules(dialect: Dialect) -> &'static Rules {
    match dialect {
        Dialect::Bsd => &bsd::RULES,
        Dialect::Gnu => &gnu::RULES,
        Dialect::Perl => &perl::RULES,
    }
}

/// The options of the program that was called.
pub fn command(invocation: &Invocation) -> Command {
    let Rules { command, extensions, .. } = rules(invocation.dialect);
    command(invocation).args(extensions()).args(housekeeping::options())
}

/// What the arguments ask of the program that was called. With `options_first` (POSIXLY_CORRECT) the first operand ends the options.
///
/// A command line that is wrong gives a plan too: what the references do before they reach the fault, and then a complaint.
pub fn plan(invocation: &Invocation, args: impl IntoIterator<Item = OsString>, options_first: bool) -> Plan {
    let rules = rules(invocation.dialect);
    let args: Vec<OsString> = args.into_iter().collect();
    // Our own options have long names only; a plain run does not wait for their definitions.
    let has_long_names = args.iter().any(|arg| arg.len() > 2 && arg.as_bytes().starts_with(b"--"));
    let mut command = if has_long_names { command(invocation) } else { (rules.command)(invocation) };
    let habits = Habits { options_first, ..rules.habits };
    let Arranged { options: typed, operands, complaint } = getopt::arrange(&command, args, habits);
    let mut plan = Plan::new(invocation, (rules.style)());
    let options = match command.try_get_matches_from_mut(typed) {
        Ok(matches) => Options(matches),
        Err(error) => {
            plan.steps = vec![Step::Complain((rules.refusal)(invocation, &error.to_string()))];
            return plan;
        }
    };
    plan.steps = (rules.at_once)(&options);
    if let Some(complaint) = complaint {
        plan.steps.push(Step::Complain((rules.complaint)(invocation, &complaint)));
    } else if options.has("help") {
        plan.steps.push(Step::Print(help(invocation)));
    } else if options.has("version") {
        plan.steps.extend([Step::Print(version(invocation)), Step::TellSandbox]);
    } else {
        match housekeeping::plan(rules, &Request { invocation, options, operands }) {
            Ok(whole) => return whole,
            Err(refusal) => plan.steps.push(Step::Complain((rules.refusal)(invocation, &refusal.to_string()))),
        }
    }
    plan
}

fn help(invocation: &Invocation) -> String {
    let mut text = command(invocation).render_help().to_string();
    let Algorithm { tag, is_broken, .. } = invocation.algorithm;
    if *is_broken {
        text += &format!("\n{tag} is broken for signatures: it detects accidents, not attackers.\n");
    }
    text
}

fn version(invocation: &Invocation) -> String {
    format!("{} (bsdigest) {}\n", String::from_utf8_lossy(&invocation.program), env!("CARGO_PKG_VERSION"))
}

/// A command without clap's own habits.
fn new_command(usage: String) -> Command {
    Command::new(env!("CARGO_PKG_NAME"))
        .no_binary_name(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args_override_self(true)
        .override_usage(usage)
        .help_template("usage: {usage}\n\n{about}\n\n{all-args}\n")
}

/// An option without a value, called by its long name.
fn flag(long: &'static str) -> Arg {
    Arg::new(long).long(long).action(ArgAction::SetTrue)
}

/// An option with a value, called by its long name.
fn value(long: &'static str, name: &'static str) -> Arg {
    Arg::new(long).long(long).value_name(name).value_parser(value_parser!(OsString)).action(ArgAction::Set)
}

/// Our own options that go with checks.
fn check_extensions() -> [Arg; 2] {
    [
        flag("any").help("Take the lines of every algorithm, by tag or length"),
        value("base", "DIR|list").help("Look for the files in DIR, or in the list's folder"),
    ]
    .map(|arg| arg.help_heading(LISTS))
}

/// Our own options that name more files than the operands do.
fn tree_extensions() -> [Arg; 5] {
    [
        flag("recursive").help("Digest the files in folders and below"),
        flag("follow").help("Follow the symbolic links in them"),
        flag("one-file-system").help("Enter no folder of another file system"),
        value("files-from", "FILE").action(ArgAction::Append).help("Digest the files named in FILE, or - for stdin"),
        flag("null").help("Names in FILE end in NUL"),
    ]
    .map(|arg| arg.help_heading(TREES))
}

/// Our own options that say what may be used for reading.
fn reading_extensions() -> [Arg; 4] {
    [
        value("buffer-size", "SIZE").help("Read SIZE bytes at a time [default: 1M or a record]"),
        value("read-ahead", "N").help("Keep N reads of a file on their way [default: auto]"),
        value("jobs", "N").help("Digest files on N processors at once [default: all]"),
        flag("progress").help("Show on the terminal how far it is"),
    ]
    .map(|arg| arg.help_heading(READING))
}

/// Steps that may come more than once, in the order they were given.
fn in_order(mut steps: Vec<(usize, Step)>) -> Vec<Step> {
    steps.sort_by_key(|(index, _)| *index);
    steps.into_iter().map(|(_, step)| step).collect()
}

impl Request<'_> {
    /// The operands' sources; when there are none, standard input, or with `--recursive` the current folder.
    fn sources(&self) -> Vec<Source> {
        match self.operands.as_slice() {
            [] if self.options.has("recursive") => vec![Source::File(".".into())],
            [] => vec![Source::StandardInput],
            operands => operands.iter().cloned().map(Source::operand).collect(),
        }
    }

    /// Whether anything but standard input is to be digested.
    fn has_inputs(&self) -> bool {
        !self.operands.is_empty() || self.options.given(&["recursive", "files-from"]).is_some()
    }

    /// The steps that digest the files named in lists, and then the operands.
    fn digests(&self, line: Line) -> Vec<Step> {
        let terminator = if self.options.has("null") { 0 } else { b'\n' };
        let lists = self.options.values("files-from");
        let list =
            |list: &OsString| Step::DigestListed(NameList { list: Source::operand(list.clone()), terminator, line });
        let mut steps: Vec<Step> = lists.map(list).collect();
        if steps.is_empty() || !self.operands.is_empty() {
            let digest = |source| Step::Digest(Job { source, line, pass_through: false });
            steps.extend(self.sources().into_iter().map(digest));
        }
        steps
    }

    /// How folders are walked, if they are.
    fn walk(&self) -> Option<Walk> {
        let has = |name| self.options.has(name);
        has("recursive").then(|| Walk {
            follow: has("follow"),
            one_file_system: has("one-file-system"),
            warn: has("warn"),
        })
    }

    /// Refuses options about trees and lists of names that have nothing to be about. Lists to be checked are no inputs.
    fn refuse_aimless(&self, only: fn(&str, &str) -> String, is_check: bool) -> Result<()> {
        let needs = [("follow", "recursive"), ("one-file-system", "recursive"), ("null", "files-from")];
        for (option, need) in needs {
            if self.options.is_given(option) && !self.options.is_given(need) {
                bail!(only(option, &format!("with --{need}")));
            }
        }
        if let (true, Some(option)) = (is_check, self.options.given(&["recursive", "files-from"])) {
            bail!("the --{option} option is meaningless when verifying checksums");
        }
        let lists = self.options.values("files-from");
        let lists = lists.filter(|list| *list == "-").count();
        if lists > 0 && lists + self.operands.iter().filter(|operand| *operand == "-").count() > 1 {
            bail!("--files-from: standard input can be read only once");
        }
        Ok(())
    }

    /// The first of these options that only mean something to a check. A walk has warnings too.
    fn only_checking(&self, options: &[&'static str]) -> Option<&'static str> {
        let options = options.iter().copied().filter(|option| *option != "warn" || !self.options.has("recursive"));
        self.options.given(&options.collect::<Vec<_>>())
    }

    /// A plan of no steps with what every dialect's options ask for.
    fn plan(&self, style: Style) -> Result<Plan> {
        Ok(Plan {
            walk: self.walk(),
            progress: self.options.has("progress"),
            resources: self.resources()?,
            ..Plan::new(self.invocation, style)
        })
    }

    /// What `--buffer-size`, `--read-ahead` and `--jobs` ask for.
    fn resources(&self) -> Result<Resources> {
        let typed = |name| self.options.value(name);
        let number = |name, least, meaning, most| {
            typed(name).map(|number| parse_number(name, number, least, meaning, most)).transpose()
        };
        Ok(Resources {
            buffer_size: typed("buffer-size").map(|size| parse_size(size)).transpose()?,
            read_ahead: number("read-ahead", 0, "read in line", MAX_READERS)?,
            jobs: number("jobs", 1, "one file after the other", MAX_JOBS)?,
        })
    }

    /// A check of one list of this grammar and kind, with the options that go with checks.
    fn check(&self, list: Source, mut grammar: Grammar, kind: &str) -> Check {
        let mut kind = format!(" {kind}");
        if self.options.has("any") {
            grammar.accept_any();
            kind.clear();
        }
        if self.options.has("zero") {
            grammar.terminator = 0;
        }
        Check {
            base: self.base(&list),
            list,
            grammar,
            quiet: self.options.has("quiet"),
            status: self.options.has("status"),
            warn: self.options.has("warn"),
            strict: self.options.has("strict"),
            ignore_missing: self.options.has("ignore-missing"),
            bad_line: format!("improperly formatted{kind} checksum line"),
            no_lines: "no properly formatted checksum lines found",
        }
    }

    /// The folder where the names of a list start, if `--base` says that it is not the current one.
    fn base(&self, list: &Source) -> Option<OsString> {
        let typed = self.options.value("base")?;
        if typed != "list" {
            return Some(typed.clone());
        }
        let folder = Path::new(list.file_name()?).parent()?;
        Some(folder.into())
    }
}

/// A number of bytes from 1 to [`MAX_BUFFER_SIZE`]: digits, then perhaps K, M or G (powers of 1024), alone or with `iB`, or
/// with `B` (powers of 1000), in any case.
fn parse_size(typed: &OsStr) -> Result<usize> {
    let wrong = || anyhow!("--buffer-size: '{}' is not a size such as 65536, 64K or 1M", typed.display());
    let bytes = typed.as_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, unit) = bytes.split_at(digits);
    let factor: u128 = match unit.to_ascii_lowercase().as_slice() {
        b"" | b"b" => 1,
        b"k" | b"kib" => 1 << 10,
        b"m" | b"mib" => 1 << 20,
        b"g" | b"gib" => 1 << 30,
        b"kb" => 1000,
        b"mb" => 1000_u128.pow(2),
        b"gb" => 1000_u128.pow(3),
        _ => return Err(wrong()),
    };
    if digits.is_empty() {
        return Err(wrong());
    }
    // Only digits are left, so what does not parse is too large.
    let number = str::from_utf8(digits)?.parse::<u64>().map_or(u128::from(u64::MAX), u128::from);
    match usize::try_from(number * factor) {
        Ok(0) => bail!("--buffer-size: the least size is 1"),
        Ok(size) if size <= MAX_BUFFER_SIZE => Ok(size),
        _ => bail!("--buffer-size: '{}' is too large: the greatest size is 1G", typed.display()),
    }
}

/// A number from `least`, which has a meaning of its own, to `most`.
fn parse_number(option: &str, typed: &OsStr, least: usize, meaning: &str, most: usize) -> Result<usize> {
    let is_number = !typed.is_empty() && typed.as_bytes().iter().all(u8::is_ascii_digit);
    let number = typed.to_str().filter(|_| is_number).and_then(|digits| digits.parse().ok());
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| anyhow!("--{option}: '{}' is not a number from {least} ({meaning}) to {most}", typed.display()))
}

#[cfg(test)]
mod tests;
