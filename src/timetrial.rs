//! The time trial: how fast one digest goes.

use std::time::Duration;

use crate::algorithm::{Algorithm, Checksum};

const BLOCK_SIZE: usize = 10_000;
const BLOCKS: usize = 100_000;

/// What is shown before the trial starts.
pub fn heading(algorithm: &Algorithm) -> String {
    format!("{} time trial. Digesting {BLOCKS} {BLOCK_SIZE}-byte blocks ...", algorithm.tag)
}

/// Digests the blocks, whose byte i is i mod 256.
pub fn digest(algorithm: &Algorithm) -> Checksum {
    let block: [u8; BLOCK_SIZE] = std::array::from_fn(|index| index as u8);
    let mut hasher = (algorithm.hasher)();
    (0..BLOCKS).for_each(|_| hasher.update(&block));
    hasher.finish()
}

/// What is shown when it is over: the rest of the heading's line and three more.
pub fn report(digest: &Checksum, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let speed = (BLOCK_SIZE * BLOCKS) as f64 / seconds / f64::from(1 << 20);
    format!(" done\nDigest = {}\nTime = {seconds:.6} seconds\nSpeed = {speed:.6} MiB/second\n", digest.to_hex())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_the_references_four_lines() {
        let report = report(&Checksum::new(&[0xab]), Duration::from_millis(1500));
        assert_eq!(report, " done\nDigest = ab\nTime = 1.500000 seconds\nSpeed = 635.782878 MiB/second\n");
    }
}
