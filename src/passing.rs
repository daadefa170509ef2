//! Passes a reader's bytes on in whole buffers, and digests them meanwhile.
//!
//! One thread reads and writes, as tee(1) does; what it has written is digested by another. So it takes as long as the slower of
//! both.

use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope};

use crate::algorithm::Checksums;
use crate::message::Messages;
use crate::meter::METER;
use crate::pump::{self, Buffer, Failure};

/// Buffers at once: one that is read and written, one that is digested, and one between them for an uneven pace.
const BUFFERS: usize = 3;

/// Writes all that `reader` gives to `copy`, `size` bytes at a time, and gives the digests of `messages` with all of it appended.
///
/// What was read before an error is written too.
///
/// # Errors
/// The first error of reading or of writing.
pub fn pass(
    reader: &mut dyn Read,
    size: usize,
    messages: Messages,
    copy: &mut dyn Write,
) -> Result<Checksums, Failure> {
    let messages = Mutex::new(messages);
    thread::scope(|scope| {
        let mut buffer = Buffer::default();
        let mut filled = pass_buffer(reader, &mut buffer, size, copy)?;
        // What ends with the first buffer needs no other thread.
        let mut helper = if filled < size { None } else { Helper::start(scope, &messages) };
        while filled == size {
            buffer = match &mut helper {
                Some(helper) => helper.exchange(buffer, size),
                None => append(&messages, buffer, size),
            };
            filled = pass_buffer(reader, &mut buffer, size, copy)?;
        }
        match helper {
            Some(helper) => helper.digest(buffer, filled),
            None => drop(append(&messages, buffer, filled)),
        }
        Ok(())
    })?;
    Ok(messages.into_inner().unwrap_or_else(PoisonError::into_inner).finish())
}

/// Reads a buffer and writes it, and gives the number of bytes: less than `size` at the end.
fn pass_buffer(
    reader: &mut dyn Read,
    buffer: &mut Buffer,
    size: usize,
    copy: &mut dyn Write,
) -> Result<usize, Failure> {
    let buffer = buffer.with_size(size).map_err(Failure::Input)?;
    let (filled, fault) = pump::fill(reader, buffer);
    copy.write_all(&buffer[..filled]).map_err(Failure::Output)?;
    METER.read(filled);
    fault.map_err(Failure::Input)?;
    Ok(filled)
}

fn append(messages: &Mutex<Messages>, buffer: Buffer, filled: usize) -> Buffer {
    messages.lock().unwrap_or_else(PoisonError::into_inner).append(&buffer.bytes()[..filled]);
    buffer
}

/// The thread that digests. It ends when this is dropped and all it was given is digested.
struct Helper {
    given: Sender<(Buffer, usize)>,
    returned: Receiver<Buffer>,
    /// Buffers there are.
    buffers: usize,
}

impl Helper {
    /// None where there is no other processor, or no thread to be had.
    fn start<'s>(scope: &'s Scope<'s, '_>, messages: &'s Mutex<Messages>) -> Option<Self> {
        if thread::available_parallelism().map_or(1, usize::from) < 2 {
            return None;
        }
        let (given, work) = mpsc::channel();
        let (back, returned) = mpsc::channel();
        let digest = move || {
            for (buffer, filled) in work {
                // Nobody takes the last ones back.
                let _ = back.send(append(messages, buffer, filled));
            }
        };
        thread::Builder::new().spawn_scoped(scope, digest).ok()?;
        Some(Self { given, returned, buffers: 1 })
    }

    fn digest(&self, buffer: Buffer, filled: usize) {
        self.given.send((buffer, filled)).expect("the thread lives as long as there is a sender");
    }

    /// Has a full buffer digested, and gives another one.
    fn exchange(&mut self, buffer: Buffer, size: usize) -> Buffer {
        self.digest(buffer, size);
        let mut another = Buffer::default();
        if self.buffers < BUFFERS && another.with_size(size).is_ok() {
            self.buffers += 1;
            return another;
        }
        self.returned.recv().expect("the thread gives back what it was given")
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind};

    use super::*;
    use crate::algorithm::{ALGORITHMS, Algorithm};
    use crate::plan::{InputMode, Resources};

    const SIZE: usize = 64;

    /// Gives the bytes of `good` a few at a time, and then fails, or ends.
    struct Stutter<'a> {
        good: &'a [u8],
        step: usize,
        fault: Option<i32>,
    }

    impl Read for Stutter<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if let (true, Some(fault)) = (self.good.is_empty(), self.fault) {
                return Err(io::Error::from_raw_os_error(fault));
            }
            let length = self.step.min(buffer.len());
            self.good.read(&mut buffer[..length])
        }
    }

    fn messages_of(row: &Algorithm, mode: InputMode) -> io::Result<Messages> {
        Messages::new(&[row], mode, Resources::default())
    }

    fn text() -> Vec<u8> {
        (0..500).map(|i| if i % 3 == 0 { b'0' } else { b'\r' }).collect()
    }

    #[test]
    fn all_is_passed_on_and_has_the_digest_of_its_file() {
        let text = text();
        for length in 0..text.len() {
            for row in &ALGORITHMS {
                let mut copy = Vec::new();
                let mut reader = Stutter { good: &text[..length], step: length % 7 + 1, fault: None };
                let messages = messages_of(row, InputMode::Binary).unwrap();
                let checksums = pass(&mut reader, SIZE, messages, &mut copy).unwrap();
                assert_eq!((checksums.as_slice(), &copy[..]), (&[row.digest(&text[..length])][..], &text[..length]));
            }
        }
    }

    #[test]
    fn a_fault_at_any_byte_gives_no_digest_and_passes_on_what_was_read() {
        let text = text();
        for row in &ALGORITHMS {
            for mode in [InputMode::Binary, InputMode::Universal, InputMode::Bits] {
                let Ok(_) = messages_of(row, mode) else { continue };
                for length in (0..200).chain(300..303) {
                    let mut copy = Vec::new();
                    let mut reader = Stutter { good: &text[..length], step: length % 7 + 1, fault: Some(libc::EIO) };
                    let result = pass(&mut reader, SIZE, messages_of(row, mode).unwrap(), &mut copy);
                    assert!(matches!(result, Err(Failure::Input(error)) if error.raw_os_error() == Some(libc::EIO)));
                    assert_eq!(copy, text[..length]);
                }
            }
        }
    }

    #[test]
    fn a_copy_that_cannot_be_written_is_the_outputs_failure_wherever_it_happens() {
        for room in 0..1000 {
            let mut full = vec![0; room];
            let messages = messages_of(&ALGORITHMS[0], InputMode::Binary).unwrap();
            let result = pass(&mut [7; 1000].as_slice(), SIZE, messages, &mut full.as_mut_slice());
            assert!(matches!(result, Err(Failure::Output(error)) if error.kind() == ErrorKind::WriteZero));
            assert_eq!(full, vec![7; room]);
        }
    }
}
