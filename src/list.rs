//! A line of a digest list → the file it names and the digest it should have. Pure: whether a file exists is the caller's to ask.
//!
//! Read are the lines of GNU coreutils, FreeBSD and OpenBSD, Perl's shasum, OpenSSL, RHash and hashdeep, each by its own grammar.

use std::borrow::Cow;

use base64ct::{Base64, Encoding};
use memchr::{memchr, memchr2, memrchr};

use crate::algorithm::{Algorithm, Checksum, MAX_DIGEST_SIZE};
use crate::name;
use crate::plan::{Grammar, InputMode};

/// Reads the lines of one list. What can mean two things means what the first line that settles it says, as in GNU.
#[derive(Debug)]
pub struct Parser<'a> {
    grammar: &'a Grammar,
    settled: Settled,
    columns: Option<Columns>,
}

/// What stands where in the lines of a hashdeep list, which its head tells: `size,md5,sha256,filename`.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// How many come before the name.
    count: usize,
    /// The one with the digest.
    digest: usize,
    /// Its algorithm.
    algorithm: &'static Algorithm,
}

/// What a list's lines have in common, as far as it is known.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Settled {
    /// Whether one space separates digest and name.
    single_space: Option<bool>,
    /// Whether a carriage return before the line feed belongs to the line's end.
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
    /// What the name means.
    pub likeliest: Reading<'l>,
    /// What else it can mean, in this order, where there is no file of those before.
    pub others: Vec<Reading<'l>>,
}

/// A file and how to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<'l> {
    /// The file's name.
    pub name: Cow<'l, [u8]>,
    /// How its bytes become the message.
    pub mode: InputMode,
    /// What is settled if this is what the line means.
    settles: Settled,
}

impl<'a> Parser<'a> {
    /// A parser of a list of this grammar.
    pub fn new(grammar: &'a Grammar) -> Self {
        Self { grammar, settled: Settled::default(), columns: None }
    }

    /// Reads a line without its terminator.
    pub fn parse<'l>(&mut self, line: &'l [u8]) -> Parsed<'l> {
        let line = trim_start(line);
        let is_raw = self.grammar.terminator == 0;
        let bare = if is_raw { line } else { line.strip_suffix(b"\r").unwrap_or(line) };
        let (spelling, skipped) = match bare {
            // A comment ends where its line does, whatever ends the entries.
            [b'#', ..] if is_raw && memchr(b'\n', bare).is_some() => return Parsed::Malformed,
            [] | [b'#', ..] => return self.nothing(line, bare),
            [b'%', b'%', b'%', b'%', b' ', head @ ..] if is_hashdeep(head) => {
                self.columns = Columns::of(head, self.grammar);
                return self.nothing(line, bare);
            }
            _ if is_raw => (Spelling::Literal, 0),
            [b'\\', ..] => (Spelling::Gnu, 1),
            _ => (Spelling::Vis, 0),
        };
        let (line, bare) = (&line[skipped..], &bare[skipped..]);
        let entry = self.columns.and_then(|columns| self.in_columns(line, bare, columns));
        let entry = entry.or_else(|| self.tagged(line, bare, spelling));
        entry.or_else(|| self.untagged(line, bare, spelling)).map_or(Parsed::Malformed, Parsed::Entry)
    }

    /// A line without a name settles what a carriage return at the end means.
    fn nothing<'l>(&mut self, line: &[u8], bare: &[u8]) -> Parsed<'l> {
        self.settled.returns.get_or_insert(line.len() > bare.len());
        Parsed::Nothing
    }

    /// Takes note of what a line turned out to mean, for the lines behind it.
    pub fn settle(&mut self, meant: &Reading) {
        self.settled = Settled {
            single_space: self.settled.single_space.or(meant.settles.single_space),
            returns: self.settled.returns.or(meant.settles.returns),
        };
    }

    /// `TAG (name) = digest`, OpenSSL's `TAG(name)= digest` and RHash's, with several blanks. The name ends at the last parenthesis.
    fn tagged<'l>(&self, line: &'l [u8], bare: &'l [u8], spelling: Spelling) -> Option<Entry<'l>> {
        let end = memchr2(b' ', b'(', &bare[..bare.len().min(MAX_TAG + 1)])?;
        let (tag, rest) = bare.split_at(end);
        let rest = trim_start(rest).strip_prefix(b"(")?;
        let algorithm = self.grammar.tagged.iter().find(|algorithm| algorithm.has_tag(tag))?;
        let close = memrchr(b')', rest)?;
        let digits = trim_start(trim_start(&rest[close + 1..]).strip_prefix(b"=")?);
        let wanted = from_hex(digits, algorithm).or_else(|| from_base64(digits, algorithm))?;
        let settles = Settled { single_space: None, returns: Some(line.len() > bare.len()) };
        let mut readings = Readings::default();
        readings.add(&rest[..close], spelling, InputMode::Binary, settles);
        readings.entry(algorithm, wanted)
    }

    /// `digest`, a space, a mark, and the name; or the name behind one space.
    fn untagged<'l>(&self, line: &'l [u8], bare: &'l [u8], spelling: Spelling) -> Option<Entry<'l>> {
        let (algorithm, wanted, start) = self.digest(bare)?;
        let meanings = self.meanings(&bare[start..], algorithm);
        let mut readings = Readings::default();
        for (line, returns) in self.ends(line, bare).into_iter().flatten() {
            for Meaning { mark_size, mode, single_space } in meanings.into_iter().flatten() {
                let settles = Settled { single_space, returns: Some(returns) };
                readings.add(&line[start + mark_size..], spelling, mode, settles);
            }
        }
        readings.entry(algorithm, wanted)
    }

    /// `size,digest,digest,name`, as the list's head says.
    fn in_columns<'l>(&self, line: &'l [u8], bare: &'l [u8], columns: Columns) -> Option<Entry<'l>> {
        let mut start = 0;
        let mut wanted = None;
        for column in 0..columns.count {
            let end = start + memchr(b',', &bare[start..])?;
            if column == columns.digest {
                wanted = from_hex(&bare[start..end], columns.algorithm);
            }
            start = end + 1;
        }
        let mut readings = Readings::default();
        for (line, returns) in self.ends(line, bare).into_iter().flatten() {
            let settles = Settled { single_space: None, returns: Some(returns) };
            readings.add(&line[start..], Spelling::Literal, InputMode::Binary, settles);
        }
        readings.entry(columns.algorithm, wanted?)
    }

    /// The digest before the first blank, and where the line goes on behind that.
    fn digest(&self, line: &[u8]) -> Option<(&'static Algorithm, Checksum, usize)> {
        let find = |length: fn(&Algorithm) -> usize, decode: fn(&[u8], &Algorithm) -> Option<Checksum>| {
            self.grammar.untagged.iter().find_map(|&algorithm| {
                let end = length(algorithm);
                line.get(end).filter(|byte| is_blank(byte))?;
                Some((algorithm, decode(&line[..end], algorithm)?, end + 1))
            })
        };
        find(hex_length, from_hex).or_else(|| find(base64_length, from_base64))
    }

    /// What the bytes behind a digest and a blank can mean, likeliest first.
    fn meanings(&self, tail: &[u8], algorithm: &Algorithm) -> [Option<Meaning>; 2] {
        let whole = Some(Meaning { mark_size: 0, mode: InputMode::Binary, single_space: Some(true) });
        let marked = |mode| Some(Meaning { mark_size: 1, mode, single_space: Some(false) });
        let (is_letter, mode) = match tail {
            [] => return [None, None],
            [b' ' | b'*', _, ..] => (false, InputMode::Binary),
            [b'U', _, ..] => (true, InputMode::Universal),
            [b'^', _, ..] if algorithm.perl.is_some() => (true, InputMode::Bits),
            _ if self.settled.single_space == Some(false) => return [None, None],
            _ => return [whole, None],
        };
        match self.settled.single_space {
            // FreeBSD's tests mix both, so a mark is one where there is no such name.
            Some(true) => [whole, marked(mode)],
            // The first such line settles it, as in GNU.
            Some(false) | None if !is_letter => [marked(mode), None],
            Some(false) if self.grammar.marks_first => [marked(mode), None],
            None if self.grammar.marks_first => [marked(mode), whole],
            _ => [whole, marked(mode)],
        }
    }

    /// The line without and with a carriage return at its end, likeliest first, and whether such belong to the line's end then.
    fn ends<'l>(&self, line: &'l [u8], bare: &'l [u8]) -> [Option<(&'l [u8], bool)>; 2] {
        match self.settled.returns {
            _ if line.len() == bare.len() => [Some((line, false)), None],
            Some(true) => [Some((bare, true)), None],
            Some(false) => [Some((line, false)), Some((bare, true))],
            None => [Some((bare, true)), Some((line, false))],
        }
    }
}

/// Whether this is what stands in the head of a hashdeep list, behind its `%%%%`.
fn is_hashdeep(head: &[u8]) -> bool {
    head.starts_with(b"HASHDEEP-") || (head.starts_with(b"size,") && head.ends_with(b",filename"))
}

impl Columns {
    /// Those of a head, if there is an algorithm that is asked for: the first one that is, else the one with the longest digest.
    fn of(head: &[u8], grammar: &Grammar) -> Option<Self> {
        let names: Vec<_> = head.strip_suffix(b",filename")?.split(|&byte| byte == b',').collect();
        let place = |algorithm: &Algorithm| names.iter().position(|name| algorithm.has_tag(name));
        let known = |algorithm: &&'static Algorithm| place(algorithm).is_some();
        let first = grammar.untagged.first().copied().filter(known);
        let others = grammar.tagged.iter().copied().filter(known);
        let algorithm = first.or_else(|| others.max_by_key(|algorithm| algorithm.digest_size))?;
        Some(Self { count: names.len(), digest: place(algorithm)?, algorithm })
    }
}

/// What the bytes behind a digest and a blank mean.
#[derive(Debug, Clone, Copy)]
struct Meaning {
    /// Bytes before the name.
    mark_size: usize,
    mode: InputMode,
    single_space: Option<bool>,
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

/// What a name can mean, likeliest first.
#[derive(Default)]
struct Readings<'l> {
    likeliest: Option<Reading<'l>>,
    others: Vec<Reading<'l>>,
}

impl<'l> Readings<'l> {
    /// Adds what a name can mean that is spelt like this.
    fn add(&mut self, name: &'l [u8], spelling: Spelling, mode: InputMode, settles: Settled) {
        let unescaped = match spelling {
            Spelling::Gnu => name::gnu_unescape(name),
            Spelling::Vis if memchr(b'\\', name).is_some() => name::unvis(name),
            Spelling::Vis | Spelling::Literal => None,
        };
        if spelling != Spelling::Gnu {
            self.push(Reading { name: Cow::Borrowed(name), mode, settles });
        }
        if let Some(name) = unescaped {
            self.push(Reading { name: Cow::Owned(name), mode, settles });
        }
    }

    fn push(&mut self, reading: Reading<'l>) {
        if reading.name.is_empty() || memchr(0, &reading.name).is_some() {
            return;
        }
        match self.likeliest {
            None => self.likeliest = Some(reading),
            Some(_) => self.others.push(reading),
        }
    }

    fn entry(self, algorithm: &'static Algorithm, wanted: Checksum) -> Option<Entry<'l>> {
        Some(Entry { algorithm, wanted, likeliest: self.likeliest?, others: self.others })
    }
}

/// Whether a line of which this is the start, however long it is, begins as a comment does.
pub fn begins_comment(start: &[u8]) -> bool {
    trim_start(start).starts_with(b"#")
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim_start(line: &[u8]) -> &[u8] {
    &line[line.iter().take_while(|byte| is_blank(byte)).count()..]
}

fn hex_length(algorithm: &Algorithm) -> usize {
    2 * algorithm.digest_size
}

fn from_hex(digits: &[u8], algorithm: &Algorithm) -> Option<Checksum> {
    if digits.len() == hex_length(algorithm) { Checksum::from_hex(digits) } else { None }
}

fn base64_length(algorithm: &Algorithm) -> usize {
    algorithm.digest_size.div_ceil(3) * 4
}

fn from_base64(digits: &[u8], algorithm: &Algorithm) -> Option<Checksum> {
    // A SHA-256 in hexadecimal is as long as a SHA-384 in base64.
    if digits.len() != base64_length(algorithm) || digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut digest = [0; MAX_DIGEST_SIZE + 2];
    let digest = Base64::decode(digits, &mut digest).ok()?;
    (digest.len() == algorithm.digest_size).then(|| Checksum::new(digest))
}
