//! Digest lines, verdicts and messages → bytes. Nothing here writes, counts or compares.

use std::borrow::Cow;
use std::io;

use crate::algorithm::{Algorithm, Checksum};
use crate::fault::Fault;
use crate::name;
use crate::outcome::ListTally;
use crate::plan::{Line, Names, Source, Style};

/// A digest's line with its end. `failed` marks one that is not the expected one.
pub fn digest_line(
    style: &Style,
    form: Line,
    source: &Source,
    algorithm: &Algorithm,
    checksum: &Checksum,
    failed: bool,
) -> Vec<u8> {
    let tag = (style.tag)(algorithm);
    let (backslash, name) = match source {
        Source::Text(text) => (false, Cow::Owned([b"\"", text.as_slice(), b"\""].concat())),
        source if form == Line::Bare => (false, Cow::Borrowed(source.name())),
        source => spell(style.names, source.name()),
    };
    let mut line = Vec::with_capacity(tag.len() + name.len() + 2 * checksum.as_bytes().len() + 8);
    if backslash {
        line.push(b'\\');
    }
    match form {
        Line::Bare => checksum.write_hex(&mut line),
        Line::Tagged => {
            line.extend_from_slice(tag.as_bytes());
            line.extend_from_slice(b" (");
            line.extend_from_slice(&name);
            line.extend_from_slice(b") = ");
            checksum.write_hex(&mut line);
        }
        Line::Reversed => {
            checksum.write_hex(&mut line);
            line.push(b' ');
            line.extend_from_slice(&name);
        }
        Line::Marked(mark) => {
            checksum.write_hex(&mut line);
            line.extend_from_slice(&[b' ', mark]);
            line.extend_from_slice(&name);
        }
    }
    if failed {
        line.extend_from_slice(b" [ Failed ]");
    }
    line.push(style.terminator);
    line
}

/// The line that says whether a listed file has the listed digest.
pub fn verdict_line(names: Names, name: &[u8], matched: bool) -> Vec<u8> {
    let (backslash, name) = spell(names, name);
    let start: &[u8] = if backslash { b"\\" } else { b"" };
    let verdict: &[u8] = if matched { b": OK\n" } else { b": FAILED\n" };
    [start, &name, verdict].concat()
}

/// The line that says where a link leads, and whether it was there before.
pub fn link_line(names: Names, link: &[u8], target: &[u8], was_there: bool) -> Vec<u8> {
    let (_, link) = spell(names, link);
    let (_, target) = spell(names, target);
    let end: &[u8] = if was_there { b" (already there)\n" } else { b"\n" };
    [&link, &b" -> "[..], &target, end].concat()
}

/// A name as a line shows it, and whether the line starts with a backslash for it.
fn spell(names: Names, name: &[u8]) -> (bool, Cow<'_, [u8]>) {
    match names {
        Names::Raw => (false, Cow::Borrowed(name)),
        Names::Vis => (false, name::vis(name)),
        Names::ShellQuoted => (false, name::shell_quote(name)),
        Names::Backslash => match name::gnu_escape(name) {
            Some(escaped) => (true, Cow::Owned(escaped)),
            None => (false, Cow::Borrowed(name)),
        },
    }
}

/// `program: text`, a line for standard error.
pub fn message(program: &[u8], text: &[u8]) -> Vec<u8> {
    [program, b": ", text, b"\n"].concat()
}

/// `program: name: text`, a line for standard error.
pub fn message_about(program: &[u8], names: Names, name: &[u8], text: &str) -> Vec<u8> {
    let (_, name) = spell(names, name);
    [program, b": ", &name, b": ", text.as_bytes(), b"\n"].concat()
}

/// An error's reason as the system words it, without the number Rust adds.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(code) => text.strip_suffix(&format!(" (os error {code})")).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// What is said of a line that is no entry: the dialect's words, and what is wrong with it.
pub fn malformed(number: u64, words: &str, fault: &Fault, program: &[u8]) -> String {
    let why = match fault {
        Fault::Unlike => return format!("{number}: {words}"),
        Fault::OtherTag(algorithm) => {
            format!("tag {} under the name {}", algorithm.tag, String::from_utf8_lossy(program))
        }
        Fault::UnknownTag(tag) => format!("unknown tag {tag}"),
        Fault::Length { digits, wanted } => wrong_length(*digits, wanted),
        Fault::Digit(digit) => format!("{digit:?} is no hexadecimal digit"),
        Fault::NoName => "no name".to_owned(),
        Fault::Escape => "a backslash before what is never written behind one".to_owned(),
        Fault::Nul => "a NUL in it; lists of lines that end in NUL are read with --zero".to_owned(),
        Fault::Utf16 => "UTF-16 without a mark".to_owned(),
        Fault::OneSpace => "one space before the name, where the lines before have two".to_owned(),
        Fault::TooLong => "too long".to_owned(),
        Fault::OwnInput => "standard input is the list itself".to_owned(),
    };
    format!("{number}: {words}: {why}")
}

/// What is said of something in a folder that is no file: `a FIFO`.
pub fn skipped(what: &str) -> String {
    format!("{what}, passed over")
}

fn wrong_length(digits: usize, wanted: &[&Algorithm]) -> String {
    let mut lengths: Vec<usize> = wanted.iter().map(|algorithm| 2 * algorithm.digest_size).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let lengths = lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
    let digits = if digits == 1 { "1 digit".to_owned() } else { format!("{digits} digits") };
    match wanted {
        [algorithm] => format!("wrong length for {}: {digits}, want {lengths}", algorithm.tag),
        _ => format!("wrong length: {digits}, want {lengths}"),
    }
}

/// What is said of a list some of whose lines are of another algorithm.
pub fn hint(algorithm: &Algorithm) -> String {
    format!("looks like a list of {} checksums; --any takes those of every algorithm", algorithm.tag)
}

/// What is said at the end of a list that had entries, in GNU's words.
pub fn warnings(tally: &ListTally) -> Vec<String> {
    let warn = |count, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("WARNING: 1 {one}")),
        count => Some(format!("WARNING: {count} {many}")),
    };
    [
        warn(tally.malformed, "line is improperly formatted", "lines are improperly formatted"),
        warn(tally.unreadable, "listed file could not be read", "listed files could not be read"),
        warn(tally.mismatched, "computed checksum did NOT match", "computed checksums did NOT match"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::ALGORITHMS;

    const STYLE: Style = Style {
        tag: |algorithm| algorithm.tag,
        names: Names::Vis,
        message_names: Names::Vis,
        terminator: b'\n',
        output: "stdout",
    };

    fn line(style: &Style, form: Line, name: &[u8], failed: bool) -> String {
        use std::os::unix::ffi::OsStringExt;
        let source = Source::File(std::ffi::OsString::from_vec(name.to_vec()));
        let bytes = digest_line(style, form, &source, &ALGORITHMS[0], &Checksum::new(&[0xab, 0x01]), failed);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn each_form_of_line() {
        assert_eq!(line(&STYLE, Line::Bare, b"f", false), "ab01\n");
        assert_eq!(line(&STYLE, Line::Tagged, b"f", false), "MD5 (f) = ab01\n");
        assert_eq!(line(&STYLE, Line::Reversed, b"f", false), "ab01 f\n");
        assert_eq!(line(&STYLE, Line::Marked(b'*'), b"f", false), "ab01 *f\n");
        assert_eq!(line(&STYLE, Line::Tagged, b"f", true), "MD5 (f) = ab01 [ Failed ]\n");
    }

    #[test]
    fn awkward_names_in_each_spelling() {
        let gnu = Style { names: Names::Backslash, ..STYLE };
        let zero = Style { names: Names::Raw, terminator: 0, ..STYLE };
        assert_eq!(line(&STYLE, Line::Tagged, b"a\nb", false), "MD5 (a\\nb) = ab01\n");
        assert_eq!(line(&gnu, Line::Tagged, b"a\nb", false), "\\MD5 (a\\nb) = ab01\n");
        assert_eq!(line(&gnu, Line::Marked(b' '), b"a\\b", false), "\\ab01  a\\\\b\n");
        assert_eq!(line(&zero, Line::Marked(b' '), b"a\nb", false), "ab01  a\nb\0");
        assert_eq!(verdict_line(Names::Backslash, b"a\nb", true), b"\\a\\nb: OK\n");
        assert_eq!(verdict_line(Names::Vis, b"a\nb", false), b"a\\nb: FAILED\n");
    }

    #[test]
    fn a_link_is_shown_with_where_it_leads() {
        assert_eq!(link_line(Names::Vis, b"bin/sha1", b"md5", false), b"bin/sha1 -> md5\n");
        assert_eq!(link_line(Names::Vis, b"b\n/sha1", b"../md5", true), b"b\\n/sha1 -> ../md5 (already there)\n");
    }

    #[test]
    fn a_string_is_shown_in_quotes() {
        let source = Source::Text(b"Hello".to_vec());
        let shown = |form| digest_line(&STYLE, form, &source, &ALGORITHMS[0], &Checksum::new(&[1]), false);
        assert_eq!(shown(Line::Tagged), b"MD5 (\"Hello\") = 01\n");
        assert_eq!(shown(Line::Reversed), b"01 \"Hello\"\n");
        assert_eq!(shown(Line::Bare), b"01\n");
    }

    #[test]
    fn reasons_are_the_systems_words_alone() {
        assert_eq!(reason(&io::Error::from_raw_os_error(libc::ENOENT)), "No such file or directory");
        assert_eq!(reason(&io::Error::other("out of luck")), "out of luck");
    }

    #[test]
    fn warnings_are_right_in_number() {
        let tally = ListTally { entries: 9, malformed: 1, unreadable: 2, mismatched: 1, matched: 0 };
        let one_and_two = [
            "WARNING: 1 line is improperly formatted",
            "WARNING: 2 listed files could not be read",
            "WARNING: 1 computed checksum did NOT match",
        ];
        assert_eq!(warnings(&tally), one_and_two);
        let tally = ListTally { entries: 9, malformed: 2, unreadable: 1, mismatched: 3, matched: 0 };
        let two_and_one = [
            "WARNING: 2 lines are improperly formatted",
            "WARNING: 1 listed file could not be read",
            "WARNING: 3 computed checksums did NOT match",
        ];
        assert_eq!(warnings(&tally), two_and_one);
        assert!(warnings(&ListTally { entries: 4, matched: 4, ..ListTally::default() }).is_empty());
    }
}
