use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use super::*;
use crate::algorithm::ALGORITHMS;
use crate::format::reason;
use crate::kernel::crates::{After, CRATES};
use crate::random::Random;

/// Names, all by the same algorithms.
struct Names<'a> {
    names: std::slice::Iter<'a, Source>,
    algorithms: &'a [&'static Algorithm],
}

struct Name<'a> {
    source: &'a Source,
    algorithms: &'a [&'static Algorithm],
}

impl Job for Name<'_> {
    fn task(&self) -> Option<Task<'_>> {
        Some(Task { source: self.source, algorithms: self.algorithms, mode: InputMode::Binary })
    }
}

impl<'a> Intake for Names<'a> {
    type Job = Name<'a>;

    fn next(&mut self) -> Option<Name<'a>> {
        self.names.next().map(|source| Name { source, algorithms: self.algorithms })
    }

    fn is_ready(&self) -> bool {
        true
    }
}

/// The lines so far; with a limit, the output that is full behind it.
#[derive(Default)]
struct Lines {
    lines: Vec<String>,
    limit: Option<usize>,
}

impl Outlet<Name<'_>> for Lines {
    fn done(&mut self, job: Name, result: Option<io::Result<Checksums>>) -> io::Result<()> {
        if self.limit == Some(self.lines.len()) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.lines.push(line(job.source, result.unwrap()));
        Ok(())
    }

    fn show(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn line(source: &Source, result: io::Result<Checksums>) -> String {
    let name = String::from_utf8_lossy(source.name()).into_owned();
    match result {
        Ok(checksum) => format!("{name}: {checksum:?}"),
        Err(error) => format!("{name}: {}", reason(&error)),
    }
}

/// Files of all sizes that are special to something, and what is no file.
fn make_files(folder: &Path, random: &mut Random) -> Vec<Source> {
    const SIZES: [usize; 22] = [
        0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 4095, 4096, 4097, 131_071, 131_072, 131_073, 262_143,
        262_144, 262_145, 1_048_576,
    ];
    let content: Vec<u8> = (0..3 << 20).map(|_| random.below(256) as u8).collect();
    let count = 1 + random.below(200);
    (0..count)
        .map(|number| {
            let path = folder.join(format!("{number}"));
            match random.below(30) {
                0 => {}
                1 => fs::create_dir(&path).unwrap(),
                2 => symlink(&path, &path).unwrap(),
                3 => symlink("/proc/version", &path).unwrap(),
                choice => {
                    let size = match choice {
                        4 => 1 + random.below(3 << 20),
                        5..20 => SIZES[random.below(SIZES.len())],
                        _ => random.below(20_000),
                    };
                    let start = random.below(content.len() - size);
                    fs::write(&path, &content[start..][..size]).unwrap();
                }
            }
            Source::File(path.into())
        })
        .collect()
}

fn wanted(sources: &[Source], crates: &[After]) -> Vec<String> {
    let digest = |source: &Source| {
        let content = fs::read(source.file_name().unwrap())?;
        let digest = |after: &After| {
            let mut hasher = after(0);
            hasher.update(&content);
            hasher.finish()
        };
        Ok(crates.iter().map(digest).collect())
    };
    sources.iter().map(|source| line(source, digest(source))).collect()
}

/// A row of the table with other kernels. There are few of them, so that each may stay.
fn with_lanes(row: &Algorithm, lanes: crate::kernel::LaneKernels) -> &'static Algorithm {
    Box::leak(Box::new(Algorithm { lanes, other_tags: &[], perl: None, ..*row }))
}

fn digest_all(resources: Resources, sources: &[Source], algorithms: &[&'static Algorithm]) -> Vec<String> {
    let mut lines = Lines::default();
    run(resources, &mut Names { names: sources.iter(), algorithms }, &mut lines).unwrap();
    lines.lines
}

#[test]
fn any_number_of_threads_on_any_processor_gives_the_lines_of_one_with_the_crates() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (row, of_crate) in ALGORITHMS.iter().zip(CRATES) {
        let levels: Vec<_> = (0..=row.lanes.len()).map(|level| with_lanes(row, &row.lanes[level..])).collect();
        for _ in 0..2 {
            let folder = tempfile::tempdir().unwrap();
            let sources = make_files(folder.path(), &mut random);
            let wanted = wanted(&sources, &[of_crate]);
            for algorithm in &levels {
                for jobs in [Some(1), Some(2), Some(3), Some(16), None] {
                    let resources = some_resources(jobs, &mut random);
                    let lines = digest_all(resources, &sources, &[algorithm]);
                    assert!(
                        lines == wanted,
                        "{} {:?} {resources:?}\n{lines:#?}\n{wanted:#?}",
                        row.name,
                        algorithm.lanes
                    );
                }
            }
        }
    }
}

fn some_resources(jobs: Option<usize>, random: &mut Random) -> Resources {
    let buffer_size = [None, Some(4096), Some(100_000)][random.below(3)];
    let read_ahead = [None, Some(0), Some(2)][random.below(3)];
    Resources { buffer_size, read_ahead, jobs }
}

#[test]
fn several_algorithms_give_the_digests_of_each_in_their_order() {
    let mut random = Random(3);
    for _ in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let sources = make_files(folder.path(), &mut random);
        let rows: Vec<_> = (0..2 + random.below(4)).map(|_| random.below(ALGORITHMS.len())).collect();
        // Some with lanes, others without.
        let algorithm = |&row: &usize| match row % 3 {
            0 => with_lanes(&ALGORITHMS[row], &[]),
            _ => &ALGORITHMS[row],
        };
        let algorithms: Vec<_> = rows.iter().map(algorithm).collect();
        let wanted = wanted(&sources, &rows.iter().map(|&row| CRATES[row]).collect::<Vec<_>>());
        for jobs in [Some(1), Some(2), Some(5), None] {
            let resources = some_resources(jobs, &mut random);
            assert!(digest_all(resources, &sources, &algorithms) == wanted, "{algorithms:?} {resources:?}");
        }
    }
}

/// Names that come bit by bit, as through a pipe.
struct BitByBit<'a> {
    names: Names<'a>,
    random: Random,
    /// Names that need not be waited for.
    ready: usize,
}

impl<'a> Intake for BitByBit<'a> {
    type Job = Name<'a>;

    fn next(&mut self) -> Option<Name<'a>> {
        if self.ready == 0 {
            self.ready = 1 + self.random.below(20);
            thread::sleep(Duration::from_micros(self.random.below(100) as u64));
        }
        self.ready -= 1;
        self.names.next()
    }

    fn is_ready(&self) -> bool {
        self.ready > 0
    }
}

#[test]
fn names_that_come_bit_by_bit_are_all_done() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(2);
    let algorithms = &[&ALGORITHMS[0]];
    let mut sources = make_files(folder.path(), &mut random);
    sources.retain(|source| fs::metadata(source.file_name().unwrap()).map_or(0, |metadata| metadata.len()) < 200_000);
    let wanted = wanted(&sources, &CRATES[..1]);
    for round in 0..400 {
        let resources = Resources { jobs: Some(2 + random.below(4)), ..Resources::default() };
        let names = Names { names: sources.iter(), algorithms };
        let mut lines = Lines::default();
        run(resources, &mut BitByBit { names, random: Random(1 + round), ready: 0 }, &mut lines).unwrap();
        assert!(lines.lines == wanted, "{resources:?}");
    }
}

#[test]
fn a_failed_write_ends_it_all() {
    let folder = tempfile::tempdir().unwrap();
    let sources = make_files(folder.path(), &mut Random(1));
    for jobs in [Some(1), Some(4)] {
        for limit in [0, 1, sources.len() / 2] {
            let mut lines = Lines { limit: Some(limit), ..Lines::default() };
            let names = &mut Names { names: sources.iter(), algorithms: &[&ALGORITHMS[0]] };
            let result = run(Resources { jobs, ..Resources::default() }, names, &mut lines);
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(lines.lines.len(), limit);
        }
    }
}

#[test]
fn nothing_to_do_is_done() {
    assert!(digest_all(Resources::default(), &[], &[&ALGORITHMS[0]]).is_empty());
}
