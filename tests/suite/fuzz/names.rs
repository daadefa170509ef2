//! Names in lines, lists and messages.

use std::collections::HashMap;
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use bsdigest::name;
use regex::bytes::{Captures, Regex};

use super::{Case, mixture};

/// A name of any bytes, and a text that may spell one.
#[derive(Debug)]
pub struct Name {
    name: Vec<u8>,
    text: Vec<u8>,
}

impl Arbitrary<'_> for Name {
    fn arbitrary(from: &mut Unstructured) -> Result<Self> {
        let pieces: [&[u8]; 20] = [
            b"\\",
            b"\\\\",
            b"\\n",
            b"\\r",
            b"\\s",
            b"\\E",
            b"\\^",
            b"\\M-",
            b"\\M^",
            b"\\7",
            b"\\134",
            b"\\400",
            b"\n",
            b"\r",
            b"'",
            b"\"",
            b"$",
            "é".as_bytes(),
            "\u{85}".as_bytes(),
            b"\xe2\x82",
        ];
        Ok(Self { name: mixture(from, &pieces, 12)?, text: mixture(from, &pieces, 12)? })
    }
}

impl Case for Name {
    fn check(&self) {
        let Self { name, text } = self;
        let shown = name::vis(name);
        assert_eq!(shown, vis(name));
        assert!(
            std::str::from_utf8(&shown).is_ok_and(|shown| !shown.contains(char::is_control)),
            "{shown:?} is printable"
        );
        assert_eq!(name::unvis(&shown).as_ref(), Some(name));
        assert_eq!(name::unvis(text), unvis(text));

        let escaped = gnu_escape(name);
        assert_eq!(name::gnu_escape(name), (escaped != *name).then_some(escaped.clone()));
        assert_eq!(name::gnu_unescape(&escaped).as_ref(), Some(name));
        assert_eq!(name::gnu_unescape(text), gnu_unescape(text));

        // No shell is given a NUL.
        let name: Vec<u8> = name.iter().copied().filter(|&byte| byte != 0).collect();
        assert_eq!(shell_word(&name::shell_quote(&name)), name);
    }
}

/// vis(3) with VIS_CSTYLE | VIS_OCTAL, a byte at a time; a character stays if it is printable and no backslash.
pub fn vis(name: &[u8]) -> Vec<u8> {
    let mut shown = Vec::new();
    let mut rest = name;
    while let [byte, after @ ..] = rest {
        let character = (1..=rest.len().min(4)).find_map(|size| Some((size, std::str::from_utf8(&rest[..size]).ok()?)));
        match character {
            Some((size, character)) if !character.contains(|c: char| c.is_control() || c == '\\') => {
                shown.extend_from_slice(character.as_bytes());
                rest = &rest[size..];
            }
            _ => {
                let letter = LETTERS.iter().find(|(_, meant)| meant == byte);
                shown.extend(
                    letter.map_or_else(|| format!("\\{byte:03o}"), |(letter, _)| format!("\\{letter}")).bytes(),
                );
                rest = after;
            }
        }
    }
    shown
}

const LETTERS: [(char, u8); 8] =
    [('\\', 0x5c), ('n', 0x0a), ('r', 0x0d), ('t', 0x09), ('a', 0x07), ('b', 0x08), ('v', 0x0b), ('f', 0x0c)];

/// Every spelling of a byte behind a backslash: those of vis(3)'s styles. Octal digits that are no byte's spell nothing.
static SPELLINGS: LazyLock<HashMap<Vec<u8>, Option<u8>>> = LazyLock::new(|| {
    let mut spellings = HashMap::new();
    for byte in (b'!'..=b'~').filter(u8::is_ascii_punctuation).chain([b' ']) {
        spellings.insert(vec![byte], Some(byte));
    }
    for (letter, meant) in LETTERS.into_iter().chain([('s', b' '), ('E', 0x1b)]) {
        spellings.insert(vec![letter as u8], Some(meant));
    }
    for value in 0..0o1000 {
        let byte = u8::try_from(value).ok();
        for digits in [format!("{value:o}"), format!("{value:02o}"), format!("{value:03o}")] {
            spellings.insert(digits.into_bytes(), byte);
        }
    }
    for byte in 0..=255 {
        let control = if byte == b'?' { 0x7f } else { byte & 0x1f };
        spellings.insert(vec![b'^', byte], Some(control));
        spellings.insert(vec![b'M', b'^', byte], Some(control | 0x80));
        spellings.insert(vec![b'M', b'-', byte], Some(byte | 0x80));
    }
    // Half a spelling is none, though a caret is punctuation.
    spellings.insert(vec![b'^'], None);
    spellings
});

/// The longest spelling behind each backslash.
pub fn unvis(text: &[u8]) -> Option<Vec<u8>> {
    let Some(backslash) = text.iter().position(|&byte| byte == b'\\') else { return Some(text.to_vec()) };
    let (before, rest) = (&text[..backslash], &text[backslash + 1..]);
    let (size, byte) = (1..=rest.len().min(3)).rev().find_map(|size| Some((size, *SPELLINGS.get(&rest[..size])?)))?;
    Some([before, &[byte?], &unvis(&rest[size..])?].concat())
}

/// What a line that begins with a backslash may hold behind it.
static GNU: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s-u)^(?:[^\\]|\\[\\nr])*$").unwrap());

pub fn gnu_escape(name: &[u8]) -> Vec<u8> {
    let name = replace(name, b'\\', b"\\\\");
    replace(&replace(&name, b'\n', b"\\n"), b'\r', b"\\r")
}

/// What GNU's form spells, in which nothing else follows a backslash.
pub fn gnu_unescape(text: &[u8]) -> Option<Vec<u8>> {
    let pair = |pair: &Captures| match pair[1][0] {
        b'n' => vec![b'\n'],
        b'r' => vec![b'\r'],
        other => vec![other],
    };
    static PAIR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?-u)\\([\\nr])").unwrap());
    GNU.is_match(text).then(|| PAIR.replace_all(text, pair).into_owned())
}

fn replace(text: &[u8], byte: u8, by: &[u8]) -> Vec<u8> {
    text.split(|other| *other == byte).collect::<Vec<_>>().join(by)
}

/// The word a shell makes of a text.
///
/// # Panics
/// When it would make more or less of it than a word.
fn shell_word(text: &[u8]) -> Vec<u8> {
    assert!(!text.is_empty() && !b"~#".contains(&text[0]), "{text:?}");
    let mut word = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (quote, escapes) = match rest {
            [b'$', b'\'', ..] => (2, true),
            [b'\'' | b'"', ..] => (1, false),
            [b'\\', b'\'', after @ ..] => {
                word.push(b'\'');
                rest = after;
                continue;
            }
            [byte, after @ ..] => {
                assert!(!b" \t\n$`\\!&();<>|*?[".contains(byte), "{text:?}");
                word.push(*byte);
                rest = after;
                continue;
            }
            [] => unreachable!("it is not empty"),
        };
        let (mark, inside) = (rest[quote - 1], &rest[quote..]);
        let end = inside.iter().position(|&byte| byte == mark).expect("the quote ends");
        let quoted = &inside[..end];
        assert!(mark == b'\'' || !quoted.iter().any(|byte| b"$`\\!".contains(byte)), "{text:?}");
        word.extend(if escapes { unvis(quoted).expect("it is escaped in the C style") } else { quoted.to_vec() });
        rest = &inside[end + 1..];
    }
    word
}
