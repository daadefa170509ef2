//! How many may read from one device at once.
//!
//! Cached data comes as fast as it is asked for, so all may. A device that takes its time is read by one, in order, so that a disk need
//! not seek back and forth; more are let in one trial after the other, as long as the store serves them faster for it.

use std::time::{Duration, Instant};

/// The most readers a slow device is tried with.
const MOST: usize = 8;

/// What a file may cost beside its bytes where nothing is waited for.
const FAST_FILE: Duration = Duration::from_micros(60);

/// Bytes a second from which on they come from memory.
const FAST_BYTES: f64 = 1e9;

/// Bytes that cost a slow device about as much as a file does.
const BYTES_OF_A_FILE: f64 = (128 << 10) as f64;

/// How much more must come through with twice the readers.
const WORTHWHILE: f64 = 1.3;

/// How long a device is read as before until a trial is made, at first; after each one that fails it is four times as long. A disk
/// loses no more than a few jumps by one.
const UNTIL_A_TRIAL: Duration = Duration::from_secs(2);

/// How long a trial takes that goes well.
const TRIAL: Duration = Duration::from_millis(200);

/// How long a trial takes before it may be called a failure.
const SHORT_TRIAL: Duration = Duration::from_millis(30);

/// What was read at one go.
#[derive(Debug, Default, Clone, Copy)]
pub struct Reading {
    /// Files, or parts of files.
    pub files: u32,
    /// Bytes of them.
    pub bytes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Reading {
    fn is_fast(&self) -> bool {
        self.time <= FAST_FILE * self.files + Duration::from_secs_f64(self.bytes as f64 / FAST_BYTES)
    }
}

/// The way to one device.
#[derive(Debug)]
pub struct Gate {
    /// Whether what came last came from memory.
    is_open: bool,
    readers: usize,
    permits: usize,
    /// Since when there are so many.
    since: Instant,
    /// What came through since then, in files.
    work: f64,
    /// In a trial, what came through in a second before.
    before: Option<f64>,
    until_a_trial: Duration,
}

impl Gate {
    /// The gate of a device that is not known yet.
    pub fn new(now: Instant) -> Self {
        Self {
            is_open: false,
            readers: 0,
            permits: 1,
            since: now,
            work: 0.0,
            before: None,
            until_a_trial: UNTIL_A_TRIAL,
        }
    }

    /// Whether everybody may read.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// How many may read while it is not open.
    pub fn permits(&self) -> usize {
        self.permits
    }

    /// Lets a reader in, if there is a permit for one.
    pub fn enter(&mut self) -> bool {
        let may_enter = self.is_open || self.readers < self.permits;
        self.readers += usize::from(may_enter);
        may_enter
    }

    /// Lets a reader out.
    pub fn leave(&mut self) {
        self.readers -= 1;
    }

    /// Learns from what a reader read.
    pub fn learn(&mut self, reading: Reading, now: Instant) {
        if reading.files == 0 {
            return;
        }
        self.is_open = reading.is_fast();
        if self.is_open {
            *self = Self { is_open: true, readers: self.readers, ..Self::new(now) };
            return;
        }
        self.work += f64::from(reading.files) + reading.bytes as f64 / BYTES_OF_A_FILE;
        let time = now - self.since;
        let rate = self.work / time.as_secs_f64().max(1e-9);
        match self.before {
            None if time >= self.until_a_trial && self.permits < MOST => self.permit(2 * self.permits, Some(rate), now),
            None => {}
            Some(before) if rate > before * WORTHWHILE && time < TRIAL => {}
            // Where two are so much faster, four may be as well.
            Some(before) if rate > before * WORTHWHILE && self.permits < MOST => {
                self.permit(2 * self.permits, Some(rate), now);
            }
            Some(before) if rate > before * WORTHWHILE => self.permit(self.permits, None, now),
            Some(_) if time >= SHORT_TRIAL => {
                self.until_a_trial *= 4;
                self.permit(self.permits / 2, None, now);
            }
            Some(_) => {}
        }
    }

    /// Lets as many readers in from now on; `before` makes a trial of it.
    fn permit(&mut self, permits: usize, before: Option<f64>, now: Instant) {
        (self.permits, self.before, self.since, self.work) = (permits, before, now, 0.0);
    }

    /// Forgets what came through so far: something else kept the device busy.
    pub fn interrupt(&mut self, now: Instant) {
        (self.since, self.work) = (now, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: Reading = Reading { files: 1, bytes: 4096, time: Duration::from_millis(10) };
    const CACHED: Reading = Reading { files: 100, bytes: 400_000, time: Duration::from_micros(300) };

    /// What reading from a store that serves `at_once` files at once, each in 10 ms, and loses `loss` when there are more readers,
    /// comes to after a time: permits, and files read.
    fn read_for(time: Duration, at_once: usize, loss: Duration) -> (usize, u32) {
        let start = Instant::now();
        let (mut now, mut gate, mut files) = (start, Gate::new(start), 0);
        while now < start + time {
            now += FILE.time / gate.permits().min(at_once) as u32;
            now += if gate.permits() > at_once { loss } else { Duration::ZERO };
            gate.learn(FILE, now);
            files += 1;
        }
        (gate.permits(), files)
    }

    #[test]
    fn a_disk_is_read_by_one_and_loses_little_by_trials() {
        for seconds in [1, 3, 10, 60, 1000] {
            let (permits, files) = read_for(Duration::from_secs(seconds), 1, Duration::from_millis(8));
            assert_eq!(permits, 1, "{seconds}");
            assert!(files as f64 >= 0.98 * 100.0 * seconds as f64, "{files} files in {seconds} s");
        }
    }

    #[test]
    fn a_store_that_serves_several_at_once_is_read_by_as_many() {
        let permits = |at_once| read_for(Duration::from_secs(4), at_once, Duration::from_millis(1)).0;
        assert_eq!((permits(1000), permits(2), permits(4)), (MOST, 2, 4));
        let (_, files) = read_for(Duration::from_secs(60), 1000, Duration::ZERO);
        assert!(files > 60 * 100 * 7, "{files}");
    }

    #[test]
    fn cached_data_is_read_by_all_and_the_first_slow_file_ends_that() {
        let now = Instant::now();
        let mut gate = Gate::new(now);
        assert!(gate.enter() && !gate.enter(), "one finds out");
        gate.learn(CACHED, now);
        assert!(gate.enter() && gate.enter() && gate.enter());
        gate.learn(FILE, now);
        assert!(!gate.enter());
        (0..4).for_each(|_| gate.leave());
        assert!(gate.enter() && !gate.enter());
    }

    #[test]
    fn large_files_come_from_memory_at_a_gigabyte_a_second() {
        let reading = |time| Reading { files: 1, bytes: 1 << 20, time: Duration::from_micros(time) };
        assert!(reading(150).is_fast() && !reading(1200).is_fast());
    }
}
