//! How fast several messages are digested at once, a lane each, on one core: 64 KiB a message, in memory, in turn with one after the
//! other. Compare the speeds of a row; "pays from" is the number of messages from which lanes are faster, which `crossing` in the
//! kernels is to be. The output is a table in Markdown.

mod common;

use std::hint::black_box;
use std::time::Instant;

use bsdigest::algorithm::ALGORITHMS;
use bsdigest::kernel::lanes::Part;
use common::median;

const SIZE: usize = 64 << 10;
const ROUNDS: usize = 101;

fn main() {
    println!("| algorithm | lanes | one by one, MB/s | at once, MB/s | ratio | pays from |\n|---|---|---|---|---|---|");
    for algorithm in &ALGORITHMS {
        for kernel in algorithm.lanes.iter().filter(|kernel| (kernel.is_available)()) {
            let lanes = kernel.compress;
            let count = lanes.count();
            // Neither page nor cache set is shared by all lanes.
            let memory = vec![0x5a; count * (SIZE + 4160)];
            let messages: Vec<&[u8]> = memory.chunks_exact(SIZE + 4160).map(|message| &message[..SIZE]).collect();
            let (mut alone, mut together) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                let start = Instant::now();
                for message in &messages {
                    black_box(algorithm.digest(message));
                }
                alone.push(start.elapsed());
                let start = Instant::now();
                let mut chains = vec![lanes.start(); count];
                let parts = chains.iter_mut().zip(&messages);
                let mut parts: Vec<Part> = parts.map(|(chain, data)| Part { chain, data, is_last: true }).collect();
                lanes.update(black_box(&mut parts));
                together.push(start.elapsed());
            }
            let [alone, together] = [alone, together].map(|times| median(times).as_secs_f64());
            let speed = |time: f64| (count * SIZE) as f64 / time / 1e6;
            println!(
                "| {} | {} × {} | {:.0} | {:.0} | {:.2} | {:.1} |",
                algorithm.name,
                count,
                kernel.name,
                speed(alone),
                speed(together),
                alone / together,
                count as f64 * together / alone,
            );
        }
    }
}
