//! The same bytes digested in several ways at once, on several processors.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::plan::Resources;

/// Bytes of the smallest part of a message that is worth waking other processors for.
const LEAST: usize = 128 << 10;

/// How several things that take the same bytes are spread over the processors.
#[derive(Debug)]
pub struct Spread {
    threads: usize,
    /// The things' places and how long each took last, the slowest first: begun first, it is not waited for at the end.
    order: Vec<(usize, Duration)>,
}

impl Spread {
    /// For so many things.
    pub fn new(count: usize, resources: Resources) -> Self {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if count < 2 { 1 } else { resources.jobs.unwrap_or_else(processors).min(count) };
        Self { threads, order: (0..count).map(|place| (place, Duration::ZERO)).collect() }
    }

    /// Has each of the things take a part, several at once if it is long enough to gain from it.
    pub fn each<T: Send>(&mut self, things: &mut [T], part: &[u8], take: impl Fn(&mut T, &[u8]) + Sync) {
        if self.threads < 2 || part.len() < LEAST {
            return things.iter_mut().for_each(|thing| take(thing, part));
        }
        let mut things: Vec<_> = things.iter_mut().map(Some).collect();
        let work = self.order.iter_mut().filter_map(|(place, time)| Some((things[*place].take()?, time)));
        let left = Mutex::new(work.collect::<Vec<_>>().into_iter());
        let work = || {
            let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((thing, time)) = next() {
                let start = Instant::now();
                take(thing, part);
                *time = start.elapsed();
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                // Where there is no thread to be had, this one does all.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        self.order.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_takes_each_part_once_whatever_the_number_of_threads() {
        for jobs in [1, 2, 3, 9] {
            for count in 0..7 {
                let mut taken = vec![Vec::new(); count];
                let resources = Resources { jobs: Some(jobs), ..Resources::default() };
                let mut spread = Spread::new(count, resources);
                for length in [0, LEAST - 1, LEAST, LEAST + 7] {
                    spread.each(&mut taken, &vec![1; length], |thing, part| thing.push(part.len()));
                }
                assert_eq!(taken, vec![vec![0, LEAST - 1, LEAST, LEAST + 7]; count]);
            }
        }
    }
}
