//! What holds for every name and every line, tried on many of them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use base64ct::{Base64, Encoding};
use bsdigest::algorithm::{ALGORITHMS, Checksum};
use bsdigest::format::digest_line;
use bsdigest::list::{Entry, Parsed, Parser};
use bsdigest::name::gnu_unescape;
use bsdigest::plan::{Grammar, InputMode, Line, Names, Source, Style};

use crate::random::Random;
use crate::support::Folder;

impl Random {
    fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// A file's name: any bytes but NUL and slash, often such as mean something in lists.
    fn name(&mut self) -> Vec<u8> {
        let parts: [&[u8]; 24] = [
            b"\\",
            b"\\\\",
            b"\\n",
            b"\\134",
            b"\\M-a",
            b"\n",
            b"\r",
            b" ",
            b"  ",
            b"*",
            b"(",
            b")",
            b") = ",
            b"#",
            b"U",
            b"^",
            b"-",
            b"\t",
            "é".as_bytes(),
            b"\xff",
            b"\xc2",
            b"\x1b",
            b"MD5 (",
            b"d41d8cd98f00b204e9800998ecf8427e",
        ];
        let most = if self.below(10) == 0 { 255 } else { 12 };
        let length = 1 + self.below(most);
        let mut name = Vec::new();
        while name.len() < length {
            match self.below(3) {
                0 => name.extend_from_slice(parts[self.below(parts.len())]),
                1 => name.push(b'a' + self.below(26) as u8),
                _ => name.push(1 + self.below(255) as u8),
            }
        }
        name.truncate(255);
        name.retain(|byte| *byte != b'/');
        if name.is_empty() { b"x".to_vec() } else { name }
    }

    /// A line with some of its bytes changed, taken out or put in.
    fn mutated(&mut self, line: &[u8]) -> Vec<u8> {
        let mut line = line.to_vec();
        for _ in 0..1 + self.below(3) {
            let at = self.below(line.len() + 1);
            let byte = *self.pick(b" \\*()=#\r\n\0fF0gU^-\t\xff/");
            match self.below(5) {
                0 => line.insert(at, byte),
                1 if at < line.len() => line[at] = byte,
                2 if at < line.len() => drop(line.remove(at)),
                3 => line.truncate(at),
                _ => line.rotate_left(at),
            }
        }
        line
    }
}

/// Every form of a line that is written: names, terminator, form, and how the input was read.
fn forms() -> Vec<(Names, u8, Line, InputMode)> {
    let binary = InputMode::Binary;
    let mut forms = vec![
        (Names::Vis, b'\n', Line::Tagged, binary),
        (Names::Vis, b'\n', Line::Reversed, binary),
        (Names::Backslash, b'\n', Line::Marked(b'U'), InputMode::Universal),
        (Names::Backslash, b'\n', Line::Marked(b'^'), InputMode::Bits),
    ];
    for (names, terminator) in [(Names::Backslash, b'\n'), (Names::Raw, 0)] {
        let lines = [Line::Marked(b' '), Line::Marked(b'*'), Line::Tagged];
        forms.extend(lines.map(|line| (names, terminator, line, binary)));
    }
    forms
}

fn source(name: &[u8]) -> Source {
    Source::File(OsString::from_vec(name.to_vec()))
}

fn style(names: Names, terminator: u8) -> Style {
    Style { tag: |algorithm| algorithm.tag, names, message_names: names, terminator, output: "stdout" }
}

/// Parses a line, where of all files there is only this one, and takes note of what it settles.
fn parse(parser: &mut Parser, line: &[u8], there: &[u8]) -> Option<(Checksum, Vec<u8>, InputMode)> {
    let Parsed::Entry(entry) = parser.parse(line) else { return None };
    let Entry { wanted, likeliest, others, .. } = entry;
    let readings = [vec![likeliest], others].concat();
    let meant = readings.iter().find(|reading| *reading.name == *there).unwrap_or(&readings[0]);
    parser.settle(meant);
    Some((wanted, meant.name.to_vec(), meant.mode))
}

#[test]
fn every_name_comes_back_from_every_form_of_line() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..5_000 {
        let name = random.name();
        let row = random.pick(&ALGORITHMS);
        let digest = row.digest(&name);
        for (names, terminator, form, mode) in forms() {
            if mode == InputMode::Bits && row.perl.is_none() {
                continue;
            }
            let grammar = Grammar { terminator, ..Grammar::of(&[row]) };
            for has_returns in [false, true] {
                if has_returns && terminator == 0 {
                    continue;
                }
                let mut parser = Parser::new(&grammar);
                // A list's first line settles what the others mean.
                for name in [&b"plain"[..], &name] {
                    let mut line = digest_line(&style(names, terminator), form, &source(name), row, &digest, false);
                    assert_eq!(line.iter().filter(|&&byte| byte == terminator).count(), 1, "{name:?} {form:?}");
                    line.pop();
                    if has_returns {
                        line.push(b'\r');
                    }
                    let wanted = Some((digest, name.to_vec(), mode));
                    assert_eq!(parse(&mut parser, &line, name), wanted, "{form:?}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn no_line_means_a_digest_that_does_not_stand_in_it() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let grammars = [Grammar::any(), Grammar::of(&[&ALGORITHMS[0]]), Grammar { terminator: 0, ..Grammar::any() }];
    for _ in 0..100_000 {
        let row = random.pick(&ALGORITHMS);
        let (names, terminator, form, _) = *random.pick(&forms());
        let name = random.name();
        let line = digest_line(&style(names, terminator), form, &source(&name), row, &row.digest(&name), false);
        let line = if random.below(20) == 0 { random.name() } else { random.mutated(&line) };
        let text = line.to_ascii_lowercase();
        for grammar in &grammars {
            let Parsed::Entry(entry) = Parser::new(grammar).parse(&line) else { continue };
            let stands = |text: &[u8], digits: &str| text.windows(digits.len()).any(|word| word == digits.as_bytes());
            let mut base64 = [0; 200];
            let base64 = Base64::encode(entry.wanted.as_bytes(), &mut base64).unwrap();
            assert!(stands(&text, &entry.wanted.to_hex()) || stands(&line, base64), "{line:?}");
            assert_eq!(entry.wanted.as_bytes().len(), entry.algorithm.digest_size);
            for reading in [&entry.likeliest].into_iter().chain(&entry.others) {
                assert!(!reading.name.is_empty() && !reading.name.contains(&0), "{line:?}");
                // Undoing escapes makes a name no longer.
                assert!(reading.name.len() + entry.algorithm.digest_size < line.len(), "{line:?}");
            }
        }
    }
}

#[test]
fn what_is_ok_in_a_list_of_broken_lines_has_its_digest_in_it() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let mut files = BTreeMap::new();
    let mut folder = Folder::new();
    while files.len() < 40 {
        let name = random.name();
        if name != b"." && name != b".." && name != b"-" && !files.contains_key(&name) {
            folder = folder.file(OsString::from_vec(name.clone()), &name);
            files.insert(name.clone(), ALGORITHMS.each_ref().map(|row| row.digest(&name)));
        }
    }
    let names: Vec<_> = files.keys().cloned().collect();
    for round in 0..10 {
        let mut list = Vec::new();
        for _ in 0..500 {
            let (row, name) = (random.pick(&ALGORITHMS), random.pick(&names));
            let (names, _, form, _) = *random.pick(&forms()[..6]);
            let line = digest_line(&style(names, b'\n'), form, &source(name), row, &row.digest(name), false);
            list.extend(if random.below(4) == 0 { line } else { random.mutated(&line) });
            list.push(b'\n');
        }
        let text = String::from_utf8_lossy(&list).to_ascii_lowercase();
        folder = folder.file("list", &list);
        let ran = folder.run("md5sum", ["--any", "-wc", "list"]);
        assert_eq!(ran.status, 1, "round {round}: {ran:?}");
        let mut right = 0;
        for verdict in ran.stdout.split(|&byte| byte == b'\n') {
            let Some(name) = verdict.strip_suffix(b": OK") else { continue };
            let name = match name.strip_prefix(b"\\") {
                Some(escaped) => gnu_unescape(escaped).unwrap(),
                None => name.to_vec(),
            };
            let name = name.strip_prefix(b"./").unwrap_or(&name);
            let digests = files.get(name).unwrap_or_else(|| panic!("{name:?} is no file of ours"));
            assert!(digests.iter().any(|digest| text.contains(&digest.to_hex())), "{name:?}");
            right += 1;
        }
        assert!(right > 20, "round {round}: {right}");
    }
}
