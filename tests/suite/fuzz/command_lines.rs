//! Command lines: however getopt_long(3) lets one be spelt, it means what it means with each option by its whole name, its value behind
//! `=`, and the operands at the end.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use arbitrary::{Arbitrary, Result, Unstructured};
use bsdigest::cli;
use bsdigest::invocation::Dialect;
use clap::Arg;

use super::{Case, mixture};

/// A command line in two spellings, and one that may be none.
#[derive(Debug)]
pub struct CommandLine {
    dialect: Dialect,
    canonical: Vec<OsString>,
    spelt: Vec<OsString>,
    any: Vec<OsString>,
    options_first: bool,
}

impl Arbitrary<'_> for CommandLine {
    fn arbitrary(from: &mut Unstructured) -> Result<Self> {
        let dialect = *from.choose(&Dialect::ALL)?;
        let command = cli::command(&dialect.invocation());
        let all: Vec<&Arg> = command.get_arguments().collect();
        let mut options = Vec::new();
        for _ in 0..from.int_in_range(0..=5)? {
            let arg = *from.choose(&all)?;
            let takes_value =
                arg.get_num_args().map_or(arg.get_action().takes_values(), |number| number.takes_values());
            options.push((arg, if takes_value { Some(value(from)?) } else { None }));
        }
        let operands = (0..from.int_in_range(0..=4)?).map(|_| operand(from)).collect::<Result<Vec<_>>>()?;
        let whole = |(arg, value): &(&Arg, Option<Vec<u8>>)| whole(arg, value.as_deref());
        let mut canonical: Vec<_> = options.iter().map(whole).collect();
        canonical.push(b"--".to_vec());
        canonical.extend(operands.iter().cloned());
        let spelt = spell(from, &all, &options, &operands)?;
        let mut any = Vec::new();
        for _ in 0..from.int_in_range(0..=4)? {
            any.push(match from.int_in_range(0..=3)? {
                0 => value(from)?,
                1 => [b"-", value(from)?.as_slice()].concat(),
                2 => [b"--", value(from)?.as_slice()].concat(),
                _ => whole(from.choose(&options).unwrap_or(&(all[0], None))),
            });
        }
        let os = |args: Vec<Vec<u8>>| args.into_iter().map(OsString::from_vec).collect();
        let [canonical, spelt, any] = [canonical, spelt, any].map(os);
        Ok(Self { dialect, canonical, spelt, any, options_first: from.arbitrary()? })
    }
}

impl Case for CommandLine {
    fn check(&self) {
        let invocation = self.dialect.invocation();
        let plan = |args: &[OsString], options_first| cli::plan(&invocation, args.to_vec(), options_first);
        assert_eq!(format!("{:?}", plan(&self.spelt, false)), format!("{:?}", plan(&self.canonical, false)));
        assert!(!plan(&self.any, self.options_first).steps.is_empty(), "there is always something to do or to say");
    }
}

fn value(from: &mut Unstructured) -> Result<Vec<u8>> {
    let pieces: [&[u8]; 20] = [
        b"",
        b"-",
        b"--",
        b"=",
        b"a",
        b"1",
        b"256",
        b"1M",
        b"md5",
        b"sha1,",
        b"sha512",
        b"man",
        b"list",
        b"sum",
        b"complete-bash",
        b" ",
        b"qr",
        b"c",
        b"\xff",
        "é".as_bytes(),
    ];
    let mut value = mixture(from, &pieces, 2)?;
    // No argument holds a NUL.
    value.retain(|&byte| byte != 0);
    Ok(value)
}

/// The name of an input, or what looks like an option.
fn operand(from: &mut Unstructured) -> Result<Vec<u8>> {
    let prefix: &[u8] = from.choose(&["", "", "", "-", "--"])?.as_bytes();
    Ok([prefix, &value(from)?].concat())
}

/// Whether an operand looks like no option.
fn is_plain(operand: &[u8]) -> bool {
    !operand.starts_with(b"-") || operand == b"-"
}

/// An option with its whole name, or its letter where it has none.
fn whole(arg: &Arg, value: Option<&[u8]>) -> Vec<u8> {
    match (arg.get_long(), value) {
        (Some(long), Some(value)) => [b"--", long.as_bytes(), b"=", value].concat(),
        (Some(long), None) => [b"--", long.as_bytes()].concat(),
        (None, value) => [b"-", letter(arg).as_slice(), value.unwrap_or_default()].concat(),
    }
}

fn letter(arg: &Arg) -> Vec<u8> {
    arg.get_short().map(|letter| letter.to_string().into_bytes()).unwrap_or_default()
}

/// Spells each option in one of its ways, with operands between them.
fn spell(
    from: &mut Unstructured,
    all: &[&Arg],
    options: &[(&Arg, Option<Vec<u8>>)],
    operands: &[Vec<u8>],
) -> Result<Vec<Vec<u8>>> {
    let mut args: Vec<Vec<u8>> = Vec::new();
    let mut operands = operands.iter().peekable();
    // Whether a letter may be put behind the last argument's.
    let mut is_bundle = false;
    for (arg, value) in options {
        while from.ratio(1, 4)?
            && let Some(operand) = operands.next_if(|operand| is_plain(operand))
        {
            args.push(operand.clone());
            is_bundle = false;
        }
        if arg.get_short().is_none() || (arg.get_long().is_some() && from.arbitrary()?) {
            spell_name(from, all, arg, value.as_deref(), &mut args)?;
            is_bundle = false;
            continue;
        }
        match args.last_mut().filter(|_| is_bundle) {
            Some(last) => last.extend(letter(arg)),
            None => args.push([b"-", letter(arg).as_slice()].concat()),
        }
        is_bundle = value.is_none() && from.arbitrary()?;
        if let Some(value) = value {
            match args.last_mut() {
                // An empty value cannot be glued.
                Some(last) if !value.is_empty() && from.arbitrary()? => last.extend_from_slice(value),
                _ => args.push(value.clone()),
            }
        }
    }
    if !operands.clone().all(|operand| is_plain(operand)) || from.arbitrary()? {
        args.push(b"--".to_vec());
    }
    args.extend(operands.cloned());
    Ok(args)
}

/// Spells an option by its name, or as much of its start as no other name has.
fn spell_name(
    from: &mut Unstructured,
    all: &[&Arg],
    arg: &Arg,
    value: Option<&[u8]>,
    args: &mut Vec<Vec<u8>>,
) -> Result<()> {
    let long = arg.get_long().expect("it has a name");
    let others = || all.iter().filter_map(|arg| arg.get_long()).filter(|other| *other != long);
    let is_unique = |size: &usize| {
        long.is_char_boundary(*size)
            && others().all(|other| other.get(..*size).is_none_or(|start| !start.eq_ignore_ascii_case(&long[..*size])))
    };
    // Perl takes a single letter for a letter.
    let least = (2..long.len()).find(is_unique).unwrap_or(long.len());
    let name = &long[..from.int_in_range(least..=long.len())?];
    let name = [b"--", name.as_bytes()].concat();
    match value {
        Some(value) if from.arbitrary()? => args.push([name.as_slice(), b"=", value].concat()),
        Some(value) => args.extend([name, value.to_vec()]),
        None => args.push(name),
    }
    Ok(())
}
