//! A reader's bytes in whole buffers. Knows no digests and no names.
//!
//! Each buffer is filled before it is handed on, so that a store with large records fetches each record once.

use std::io::{self, ErrorKind, Read};
use std::sync::{Mutex, PoisonError};

/// The buffer's size in bytes, unless a file's records are larger.
pub const DEFAULT_BUFFER_SIZE: usize = 1 << 20;

/// The largest buffer in bytes a file's record size asks for by itself.
pub const MAX_RECORD_SIZE: usize = 16 << 20;

/// The largest buffer in bytes that can be asked for.
pub const MAX_BUFFER_SIZE: usize = 1 << 30;

/// Buffers start at a multiple of this many bytes: the largest page of the machines we know (64 KiB on some arm64).
const ALIGNMENT: usize = 64 << 10;

/// Bytes that must be left behind a buffer, for the stacks of helpers and all the small things that cannot do without.
const SPARE: usize = 2 << 20;

/// The buffer's size for an input whose store hands out records of `record_size` bytes.
///
/// What was asked for is taken. Otherwise it is a whole number of records, at least [`DEFAULT_BUFFER_SIZE`], as long as a record
/// is no larger than [`MAX_RECORD_SIZE`].
pub fn buffer_size(requested: Option<usize>, record_size: u64) -> usize {
    requested.unwrap_or_else(|| {
        let record_size = usize::try_from(record_size).unwrap_or(usize::MAX).clamp(1, MAX_RECORD_SIZE);
        DEFAULT_BUFFER_SIZE.div_ceil(record_size) * record_size
    })
}

/// Memory that starts at a page, kept from one input to the next.
#[derive(Debug, Default)]
pub struct Buffer {
    memory: Vec<u8>,
}

impl Buffer {
    /// The first `size` bytes, zeroed or left over from before.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn with_size(&mut self, size: usize) -> io::Result<&mut [u8]> {
        if self.memory.len() < size + ALIGNMENT {
            self.memory = Vec::new();
            self.memory = zeroed(size + ALIGNMENT)?;
        }
        let start = self.start();
        Ok(&mut self.memory[start..start + size])
    }

    /// All of the memory there is.
    pub fn bytes(&self) -> &[u8] {
        self.memory.get(self.start()..).unwrap_or_default()
    }

    fn start(&self) -> usize {
        self.memory.as_ptr().align_offset(ALIGNMENT)
    }
}

/// Zeroed memory, whose pages are not touched before they are used.
fn zeroed(size: usize) -> io::Result<Vec<u8>> {
    static ONE_AFTER_THE_OTHER: Mutex<()> = Mutex::new(());
    // `vec!` ends the process when there is not enough, so it is tried first, by one thread at a time.
    let _guard = ONE_AFTER_THE_OTHER.lock().unwrap_or_else(PoisonError::into_inner);
    Vec::<u8>::new()
        .try_reserve_exact(size.saturating_add(SPARE))
        .map_err(|_| io::Error::from_raw_os_error(libc::ENOMEM))?;
    Ok(vec![0; size])
}

/// Why a pump stopped early.
#[derive(Debug)]
pub enum Failure {
    /// The input could not be read to its end.
    Input(io::Error),
    /// What was read could not be handed on.
    Output(io::Error),
}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Input(error) | Failure::Output(error) => error,
        }
    }
}

/// Reads `reader` to its end and hands each full buffer, and then the rest, to `sink`.
///
/// The end is where a read gives nothing; a short read is not. Interrupted reads are resumed. What was read before an error is
/// handed on too.
///
/// # Errors
/// The first error of the reader or the sink. What was handed on until then is only a part of the input.
pub fn pump(
    reader: &mut dyn Read,
    buffer: &mut [u8],
    sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), Failure> {
    loop {
        let (filled, fault) = fill(reader, buffer);
        if filled > 0 {
            sink(&buffer[..filled]).map_err(Failure::Output)?;
        }
        fault.map_err(Failure::Input)?;
        if filled < buffer.len() {
            return Ok(());
        }
    }
}

/// Reads until the buffer is full, the input ends or a read fails, and gives the number of bytes read.
pub fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> (usize, io::Result<()>) {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (filled, Err(error)),
        }
    }
    (filled, Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_is_whole_records_and_at_least_the_default() {
        const MIB: usize = 1 << 20;
        for (record_size, wanted) in [
            (0, MIB),
            (512, MIB),
            (4096, MIB),
            (128 << 10, MIB),
            (1 << 20, MIB),
            (3 << 18, 3 << 19),
            (4 << 20, 4 * MIB),
            (16 << 20, 16 * MIB),
            (17 << 20, 16 * MIB),
            (u64::MAX, 16 * MIB),
        ] {
            assert_eq!(buffer_size(None, record_size), wanted, "{record_size}");
            assert_eq!(buffer_size(Some(777), record_size), 777);
        }
    }

    #[test]
    fn buffers_start_at_a_page_and_are_kept() {
        let mut buffer = Buffer::default();
        for size in [1, 4096, 5000, 1 << 20, 64] {
            let slice = buffer.with_size(size).unwrap();
            assert_eq!((slice.len(), slice.as_ptr() as usize % ALIGNMENT), (size, 0));
        }
        let first = buffer.with_size(100).unwrap().as_ptr();
        assert_eq!(buffer.with_size(1 << 20).unwrap().as_ptr(), first);
    }

    #[test]
    fn too_large_a_buffer_is_an_error() {
        let error = Buffer::default().with_size(isize::MAX as usize - ALIGNMENT).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOMEM));
    }

    /// Gives at most `step` bytes a read, is interrupted before each, and counts the reads.
    struct Stutter<'a> {
        rest: &'a [u8],
        step: usize,
        reads: usize,
    }

    impl Read for Stutter<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.reads += 1;
            if self.reads % 2 == 1 {
                return Err(ErrorKind::Interrupted.into());
            }
            let length = self.step.min(buffer.len());
            self.rest.read(&mut buffer[..length])
        }
    }

    #[test]
    fn short_and_interrupted_reads_lose_nothing_and_every_buffer_is_full() {
        let input: Vec<u8> = (0..1000u32).map(|i| (i % 251) as u8).collect();
        for step in 1..70 {
            let mut reader = Stutter { rest: &input, step, reads: 0 };
            let mut parts = Vec::new();
            pump(&mut reader, &mut [0; 64], &mut |part| {
                parts.push(part.to_vec());
                Ok(())
            })
            .unwrap();
            assert_eq!(parts.concat(), input);
            assert!(parts[..parts.len() - 1].iter().all(|part| part.len() == 64));
        }
    }

    #[test]
    fn a_file_of_n_buffers_takes_no_more_than_n_and_two_reads() {
        for length in [0, 1, 63, 64, 65, 128, 640, 641] {
            let input = vec![7; length];
            let mut rest = input.as_slice();
            let mut reads = 0;
            let mut counting = CountingReader(&mut rest, &mut reads);
            pump(&mut counting, &mut [0; 64], &mut |_| Ok(())).unwrap();
            assert!(reads <= length / 64 + 2, "{length} bytes: {reads} reads");
        }
    }

    struct CountingReader<'a>(&'a mut dyn Read, &'a mut usize);

    impl Read for CountingReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            *self.1 += 1;
            self.0.read(buffer)
        }
    }

    /// Fails after `good` bytes.
    struct Faulty {
        good: usize,
    }

    impl Read for Faulty {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.good == 0 {
                return Err(io::Error::from_raw_os_error(libc::EIO));
            }
            let length = self.good.min(buffer.len());
            self.good -= length;
            buffer[..length].fill(1);
            Ok(length)
        }
    }

    #[test]
    fn a_fault_at_any_byte_is_an_error() {
        for good in 0..200 {
            let mut passed = 0;
            let failure = pump(&mut Faulty { good }, &mut [0; 64], &mut |part| {
                passed += part.len();
                Ok(())
            })
            .unwrap_err();
            assert_eq!(passed, good, "what was read is handed on");
            assert!(matches!(failure, Failure::Input(error) if error.raw_os_error() == Some(libc::EIO)), "{good}");
        }
    }

    #[test]
    fn a_failing_sink_stops_the_reading() {
        let mut rest = &[0; 640][..];
        let failure = pump(&mut rest, &mut [0; 64], &mut |_| Err(ErrorKind::StorageFull.into())).unwrap_err();
        assert!(matches!(failure, Failure::Output(_)));
        assert_eq!(rest.len(), 640 - 64);
    }
}
