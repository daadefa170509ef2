//! Inputs → checksums, in the order given.

use std::io::{self, ErrorKind, Read, Write};
use std::thread;
use std::time::Instant;

use crate::ahead::{self, Experience, Readers, Stretch};
use crate::algorithm::{Algorithm, Checksum};
use crate::kernel;
use crate::plan::{InputMode, Source};
use crate::pump::{self, Buffer, Failure};
use crate::source::Input;
use crate::transform::{Bits, Universal};

/// Digests one input after the other.
#[derive(Debug, Default)]
pub struct Engine {
    /// The buffers of earlier inputs. There is always one for reading in line.
    buffers: Vec<Buffer>,
    buffer_size: Option<usize>,
    read_ahead: Option<usize>,
}

impl Engine {
    /// An engine whose buffers have `buffer_size` bytes, `read_ahead` of them on their way at once; `None` lets each file's record
    /// size, and the time its first buffer takes, have their say.
    pub fn new(buffer_size: Option<usize>, read_ahead: Option<usize>) -> Self {
        Self { buffers: Vec::new(), buffer_size, read_ahead }
    }

    /// The digest of a source's whole content. With `copy`, every buffer is written there whole before it is digested.
    ///
    /// # Errors
    /// [`Failure::Input`] when it could not be opened or read to its end, [`Failure::Output`] when the copy could not be written.
    pub fn digest(
        &mut self,
        source: &Source,
        algorithm: &Algorithm,
        mode: InputMode,
        copy: Option<&mut dyn Write>,
    ) -> Result<Checksum, Failure> {
        let input = match source {
            Source::Text(text) => return Ok(algorithm.digest(text)),
            Source::File(name) => Input::open(name),
            Source::StandardInput => Input::standard_input(),
        };
        let mut input = input.map_err(Failure::Input)?;
        let size = pump::buffer_size(self.buffer_size, input.record_size);
        // What is copied goes out as it comes in.
        let is_in_line = copy.is_some() || self.read_ahead == Some(0);
        digest_parts(algorithm, mode, copy, &mut |sink| {
            if !is_in_line {
                self.read_beginning(&mut input, size, sink)?;
            }
            self.read_in_line(&mut input, size, sink)
        })
    }

    /// The digest of all a reader gives, read in line; `record_size` is that of its store in bytes, 0 where there is none.
    ///
    /// # Errors
    /// As [`Engine::digest`].
    pub fn digest_reader(
        &mut self,
        reader: &mut dyn Read,
        record_size: u64,
        algorithm: &Algorithm,
        mode: InputMode,
        copy: Option<&mut dyn Write>,
    ) -> Result<Checksum, Failure> {
        let size = pump::buffer_size(self.buffer_size, record_size);
        digest_parts(algorithm, mode, copy, &mut |sink| self.read_in_line(reader, size, sink))
    }

    fn read_in_line(&mut self, reader: &mut dyn Read, size: usize, sink: Sink) -> Result<(), Failure> {
        pump::pump(reader, self.buffer(size)?, sink)
    }

    fn buffer(&mut self, size: usize) -> Result<&mut [u8], Failure> {
        if self.buffers.is_empty() {
            self.buffers.push(Buffer::default());
        }
        self.buffers[0].with_size(size).map_err(Failure::Input)
    }

    /// Reads the whole buffers a regular file seems to have: the first in line, the others ahead if that is the better way. The
    /// rest, and what a file has against its own word, is left to be read in line.
    fn read_beginning(&mut self, input: &mut Input, size: usize, sink: Sink) -> Result<(), Failure> {
        let apparent_size = input.apparent_size;
        let whole = |size: usize, from| apparent_size.saturating_sub(from) / size as u64;
        if whole(size, 0) < 3 {
            return Ok(());
        }
        let Ok(start) = input.position() else { return Ok(()) };
        if whole(size, start) < 3 {
            return Ok(());
        }
        let begin = Instant::now();
        let buffer = self.buffer(size)?;
        let (filled, fault) = pump::fill(input, buffer);
        let read = Instant::now();
        sink(&buffer[..filled]).map_err(Failure::Output)?;
        let experience = Experience { reading: read - begin, digesting: read.elapsed() };
        fault.map_err(Failure::Input)?;
        let offset = start + filled as u64;
        let portion = ahead::portion(size);
        let count = whole(portion, offset);
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let Some(readers) = Readers::choose(self.read_ahead, count, portion, experience, processors) else {
            return Ok(());
        };
        let stretch = Stretch { offset, count, size: portion, read_size: size };
        let handed = ahead::pump(input.file(), stretch, readers, &mut self.buffers, sink)?;
        input.move_to(offset + handed).map_err(Failure::Input)
    }
}

/// What takes the parts of an input, one after the other.
type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

/// The digest of the message that the parts of an input make. `read` passes them to the sink it is given.
fn digest_parts(
    algorithm: &Algorithm,
    mode: InputMode,
    mut copy: Option<&mut dyn Write>,
    read: &mut dyn FnMut(Sink) -> Result<(), Failure>,
) -> Result<Checksum, Failure> {
    let mut read_into = |piece_size: usize, update: &mut dyn FnMut(&[u8])| {
        read(&mut |part| {
            if let Some(copy) = &mut copy {
                copy.write_all(part)?;
            }
            kernel::with_prefetch(part, piece_size, update);
            Ok(())
        })
    };
    match mode {
        InputMode::Binary => {
            let mut hasher = (algorithm.hasher)();
            read_into(hasher.piece_size(), &mut |part| hasher.update(part))?;
            Ok(hasher.finish())
        }
        InputMode::Universal => {
            let mut hasher = (algorithm.hasher)();
            let mut universal = Universal::default();
            read_into(hasher.piece_size(), &mut |part| universal.apply(part, &mut |bytes| hasher.update(bytes)))?;
            universal.finish(&mut |bytes| hasher.update(bytes));
            Ok(hasher.finish())
        }
        InputMode::Bits => {
            let Some(perl) = &algorithm.perl else {
                return Err(Failure::Input(io::Error::from(ErrorKind::Unsupported)));
            };
            let mut hasher = (perl.bit_hasher)();
            let mut bits = Bits::default();
            read_into(hasher.piece_size(), &mut |part| bits.apply(part, &mut |bytes| hasher.update(bytes)))?;
            let (tail, count) = bits.finish();
            Ok(hasher.finish_bits(tail, count))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::ALGORITHMS;

    /// Gives the bytes of `good` a few at a time, and then fails.
    struct Faulty<'a> {
        good: &'a [u8],
        step: usize,
    }

    impl Read for Faulty<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.good.is_empty() {
                return Err(io::Error::from_raw_os_error(libc::EIO));
            }
            let length = self.step.min(buffer.len());
            self.good.read(&mut buffer[..length])
        }
    }

    #[test]
    fn a_fault_at_any_byte_gives_no_digest_and_passes_on_what_was_read() {
        let message: Vec<u8> = (0..200).map(|i| if i % 3 == 0 { b'0' } else { b'\r' }).collect();
        for row in &ALGORITHMS {
            for mode in [InputMode::Binary, InputMode::Universal, InputMode::Bits] {
                for good in 0..message.len() {
                    let mut copy = Vec::new();
                    let mut reader = Faulty { good: &message[..good], step: good % 7 + 1 };
                    let result = Engine::new(Some(64), None).digest_reader(&mut reader, 0, row, mode, Some(&mut copy));
                    let has_mode = mode != InputMode::Bits || row.perl.is_some();
                    let wanted = if has_mode { Some(libc::EIO) } else { None };
                    assert!(matches!(result, Err(Failure::Input(error)) if error.raw_os_error() == wanted));
                    assert!(!has_mode || copy == message[..good]);
                }
            }
        }
    }

    #[test]
    fn a_copy_that_cannot_be_written_is_the_outputs_failure() {
        let mut full = [0; 100];
        let result = Engine::new(Some(64), None).digest_reader(
            &mut [7; 1000].as_slice(),
            0,
            &ALGORITHMS[0],
            InputMode::Binary,
            Some(&mut full.as_mut_slice()),
        );
        assert!(matches!(result, Err(Failure::Output(error)) if error.kind() == ErrorKind::WriteZero));
        assert_eq!(full, [7; 100]);
    }
}
