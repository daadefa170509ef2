//! A line of a digest list → the file it names and the digest it should have. Pure: whether a file exists is the caller's to ask.
//!
//! Read are the lines of GNU coreutils, FreeBSD and OpenBSD, Perl's shasum and OpenSSL, each by its own grammar.

use std::borrow::Cow;

use base64ct::{Base64, Encoding};

use crate::algorithm::{Algorithm, Checksum, MAX_DIGEST_SIZE};
use crate::name;
use crate::plan::{Grammar, InputMode};

/// Reads the lines of one list. What a single space means is decided by the first line that settles it, as GNU does, and what a
/// carriage return at the end means by the first entry.
#[derive(Debug)]
pub struct Parser<'a> {
    grammar: &'a Grammar,
    /// Whether one space separates digest and name in this list; `None` until a line settles it.
    single_space: Option<bool>,
    /// Whether lines end in a carriage return and a line feed in this list; `None` until an entry settles it.
    returns: Option<bool>,
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
    /// A parser of a list of this grammar.
    pub fn new(grammar: &'a Grammar) -> Self {
        Self { grammar, single_space: None, returns: None }
    }

    /// Reads a line without its terminator.
    pub fn parse<'l>(&mut self, line: &'l [u8]) -> Parsed<'l> {
        let line = trim_start(line);
        let is_raw = self.grammar.terminator == 0;
        let bare = line.strip_suffix(b"\r").filter(|_| !is_raw);
        if let [] | [b'#', ..] = bare.unwrap_or(line) {
            return Parsed::Nothing;
        }
        let spelling = match line {
            _ if is_raw => Spelling::Literal,
            [b'\\', ..] => Spelling::Gnu,
            _ => Spelling::Vis,
        };
        let entry = match bare {
            None => self.entry(line, spelling),
            Some(bare) => self.entry_with_return(line, bare, spelling),
        };
        match entry {
            Some(entry) => {
                self.returns.get_or_insert(bare.is_some());
                Parsed::Entry(entry)
            }
            None => Parsed::Malformed,
        }
    }

    /// Takes note of what a line turned out to mean: it can settle what a single space means.
    pub fn settle(&mut self, meant: &Reading) {
        self.single_space = self.single_space.or(meant.single_space);
    }

    fn entry<'l>(&mut self, line: &'l [u8], spelling: Spelling) -> Option<Entry<'l>> {
        let line = if spelling == Spelling::Gnu { &line[1..] } else { line };
        self.tagged(line, spelling).or_else(|| self.untagged(line, spelling))
    }

    /// The entry of a line with a carriage return at its end, which is `bare` without it: it can belong to the name.
    fn entry_with_return<'l>(&mut self, line: &'l [u8], bare: &'l [u8], spelling: Spelling) -> Option<Entry<'l>> {
        let mut entry = self.entry(bare, spelling)?;
        if let Some(other) = self.entry(line, spelling) {
            let place = if self.returns == Some(false) { 0 } else { entry.readings.len() };
            entry.readings.splice(place..place, other.readings);
        }
        Some(entry)
    }

    /// `TAG (name) = digest`, and OpenSSL's `TAG(name)= digest`. The name ends at the last parenthesis.
    fn tagged<'l>(&self, line: &'l [u8], spelling: Spelling) -> Option<Entry<'l>> {
        let end = line.iter().take(MAX_TAG + 1).position(|byte| matches!(byte, b' ' | b'('))?;
        let (tag, rest) = line.split_at(end);
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        let algorithm = self.grammar.tagged.iter().find(|algorithm| algorithm.has_tag(tag))?;
        let close = rest.iter().rposition(|&byte| byte == b')')?;
        let digits = trim_start(trim_start(&rest[close + 1..]).strip_prefix(b"=")?);
        let wanted = from_hex(digits, algorithm).or_else(|| from_base64(digits, algorithm))?;
        entry(algorithm, wanted, [Reading::new(&rest[..close], InputMode::Binary, None)], spelling)
    }

    /// `digest`, a space, a mark, and the name; or the name behind one space.
    fn untagged<'l>(&mut self, line: &'l [u8], spelling: Spelling) -> Option<Entry<'l>> {
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
                return entry(algorithm, wanted, [reading], spelling);
            }
            [b'U', _, ..] => InputMode::Universal,
            [b'^', _, ..] if algorithm.perl.is_some() => InputMode::Bits,
            _ => {
                let single_space = *self.single_space.get_or_insert(true);
                return single_space.then(|| entry(algorithm, wanted, [whole()], spelling))?;
            }
        };
        match (self.single_space, self.grammar.marks_first) {
            (Some(true), _) => entry(algorithm, wanted, [whole()], spelling),
            (Some(false), _) => entry(algorithm, wanted, [marked(mode)], spelling),
            (None, true) => entry(algorithm, wanted, [marked(mode), whole()], spelling),
            (None, false) => entry(algorithm, wanted, [whole(), marked(mode)], spelling),
        }
    }

    fn by_length(
        &self,
        digits: &[u8],
        decode: fn(&[u8], &Algorithm) -> Option<Checksum>,
    ) -> Option<(&'static Algorithm, Checksum)> {
        self.grammar.untagged.iter().find_map(|algorithm| Some((*algorithm, decode(digits, algorithm)?)))
    }
}

/// Bytes in the longest tag: `Skein-1024-1024`.
const MAX_TAG: usize = 15;

/// How a line spells a name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spelling {
    /// As it is.
    Literal,
    /// In GNU's form, behind a backslash at the line's start.
    Gnu,
    /// As it is or, if there is no such file, in vis(3)'s C style.
    Vis,
}

impl<'l> Reading<'l> {
    fn new(name: &'l [u8], mode: InputMode, single_space: Option<bool>) -> Self {
        Self { name: Cow::Borrowed(name), mode, single_space }
    }

    /// What it means if it is spelt like this, likeliest first.
    fn spelt(self, spelling: Spelling) -> impl Iterator<Item = Self> {
        let unescaped = match spelling {
            Spelling::Gnu => name::gnu_unescape(&self.name),
            Spelling::Vis if self.name.contains(&b'\\') => name::unvis(&self.name),
            Spelling::Vis | Spelling::Literal => None,
        };
        let unescaped = unescaped.map(|name| Self { name: Cow::Owned(name), ..self });
        let literal = (spelling != Spelling::Gnu).then_some(self);
        literal.into_iter().chain(unescaped).filter(|reading| !reading.name.is_empty() && !reading.name.contains(&0))
    }
}

fn entry<'l, const COUNT: usize>(
    algorithm: &'static Algorithm,
    wanted: Checksum,
    meant: [Reading<'l>; COUNT],
    spelling: Spelling,
) -> Option<Entry<'l>> {
    let readings: Vec<_> = meant.into_iter().flat_map(|reading| reading.spelt(spelling)).collect();
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
