//! Digest lists: their lines, what these mean, and what a whole check says of them.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::{fs, iter};

use arbitrary::{Arbitrary, Result, Unstructured};
use base64ct::{Base64, Encoding};
use bsdigest::algorithm::{ALGORITHMS, Algorithm};
use bsdigest::invocation::Invocation;
use bsdigest::lines::{Lines, MAX_LINE};
use bsdigest::list::{Parsed, Parser};
use bsdigest::plan::{Check, InputMode, Names, Plan, Step};
use bsdigest::sandbox::Sandbox;
use bsdigest::{cli, fault, format, run};
use tempfile::TempDir;

use super::list_model::{self, Line, Meaning, Model};
use super::names::{gnu_escape, vis};
use super::{Case, mixture};

/// The names of the files there are, each of which holds its name.
const NAMES: [&[u8]; 16] = [
    b"a",
    b" a",
    b"*a",
    b"Ua",
    b"^a",
    b"U",
    b"a\r",
    b"a\nb",
    b"a\\nb",
    b"\\a",
    b"a b",
    b"a) = b",
    b"10a",
    "é".as_bytes(),
    b"\xff",
    b"1,a",
];

/// Commands that check lists.
const COMMANDS: [&[&str]; 6] = [
    &["md5sum", "-c"],
    &["md5sum", "-c", "--any"],
    &["md5sum", "-c", "--any", "--zero"],
    &["sha512sum", "-c", "--strict"],
    &["shasum", "-c"],
    &["skein256", "--algorithm=skein256,sha256", "--warn", "--check-list"],
];

/// A list, and how it is checked and read.
#[derive(Debug)]
pub struct List {
    command: &'static [&'static str],
    jobs: u8,
    text: Vec<u8>,
    /// Bytes of each read but one.
    reads: Vec<u8>,
    /// Whether it is checked as a whole too, which takes much longer than reading its lines.
    is_checked: bool,
}

impl Arbitrary<'_> for List {
    fn arbitrary(from: &mut Unstructured) -> Result<Self> {
        let command = *from.choose(&COMMANDS)?;
        let mut text = Vec::new();
        // Those whose lines it takes, in the table's order.
        let known = &ALGORITHMS.iter().filter(|row| is_known(command, row)).collect::<Vec<_>>();
        for _ in 0..from.int_in_range(0..=8)? {
            text.extend(line(from, known)?);
            let end = if command.contains(&"--zero") { "\0" } else { *from.choose(&["\n", "\n", "\r\n"])? };
            let end = if from.ratio(1, 16)? { *from.choose(&["\n", "\0", ""])? } else { end };
            text.extend_from_slice(end.as_bytes());
        }
        let text = match from.int_in_range(0..=11)? {
            0 => [&b"\xef\xbb\xbf"[..], &text].concat(),
            1 => utf16(&text, u16::to_le_bytes),
            2 => utf16(&text, u16::to_be_bytes),
            3 => mutated(from, utf16(&text, u16::to_le_bytes))?,
            _ => text,
        };
        Ok(Self {
            command,
            jobs: from.int_in_range(1..=3)?,
            text,
            reads: from.arbitrary()?,
            is_checked: from.ratio(1, 16)?,
        })
    }
}

/// Whether a command takes the lines of an algorithm.
fn is_known(command: &[&str], row: &Algorithm) -> bool {
    match command {
        [_, _, "--any", ..] => true,
        ["shasum", ..] => row.perl.is_some(),
        ["skein256", ..] => ["skein256", "sha256"].contains(&row.name),
        [program, ..] => program.strip_suffix("sum") == Some(row.name),
        [] => false,
    }
}

fn utf16(text: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// A line that some program writes, perhaps with a fault, or anything.
fn line(from: &mut Unstructured, known: &[&Algorithm]) -> Result<Vec<u8>> {
    let pieces: [&[u8]; 16] = [
        b"\\",
        b" ",
        b"  ",
        b"\t",
        b"*",
        b"(",
        b")",
        b"=",
        b"#",
        b",",
        b"%%%% ",
        b"MD5 (",
        b"SHA1",
        b"\r",
        b"\0",
        b"d41d8cd98f00b204e9800998ecf8427e",
    ];
    match from.int_in_range(0..=19)? {
        4 => return mixture(from, &pieces, 8),
        1 => return Ok([b"#", mixture(from, &pieces, 3)?.as_slice()].concat()),
        2 => return head(from),
        3 if from.ratio(1, 32)? => {
            // As long as a line may be, or a little longer.
            let length = MAX_LINE - 2 + from.int_in_range(0..=4)?;
            let filler = *from.choose(b"#ax ")?;
            return Ok([mixture(from, &pieces, 1)?, vec![filler; length]].concat());
        }
        _ => {}
    }
    let row = if from.ratio(1, 8)? { from.choose(&ALGORITHMS)? } else { *from.choose(known)? };
    let name = if from.ratio(7, 8)? { from.choose(&NAMES)?.to_vec() } else { mixture(from, &pieces, 4)? };
    let of = if from.ratio(7, 8)? { name.clone() } else { from.choose(&NAMES)?.to_vec() };
    let digest = row.digest(&of);
    let mut base64 = [0; 200];
    let base64 = Base64::encode(digest.as_bytes(), &mut base64).expect("there is room").to_owned();
    let mut digits = if from.ratio(1, 8)? { base64 } else { digest.to_hex() };
    if from.ratio(1, 8)? {
        digits.make_ascii_uppercase();
    }
    let digits = digits.as_bytes();
    let tag = *from.choose(&[&[row.tag], row.other_tags].concat())?;
    let tag = tag.as_bytes();
    let line = match from.int_in_range(0..=10)? {
        0 | 1 => [digits, b"  ", &name].concat(),
        2 => [digits, b" *", &name].concat(),
        3 => [digits, b" ", &name].concat(),
        4 => [digits, b" U", &name].concat(),
        5 => [digits, b" ^", &name].concat(),
        6 => [b"\\", digits, b"  ", &gnu_escape(&name)].concat(),
        7 => [digits, b" ", &vis(&name)].concat(),
        8 => [tag, b" (", &vis(&name), b") = ", digits].concat(),
        9 => [tag, b"(", &name, b")= ", digits].concat(),
        _ => [b"1,", digits, b",", &name].concat(),
    };
    if from.ratio(1, 4)? { mutated(from, line) } else { Ok(line) }
}

/// The head of a hashdeep list.
fn head(from: &mut Unstructured) -> Result<Vec<u8>> {
    let columns =
        (0..from.int_in_range(0..=2)?).map(|_| from.choose(&["md5", "sha1", "sha256", "tiger", "skein512"]).copied());
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let head = [&["%%%% size"][..], &columns, &["filename"]].concat().join(",").into_bytes();
    if from.ratio(1, 8)? { mutated(from, head) } else { Ok(head) }
}

/// A line with a byte changed, put in or taken out, or cut off.
fn mutated(from: &mut Unstructured, mut line: Vec<u8>) -> Result<Vec<u8>> {
    let at = from.int_in_range(0..=line.len())?;
    let byte = if from.arbitrary()? { *from.choose(b" \\*()=#\r\n\0fF0gU^-\t\xff/,")? } else { from.arbitrary()? };
    match from.int_in_range(0..=3)? {
        0 => line.insert(at, byte),
        1 if at < line.len() => line[at] = byte,
        2 if at < line.len() => drop(line.remove(at)),
        _ => line.truncate(at),
    }
    Ok(line)
}

thread_local! {
    /// A folder with all the files, in which a list may lie beside them. It is removed when the test ends.
    static FOLDER: TempDir = {
        let folder = TempDir::new().expect("there is a place for a folder");
        fs::create_dir(folder.path().join("files")).expect("it is writable");
        let path = |name| folder.path().join("files").join(OsStr::from_bytes(name));
        NAMES.iter().for_each(|name| fs::write(path(name), name).expect("these names are possible"));
        folder
    };
}

impl Case for List {
    fn check(&self) {
        FOLDER.with(|folder| self.check_in(folder.path()));
    }
}

impl List {
    fn check_in(&self, folder: &Path) {
        let list = folder.join("list");
        let plan = self.plan(&folder.join("files"), &list);
        let [Step::Check(check)] = plan.steps.as_slice() else { panic!("{:?} checks a list", self.command) };
        let lines = list_model::lines(&self.text, check.grammar.terminator);
        assert_eq!(self.read(check.grammar.terminator), lines);
        let Some(told) = self.mean(check, &lines, &folder.join("files")).filter(|_| self.is_checked) else { return };
        fs::write(&list, &self.text).expect("there is room for a list");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let tally = run::run(&plan, &Sandbox::default(), &mut out, &mut err);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&out), text(&told.verdicts(plan.style.names)));
        assert_eq!(tally.exit_status(), told.status(check.strict), "{}", text(&err));
        let warnings = text(&err);
        let warnings = warnings.lines().filter_map(|line| Some(line.split_once(": WARNING: ")?.1));
        assert!(warnings.eq(told.warnings()), "{}", text(&err));
    }

    fn plan(&self, files: &Path, list: &Path) -> Plan {
        let [program, options @ ..] = self.command else { unreachable!("each has a name") };
        let invocation = Invocation::from_argv0(OsStr::new(program));
        let mut args = vec![OsString::from("--base"), files.into(), format!("--jobs={}", self.jobs).into()];
        args.extend(options.iter().map(OsString::from));
        args.push(list.into());
        cli::plan(&invocation, args, false)
    }

    /// The list's lines, and whether each is whole.
    fn read(&self, terminator: u8) -> Vec<(Vec<u8>, bool)> {
        let reader = Pieces { rest: &self.text, sizes: self.reads.iter().cycle(), was_interrupted: false };
        let mut lines = Lines::new(reader, terminator);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().expect("reading is only interrupted") {
            assert_eq!(line.number, all.len() as u64 + 1);
            all.push((line.bytes.to_vec(), line.is_whole));
        }
        all
    }

    /// What the lines mean, to the parser and to the model alike. None where the list names standard input.
    fn mean(&self, check: &Check, lines: &[(Vec<u8>, bool)], files: &Path) -> Option<Told> {
        let (mut parser, mut model) = (Parser::new(&check.grammar), Model::new(&check.grammar));
        let mut told = Told::default();
        for (line, is_whole) in lines {
            if !is_whole {
                told.malformed += usize::from(!model.is_cut_comment(line));
                continue;
            }
            match (parser.parse(line), model.line(line)) {
                (Parsed::Nothing, Line::Nothing) => {}
                (Parsed::Malformed, Line::Malformed) => {
                    let fault = fault::find(line, &check.grammar);
                    assert!(!format::malformed(1, "bad", &fault, b"md5").is_empty());
                    fault::looks_like(line, &check.grammar);
                    told.malformed += 1;
                }
                (Parsed::Entry(entry), Line::Entry { algorithm, digest, meanings }) => {
                    assert_eq!((entry.algorithm, entry.wanted.as_bytes()), (algorithm, digest.as_slice()), "{line:?}");
                    let readings: Vec<_> = iter::once(&entry.likeliest).chain(&entry.others).collect();
                    let named = readings.iter().map(|reading| (&*reading.name, reading.mode));
                    let wanted = meanings.iter().map(|meaning| (&*meaning.name, meaning.mode));
                    assert!(named.eq(wanted), "{line:?}: {readings:?}, {meanings:?}");
                    let exists = |meaning: &Meaning| files.join(OsStr::from_bytes(&meaning.name)).exists();
                    let place = meanings.iter().position(exists).unwrap_or_default();
                    if *meanings[place].name == *b"-" {
                        return None;
                    }
                    parser.settle(readings[place]);
                    model.settle(&meanings[place]);
                    told.entry(&meanings[place], algorithm, &digest);
                }
                (parsed, meant) => panic!("{line:?} is {parsed:?}, not {meant:?}"),
            }
        }
        Some(told)
    }
}

/// What is told of a list.
#[derive(Default)]
struct Told {
    /// The names of the files that could be read, and whether each has its digest.
    files: Vec<(Vec<u8>, bool)>,
    malformed: usize,
    unreadable: usize,
}

impl Told {
    fn entry(&mut self, meant: &Meaning, algorithm: &Algorithm, digest: &[u8]) {
        match NAMES.iter().find(|name| ***name == *meant.name) {
            Some(name) => self.files.push((name.to_vec(), message_digest(name, algorithm, meant.mode) == digest)),
            None => self.unreadable += 1,
        }
    }

    fn verdicts(&self, names: Names) -> Vec<u8> {
        let line = |(name, is_right): &(Vec<u8>, bool)| {
            let escaped = gnu_escape(name);
            let (start, name) = match names {
                Names::Vis => (&b""[..], vis(name)),
                _ if escaped != *name => (&b"\\"[..], escaped),
                _ => (&b""[..], escaped),
            };
            [start, &name, if *is_right { b": OK\n" } else { b": FAILED\n" }].concat()
        };
        self.files.iter().flat_map(line).collect()
    }

    fn status(&self, strict: bool) -> u8 {
        let is_right = self.files.iter().all(|(_, is_right)| *is_right) && self.unreadable == 0;
        (self.files.is_empty() || !is_right || (strict && self.malformed > 0)).into()
    }

    fn warnings(&self) -> Vec<String> {
        if self.files.is_empty() && self.unreadable == 0 {
            return Vec::new();
        }
        let wrong = self.files.iter().filter(|(_, is_right)| !is_right).count();
        [
            (self.malformed, "line is improperly formatted", "lines are improperly formatted"),
            (self.unreadable, "listed file could not be read", "listed files could not be read"),
            (wrong, "computed checksum did NOT match", "computed checksums did NOT match"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect()
    }
}

/// The digest of a file's content; no name here has a line end that is two bytes.
fn message_digest(content: &[u8], row: &Algorithm, mode: InputMode) -> Vec<u8> {
    let checksum = match (mode, &row.perl) {
        (InputMode::Universal, _) => {
            let text: Vec<u8> = content.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect();
            row.digest(&text)
        }
        (InputMode::Bits, Some(perl)) => {
            let bits = content.iter().filter(|byte| b"01".contains(byte)).map(|bit| bit - b'0');
            let (tail, count) = bits.fold((0, 0), |(tail, count), bit| (tail << 1 | bit, count + 1));
            (perl.bit_hasher)().finish_bits(tail, count)
        }
        _ => row.digest(content),
    };
    checksum.as_bytes().to_vec()
}

/// Gives a text in pieces, as a slow pipe may, and is interrupted before each.
struct Pieces<'a, S> {
    rest: &'a [u8],
    sizes: S,
    was_interrupted: bool,
}

impl<'a, S: Iterator<Item = &'a u8>> Read for Pieces<'a, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.was_interrupted = !self.was_interrupted;
        if self.was_interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        let size = self.sizes.next().map_or(usize::MAX, |size| usize::from(*size) + 1);
        let size = size.min(buffer.len());
        self.rest.read(&mut buffer[..size])
    }
}
