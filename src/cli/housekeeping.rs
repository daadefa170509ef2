//! The options every dialect has that set the program up.
//!
//! A plain run does not wait for them: they are defined only for the help, and where an argument may be one.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use anyhow::{Result, bail};
use clap::{Arg, ArgAction};

use super::getopt::INSTALLING;
use super::{Request, Rules, flag, occurrences, value};
use crate::invocation::Dialect;
use crate::plan::{Links, Plan, Step};

/// The options' names.
const NAMES: [&str; 3] = ["install-links", "names", "force"];

pub(super) fn options() -> [Arg; 3] {
    [
        value("install-links", "DIR").help("Link the family's names to this program in DIR"),
        value("names", "LIST").action(ArgAction::Append).help("Link these names too, or groups: sum, shasum"),
        flag("force").help("Replace files and links that have these names"),
    ]
    .map(|arg| arg.help_heading(INSTALLING))
}

/// Whether one of the arguments may be one of the options, perhaps shortened.
pub(super) fn may_be_meant(args: &[OsString]) -> bool {
    args.iter().filter_map(|arg| arg.as_bytes().strip_prefix(b"--")).any(|typed| {
        let name = typed.split(|&byte| byte == b'=').next().unwrap_or_default();
        let starts = |known: &&str| known.as_bytes().get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
        !name.is_empty() && NAMES.iter().any(starts)
    })
}

/// What the options mean: the dialect's own plan where these are not among them.
pub(super) fn plan(rules: &Rules, request: &Request) -> Result<Plan> {
    let Some(folder) = request.matches.get_one::<OsString>("install-links") else {
        if let Some(option) = request.given(&["names", "force"]) {
            bail!((rules.only)(option, "with --install-links"));
        }
        return (rules.plan)(request);
    };
    if !request.operands.is_empty() {
        bail!("the --install-links option takes no files");
    }
    let links = Links { folder: folder.clone(), names: names(request)?, force: request.matches.get_flag("force") };
    let style = (rules.style)();
    Ok(Plan { steps: vec![Step::InstallLinks(links)], ..Plan::new(request.invocation, style) })
}

/// BSD's names, and those of `--names` that are not among them.
fn names(request: &Request) -> Result<Vec<String>> {
    let mut names = Dialect::Bsd.names();
    for (_, list) in occurrences(&request.matches, "names") {
        for typed in list.as_bytes().split(|&byte| byte == b',') {
            let named = group(OsStr::from_bytes(typed))?.into_iter();
            names.extend(named.filter(|name| !names.contains(name)).collect::<Vec<_>>());
        }
    }
    Ok(names)
}

/// The names a name in a list stands for.
fn group(typed: &OsStr) -> Result<Vec<String>> {
    match typed.as_bytes() {
        b"bsd" => return Ok(Dialect::Bsd.names()),
        b"sum" => return Ok(Dialect::Gnu.names()),
        _ => {}
    }
    let mut family = [Dialect::Bsd, Dialect::Gnu, Dialect::Perl].into_iter().flat_map(Dialect::names);
    match family.find(|name| typed == name.as_str()) {
        Some(name) => Ok(vec![name]),
        None => bail!("--names: there is no '{}' in the family", typed.display()),
    }
}
