//! How fast a cached file of 256 MiB is read and digested, by buffer size: compare `read` (no digest) and `digest` with
//! `memory` (the same bytes without a file), whose difference is what reading costs.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;

use bsdigest::algorithm::Algorithm;
use bsdigest::engine::Engine;
use bsdigest::plan::{InputMode, Resources, Source};
use bsdigest::pump::{self, Buffer};
use bsdigest::source::Input;
use divan::Bencher;
use divan::counter::BytesCount;

const FILE_SIZE: usize = 256 << 20;
const BUFFER_SIZES: [usize; 6] = [16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20];
const NAMES: [&str; 3] = ["md5", "sha256", "sha512"];

static FILE: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cached");
    let mut file = File::create(&path).unwrap();
    let part = [0x5a; 1 << 20];
    (0..FILE_SIZE / part.len()).for_each(|_| file.write_all(&part).unwrap());
    (folder, path)
});

#[divan::bench(args = BUFFER_SIZES, sample_count = 10)]
fn read(bencher: Bencher, buffer_size: usize) {
    let mut buffer = Buffer::default();
    bencher.counter(BytesCount::new(FILE_SIZE)).bench_local(|| {
        let mut input = Input::of(&Source::File(FILE.1.clone().into())).unwrap();
        pump::pump(&mut input, buffer.with_size(buffer_size).unwrap(), &mut |_| Ok(())).unwrap();
    });
}

/// An algorithm and a buffer size, shown in one row.
#[derive(Clone, Copy)]
struct Case(&'static str, usize);

impl std::fmt::Display for Case {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.0, self.1)
    }
}

fn cases() -> impl Iterator<Item = Case> {
    NAMES.into_iter().flat_map(|name| BUFFER_SIZES.map(|size| Case(name, size)))
}

#[divan::bench(args = cases(), sample_count = 5)]
fn digest(bencher: Bencher, Case(name, buffer_size): Case) {
    let algorithm = Algorithm::named(name.as_bytes()).unwrap();
    let source = Source::File(FILE.1.clone().into_os_string());
    let mut engine = Engine::new(Resources { buffer_size: Some(buffer_size), read_ahead: Some(0), jobs: None });
    bencher
        .counter(BytesCount::new(FILE_SIZE))
        .bench_local(|| engine.digest(&source, &[algorithm], InputMode::Binary).unwrap());
}

#[divan::bench(args = NAMES, sample_count = 5)]
fn memory(bencher: Bencher, name: &str) {
    let algorithm = Algorithm::named(name.as_bytes()).unwrap();
    let part = vec![0x5a; 1 << 20];
    bencher.counter(BytesCount::new(FILE_SIZE)).bench_local(|| {
        let mut hasher = (algorithm.hasher)();
        (0..FILE_SIZE / part.len()).for_each(|_| hasher.update(&part));
        hasher.finish()
    });
}

fn main() {
    divan::main();
}
