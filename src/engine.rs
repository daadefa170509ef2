//! One input → its checksum.

use std::io;
use std::thread;
use std::time::Instant;

use crate::ahead::{self, Experience, Readers, Stretch};
use crate::algorithm::{Algorithm, Checksums};
use crate::message::Messages;
use crate::meter::METER;
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

    /// The digests of a source's whole content by these algorithms.
    ///
    /// # Errors
    /// When it could not be opened or read to its end.
    pub fn digest(
        &mut self,
        source: &Source,
        algorithms: &[&'static Algorithm],
        mode: InputMode,
    ) -> io::Result<Checksums> {
        if let Source::Text(text) = source {
            return Ok(algorithms.iter().map(|algorithm| algorithm.digest(text)).collect());
        }
        let mut input = Input::of(source)?;
        METER.at(source.name());
        let mut messages = Messages::new(algorithms, mode, self.resources)?;
        self.read(&mut input, &mut |part| {
            messages.append(part);
            Ok(())
        })?;
        Ok(messages.finish())
    }

    /// Passes all of an input to `sink`.
    ///
    /// # Errors
    /// The first error of reading or of the sink.
    fn read(&mut self, input: &mut Input, sink: Sink) -> Result<(), Failure> {
        let sink = &mut metered(sink);
        self.read_beginning(input, sink)?;
        self.read_in_line(input, sink)
    }

    /// Passes the rest of an input to `sink`: what a regular file seems to have ahead, if its beginning says that this gains, and
    /// the end in line.
    ///
    /// # Errors
    /// The first error of reading or of the sink.
    pub fn read_on(&mut self, input: &mut Input, experience: Experience, sink: Sink) -> Result<(), Failure> {
        let sink = &mut metered(sink);
        self.read_ahead(input, experience, sink)?;
        self.read_in_line(input, sink)
    }

    fn read_in_line(&mut self, input: &mut Input, sink: Sink) -> Result<(), Failure> {
        let size = pump::buffer_size(self.resources.buffer_size, input.record_size);
        pump::pump(input, self.buffer_of(size)?, sink)
    }

    /// The buffer for reading in line, for others to use meanwhile.
    pub fn buffer(&mut self) -> &mut Buffer {
        if self.buffers.is_empty() {
            self.buffers.push(Buffer::default());
        }
        &mut self.buffers[0]
    }

    /// Gives back the buffers that reading ahead took, as others may need the memory.
    pub fn release_others(&mut self) {
        self.buffers.truncate(1);
    }

    fn buffer_of(&mut self, size: usize) -> Result<&mut [u8], Failure> {
        self.buffer().with_size(size).map_err(Failure::Input)
    }

    /// Reads the whole buffers a regular file seems to have: the first in line, the others ahead if that is the better way. The
    /// rest, and what a file has against its own word, is left to be read in line.
    fn read_beginning(&mut self, input: &mut Input, sink: Sink) -> Result<(), Failure> {
        let size = pump::buffer_size(self.resources.buffer_size, input.record_size);
        if self.resources.read_ahead == Some(0) || whole_parts(input, size) < 3 {
            return Ok(());
        }
        let begin = Instant::now();
        let buffer = self.buffer_of(size)?;
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

/// Counts what it passes on.
fn metered(sink: Sink) -> impl FnMut(&[u8]) -> io::Result<()> {
    |part| {
        METER.read(part.len());
        sink(part)
    }
}

/// How many parts of `size` bytes a regular file seems to have from where it stands.
fn whole_parts(input: &Input, size: usize) -> u64 {
    let parts = |from| input.apparent_size.saturating_sub(from) / size as u64;
    if parts(0) == 0 { 0 } else { input.position().map_or(0, parts) }
}
