//! What a digest list means, slowly: it is decoded as a whole and split, and each line is tried in every form there is.

use std::sync::LazyLock;

use bsdigest::algorithm::Algorithm;
use bsdigest::lines::MAX_LINE;
use bsdigest::plan::{Grammar, InputMode};
use regex::bytes::{Captures, Regex};

use super::names::{gnu_unescape, unvis};

/// The lines of a list, of longer ones the start, and whether each is whole. A mark of UTF-8 is heeded, one of UTF-16 where lines do
/// not end in NUL.
pub fn lines(list: &[u8], terminator: u8) -> Vec<(Vec<u8>, bool)> {
    let units = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, odd) = bytes.as_chunks();
        let characters = char::decode_utf16(pairs.iter().copied().map(unit));
        // Half a character stands for no name.
        let mut text: String = characters.map(|character| character.unwrap_or('\0')).collect();
        // What is cut off at the end is half of one, be it of one unit or of two.
        let is_half = pairs.last().is_some_and(|&pair| matches!(unit(pair), 0xd800..0xdc00));
        text.extend(odd.iter().filter(|_| !is_half).map(|_| '\0'));
        text.into_bytes()
    };
    let text = match list {
        [0xef, 0xbb, 0xbf, text @ ..] => text.to_vec(),
        [0xff, 0xfe, text @ ..] if terminator != 0 => units(text, u16::from_le_bytes),
        [0xfe, 0xff, text @ ..] if terminator != 0 => units(text, u16::from_be_bytes),
        text => text.to_vec(),
    };
    let first = |line: &[u8]| (line[..line.len().min(MAX_LINE)].to_vec(), line.len() <= MAX_LINE);
    let mut lines: Vec<_> = text.split(|&byte| byte == terminator).map(first).collect();
    // Behind the last line's end there is no line.
    lines.pop_if(|(last, _)| last.is_empty());
    lines
}

/// What a line is.
#[derive(Debug)]
pub enum Line {
    Nothing,
    Malformed,
    Entry { algorithm: &'static Algorithm, digest: Vec<u8>, meanings: Vec<Meaning> },
}

/// A name a line can mean, and what the lines behind are settled on then.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    pub name: Vec<u8>,
    pub mode: InputMode,
    settles: Settled,
}

/// What the lines so far have settled: whether one space is enough, and whether a carriage return is the line's.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Settled {
    one_space: Option<bool>,
    returns: Option<bool>,
}

/// The lines of a list so far.
#[derive(Debug)]
pub struct Model<'a> {
    grammar: &'a Grammar,
    settled: Settled,
    /// The columns before the name, where their head was seen: the digest's place among them, and its algorithm.
    columns: Option<(usize, usize, &'static Algorithm)>,
}

impl<'a> Model<'a> {
    pub fn new(grammar: &'a Grammar) -> Self {
        Self { grammar, settled: Settled::default(), columns: None }
    }

    /// Takes note of what a line turned out to mean.
    pub fn settle(&mut self, meant: &Meaning) {
        self.settled.one_space = self.settled.one_space.or(meant.settles.one_space);
        self.settled.returns = self.settled.returns.or(meant.settles.returns);
    }

    /// Whether a line that is too long is a comment all the same: where lines end in NUL, there may be more behind it.
    pub fn is_cut_comment(&self, start: &[u8]) -> bool {
        static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[ \t]*#").unwrap());
        self.grammar.terminator != 0 && COMMENT.is_match(start)
    }

    pub fn line(&mut self, line: &[u8]) -> Line {
        static BLANKS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[ \t]*").unwrap());
        static HASHDEEP: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?s-u)^%%%% (?:HASHDEEP-.*|size,(.*),filename|size,filename)$").unwrap());
        let line = BLANKS.replace(line, &b""[..]).into_owned();
        let is_raw = self.grammar.terminator == 0;
        let has_return = !is_raw && line.ends_with(b"\r");
        let bare = &line[..line.len() - usize::from(has_return)];
        if bare.is_empty() || bare.starts_with(b"#") {
            if is_raw && bare.contains(&b'\n') {
                return Line::Malformed;
            }
            self.settled.returns.get_or_insert(has_return);
            return Line::Nothing;
        }
        if let Some(head) = HASHDEEP.captures(bare) {
            self.columns = head.get(1).and_then(|columns| self.columns(columns.as_bytes()));
            self.settled.returns.get_or_insert(has_return);
            return Line::Nothing;
        }
        let (is_gnu, bare) = match bare.strip_prefix(b"\\") {
            Some(rest) if !is_raw => (true, rest),
            _ => (false, bare),
        };
        let spellings = |name: &[u8]| match (is_raw, is_gnu) {
            (true, _) => vec![name.to_vec()],
            (_, true) => gnu_unescape(name).into_iter().collect(),
            _ if name.contains(&b'\\') => [name.to_vec()].into_iter().chain(unvis(name)).collect(),
            _ => vec![name.to_vec()],
        };
        let entry = self.in_columns(bare, has_return).or_else(|| self.tagged(bare, has_return, &spellings));
        entry.or_else(|| self.untagged(bare, has_return, &spellings)).unwrap_or(Line::Malformed)
    }

    /// Of the algorithms named in a head, the program's own or the one with the longest digest.
    fn columns(&self, names: &[u8]) -> Option<(usize, usize, &'static Algorithm)> {
        let names: Vec<_> = [&b"size"[..]].into_iter().chain(names.split(|&byte| byte == b',')).collect();
        let known = |algorithm: &Algorithm| names.iter().position(|name| algorithm.has_tag(name));
        let own = self.grammar.untagged.first().filter(|algorithm| known(algorithm).is_some());
        let longest = || {
            self.grammar
                .tagged
                .iter()
                .filter(|algorithm| known(algorithm).is_some())
                .max_by_key(|algorithm| algorithm.digest_size)
        };
        let algorithm = own.or_else(longest)?;
        Some((names.len(), known(algorithm)?, algorithm))
    }

    fn in_columns(&self, bare: &[u8], has_return: bool) -> Option<Line> {
        let (count, place, algorithm) = self.columns?;
        let columns: Vec<_> = bare.splitn(count + 1, |&byte| byte == b',').collect();
        let digest = from_hex(columns.get(place)?, algorithm)?;
        let name = columns.get(count)?;
        let meanings = self.ends(name, has_return).into_iter();
        let meanings = meanings.map(|(name, returns)| Meaning {
            name,
            mode: InputMode::Binary,
            settles: Settled { one_space: None, returns: Some(returns) },
        });
        entry(algorithm, digest, meanings.collect())
    }

    fn tagged(&self, bare: &[u8], has_return: bool, spellings: &dyn Fn(&[u8]) -> Vec<Vec<u8>>) -> Option<Line> {
        static FORM: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?s-u)^([^ (]{0,15})[ \t]*\((.*)\)[ \t]*=[ \t]*([^)]*)$").unwrap());
        let parts = FORM.captures(bare)?;
        let algorithm = self.grammar.tagged.iter().find(|algorithm| algorithm.has_tag(&parts[1]))?;
        let digest = from_hex(&parts[3], algorithm).or_else(|| from_base64(&parts[3], algorithm))?;
        let meaning = |name| Meaning {
            name,
            mode: InputMode::Binary,
            settles: Settled { one_space: None, returns: Some(has_return) },
        };
        entry(algorithm, digest, spellings(&parts[2]).into_iter().map(meaning).collect())
    }

    fn untagged(&self, bare: &[u8], has_return: bool, spellings: &dyn Fn(&[u8]) -> Vec<Vec<u8>>) -> Option<Line> {
        static FORM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s-u)^([^ \t]+)[ \t](.*)$").unwrap());
        let parts: Captures = FORM.captures(bare)?;
        let (digits, tail) = (&parts[1], &parts[2]);
        let find = |decode: fn(&[u8], &Algorithm) -> Option<Vec<u8>>| {
            self.grammar.untagged.iter().find_map(|algorithm| Some((*algorithm, decode(digits, algorithm)?)))
        };
        let (algorithm, digest) = find(from_hex).or_else(|| find(from_base64))?;
        let whole = Some((0, InputMode::Binary, true));
        let mark = match tail {
            [b' ' | b'*', _, ..] => Some((1, InputMode::Binary, false)),
            [b'U', _, ..] => Some((1, InputMode::Universal, false)),
            [b'^', _, ..] if algorithm.perl.is_some() => Some((1, InputMode::Bits, false)),
            _ => None,
        };
        let is_letter = matches!(mark, Some((_, InputMode::Universal | InputMode::Bits, _)));
        let marks_first = self.grammar.marks_first;
        let forms = match (mark, self.settled.one_space) {
            _ if tail.is_empty() => return None,
            (None, Some(false)) => return None,
            (None, _) => [whole, None],
            // In a list of single spaces a mark is one only where there is no such name.
            (mark, Some(true)) => [whole, mark],
            (mark, _) if !is_letter => [mark, None],
            (mark, Some(false)) if marks_first => [mark, None],
            (mark, None) if marks_first => [mark, whole],
            (mark, _) => [whole, mark],
        };
        let mut meanings = Vec::new();
        for (tail, returns) in self.ends(tail, has_return) {
            for (size, mode, one_space) in forms.into_iter().flatten() {
                let settles = Settled { one_space: Some(one_space), returns: Some(returns) };
                meanings.extend(spellings(&tail[size..]).into_iter().map(|name| Meaning { name, mode, settles }));
            }
        }
        entry(algorithm, digest, meanings)
    }

    /// A name without and with the carriage return behind it, likeliest first.
    fn ends(&self, name: &[u8], has_return: bool) -> Vec<(Vec<u8>, bool)> {
        let without = (name.to_vec(), has_return);
        let with = ([name, b"\r"].concat(), false);
        match self.settled.returns {
            _ if !has_return => vec![without],
            Some(true) => vec![without],
            Some(false) => vec![with, without],
            None => vec![without, with],
        }
    }
}

fn entry(algorithm: &'static Algorithm, digest: Vec<u8>, mut meanings: Vec<Meaning>) -> Option<Line> {
    meanings.retain(|meaning| !meaning.name.is_empty() && !meaning.name.contains(&0));
    (!meanings.is_empty()).then_some(Line::Entry { algorithm, digest, meanings })
}

fn from_hex(digits: &[u8], algorithm: &Algorithm) -> Option<Vec<u8>> {
    let value = |digit: &u8| char::from(*digit).to_digit(16).map(|value| value as u8);
    let values = digits.iter().map(value).collect::<Option<Vec<u8>>>()?;
    let (pairs, _) = values.as_chunks::<2>();
    (digits.len() == 2 * algorithm.digest_size).then(|| pairs.iter().map(|[high, low]| 16 * high + low).collect())
}

/// RFC 4648, section 4, with its padding; what is hexadecimal too is that.
fn from_base64(digits: &[u8], algorithm: &Algorithm) -> Option<Vec<u8>> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let padding = digits.iter().rev().take_while(|&&digit| digit == b'=').count();
    let mut bits = String::new();
    for digit in &digits[..digits.len() - padding] {
        let value = ALPHABET.iter().position(|known| known == digit)?;
        bits += &format!("{value:06b}");
    }
    let size = algorithm.digest_size;
    let (bytes, rest) = (bits.get(..8 * size)?, bits.get(8 * size..)?);
    let is_whole = digits.len() == size.div_ceil(3) * 4 && rest.len() < 6 && !rest.contains('1');
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    let byte = |at| u8::from_str_radix(&bytes[8 * at..8 * at + 8], 2).unwrap();
    (is_whole && !is_hex).then(|| (0..size).map(byte).collect())
}
