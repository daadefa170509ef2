//! A line of a digest list → the file it names and the digest it should have. Pure: whether a file exists is the caller's to ask.
//!
//! Read are the lines of GNU coreutils, FreeBSD and OpenBSD, Perl's shasum and OpenSSL, each by its own grammar.

use std::borrow::Cow;

use base64ct::{Base64, Encoding};

use crate::algorithm::{Algorithm, Checksum, MAX_DIGEST_SIZE};
use crate::name;
use crate::plan::InputMode;

/// Reads the lines of one list. What a single space means is decided by the first line that settles it, as GNU does.
#[derive(Debug)]
pub struct Parser<'a> {
    algorithms: &'a [&'static Algorithm],
    marks_first: bool,
    /// Whether one space separates digest and name in this list; `None` until a line settles it.
    single_space: Option<bool>,
}

/// What a line is.
#[derive(Debug, PartialEq)]
pub enum Parsed<'l> {
    /// It says which digest a file should have.
    Entry(Entry<'l>),
    /// It is blank or a comment.
    Nothing,
    /// It is none of these.
    Malformed,
}

/// The file a line names and the digest it should have.
#[derive(Debug, PartialEq)]
pub struct Entry<'l> {
    /// The algorithm, by the line's tag or the digest's length.
    pub algorithm: &'static Algorithm,
    /// The digest.
    pub wanted: Checksum,
    /// What the name can mean, likeliest first: the next ones count where there is no file of those before. Never empty.
    pub readings: Vec<Reading<'l>>,
}

/// A file and how to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<'l> {
    /// The file's name.
    pub name: Cow<'l, [u8]>,
    /// How its bytes become the message.
    pub mode: InputMode,
    /// Whether one space separates digest and name in this list, if this is what the line means.
    single_space: Option<bool>,
}

impl<'a> Parser<'a> {
    /// A parser of a list whose lines may be of these algorithms, the first of a length before the others. With
    /// `marks_first`, ` U` and ` ^` are marks before they are parts of a name.
    pub fn new(algorithms: &'a [&'static Algorithm], marks_first: bool) -> Self {
        Self { algorithms, marks_first, single_space: None }
    }

    /// Reads a line without its end.
    pub fn parse<'l>(&mut self, line: &'l [u8]) -> Parsed<'l> {
        let line = trim_start(line);
        if line.is_empty() || line[0] == b'#' {
            return Parsed::Nothing;
        }
        let (escaped, line) = match line.strip_prefix(b"\\") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        match self.tagged(line, escaped).or_else(|| self.untagged(line, escaped)) {
            Some(entry) => Parsed::Entry(entry),
            None => Parsed::Malformed,
        }
    }

    /// Takes note of what a line turned out to mean: it can settle what a single space means.
    pub fn settle(&mut self, meant: &Reading) {
        self.single_space = self.single_space.or(meant.single_space);
    }

    /// `TAG (name) = digest`, and OpenSSL's `TAG(name)= digest`. The name ends at the last parenthesis.
    fn tagged<'l>(&self, line: &'l [u8], escaped: bool) -> Option<Entry<'l>> {
        let end = line.iter().take(MAX_TAG + 1).position(|byte| matches!(byte, b' ' | b'('))?;
        let (tag, rest) = line.split_at(end);
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        let algorithm = self.algorithms.iter().find(|algorithm| algorithm.has_tag(tag))?;
        let close = rest.iter().rposition(|&byte| byte == b')')?;
        let digits = trim_start(trim_start(&rest[close + 1..]).strip_prefix(b"=")?);
        let wanted = from_hex(digits, algorithm).or_else(|| from_base64(digits, algorithm))?;
        entry(algorithm, wanted, [Reading::new(&rest[..close], InputMode::Binary, None)], escaped)
    }

    /// `digest`, a space, a mark, and the name; or the name behind one space.
    fn untagged<'l>(&mut self, line: &'l [u8], escaped: bool) -> Option<Entry<'l>> {
        let end = line.iter().position(is_blank)?;
        let digits = &line[..end];
        let (algorithm, wanted) = self.by_length(digits, from_hex).or_else(|| self.by_length(digits, from_base64))?;
        let rest = &line[end + 1..];
        let whole = || Reading::new(rest, InputMode::Binary, Some(true));
        let marked = |mode| Reading::new(&rest[1..], mode, Some(false));
        let mode = match rest {
            [] => return None,
            [b' ' | b'*', _, ..] => {
                // The first such line settles it, as in GNU.
                let single_space = *self.single_space.get_or_insert(false);
                let reading = if single_space { whole() } else { marked(InputMode::Binary) };
                return entry(algorithm, wanted, [reading], escaped);
            }
            [b'U', _, ..] => InputMode::Universal,
            [b'^', _, ..] if algorithm.perl.is_some() => InputMode::Bits,
            _ => {
                let single_space = *self.single_space.get_or_insert(true);
                return single_space.then(|| entry(algorithm, wanted, [whole()], escaped))?;
            }
        };
        match (self.single_space, self.marks_first) {
            (Some(true), _) => entry(algorithm, wanted, [whole()], escaped),
            (Some(false), _) => entry(algorithm, wanted, [marked(mode)], escaped),
            (None, true) => entry(algorithm, wanted, [marked(mode), whole()], escaped),
            (None, false) => entry(algorithm, wanted, [whole(), marked(mode)], escaped),
        }
    }

    fn by_length(
        &self,
        digits: &[u8],
        decode: fn(&[u8], &Algorithm) -> Option<Checksum>,
    ) -> Option<(&'static Algorithm, Checksum)> {
        self.algorithms.iter().find_map(|algorithm| Some((*algorithm, decode(digits, algorithm)?)))
    }
}

/// Bytes in the longest tag: `Skein-1024-1024`.
const MAX_TAG: usize = 15;

impl<'l> Reading<'l> {
    fn new(name: &'l [u8], mode: InputMode, single_space: Option<bool>) -> Self {
        Self { name: Cow::Borrowed(name), mode, single_space }
    }
}

/// An entry of the readings that make sense: with GNU's escapes undone, or as they are and then with vis(3)'s undone.
fn entry<'l>(
    algorithm: &'static Algorithm,
    wanted: Checksum,
    literal: impl IntoIterator<Item = Reading<'l>>,
    escaped: bool,
) -> Option<Entry<'l>> {
    let mut readings = Vec::with_capacity(1);
    for reading in literal {
        let unescaped = match (escaped, reading.name.contains(&b'\\')) {
            (true, _) => name::gnu_unescape(&reading.name),
            (false, true) => name::unvis(&reading.name),
            (false, false) => None,
        };
        let unescaped = unescaped.map(|name| Reading { name: Cow::Owned(name), ..reading.clone() });
        readings.extend((!escaped).then_some(reading).into_iter().chain(unescaped));
    }
    readings.retain(|reading| !reading.name.is_empty() && !reading.name.contains(&0));
    (!readings.is_empty()).then_some(Entry { algorithm, wanted, readings })
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim_start(line: &[u8]) -> &[u8] {
    &line[line.iter().take_while(|byte| is_blank(byte)).count()..]
}

fn from_hex(digits: &[u8], algorithm: &Algorithm) -> Option<Checksum> {
    let mut digest = [0; MAX_DIGEST_SIZE];
    let digest = &mut digest[..algorithm.digest_size];
    hex::decode_to_slice(digits, digest).ok()?;
    Some(Checksum::new(digest))
}

fn from_base64(digits: &[u8], algorithm: &Algorithm) -> Option<Checksum> {
    if digits.len() != algorithm.digest_size.div_ceil(3) * 4 {
        return None;
    }
    let mut digest = [0; MAX_DIGEST_SIZE + 2];
    let digest = Base64::decode(digits, &mut digest).ok()?;
    (digest.len() == algorithm.digest_size).then(|| Checksum::new(digest))
}
