//! Why a line of a digest list is no entry. Looked into only when it is none.

use crate::algorithm::{ALGORITHMS, Algorithm};
use crate::list::{Parsed, Parser};
use crate::plan::Grammar;

/// Hexadecimal digits from which on a word can be nothing but a digest, whole or cut short.
const LEAST_DIGITS: usize = 16;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// It is like no line of a list.
    Unlike,
    /// It has the tag of an algorithm that is not asked for.
    OtherTag(&'static Algorithm),
    /// It has a tag of no algorithm there is.
    UnknownTag(String),
    /// Its digest has not the length of an algorithm's.
    Length {
        /// Hexadecimal digits there are.
        digits: usize,
        /// The algorithms it could be of.
        wanted: Vec<&'static Algorithm>,
    },
    /// Something in its digest is not a hexadecimal digit.
    Digit(char),
    /// There is no name.
    NoName,
    /// The name has a backslash before what is never written behind one.
    Escape,
    /// There is a NUL in it.
    Nul,
    /// It is of two bytes a character, and nothing at the start said so.
    Utf16,
    /// There is one space before the name in a list that has two.
    OneSpace,
    /// It is longer than any entry.
    TooLong,
    /// It is of a list on standard input and lists standard input.
    OwnInput,
}

/// What is wrong with a line that is no entry of a list of this grammar.
pub fn find(line: &[u8], grammar: &Grammar) -> Fault {
    let line = line.trim_ascii_start();
    if line.contains(&0) {
        return if is_utf16(line) { Fault::Utf16 } else { Fault::Nul };
    }
    let line = line.strip_prefix(b"\\").unwrap_or(line);
    tagged(line, grammar).unwrap_or_else(|| untagged(line, grammar))
}

/// The other algorithm of whose list a line that is no entry of one of this grammar would be one.
pub fn looks_like(line: &[u8], grammar: &Grammar) -> Option<&'static Algorithm> {
    let Parsed::Entry(entry) = Parser::new(&Grammar::any()).parse(line) else { return None };
    // Many a word is some digest in base64.
    let digits = entry.wanted.to_hex();
    let is_hex = line.windows(digits.len()).any(|word| word.eq_ignore_ascii_case(digits.as_bytes()));
    (is_hex && !grammar.tagged.contains(&entry.algorithm)).then_some(entry.algorithm)
}

fn is_utf16(line: &[u8]) -> bool {
    let zeros = |start| line.iter().skip(start).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    line.len() >= 4 && even.min(odd) <= 1 && even.max(odd) >= line.len() / 4
}

/// `TAG (name) = digest` and `TAG(name)= digest`; none where it is no such line.
fn tagged(line: &[u8], grammar: &Grammar) -> Option<Fault> {
    let open = line.iter().position(|&byte| byte == b'(')?;
    let close = line.iter().rposition(|&byte| byte == b')').filter(|&close| close > open)?;
    let digits = line[close + 1..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let digits = digits.strip_suffix(b"\r").unwrap_or(digits);
    let tag = line[..open].strip_suffix(b" ").unwrap_or(&line[..open]);
    let is_tag = |tag: &str| tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-/_".contains(&byte));
    let tag = std::str::from_utf8(tag).ok().filter(|tag| !tag.is_empty() && is_tag(tag))?;
    let Some(algorithm) = ALGORITHMS.iter().find(|algorithm| algorithm.has_tag(tag.as_bytes())) else {
        return Some(Fault::UnknownTag(tag.to_owned()));
    };
    if !grammar.tagged.contains(&algorithm) {
        return Some(Fault::OtherTag(algorithm));
    }
    Some(wrong_digest(digits, &[algorithm]).unwrap_or(if close == open + 1 { Fault::NoName } else { escape(line) }))
}

/// `digest`, a blank and more.
fn untagged(line: &[u8], grammar: &Grammar) -> Fault {
    let end = line.iter().position(|byte| b" \t".contains(byte)).unwrap_or(line.len());
    let (digits, rest) = line.split_at(end);
    let hex = digits.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    if hex < LEAST_DIGITS || hex + 2 < digits.len() || digits.contains(&b',') {
        return Fault::Unlike;
    }
    if let Some(fault) = wrong_digest(digits, &grammar.untagged) {
        return fault;
    }
    match rest {
        [] | [_] | [_, b' ' | b'*'] => Fault::NoName,
        [_, b' ' | b'*', ..] => escape(line),
        _ if line.contains(&b'\\') => Fault::Escape,
        _ => Fault::OneSpace,
    }
}

/// A backslash is what is wrong, if there is one.
fn escape(line: &[u8]) -> Fault {
    if line.contains(&b'\\') { Fault::Escape } else { Fault::Unlike }
}

/// What is wrong with a digest, if anything is.
fn wrong_digest(digits: &[u8], wanted: &[&'static Algorithm]) -> Option<Fault> {
    let text = String::from_utf8_lossy(digits);
    if let Some(other) = text.chars().find(|digit| !digit.is_ascii_hexdigit()) {
        return Some(Fault::Digit(other));
    }
    let has_length = wanted.iter().any(|algorithm| digits.len() == 2 * algorithm.digest_size);
    (!has_length).then(|| Fault::Length { digits: digits.len(), wanted: wanted.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format;

    /// What is said of a line under the name of an algorithm.
    fn said(line: &[u8], name: &str) -> String {
        let algorithm = Algorithm::named(name.as_bytes()).unwrap();
        let grammar = Grammar::of(&[algorithm]);
        format::malformed(3, "bad", &find(line, &grammar), format!("{name}sum").as_bytes())
    }

    #[test]
    fn each_fault_is_told_in_words() {
        let digest = "b6a98d9ce9a2d9149288fa3df42d377c3e42737afdcdaf714e33c0a100b51060";
        let short = &digest[2..];
        for (line, wanted) in [
            (format!("{short}  a"), "3: bad: wrong length for SHA256: 62 digits, want 64"),
            (format!("{digest}0  a"), "3: bad: wrong length for SHA256: 65 digits, want 64"),
            (format!("SHA256 (a) = {short}\r"), "3: bad: wrong length for SHA256: 62 digits, want 64"),
            ("SHA256 (a) = ".to_owned(), "3: bad: wrong length for SHA256: 0 digits, want 64"),
            (format!("g{}  a", &digest[1..]), "3: bad: 'g' is no hexadecimal digit"),
            (format!("SHA256 (a) = {}é", &digest[2..]), "3: bad: 'é' is no hexadecimal digit"),
            (digest.to_owned(), "3: bad: no name"),
            (format!("{digest} *"), "3: bad: no name"),
            (format!("SHA256 () = {digest}"), "3: bad: no name"),
            (format!("SHA1 (a) = {digest}"), "3: bad: tag SHA1 under the name sha256sum"),
            (format!("RIPEMD-160(a)= {digest}"), "3: bad: tag RMD160 under the name sha256sum"),
            (format!("BLAKE2b (a) = {digest}"), "3: bad: unknown tag BLAKE2b"),
            (format!("\\{digest}  a\\q"), "3: bad: a backslash before what is never written behind one"),
            (format!("\\SHA256 (a\\) = {digest}"), "3: bad: a backslash before what is never written behind one"),
            (format!("{digest}  a\0b"), "3: bad: a NUL in it; lists of lines that end in NUL are read with --zero"),
            (format!("{digest} a"), "3: bad: one space before the name, where the lines before have two"),
            ("garbage".to_owned(), "3: bad"),
            ("-----BEGIN PGP SIGNED MESSAGE-----".to_owned(), "3: bad"),
            ("deadbeef  a".to_owned(), "3: bad"),
            ("f (x) = y".to_owned(), "3: bad: unknown tag f"),
            ("a b (x) = y".to_owned(), "3: bad"),
        ] {
            assert_eq!(said(line.as_bytes(), "sha256"), wanted, "{line:?}");
        }
        let line: Vec<u8> = format!("{digest}  a\r").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(said(&line, "sha256"), "3: bad: UTF-16 without a mark");
        // The first byte of a line feed ends the line before.
        assert_eq!(said(&[&[0], &line[..]].concat(), "sha256"), "3: bad: UTF-16 without a mark");
    }

    #[test]
    fn a_list_of_another_algorithm_is_known_by_its_first_line() {
        let of = |line: &str| looks_like(line.as_bytes(), &Grammar::of(&[&ALGORITHMS[0]])).map(|row| row.tag);
        let digits = |count| "0123456789abcdef".repeat(8)[..count].to_owned();
        assert_eq!(of(&format!("{}  a", digits(40))), Some("SHA1"));
        assert_eq!(of(&format!("{}  a", digits(64))), Some("SHA256"));
        assert_eq!(of(&format!("Skein512 (a) = {}", digits(128))), Some("Skein512"));
        assert_eq!(of(&format!("{}  a", digits(32))), None, "what is asked for");
        assert_eq!(of(&format!("{}  a", digits(31))), None);
        assert_eq!(of(&format!("g{}  a", digits(63))), None, "SHA384 in base64 by chance");
        assert_eq!(of("# comment"), None);
    }
}
