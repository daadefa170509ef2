//! How fast each algorithm digests messages of 64 bytes to 64 MiB in memory: compare the throughput down a column with the
//! crate's, with `openssl speed -evp NAME`, and across sizes for the cost of a message's start and end.

use bsdigest::algorithm::{ALGORITHMS, Algorithm};
use divan::counter::BytesCount;
use divan::{Bencher, black_box};

const SIZES: [usize; 6] = [64, 1 << 10, 16 << 10, 1 << 20, 16 << 20, 64 << 20];

fn names() -> impl Iterator<Item = &'static str> {
    ALGORITHMS.iter().map(|algorithm| algorithm.name)
}

#[divan::bench(args = names(), consts = SIZES, max_time = 0.5)]
fn digest<const SIZE: usize>(bencher: Bencher, name: &str) {
    let algorithm = Algorithm::named(name.as_bytes()).unwrap();
    let message = vec![0x5a; SIZE];
    bencher.counter(BytesCount::new(SIZE)).bench_local(|| algorithm.digest(black_box(&message)));
}

fn main() {
    divan::main();
}
