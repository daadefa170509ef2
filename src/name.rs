//! File names in lines, lists and messages: vis(3)'s C style, GNU's backslash form, and shell quotes. Names are bytes.

use std::borrow::Cow;

/// Whether a name holds only printable characters (UTF-8 included) and no backslash, and so stands for itself everywhere.
pub fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|&byte| matches!(byte, b' '..=b'~') && byte != b'\\')
        || std::str::from_utf8(name).is_ok_and(|name| !name.contains(|c: char| c == '\\' || c.is_control()))
}

/// A name in vis(3)'s C style: `\n`, `\\` and their like, and three octal digits for any other byte that is not printable.
pub fn vis(name: &[u8]) -> Cow<'_, [u8]> {
    if is_plain(name) {
        return Cow::Borrowed(name);
    }
    let mut line = Vec::with_capacity(2 * name.len());
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '\\' || character.is_control() {
                let mut utf8 = [0; 4];
                character.encode_utf8(&mut utf8).bytes().for_each(|byte| vis_byte(byte, &mut line));
            } else {
                line.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        chunk.invalid().iter().for_each(|&byte| vis_byte(byte, &mut line));
    }
    Cow::Owned(line)
}

/// The letters of vis(3)'s C style and the bytes they stand for.
const C_ESCAPES: [(u8, u8); 8] = [
    (b'\\', b'\\'),
    (b'n', b'\n'),
    (b'r', b'\r'),
    (b't', b'\t'),
    (b'a', 0x07),
    (b'b', 0x08),
    (b'v', 0x0b),
    (b'f', 0x0c),
];

fn vis_byte(byte: u8, line: &mut Vec<u8>) {
    line.push(b'\\');
    match C_ESCAPES.iter().find(|(_, meant)| *meant == byte) {
        Some((letter, _)) => line.push(*letter),
        None => line.extend([byte >> 6, byte >> 3 & 7, byte & 7].map(|digit| b'0' + digit)),
    }
}

/// What vis(3) made its output from, for the C, octal and shell-character styles, as unvis(3) reads them.
/// `None` when a backslash is followed by nothing they write.
pub fn unvis(line: &[u8]) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(line.len());
    let mut rest = line;
    while let [byte, after @ ..] = rest {
        if *byte != b'\\' {
            name.push(*byte);
            rest = after;
            continue;
        }
        let (meant, after) = unvis_escape(after)?;
        name.push(meant);
        rest = after;
    }
    Some(name)
}

fn unvis_escape(rest: &[u8]) -> Option<(u8, &[u8])> {
    let (&first, after) = rest.split_first()?;
    if let Some((_, meant)) = C_ESCAPES.iter().find(|(letter, _)| *letter == first) {
        return Some((*meant, after));
    }
    match first {
        b'0'..=b'7' => {
            let length = rest.iter().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
            let value = rest[..length].iter().fold(0, |value, digit| value * 8 + u32::from(digit - b'0'));
            Some((u8::try_from(value).ok()?, &rest[length..]))
        }
        b's' => Some((b' ', after)),
        b'E' => Some((0x1b, after)),
        b'^' => caret(after),
        b'M' => match after.split_first()? {
            (b'-', [byte, after @ ..]) => Some((byte | 0x80, after)),
            (b'^', after) => caret(after).map(|(byte, after)| (byte | 0x80, after)),
            _ => None,
        },
        byte if byte.is_ascii_punctuation() || byte == b' ' => Some((byte, after)),
        _ => None,
    }
}

fn caret(rest: &[u8]) -> Option<(u8, &[u8])> {
    let (&letter, after) = rest.split_first()?;
    Some((if letter == b'?' { 0x7f } else { letter & 0x1f }, after))
}

/// The letters of GNU's form and the bytes they stand for.
const GNU_ESCAPES: [(u8, u8); 3] = [(b'\\', b'\\'), (b'n', b'\n'), (b'r', b'\r')];

/// A name in GNU's form, for a line that starts with a backslash; `None` when the name needs no such line.
pub fn gnu_escape(name: &[u8]) -> Option<Vec<u8>> {
    let escape = |byte: u8| GNU_ESCAPES.iter().find(|(_, meant)| *meant == byte);
    name.iter().any(|&byte| escape(byte).is_some()).then(|| {
        let mut line = Vec::with_capacity(name.len() + 2);
        for &byte in name {
            match escape(byte) {
                Some((letter, _)) => line.extend([b'\\', *letter]),
                None => line.push(byte),
            }
        }
        line
    })
}

/// The name a line with a leading backslash means; `None` when it holds what GNU never writes there.
pub fn gnu_unescape(line: &[u8]) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(line.len());
    let mut bytes = line.iter();
    while let Some(&byte) = bytes.next() {
        name.push(match byte {
            b'\\' => {
                let letter = bytes.next()?;
                GNU_ESCAPES.iter().find(|(known, _)| known == letter)?.1
            }
            byte => byte,
        });
    }
    Some(name)
}

/// A name as GNU's messages quote it, so that it could be pasted into a shell: as it is when it needs no quotes.
pub fn shell_quote(name: &[u8]) -> Cow<'_, [u8]> {
    let printable = is_plain(&without(name, b'\\'));
    let special = |byte: u8| b"!\"$&()*;<=>?[\\^`|:".contains(&byte);
    let gentle = |byte: u8| byte == b'\'' || byte == b' ';
    let at_start = matches!(name, [] | [b'~' | b'#', ..] | b"{" | b"}");
    let any_special = name.iter().any(|&byte| special(byte));
    if printable && !any_special && !at_start && !name.iter().any(|&byte| gentle(byte)) {
        Cow::Borrowed(name)
    } else if printable && !any_special && name.contains(&b'\'') {
        Cow::Owned([b"\"", name, b"\""].concat())
    } else {
        Cow::Owned(single_quoted(name))
    }
}

fn without(name: &[u8], unwanted: u8) -> Vec<u8> {
    name.iter().copied().filter(|&byte| byte != unwanted).collect()
}

/// A name in single quotes, with `$'…'` around what is not printable.
fn single_quoted(name: &[u8]) -> Vec<u8> {
    let mut line = vec![b'\''];
    let mut escaping = false;
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            let mut utf8 = [0; 4];
            let bytes = character.encode_utf8(&mut utf8).as_bytes();
            if character.is_control() {
                bytes.iter().for_each(|&byte| dollar_quote(byte, &mut escaping, &mut line));
                continue;
            }
            if escaping {
                line.extend_from_slice(b"''");
                escaping = false;
            }
            line.extend_from_slice(if character == '\'' { b"'\\''" } else { bytes });
        }
        chunk.invalid().iter().for_each(|&byte| dollar_quote(byte, &mut escaping, &mut line));
    }
    line.push(b'\'');
    line
}

fn dollar_quote(byte: u8, escaping: &mut bool, line: &mut Vec<u8>) {
    if !*escaping {
        line.extend_from_slice(b"'$'");
        *escaping = true;
    }
    vis_byte(byte, line);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte a name can hold, alone and between letters, and some longer ones.
    fn awkward_names() -> Vec<Vec<u8>> {
        let single = (1..=255u8).filter(|&byte| byte != b'/').map(|byte| vec![byte]);
        let between = (1..=255u8).filter(|&byte| byte != b'/').map(|byte| vec![b'a', byte, b'7']);
        let others = ["", "пример é.bin", "u (2007) = v", "a\\nb", "\u{9b}31m", "two  spaces", "\u{fe0f}"];
        single.chain(between).chain(others.map(|name| name.as_bytes().to_vec())).collect()
    }

    #[test]
    fn vis_is_printable_and_unvis_gives_the_name_back() {
        for name in awkward_names() {
            let line = vis(&name).into_owned();
            assert!(is_plain(&without(&line, b'\\')), "{line:?}");
            assert_eq!(unvis(&line), Some(name));
        }
    }

    #[test]
    fn gnu_form_gives_the_name_back_and_holds_no_line_end() {
        for name in awkward_names() {
            match gnu_escape(&name) {
                Some(line) => {
                    assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
                    assert_eq!(gnu_unescape(&line), Some(name));
                }
                None => assert!(!name.iter().any(|byte| b"\\\n\r".contains(byte))),
            }
        }
    }

    #[test]
    fn printable_names_stand_as_they_are() {
        for name in ["a.dat", "a (1) = b*$", "пример é.bin", "~#'\"", " lead"] {
            assert_eq!(vis(name.as_bytes()), Cow::Borrowed(name.as_bytes()));
            assert_eq!(gnu_escape(name.as_bytes()), None);
        }
    }

    #[test]
    fn other_bytes_are_c_style_or_octal() {
        assert_eq!(vis(b"a\nb\\c\td\x1b\x7f\xff"), &br"a\nb\\c\td\033\177\377"[..]);
        assert_eq!(vis("\u{9b}".as_bytes()), &br"\302\233"[..]);
    }

    #[test]
    fn what_freebsd_writes_is_understood() {
        for (line, name) in [
            (&br"p \(1\) = x.bin"[..], &b"p (1) = x.bin"[..]),
            (br"a\sb\$\*", b"a b$*"),
            (br"\M-i\M^A\^A\^?\E\0", b"\xe9\x81\x01\x7f\x1b\0"),
        ] {
            assert_eq!(unvis(line).as_deref(), Some(name));
        }
        for broken in [&b"a\\"[..], br"\q", br"\777", br"\M", br"\^"] {
            assert_eq!(unvis(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn gnu_takes_nothing_but_its_own_escapes() {
        for broken in [&b"a\\"[..], br"a\q", br"\t"] {
            assert_eq!(gnu_unescape(broken), None);
        }
    }

    /// As `md5sum` 9.1 quotes them in a UTF-8 locale.
    #[test]
    fn messages_quote_as_gnu_does() {
        for (name, quoted) in [
            (&b"a.dat"[..], &b"a.dat"[..]),
            (b"x y", b"'x y'"),
            (b"x'y", b"\"x'y\""),
            (b"x:y", b"'x:y'"),
            (b"x\\y", b"'x\\y'"),
            (b"x\ny", b"'x'$'\\n''y'"),
            (b"x\"y", b"'x\"y'"),
            (b"x$y", b"'x$y'"),
            (b"", b"''"),
            (b"x~y", b"x~y"),
            (b"~x", b"'~x'"),
            (b"x\xffy", b"'x'$'\\377''y'"),
            (b"x' $y", b"'x'\\'' $y'"),
            (b"x;'y", b"'x;'\\''y'"),
            ("é".as_bytes(), "é".as_bytes()),
        ] {
            assert_eq!(shell_quote(name), quoted, "{name:?}");
        }
    }
}
