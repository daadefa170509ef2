//! Inputs → checksums, in the order given.

use std::io::{self, ErrorKind, Read, Write};

use crate::algorithm::{Algorithm, Checksum};
use crate::plan::{InputMode, Source};
use crate::pump::{self, Buffer, Failure};
use crate::source::Input;
use crate::transform::{Bits, Universal};

/// Digests one input after the other through one buffer.
#[derive(Debug, Default)]
pub struct Engine {
    buffer: Buffer,
    buffer_size: Option<usize>,
}

impl Engine {
    /// An engine whose buffer has `buffer_size` bytes; `None` lets each file's record size have its say.
    pub fn new(buffer_size: Option<usize>) -> Self {
        Self { buffer: Buffer::default(), buffer_size }
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
        let record_size = input.record_size;
        self.digest_reader(&mut input, record_size, algorithm, mode, copy)
    }

    /// The digest of all a reader gives; `record_size` is that of its store in bytes, 0 where there is none.
    ///
    /// # Errors
    /// As [`Engine::digest`].
    pub fn digest_reader(
        &mut self,
        reader: &mut dyn Read,
        record_size: u64,
        algorithm: &Algorithm,
        mode: InputMode,
        mut copy: Option<&mut dyn Write>,
    ) -> Result<Checksum, Failure> {
        let size = pump::buffer_size(self.buffer_size, record_size);
        let buffer = self.buffer.with_size(size).map_err(Failure::Input)?;
        let mut pump = |update: &mut dyn FnMut(&[u8])| {
            pump::pump(reader, buffer, &mut |part| {
                if let Some(copy) = &mut copy {
                    copy.write_all(part)?;
                }
                update(part);
                Ok(())
            })
        };
        match mode {
            InputMode::Binary => {
                let mut hasher = (algorithm.hasher)();
                pump(&mut |part| hasher.update(part))?;
                Ok(hasher.finish())
            }
            InputMode::Universal => {
                let mut hasher = (algorithm.hasher)();
                let mut universal = Universal::default();
                pump(&mut |part| universal.apply(part, &mut |bytes| hasher.update(bytes)))?;
                universal.finish(&mut |bytes| hasher.update(bytes));
                Ok(hasher.finish())
            }
            InputMode::Bits => {
                let Some(perl) = &algorithm.perl else {
                    return Err(Failure::Input(io::Error::from(ErrorKind::Unsupported)));
                };
                let mut hasher = (perl.bit_hasher)();
                let mut bits = Bits::default();
                pump(&mut |part| bits.apply(part, &mut |bytes| hasher.update(bytes)))?;
                let (tail, count) = bits.finish();
                Ok(hasher.finish_bits(tail, count))
            }
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
                    let result = Engine::new(Some(64)).digest_reader(&mut reader, 0, row, mode, Some(&mut copy));
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
        let result = Engine::new(Some(64)).digest_reader(
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
