//! What the benchmarks that time whole runs share.

use std::time::Duration;

/// The median of some times.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
