//! Lists from each writer to each reader, ours and the real programs, over awkward names.
//!
//! The outcome stands in `tests/lists.md`; `UPDATE_DOCS=1 cargo test matrix` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use bsdigest::name::is_plain;

use crate::support::Folder;

/// Where the list is written for the reader.
const LIST: &str = ".list";

/// Names, and what each is called in the table.
fn names() -> Vec<(Label, Vec<u8>)> {
    let names: [(&str, &[u8]); 25] = [
        ("plain", b"plain"),
        ("space inside", b"a b"),
        ("space first", b" lead"),
        ("space last", b"trail "),
        ("two spaces", b"two  spaces"),
        ("tab", b"tab\tname"),
        ("parentheses", b"p (1)"),
        ("`) = `", b"u (2007) = v"),
        ("`*` first", b"*star"),
        ("`-`", b"./-"),
        ("`#` first", b"#hash"),
        ("`U` first", b"Uniform"),
        ("`^` first", b"^caret"),
        ("backslash", b"back\\slash"),
        ("backslash n", b"back\\nslash"),
        ("backslash first", b"\\lead"),
        ("newline", b"new\nline"),
        ("CR inside", b"re\rturn"),
        ("CR last", b"end\r"),
        ("escape", b"\x1b[31mred"),
        ("UTF-8", "пример é".as_bytes()),
        ("no UTF-8", b"\xff\xfename"),
        ("a digest", b"b6a98d9ce9a2d9149288fa3df42d377c3e42737afdcdaf714e33c0a100b51060"),
        ("255 bytes", &[b'n'; 255]),
        ("deep path", b"a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z"),
    ];
    names.map(|(label, name)| (label, name.to_vec())).to_vec()
}

/// A program and its arguments; our own ones start with the name it is called by.
struct Tool {
    /// What it is called in the table.
    label: Label,
    command: &'static [&'static str],
    is_ours: bool,
}

struct Writer {
    tool: Tool,
    /// The program that writes the same lines.
    like: Option<Label>,
    /// Whether a list of it still says which file is meant by this name.
    tells: fn(&[u8]) -> bool,
    ends_in_nul: bool,
}

fn always(_: &[u8]) -> bool {
    true
}

/// Names go into the line as they are, and a newline ends it.
fn but_newline(name: &[u8]) -> bool {
    !name.contains(&b'\n')
}

/// RHash leaves out `./`, and `-` alone is standard input.
fn but_newline_and_dash(name: &[u8]) -> bool {
    but_newline(name) && name != b"./-"
}

fn writers() -> Vec<Writer> {
    let ours = |label, command, like| Writer {
        tool: Tool { label, command, is_ours: true },
        like,
        tells: always,
        ends_in_nul: false,
    };
    let theirs = |label, command, tells| Writer {
        tool: Tool { label, command, is_ours: false },
        like: None,
        tells,
        ends_in_nul: false,
    };
    vec![
        ours("`sha256`", &["sha256"], Some("GNU sha256sum --tag")),
        ours("`sha256 -r`", &["sha256", "-r"], None),
        ours("`sha256sum`", &["sha256sum"], Some("GNU sha256sum")),
        ours("`sha256sum -b`", &["sha256sum", "-b"], Some("GNU sha256sum -b")),
        ours("`sha256sum --tag`", &["sha256sum", "--tag"], Some("GNU sha256sum --tag")),
        Writer { ends_in_nul: true, ..ours("`sha256sum -z`", &["sha256sum", "-z"], Some("GNU sha256sum -z")) },
        ours("`shasum -a 256`", &["shasum", "-a", "256"], Some("Perl shasum")),
        theirs("GNU sha256sum", &["sha256sum"], always),
        theirs("GNU sha256sum -b", &["sha256sum", "-b"], always),
        theirs("GNU sha256sum --tag", &["sha256sum", "--tag"], always),
        Writer { ends_in_nul: true, ..theirs("GNU sha256sum -z", &["sha256sum", "-z"], always) },
        theirs("GNU cksum -a sha256", &["cksum", "-a", "sha256"], always),
        theirs("Perl shasum", &["shasum", "-a", "256"], always),
        theirs("Perl shasum --tag", &["shasum", "-a", "256", "--tag"], always),
        theirs("OpenSSL dgst", &["openssl", "dgst", "-sha256"], but_newline),
        theirs("OpenSSL dgst -r", &["openssl", "dgst", "-sha256", "-r"], always),
        theirs("RHash", &["rhash", "--sha256"], but_newline_and_dash),
        theirs("RHash --bsd", &["rhash", "--sha256", "--bsd"], but_newline_and_dash),
        theirs("sha256deep -l", &["sha256deep", "-j0", "-l"], but_newline),
        theirs("hashdeep -l", &["hashdeep", "-j0", "-l", "-c", "md5,sha256"], but_newline),
        theirs("BusyBox", &["busybox", "sha256sum"], but_newline),
        theirs("Toybox", &["toybox", "sha256sum"], but_newline),
    ]
}

/// Readers, and the writer of their own.
fn readers() -> Vec<(Tool, Option<Label>)> {
    let ours = |label, command| (Tool { label, command, is_ours: true }, None);
    let theirs = |label, command, own| (Tool { label, command, is_ours: false }, Some(own));
    vec![
        ours("`sha256sum -c`", &["sha256sum", "-c"]),
        ours("`md5 --any --check-list`", &["md5", "--any", "--check-list"]),
        theirs("GNU sha256sum", &["sha256sum", "-c"], "GNU sha256sum"),
        theirs("Perl shasum", &["shasum", "-a", "256", "-c"], "Perl shasum"),
        theirs("RHash", &["rhash", "--sha256", "-c"], "RHash"),
        theirs("BusyBox", &["busybox", "sha256sum", "-c"], "BusyBox"),
        theirs("Toybox", &["toybox", "sha256sum", "-c"], "Toybox"),
    ]
}

impl Tool {
    fn command(&self, folder: &Folder) -> Command {
        let mut command = if self.is_ours {
            folder.program(self.command[0])
        } else {
            let mut command = Command::new(self.command[0]);
            command.current_dir(folder.path(".")).stdin(Stdio::null());
            command
        };
        // Perl takes bytes for text otherwise.
        command.env("LC_ALL", "C.UTF-8").args(&self.command[1..]);
        command
    }

    /// What it says of itself, or none where it is not there. The names of the coreutils and of Perl's program belong to others too.
    fn version(&self) -> Option<String> {
        let arguments = match self.command[0] {
            "openssl" => &["version"][..],
            "busybox" => &[],
            "sha256deep" => &["-v"],
            "hashdeep" => &["-V"],
            _ => &["--version"],
        };
        let output = Command::new(self.command[0]).args(arguments).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().next()?;
        let number = line.split_whitespace().find(|word| word.contains('.') && word.contains(char::is_numeric))?;
        let (name, is_it) = match self.label.split(' ').next()? {
            "GNU" => ("GNU coreutils", line.contains("GNU coreutils")),
            "Perl" => ("Perl shasum", line == number),
            "sha256deep" => ("hashdeep", true),
            name => (name, true),
        };
        is_it.then(|| format!("{name} {}", number.trim_start_matches('v')))
    }
}

/// A folder with a file of each name, no two of the same content, and files that a name cut short or misread would mean.
fn folder() -> Folder {
    let misread = ["lead", "star", "end", "new", "re", "dash", "niform", "caret", "tab", "two spaces", "back\nslash"];
    let folder = misread.iter().fold(Folder::new(), |folder, name| folder.file(name, format!("not {name}")));
    names().iter().fold(folder, |folder, (_, name)| folder.file(OsStr::from_bytes(name), name))
}

/// The list a writer makes of a plain name and this one, if it makes one.
fn write(folder: &Folder, writer: &Writer, name: &[u8]) -> Option<Vec<u8>> {
    let mut command = writer.tool.command(folder);
    let output = command.arg("plain").arg(OsStr::from_bytes(name)).output().unwrap();
    output.status.success().then_some(output.stdout)
}

/// Whether a reader finds both names of a list and their digests right.
fn reads(folder: &Folder, reader: &Tool, writer: &Writer, list: &[u8]) -> bool {
    fs::write(folder.path(LIST), list).unwrap();
    let mut command = reader.command(folder);
    command.arg(LIST);
    if reader.is_ours && writer.ends_in_nul {
        command.arg("--zero");
    }
    let output = command.output().unwrap();
    let right = output.stdout.split(|&byte| byte == b'\n').filter(|line| line.trim_ascii_end().ends_with(b"OK"));
    // RHash has a last word.
    output.status.success() && right.filter(|line| !line.starts_with(b"Everything")).count() == 2
}

type Label = &'static str;

/// What came through.
#[derive(Default)]
struct Outcome {
    /// The names a writer made a list of.
    written: BTreeMap<Label, Vec<Label>>,
    /// Those of a writer and a reader.
    read: BTreeMap<(Label, Label), Vec<Label>>,
}

impl Outcome {
    fn has_written(&self, writer: &Tool, name: Label) -> bool {
        self.written.get(writer.label).is_some_and(|names| names.contains(&name))
    }

    fn has_read(&self, writer: Label, reader: Label, name: Label) -> bool {
        self.read.get(&(writer, reader)).is_some_and(|names| names.contains(&name))
    }

    /// The page that tells it.
    fn page(&self, writers: &[Writer], readers: &[(Tool, Option<Label>)], versions: &[String]) -> String {
        let mut page = format!(
            "# Lists from tool to tool\n\n\
             {}\n\n\
             Of {} awkward names, how many each reader (columns) finds right in lists of each writer (rows). Each list has a plain name\n\
             and an awkward one. What stands in `code` is ours. A dash: the reader does not know the form of the line. Made by\n\
             `UPDATE_DOCS=1 cargo test matrix`.\n\n|  | written |",
            versions.join(", "),
            names().len()
        );
        readers.iter().for_each(|(reader, _)| page += &format!(" {} |", reader.label));
        page += &format!("\n|---|---|{}\n", "---|".repeat(readers.len()));
        let mut missed = String::new();
        for writer in writers {
            let writer = writer.tool.label;
            let written = &self.written[writer];
            page += &format!("| {writer} | {} |", written.len());
            for (reader, _) in readers {
                let read = &self.read[&(writer, reader.label)];
                page += &if read.contains(&"plain") { format!(" {} |", read.len()) } else { " – |".to_owned() };
                let names: Vec<_> = written.iter().copied().filter(|name| !read.contains(name)).collect();
                if read.contains(&"plain") && !names.is_empty() {
                    missed += &format!("- {} of {writer}: {}\n", reader.label, names.join(", "));
                }
            }
            page += "\n";
        }
        page + "\nNot read:\n\n" + &missed
    }
}

#[test]
fn lists_of_every_tool_are_read_and_ours_are_read_by_every_tool() {
    let folder = folder();
    let mut versions = BTreeMap::new();
    for Writer { tool, .. } in writers().iter().filter(|writer| !writer.tool.is_ours) {
        match tool.version() {
            Some(version) => drop(versions.insert(tool.label, version)),
            None => eprintln!("left out: {} is not there", tool.label),
        }
    }
    let is_there = |tool: &Tool| tool.is_ours || versions.contains_key(tool.label);
    let writers: Vec<_> = writers().into_iter().filter(|writer| is_there(&writer.tool)).collect();
    let readers: Vec<_> = readers().into_iter().filter(|(reader, _)| is_there(reader)).collect();
    let mut outcome = Outcome::default();
    for writer in &writers {
        for (label, name) in names() {
            let Some(list) = write(&folder, writer, &name) else { continue };
            outcome.written.entry(writer.tool.label).or_default().push(label);
            for (reader, _) in &readers {
                let read = outcome.read.entry((writer.tool.label, reader.label)).or_default();
                if reads(&folder, reader, writer, &list) {
                    read.push(label);
                }
            }
        }
    }
    let mut red = Vec::new();
    for writer in &writers {
        for (label, name) in names().iter().filter(|(label, _)| outcome.has_written(&writer.tool, label)) {
            for (reader, own) in &readers {
                let is_wanted = match own {
                    None => (writer.tells)(name),
                    Some(own) => is_wanted(&outcome, writer, reader, own, label, name),
                };
                if is_wanted && !outcome.has_read(writer.tool.label, reader.label, label) {
                    red.push(format!("{} does not read {label} of {}", reader.label, writer.tool.label));
                }
            }
        }
    }
    assert!(red.is_empty(), "{red:#?}");
    let versions: BTreeSet<_> = versions.into_values().collect();
    check_page(&outcome.page(&writers, &readers, &versions.into_iter().collect::<Vec<_>>()));
}

/// Whether another tool should read a name in a list of ours: it reads it in a list of the program that writes the same lines or,
/// where there is none, knows the form of the line and can tell the name in a list of its own.
fn is_wanted(outcome: &Outcome, writer: &Writer, reader: &Tool, own: Label, label: Label, name: &[u8]) -> bool {
    let is_excepted = match writer.tool.command[0] {
        // FreeBSD's form of names that are not printable is read by nobody else.
        "sha256" => !is_plain(name),
        // Perl's program takes a carriage return for any character; GNU's escape keeps it from being the line's.
        "shasum" => name.contains(&b'\r'),
        _ => false,
    };
    match writer.like {
        _ if is_excepted || !writer.tool.is_ours => false,
        Some(like) => outcome.has_read(like, reader.label, label),
        None => {
            let knows_form = outcome.has_read(writer.tool.label, reader.label, "plain");
            knows_form && outcome.has_read(own, reader.label, label)
        }
    }
}

/// Writes the page anew when that is asked for, and else compares it where it was made with the same programs.
fn check_page(page: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lists.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, page).unwrap();
        return;
    }
    let old = fs::read_to_string(path).unwrap();
    let head = |page: &str| page.lines().nth(2).map(str::to_owned);
    assert!(head(&old) != head(page) || old == page, "tests/lists.md is out of date:\n{page}");
}
