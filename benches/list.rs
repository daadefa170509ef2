//! How many lines of a digest list are read in a second, in memory, by the form of the line: no file is looked for.

use bsdigest::algorithm::{ALGORITHMS, Algorithm, Checksum};
use bsdigest::lines::Lines;
use bsdigest::list::{Parsed, Parser};
use bsdigest::plan::Grammar;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

const LINES: usize = 1_000_000;

/// What a list's line is made of: name of the form, algorithm, and the line of a digest and a name.
type Form = (&'static str, &'static str, fn(&Checksum, usize) -> String);

const FORMS: [Form; 6] = [
    ("md5sum", "md5", |digest, name| format!("{}  folder/file-{name}\n", digest.to_hex())),
    ("md5", "md5", |digest, name| format!("MD5 (folder/file-{name}) = {}\n", digest.to_hex())),
    ("sha256sum", "sha256", |digest, name| format!("{}  folder/file-{name}\n", digest.to_hex())),
    ("sha256sum, CRLF", "sha256", |digest, name| format!("{}  folder/file-{name}\r\n", digest.to_hex())),
    ("sha256, one space", "sha256", |digest, name| format!("{} folder/file-{name}\n", digest.to_hex())),
    ("sha512sum", "sha512", |digest, name| format!("{}  folder/file-{name}\n", digest.to_hex())),
];

#[divan::bench(args = FORMS.map(|(name, ..)| name))]
fn parse(bencher: Bencher, form: &str) {
    let &(_, name, line) = FORMS.iter().find(|(name, ..)| *name == form).unwrap();
    let algorithm = Algorithm::named(name.as_bytes()).unwrap();
    let digests: Vec<_> = (0..1000_u32).map(|number| algorithm.digest(&number.to_le_bytes())).collect();
    let list: String = (0..LINES).map(|number| line(&digests[number % digests.len()], number)).collect();
    bench(bencher, &list, &Grammar::of(&[algorithm]));
}

#[divan::bench]
fn parse_with_any(bencher: Bencher) {
    let digests = ALGORITHMS.each_ref().map(|algorithm| (algorithm.tag, algorithm.digest(b"").to_hex()));
    let line = |number: usize| {
        let (tag, digest) = &digests[number % digests.len()];
        format!("{tag} (folder/file-{number}) = {digest}\n")
    };
    bench(bencher, &(0..LINES).map(line).collect::<String>(), &Grammar::any());
}

fn bench(bencher: Bencher, list: &str, grammar: &Grammar) {
    bencher.counter(ItemsCount::new(LINES)).bench_local(|| {
        let (mut lines, mut parser) = (Lines::new(black_box(list.as_bytes()), b'\n'), Parser::new(grammar));
        let mut entries = 0;
        while let Some(line) = lines.next_line().unwrap() {
            if let Parsed::Entry(entry) = black_box(parser.parse(line.bytes)) {
                parser.settle(&entry.likeliest);
                entries += 1;
            }
        }
        assert_eq!(entries, LINES);
    });
}

fn main() {
    divan::main();
}
