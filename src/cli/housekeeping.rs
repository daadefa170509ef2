//! The options every dialect has that set the program up.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use anyhow::{Result, bail};
use clap::{Arg, ArgAction};

use super::getopt::INSTALLING;
use super::{Request, Rules, completion, flag, manual, value};
use crate::invocation::Dialect;
use crate::plan::{Links, Plan, Step};

/// Makes a text for all names of a dialect.
type Maker = fn(Dialect) -> String;

/// What `--generate` prints.
const KINDS: [(&str, Maker); 4] = [
    ("man", manual::page),
    ("complete-bash", completion::bash),
    ("complete-zsh", completion::zsh),
    ("complete-fish", completion::fish),
];

pub(super) fn options() -> [Arg; 4] {
    [
        value("install-links", "DIR").help("Link the family's names to this program in DIR"),
        value("names", "LIST").action(ArgAction::Append).help("Link these names too, or groups: sum, shasum"),
        flag("force").help("Replace files and links that have these names"),
        value("generate", "KIND").help("Print man, or complete-bash, -zsh or -fish"),
    ]
    .map(|arg| arg.help_heading(INSTALLING))
}

/// The kinds of texts that `--generate` prints.
pub(super) fn kinds() -> [&'static str; 4] {
    KINDS.map(|(kind, _)| kind)
}

/// What the options mean: the dialect's own plan where these are not among them.
pub(super) fn plan(rules: &Rules, request: &Request) -> Result<Plan> {
    let (links, text) = (links(request)?, text(request)?);
    if let (None, Some(option)) = (&links, request.options.given(&["names", "force"])) {
        bail!((rules.only)(option, "with --install-links"));
    }
    let steps: Vec<Step> = links.map(Step::InstallLinks).into_iter().chain(text.map(Step::Print)).collect();
    if steps.is_empty() {
        return (rules.plan)(request);
    }
    if let [file, ..] = request.operands.as_slice() {
        bail!("no files go with --install-links and --generate: '{}'", file.display());
    }
    Ok(Plan { steps, ..Plan::new(request.invocation, (rules.style)()) })
}

/// The text that `--generate` asks for.
fn text(request: &Request) -> Result<Option<String>> {
    let Some(typed) = request.options.value("generate") else { return Ok(None) };
    match KINDS.iter().find(|(kind, _)| typed == kind) {
        Some((_, make)) => Ok(Some(make(request.invocation.dialect))),
        None => bail!("--generate: there is no '{}'; there are {}", typed.display(), kinds().join(" ")),
    }
}

/// The links that `--install-links` asks for.
fn links(request: &Request) -> Result<Option<Links>> {
    let Some(folder) = request.options.value("install-links") else { return Ok(None) };
    let force = request.options.has("force");
    Ok(Some(Links { folder: folder.clone(), names: names(request)?, force }))
}

/// BSD's names, and those of `--names` that are not among them.
fn names(request: &Request) -> Result<Vec<String>> {
    let mut names = Dialect::Bsd.names();
    for list in request.options.values("names") {
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
    let mut family = Dialect::ALL.into_iter().flat_map(Dialect::names);
    match family.find(|name| typed == name.as_str()) {
        Some(name) => Ok(vec![name]),
        None => bail!("--names: there is no '{}' in the family", typed.display()),
    }
}
