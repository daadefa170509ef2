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
    /// What the name most likely is.
    pub target: Target<'l>,
    /// What else the name could be, should there be no file of the first name.
    pub others: Vec<Target<'l>>,
}

/// A file and how to read it.
#[derive(Debug, PartialEq)]
pub struct Target<'l> {
    /// The file's name.
    pub name: Cow<'l, [u8]>,
    /// How its bytes become the message.
    pub mode: InputMode,
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

    /// `TAG (name) = digest`, and OpenSSL's `TAG(name)= digest`. The name ends at the last parenthesis.
    fn tagged<'l>(&self, line: &'l [u8], escaped: bool) -> Option<Entry<'l>> {
        let end = line.iter().take(MAX_TAG + 1).position(|byte| matches!(byte, b' ' | b'('))?;
        let (tag, rest) = line.split_at(end);
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        let algorithm = self.algorithms.iter().find(|algorithm| algorithm.has_tag(tag))?;
        let close = rest.iter().rposition(|&byte| byte == b')')?;
        let digits = trim_start(trim_start(&rest[close + 1..]).strip_prefix(b"=")?);
        let wanted = from_hex(digits, algorithm).or_else(|| from_base64(digits, algorithm))?;
        entry(algorithm, wanted, vec![(&rest[..close], InputMode::Binary)], escaped)
    }

    /// `digest`, a space, a mark, and the name; or the name behind one space.
    fn untagged<'l>(&mut self, line: &'l [u8], escaped: bool) -> Option<Entry<'l>> {
        let end = line.iter().position(is_blank)?;
        let digits = &line[..end];
        let (algorithm, wanted) = self.by_length(digits, from_hex).or_else(|| self.by_length(digits, from_base64))?;
        let rest = &line[end + 1..];
        let readings = match rest {
            [] => return None,
            [b' ' | b'*', name @ ..] if !name.is_empty() => {
                if *self.single_space.get_or_insert(false) {
                    vec![(rest, InputMode::Binary)]
                } else {
                    vec![(name, InputMode::Binary)]
                }
            }
            [mark @ (b'U' | b'^'), name @ ..] if !name.is_empty() && self.single_space != Some(true) => {
                let marked = (name, if *mark == b'U' { InputMode::Universal } else { InputMode::Bits });
                let whole = (rest, InputMode::Binary);
                match (self.single_space, self.marks_first) {
                    (Some(_), _) => vec![marked],
                    (None, true) => vec![marked, whole],
                    (None, false) => vec![whole, marked],
                }
            }
            _ if *self.single_space.get_or_insert(true) => vec![(rest, InputMode::Binary)],
            _ => return None,
        };
        entry(algorithm, wanted, readings, escaped)
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

/// An entry of the readings that make sense, best first.
fn entry<'l>(
    algorithm: &'static Algorithm,
    wanted: Checksum,
    readings: Vec<(&'l [u8], InputMode)>,
    escaped: bool,
) -> Option<Entry<'l>> {
    let mut targets = Vec::with_capacity(1);
    for (name, mode) in readings {
        let unreadable_mode = mode == InputMode::Bits && algorithm.perl.is_none();
        if name.is_empty() || name.contains(&0) || unreadable_mode {
            continue;
        }
        if escaped {
            targets.extend(name::gnu_unescape(name).map(|name| Target { name: Cow::Owned(name), mode }));
            continue;
        }
        targets.push(Target { name: Cow::Borrowed(name), mode });
        if name.contains(&b'\\') {
            targets.extend(
                name::unvis(name).filter(|name| !name.contains(&0)).map(|name| Target { name: Cow::Owned(name), mode }),
            );
        }
    }
    let mut targets = targets.into_iter();
    Some(Entry { algorithm, wanted, target: targets.next()?, others: targets.collect() })
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
