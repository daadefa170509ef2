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
            Source::Text(text) => return self.digest_reader(&mut text.as_slice(), 0, algorithm, mode, copy),
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
