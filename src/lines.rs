//! The bytes of a digest list → its lines, whatever editor saved them: with a UTF-8 or UTF-16 mark, or without a last line end.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::mem;

use memchr::memchr;

/// Bytes of the longest line that can be an entry: the longest digest and the longest path, each byte of it escaped.
pub const MAX_LINE: usize = 64 << 10;

/// Bytes read from the list at once.
const READ_SIZE: usize = 64 << 10;

/// A line of a list, without its end.
#[derive(Debug, PartialEq, Eq)]
pub struct ListLine<'a> {
    /// Counted from 1.
    pub number: u64,
    /// Its bytes, of a longer line than [`MAX_LINE`] the first ones.
    pub bytes: &'a [u8],
    /// Whether these are all.
    pub is_whole: bool,
}

/// Reads a list line by line, in memory that does not grow with it.
#[derive(Debug)]
pub struct Lines<R> {
    reader: BufReader<Decoder<R>>,
    terminator: u8,
    /// A line that did not stand in the reader's buffer as a whole.
    line: Vec<u8>,
    number: u64,
    /// Bytes of the reader's buffer the last line took.
    taken: usize,
    /// Whether the end was seen, behind which a terminal would go on, or reading failed.
    is_over: bool,
}

impl<R: Read> Lines<R> {
    /// The lines of what `reader` gives, without a mark of UTF-8 at the start, and decoded behind one of UTF-16 unless lines end in
    /// NUL. A carriage return before a line feed is left to whoever knows what it means.
    pub fn new(reader: R, terminator: u8) -> Self {
        // What stands for half a character would end a line there.
        let knows_utf16 = terminator != BROKEN;
        let reader = BufReader::with_capacity(READ_SIZE, Decoder::new(reader, knows_utf16));
        Self { reader, terminator, line: Vec::new(), number: 0, taken: 0, is_over: false }
    }

    /// The lines of what `reader` gives, with every byte as it is.
    pub fn raw(reader: R, terminator: u8) -> Self {
        let mut lines = Self::new(reader, terminator);
        lines.reader.get_mut().encoding = Some(Encoding::Bytes);
        lines
    }

    /// The next line, or `None` at the end.
    ///
    /// # Errors
    /// The reader's error, which is the end.
    pub fn next_line(&mut self) -> io::Result<Option<ListLine<'_>>> {
        self.reader.consume(mem::take(&mut self.taken));
        if self.is_over {
            return Ok(None);
        }
        let filled = self.fill();
        self.or_end(filled)?;
        let end = memchr(self.terminator, self.reader.buffer());
        let Some(end) = end.filter(|&end| end <= MAX_LINE) else { return self.next_long_line() };
        self.number += 1;
        self.taken = end + 1;
        Ok(Some(ListLine { number: self.number, bytes: &self.reader.buffer()[..end], is_whole: true }))
    }

    /// Has something in the reader's buffer, but at the end. Interrupted reads are resumed.
    fn fill(&mut self) -> io::Result<()> {
        while let Err(error) = self.reader.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error);
            }
        }
        Ok(())
    }

    /// The next line, put together from several reads.
    fn next_long_line(&mut self) -> io::Result<Option<ListLine<'_>>> {
        self.line.clear();
        let limit = MAX_LINE as u64 + 2;
        if self.reader.buffer().is_empty() {
            self.is_over = true;
            return Ok(None);
        }
        let read = (&mut self.reader).take(limit).read_until(self.terminator, &mut self.line);
        self.or_end(read)?;
        self.number += 1;
        let ended = self.line.pop_if(|last| *last == self.terminator).is_some();
        let is_whole = self.line.len() <= MAX_LINE;
        self.is_over = !ended && is_whole;
        if !ended && !is_whole {
            let skipped = self.reader.skip_until(self.terminator);
            self.or_end(skipped)?;
        }
        self.line.truncate(MAX_LINE);
        Ok(Some(ListLine { number: self.number, bytes: &self.line, is_whole }))
    }
}

impl<R> Lines<R> {
    /// Has no more lines behind an error.
    fn or_end<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        self.is_over |= result.is_err();
        result
    }

    /// Whether there is a line that need not be waited for.
    pub fn has_line(&self) -> bool {
        memchr(self.terminator, &self.reader.buffer()[self.taken..]).is_some()
    }
}

/// Takes a mark off the start, and makes UTF-8 of UTF-16.
#[derive(Debug)]
struct Decoder<R> {
    reader: R,
    knows_utf16: bool,
    encoding: Option<Encoding>,
    /// What is decoded and not yet handed out, from `start` on.
    ready: Vec<u8>,
    start: usize,
}

#[derive(Debug)]
enum Encoding {
    Bytes,
    Utf16 { unit: fn([u8; 2]) -> u16, odd: Option<u8>, high: Option<u16> },
}

impl<R: Read> Decoder<R> {
    fn new(reader: R, knows_utf16: bool) -> Self {
        Self { reader, knows_utf16, encoding: None, ready: Vec::new(), start: 0 }
    }

    /// Decides by the first three bytes.
    fn detect(&mut self) -> io::Result<()> {
        let mut head = Vec::with_capacity(3);
        (&mut self.reader).take(3).read_to_end(&mut head)?;
        let utf16 = |unit| Encoding::Utf16 { unit, odd: None, high: None };
        let (mut encoding, rest) = match head.as_slice() {
            [0xef, 0xbb, 0xbf] => (Encoding::Bytes, &[][..]),
            [0xff, 0xfe, rest @ ..] if self.knows_utf16 => (utf16(u16::from_le_bytes), rest),
            [0xfe, 0xff, rest @ ..] if self.knows_utf16 => (utf16(u16::from_be_bytes), rest),
            rest => (Encoding::Bytes, rest),
        };
        encoding.decode(rest, &mut self.ready);
        self.encoding = Some(encoding);
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.encoding.is_none() {
            self.detect()?;
        }
        while self.start == self.ready.len() {
            match &mut self.encoding {
                Some(encoding @ Encoding::Utf16 { .. }) => {
                    let mut bytes = [0; 4096];
                    let count = self.reader.read(&mut bytes)?;
                    (self.start, _) = (0, self.ready.clear());
                    if count > 0 {
                        encoding.decode(&bytes[..count], &mut self.ready);
                    } else if !encoding.is_complete() {
                        self.encoding = Some(Encoding::Bytes);
                        self.ready.push(BROKEN);
                    } else {
                        return Ok(0);
                    }
                }
                _ => return self.reader.read(buffer),
            }
        }
        let count = (&self.ready[self.start..]).read(buffer)?;
        self.start += count;
        Ok(count)
    }
}

/// What stands for half a character: no name can hold it, so that the line is no entry.
const BROKEN: u8 = 0;

impl Encoding {
    /// Whether nothing is missing of the last character.
    fn is_complete(&self) -> bool {
        !matches!(self, Self::Utf16 { odd: Some(_), .. } | Self::Utf16 { high: Some(_), .. })
    }

    fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        let Self::Utf16 { unit, odd, high } = self else {
            return text.extend_from_slice(bytes);
        };
        for &byte in bytes {
            let Some(first) = odd.take() else {
                *odd = Some(byte);
                continue;
            };
            let unit = unit([first, byte]);
            let is_high = (0xd800..0xdc00).contains(&unit);
            let units = high.take().into_iter().chain((!is_high).then_some(unit));
            for character in char::decode_utf16(units) {
                match character {
                    Ok(character) => text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                    Err(_) => text.push(BROKEN),
                }
            }
            *high = is_high.then_some(unit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte a read, as a slow pipe may, and is interrupted before each.
    struct OneByOne<'a> {
        rest: &'a [u8],
        was_interrupted: bool,
    }

    impl Read for OneByOne<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.was_interrupted = !self.was_interrupted;
            if self.was_interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            let length = buffer.len().min(1);
            self.rest.read(&mut buffer[..length])
        }
    }

    fn all(list: &[u8]) -> Vec<Option<Vec<u8>>> {
        fn collect(mut lines: Lines<impl Read>) -> Vec<Option<Vec<u8>>> {
            let mut all = Vec::new();
            while let Some(line) = lines.next_line().unwrap() {
                assert_eq!(line.number, all.len() as u64 + 1);
                all.push(line.is_whole.then(|| line.bytes.to_vec()));
            }
            all
        }
        let at_once = collect(Lines::new(list, b'\n'));
        assert_eq!(collect(Lines::new(OneByOne { rest: list, was_interrupted: false }, b'\n')), at_once);
        at_once
    }

    fn text(lines: &[&str]) -> Vec<Option<Vec<u8>>> {
        lines.iter().map(|line| Some(line.as_bytes().to_vec())).collect()
    }

    #[test]
    fn line_ends_of_every_kind() {
        assert_eq!(all(b""), text(&[]));
        assert_eq!(all(b"a"), text(&["a"]));
        assert_eq!(all(b"a\n"), text(&["a"]));
        assert_eq!(all(b"a\r\nb\n\nc"), text(&["a\r", "b", "", "c"]));
        let mut lines = Lines::new(&b"a\nb\r\0\0c"[..], 0);
        for wanted in [&b"a\nb\r"[..], b"", b"c"] {
            assert_eq!(lines.next_line().unwrap().unwrap().bytes, wanted);
        }
        assert_eq!(lines.next_line().unwrap(), None);
    }

    #[test]
    fn marks_are_taken_off_and_utf16_is_decoded() {
        let wanted = text(&["é a\r", "𝄞\r"]);
        let string = "é a\r\n𝄞\r\n";
        let units = || string.encode_utf16();
        assert_eq!(all(string.as_bytes()), wanted);
        assert_eq!(all(&[b"\xef\xbb\xbf", string.as_bytes()].concat()), wanted);
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
        assert_eq!(all(&little), wanted);
        assert_eq!(all(&big), wanted);
    }

    #[test]
    fn a_lone_surrogate_is_no_panic() {
        let list: Vec<u8> = [0xfeffu16, 0xd834, 0x61, 0xdd1e, 0xd834].into_iter().flat_map(u16::to_le_bytes).collect();
        assert_eq!(all(&list), text(&["\0a\0\0"]));
        assert_eq!(all(&list[..list.len() - 1]), text(&["\0a\0\0"]), "half a unit at the end");
    }

    /// Gives each part, or fails where there is none, and then the next.
    struct Parts<'a>(Vec<Option<&'a [u8]>>);

    impl Read for Parts<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(Some(part)) = self.0.first_mut() else {
                self.0.remove(0);
                return Err(ErrorKind::StaleNetworkFileHandle.into());
            };
            let count = part.read(buffer)?;
            if count == 0 || part.is_empty() {
                self.0.remove(0);
            }
            Ok(count)
        }
    }

    #[test]
    fn an_error_at_any_byte_is_told_and_is_the_end() {
        let list = [&b"first\n"[..], &vec![b'x'; 2 * MAX_LINE], b"\nb\n"].concat();
        for at in (0..9).chain([MAX_LINE, MAX_LINE + 7, 2 * MAX_LINE + 6]).chain(list.len() - 3..=list.len()) {
            let mut lines = Lines::new(Parts(vec![Some(&list[..at]), None, Some(&list[at..])]), b'\n');
            let mut count = 0;
            let error = loop {
                match lines.next_line() {
                    Ok(line) => assert!(line.is_some(), "{at}: there is no end before the error"),
                    Err(error) => break error,
                }
                count += 1;
            };
            assert_eq!(error.kind(), ErrorKind::StaleNetworkFileHandle);
            assert_eq!(count, memchr::memchr_iter(b'\n', &list[..at]).count(), "{at}");
            assert_eq!(lines.next_line().unwrap(), None, "{at}");
        }
    }

    #[test]
    fn nothing_is_asked_for_behind_the_end() {
        // As a terminal does, on which somebody types on.
        for last in [&b"a\nb"[..], b"a\nb\n"] {
            let mut lines = Lines::new(Parts(vec![Some(last), Some(b""), Some(b"c\n")]), b'\n');
            for wanted in [&b"a"[..], b"b"] {
                assert_eq!(lines.next_line().unwrap().unwrap().bytes, wanted);
            }
            assert_eq!(lines.next_line().unwrap(), None);
            assert_eq!(lines.next_line().unwrap(), None);
        }
    }

    #[test]
    fn a_line_too_long_is_told_and_the_next_one_is_whole() {
        let longest = vec![b'x'; MAX_LINE];
        let list = [&longest[..], b"\nb\n", &longest, b"y\nc\n", &longest, &longest, &longest, b"\nd"].concat();
        let some = |line: &[u8]| Some(line.to_vec());
        assert_eq!(all(&list), [some(&longest), some(b"b"), None, some(b"c"), None, some(b"d")]);
    }
}
