//! One input → its checksum.

use std::io::{self, Read, Write};
use std::thread;
use std::time::Instant;

use crate::ahead::{self, Experience, Readers, Stretch};
use crate::algorithm::{Algorithm, Checksum};
use crate::message::Message;
use crate::plan::{InputMode, Resources, Source};
use crate::pump::{self, Buffer, Failure};
use crate::source::Input;

/// Digests one input after the other.
#[derive(Debug, Default)]
pub struct Engine {
    resources: Resources,
    /// The buffers of earlier inputs. There is always one for reading in line.
    buffers: Vec<Buffer>,
}

/// What takes the parts of an input, one after the other.
pub type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

impl Engine {
    /// An engine that may use this much.
    pub fn new(resources: Resources) -> Self {
        Self { resources, buffers: Vec::new() }
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
        // What is copied goes out as it comes in.
        let is_in_line = copy.is_some();
        digest_parts(algorithm, mode, copy, &mut |sink| {
            if !is_in_line {
                self.read_beginning(&mut input, sink)?;
            }
            self.read_in_line(&mut input, sink)
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
        let size = pump::buffer_size(self.resources.buffer_size, record_size);
        digest_parts(algorithm, mode, copy, &mut |sink| pump::pump(reader, self.buffer(size)?, sink))
    }

    /// Passes the rest of an input to `sink`: what a regular file seems to have ahead, if its beginning says that this gains, and
    /// the end in line.
    ///
    /// # Errors
    /// As [`Engine::digest`].
    pub fn read_on(&mut self, input: &mut Input, experience: Experience, sink: Sink) -> Result<(), Failure> {
        self.read_ahead(input, experience, sink)?;
        self.read_in_line(input, sink)
    }

    fn read_in_line(&mut self, input: &mut Input, sink: Sink) -> Result<(), Failure> {
        let size = pump::buffer_size(self.resources.buffer_size, input.record_size);
        pump::pump(input, self.buffer(size)?, sink)
    }

    fn buffer(&mut self, size: usize) -> Result<&mut [u8], Failure> {
        if self.buffers.is_empty() {
            self.buffers.push(Buffer::default());
        }
        self.buffers[0].with_size(size).map_err(Failure::Input)
    }

    /// Reads the whole buffers a regular file seems to have: the first in line, the others ahead if that is the better way. The
    /// rest, and what a file has against its own word, is left to be read in line.
    fn read_beginning(&mut self, input: &mut Input, sink: Sink) -> Result<(), Failure> {
        let size = pump::buffer_size(self.resources.buffer_size, input.record_size);
        if self.resources.read_ahead == Some(0) || whole_parts(input, size) < 3 {
            return Ok(());
        }
        let begin = Instant::now();
        let buffer = self.buffer(size)?;
        let (filled, fault) = pump::fill(input, buffer);
        let read = Instant::now();
        sink(&buffer[..filled]).map_err(Failure::Output)?;
        let experience = Experience { reading: read - begin, digesting: read.elapsed() };
        fault.map_err(Failure::Input)?;
        self.read_ahead(input, experience, sink)
    }

    fn read_ahead(&mut self, input: &mut Input, experience: Experience, sink: Sink) -> Result<(), Failure> {
        let size = pump::buffer_size(self.resources.buffer_size, input.record_size);
        let portion = ahead::portion(size);
        let count = whole_parts(input, portion);
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let readers = Readers::choose(self.resources.read_ahead, count, portion, experience, processors);
        let (Some(readers), Ok(offset)) = (readers, input.position()) else { return Ok(()) };
        let stretch = Stretch { offset, count, size: portion, read_size: size };
        let handed = ahead::pump(input.file(), stretch, readers, &mut self.buffers, sink)?;
        input.move_to(offset + handed).map_err(Failure::Input)
    }
}

/// How many parts of `size` bytes a regular file seems to have from where it stands.
fn whole_parts(input: &Input, size: usize) -> u64 {
    let parts = |from| input.apparent_size.saturating_sub(from) / size as u64;
    if parts(0) == 0 { 0 } else { input.position().map_or(0, parts) }
}

/// The digest of the message that the parts of an input make. `read` passes them to the sink it is given.
fn digest_parts(
    algorithm: &Algorithm,
    mode: InputMode,
    mut copy: Option<&mut dyn Write>,
    read: &mut dyn FnMut(Sink) -> Result<(), Failure>,
) -> Result<Checksum, Failure> {
    let mut message = Message::new(algorithm, mode).map_err(Failure::Input)?;
    read(&mut |part| {
        if let Some(copy) = &mut copy {
            copy.write_all(part)?;
        }
        message.append(part);
        Ok(())
    })?;
    Ok(message.finish())
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;
    use crate::algorithm::ALGORITHMS;

    const SMALL: Resources = Resources { buffer_size: Some(64), read_ahead: None, jobs: None };

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
                    let result = Engine::new(SMALL).digest_reader(&mut reader, 0, row, mode, Some(&mut copy));
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
        let result = Engine::new(SMALL).digest_reader(
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
