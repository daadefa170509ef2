//! getopt_long(3)'s habits: bundled letters, glued values, shortened names, operands among the options, and `--`.
//!
//! What was typed is arranged into what clap reads without a doubt: one option an argument, by its whole name, its value
//! behind `=`. The options are those of the clap command itself.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use clap::{Arg, Command};

/// The headings our own options stand under. They never make a shortened name of the references ambiguous.
pub(super) const EXTENSIONS: [&str; 5] = [LISTS, TREES, READING, OTHER, INSTALLING];
pub(super) const LISTS: &str = "Digest lists";
pub(super) const TREES: &str = "Trees and lists of names";
pub(super) const READING: &str = "Reading and speed";
pub(super) const OTHER: &str = "Other options";
pub(super) const INSTALLING: &str = "Installing";

/// Options after which nothing is read, unless a habit says so.
const LAST: [&str; 2] = ["help", "version"];

/// What getopt does differently from one program to the next.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Habits {
    /// Whether the first operand ends the options.
    pub(super) options_first: bool,
    /// Whether long names are known in any case, and letters are names too.
    pub(super) perl_names: bool,
    /// Whether what stands behind a request for help is read.
    pub(super) reads_behind_help: bool,
}

/// A command line in order.
#[derive(Debug, Default)]
pub(super) struct Arranged {
    /// The options up to the first that is wrong, in the order given.
    pub(super) options: Vec<OsString>,
    /// The operands.
    pub(super) operands: Vec<OsString>,
    /// What is wrong.
    pub(super) complaint: Option<Complaint>,
}

/// What is wrong with an option. Names are as typed, long ones with their dashes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Complaint {
    /// There is no such letter.
    UnknownLetter(u8),
    /// There is no such name.
    UnknownName(Vec<u8>),
    /// The name is short for all of these.
    Ambiguous(Vec<u8>, Vec<String>),
    /// The letter's value is missing.
    LetterWithoutValue(u8),
    /// The name's value is missing.
    NameWithoutValue(Name),
    /// The name takes no value.
    UnwantedValue(Name),
}

/// A long name as it was typed, without a value, and in full.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) typed: Vec<u8>,
    pub(super) full: String,
}

/// Arranges what was typed.
pub(super) fn arrange(command: &Command, args: impl IntoIterator<Item = OsString>, habits: Habits) -> Arranged {
    let mut arranged = Arranged::default();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let wrong = match arg.as_bytes() {
            b"--" => break,
            [b'-', b'-', long @ ..] => long_option(command, long, &mut args, habits, &mut arranged.options),
            [b'-', letters @ ..] if !letters.is_empty() => {
                short_options(command, letters, &mut args, habits, &mut arranged.options)
            }
            _ => {
                arranged.operands.push(arg);
                if habits.options_first {
                    break;
                }
                continue;
            }
        };
        match wrong {
            Ok(Then::GoOn) => {}
            Ok(Then::Stop) => return arranged,
            Err(complaint) => {
                arranged.complaint = Some(complaint);
                return arranged;
            }
        }
    }
    arranged.operands.extend(args);
    arranged
}

/// Whether anything is read behind an option.
enum Then {
    GoOn,
    Stop,
}

fn long_option(
    command: &Command,
    typed: &[u8],
    args: &mut impl Iterator<Item = OsString>,
    habits: Habits,
    options: &mut Vec<OsString>,
) -> Result<Then, Complaint> {
    let equals = typed.iter().position(|&byte| byte == b'=');
    let (name, value) = match equals {
        Some(at) => (&typed[..at], Some(OsStr::from_bytes(&typed[at + 1..]).to_owned())),
        None => (typed, None),
    };
    let arg = find_long(command, name, habits).map_err(|candidates| {
        let typed = [b"--", typed].concat();
        if candidates.is_empty() { Complaint::UnknownName(typed) } else { Complaint::Ambiguous(typed, candidates) }
    })?;
    let name = || Name { typed: [b"--", name].concat(), full: format!("--{}", arg.get_long().unwrap_or_default()) };
    match (takes_value(arg), value) {
        (true, value) => {
            let value = value.or_else(|| args.next()).ok_or_else(|| Complaint::NameWithoutValue(name()))?;
            Ok(push(arg, Some(value), habits, options))
        }
        (false, None) => Ok(push(arg, None, habits, options)),
        (false, Some(_)) => Err(Complaint::UnwantedValue(name())),
    }
}

/// The option of this name: the whole name, or the start of one reference's option, or of one of ours.
fn find_long<'c>(command: &'c Command, name: &[u8], habits: Habits) -> Result<&'c Arg, Vec<String>> {
    let starts = |long: &str| {
        long.as_bytes()
            .get(..name.len())
            .is_some_and(|start| if habits.perl_names { start.eq_ignore_ascii_case(name) } else { start == name })
    };
    if let (true, [letter]) = (habits.perl_names, name)
        && let Some(arg) = find_short(command, *letter)
    {
        return Ok(arg);
    }
    let matching: Vec<&Arg> = command.get_arguments().filter(|arg| arg.get_long().is_some_and(starts)).collect();
    if let Some(whole) = matching.iter().find(|arg| arg.get_long().is_some_and(|long| long.len() == name.len())) {
        return Ok(whole);
    }
    let (ours, references): (Vec<&Arg>, Vec<&Arg>) = matching.into_iter().partition(|arg| is_extension(arg));
    let candidates = if references.is_empty() { ours } else { references };
    match candidates.as_slice() {
        [only] => Ok(only),
        several => Err(several.iter().filter_map(|arg| arg.get_long()).map(|long| format!("--{long}")).collect()),
    }
}

fn short_options(
    command: &Command,
    letters: &[u8],
    args: &mut impl Iterator<Item = OsString>,
    habits: Habits,
    options: &mut Vec<OsString>,
) -> Result<Then, Complaint> {
    for (index, &letter) in letters.iter().enumerate() {
        let arg = find_short(command, letter).ok_or(Complaint::UnknownLetter(letter))?;
        if takes_value(arg) {
            let value = match &letters[index + 1..] {
                [] => args.next().ok_or(Complaint::LetterWithoutValue(letter))?,
                glued => OsStr::from_bytes(glued).to_owned(),
            };
            return Ok(push(arg, Some(value), habits, options));
        }
        if let Then::Stop = push(arg, None, habits, options) {
            return Ok(Then::Stop);
        }
    }
    Ok(Then::GoOn)
}

fn find_short(command: &Command, letter: u8) -> Option<&Arg> {
    command.get_arguments().find(|arg| arg.get_short() == Some(letter.into()))
}

fn push(arg: &Arg, value: Option<OsString>, habits: Habits, options: &mut Vec<OsString>) -> Then {
    let mut option = match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, short) => format!("-{}", short.unwrap_or_default()),
    }
    .into_bytes();
    if let Some(value) = value {
        option.push(b'=');
        option.extend(value.into_vec());
    }
    options.push(OsString::from_vec(option));
    if LAST.contains(&arg.get_id().as_str()) && !habits.reads_behind_help { Then::Stop } else { Then::GoOn }
}

pub(super) fn takes_value(arg: &Arg) -> bool {
    arg.get_num_args().map_or(arg.get_action().takes_values(), |number| number.takes_values())
}

fn is_extension(arg: &Arg) -> bool {
    arg.get_help_heading().is_some_and(|heading| EXTENSIONS.contains(&heading))
}
