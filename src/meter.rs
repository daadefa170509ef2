//! How far the run is: counted by those who read, and told in one line.
//!
//! There is one meter for the process, as whoever sends a signal asks the process. What the signal's handler needs, it
//! finds here without a lock, an allocation or a wait.

use std::fmt::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::time::{Duration, Instant};

/// The meter of this process.
pub static METER: Meter = Meter::new();

/// Bytes of a name that are kept, its last ones.
const NAME_SIZE: usize = 160;

/// Bytes of the longest line: names in it are kept short.
const LINE_SIZE: usize = 512;

/// What takes the line that a terminal shows away: carriage return, and ECMA-48's erase in line.
const CLEAR: &[u8] = b"\r\x1b[K";

/// What stands for the beginning of a name.
const CUT: &[u8] = "…".as_bytes();

/// What was done, and what there is to do.
#[derive(Debug)]
pub struct Meter {
    start: OnceLock<(Vec<u8>, Instant)>,
    bytes: AtomicU64,
    files: AtomicU64,
    /// Files that were looked at.
    found_files: AtomicU64,
    /// Bytes they seem to have.
    found_bytes: AtomicU64,
    /// Whether one of them does not tell how many it has.
    is_unmeasured: AtomicBool,
    /// Whether there are no more.
    is_all: AtomicBool,
    /// What was found before the run came to it.
    survey: OnceLock<All>,
    /// Whether a line on the terminal shows it.
    is_shown: AtomicBool,
    name: Name,
}

impl Meter {
    const fn new() -> Self {
        Self {
            start: OnceLock::new(),
            bytes: AtomicU64::new(0),
            files: AtomicU64::new(0),
            found_files: AtomicU64::new(0),
            found_bytes: AtomicU64::new(0),
            is_unmeasured: AtomicBool::new(false),
            is_all: AtomicBool::new(false),
            survey: OnceLock::new(),
            is_shown: AtomicBool::new(false),
            name: Name::new(),
        }
    }

    /// Starts to measure the time of a program.
    pub fn start(&self, program: &[u8]) {
        self.start.get_or_init(|| (program.to_vec(), Instant::now()));
    }

    /// Counts bytes that were read.
    pub fn read(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Counts a file that is done.
    pub fn done(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes the name of what is being read.
    pub fn at(&self, name: &[u8]) {
        self.name.set(name);
    }

    /// Counts a file that is to be read, and its bytes if it tells how many it has.
    pub fn found(&self, bytes: Option<u64>) {
        self.found_files.fetch_add(1, Ordering::Relaxed);
        match bytes {
            Some(bytes) => {
                let add = |found: u64| Some(found.saturating_add(bytes));
                let _ = self.found_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
            }
            None => self.is_unmeasured.store(true, Ordering::Relaxed),
        }
    }

    /// Notes whether what was found is all there is.
    pub fn found_all(&self, is_all: bool) {
        self.is_all.store(is_all, Ordering::Release);
    }

    /// Notes all there is, before the run has come to it.
    pub fn surveyed(&self, all: All) {
        self.survey.get_or_init(|| all);
    }

    /// Notes whether the terminal shows a line of it.
    pub fn set_shown(&self, is_shown: bool) {
        self.is_shown.store(is_shown, Ordering::Relaxed);
    }

    fn all(&self) -> Option<All> {
        let found = || {
            let is_unmeasured = self.is_unmeasured.load(Ordering::Relaxed);
            All {
                files: self.found_files.load(Ordering::Relaxed),
                bytes: (!is_unmeasured).then(|| self.found_bytes.load(Ordering::Relaxed)),
            }
        };
        self.survey.get().copied().or_else(|| self.is_all.load(Ordering::Acquire).then(found))
    }

    /// How far the run is.
    pub fn look(&'static self) -> Look {
        let (program, time) =
            self.start.get().map_or((&[][..], Duration::ZERO), |(name, start)| (name, start.elapsed()));
        let bytes = self.bytes.load(Ordering::Relaxed);
        Look {
            program,
            is_shown: self.is_shown.load(Ordering::Relaxed),
            name: self.name.get(),
            bytes,
            files: self.files.load(Ordering::Relaxed),
            all: self.all(),
            speed: bytes as f64 / time.as_secs_f64().max(1e-3),
        }
    }
}

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    program: &'static [u8],
    is_shown: bool,
    name: Text<NAME_SIZE>,
    /// Bytes read.
    pub bytes: u64,
    /// Files done.
    pub files: u64,
    /// All there is, if it is known.
    pub all: Option<All>,
    /// Bytes a second.
    pub speed: f64,
}

/// All there is to do.
#[derive(Debug, Clone, Copy)]
pub struct All {
    /// Files.
    pub files: u64,
    /// Bytes, if all files tell how many they have.
    pub bytes: Option<u64>,
}

impl Look {
    /// What is told of it: the file, done of all, the speed, the time left and files of files. The name is shortened to so
    /// many bytes, of which the last are the most telling.
    pub fn line(&self, room_for_name: usize) -> Text<LINE_SIZE> {
        let mut line = Text::default();
        line.push_name(self.name.bytes(), room_for_name);
        // There is room for all of it.
        let _ = self.write_figures(&mut line);
        line
    }

    /// The same for whoever sends a signal, with the program's name and an end.
    pub fn status_line(&self) -> Text<LINE_SIZE> {
        let mut line = Text::default();
        if self.is_shown {
            line.push(CLEAR);
        }
        line.push(self.program);
        line.push(b": ");
        line.push(self.line(NAME_SIZE).bytes());
        line.push(b"\n");
        line
    }

    fn write_figures(&self, line: &mut Text<LINE_SIZE>) -> fmt::Result {
        if !self.name.bytes().is_empty() {
            line.write_str(": ")?;
        }
        write!(line, "{}", Size(self.bytes as f64))?;
        let bytes = self.all.and_then(|all| all.bytes);
        if let Some(bytes) = bytes {
            write!(line, " of {}", Size(bytes as f64))?;
        }
        write!(line, ", {}/s", Size(self.speed))?;
        if let Some(bytes) = bytes
            && self.speed > 0.0
        {
            let seconds = bytes.saturating_sub(self.bytes) as f64 / self.speed;
            write!(line, ", {} left", Clock(seconds.ceil() as u64))?;
        }
        write!(line, ", {}", self.files)?;
        if let Some(all) = self.all {
            write!(line, " of {}", all.files)?;
        }
        line.write_str(if self.all.map_or(self.files, |all| all.files) == 1 { " file" } else { " files" })
    }
}

/// A number of bytes as people read it.
struct Size(f64);

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].iter();
        let (mut size, mut unit) = (self.0, "B");
        // What would be shown as 1024 of a unit is shown as 1 of the next.
        while size >= 1023.95
            && let Some(next) = units.next()
        {
            (size, unit) = (size / 1024.0, next);
        }
        if unit == "B" { write!(formatter, "{size:.0} B") } else { write!(formatter, "{size:.1} {unit}") }
    }
}

/// Seconds as a clock shows them.
struct Clock(u64);

impl fmt::Display for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let (hours, minutes, seconds) = (self.0 / 3600, self.0 / 60 % 60, self.0 % 60);
        if hours > 0 {
            write!(formatter, "{hours}:{minutes:02}:{seconds:02}")
        } else {
            write!(formatter, "{minutes}:{seconds:02}")
        }
    }
}

/// A text that takes no memory but its own.
#[derive(Debug, Clone, Copy)]
pub struct Text<const SIZE: usize> {
    bytes: [u8; SIZE],
    length: usize,
}

impl<const SIZE: usize> Default for Text<SIZE> {
    fn default() -> Self {
        Self { bytes: [0; SIZE], length: 0 }
    }
}

impl<const SIZE: usize> Text<SIZE> {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Appends as many bytes as there is room for.
    pub fn push(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(SIZE - self.length);
        self.bytes[self.length..][..length].copy_from_slice(&bytes[..length]);
        self.length += length;
    }

    /// Appends the last bytes of a name, from a character's start on; what a terminal would not show is a question mark.
    fn push_name(&mut self, name: &[u8], room: usize) {
        let end = last_bytes(name, room);
        if end.len() < name.len() {
            self.push(CUT);
        }
        for chunk in end.utf8_chunks() {
            for character in chunk.valid().chars() {
                let shown = if character.is_control() { '?' } else { character };
                self.push(shown.encode_utf8(&mut [0; 4]).as_bytes());
            }
            chunk.invalid().iter().for_each(|_| self.push(b"?"));
        }
    }
}

impl<const SIZE: usize> Write for Text<SIZE> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

/// A name's last bytes, no more than there is room for, from a character's start on.
fn last_bytes(name: &[u8], room: usize) -> &[u8] {
    let mut start = name.len().saturating_sub(room);
    while start > 0 && name.get(start).is_some_and(|byte| byte & 0xc0 == 0x80) {
        start += 1;
    }
    &name[start..]
}

/// A name that may be read at any time, also by whoever interrupts its writer.
#[derive(Debug)]
struct Name {
    /// Odd while it is written.
    version: AtomicU32,
    length: AtomicUsize,
    bytes: [AtomicU8; NAME_SIZE],
}

impl Name {
    const fn new() -> Self {
        Self { version: AtomicU32::new(0), length: AtomicUsize::new(0), bytes: [const { AtomicU8::new(0) }; NAME_SIZE] }
    }

    /// Keeps a name's last bytes, unless another thread is just writing one: either is as good.
    fn set(&self, name: &[u8]) {
        let version = self.version.load(Ordering::Relaxed);
        if !version.is_multiple_of(2)
            || self.version.compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        let is_long = name.len() > NAME_SIZE;
        let (cut, name) = if is_long { (CUT, last_bytes(name, NAME_SIZE - CUT.len())) } else { (&[][..], name) };
        self.length.store(cut.len() + name.len(), Ordering::Relaxed);
        let places = self.bytes.iter().zip(cut.iter().chain(name));
        places.for_each(|(place, byte)| place.store(*byte, Ordering::Relaxed));
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }

    /// The name, or nothing when it is just being written.
    fn get(&self) -> Text<NAME_SIZE> {
        let version = self.version.load(Ordering::Acquire);
        let mut name = Text::default();
        let length = self.length.load(Ordering::Relaxed).min(NAME_SIZE);
        self.bytes[..length].iter().for_each(|byte| name.push(&[byte.load(Ordering::Relaxed)]));
        fence(Ordering::Acquire);
        let is_whole = version.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == version;
        if is_whole { name } else { Text::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &[u8], bytes: u64, files: u64, all: Option<All>, speed: f64, room: usize) -> String {
        let mut text = Text::default();
        text.push(name);
        let look = Look { program: b"md5", is_shown: false, name: text, bytes, files, all, speed };
        String::from_utf8(look.line(room).bytes().to_vec()).unwrap()
    }

    #[test]
    fn the_line_tells_the_file_done_of_all_the_speed_the_time_left_and_the_files() {
        let all = Some(All { files: 10, bytes: Some(4 << 30) });
        let told = line(b"big.iso", 1 << 30, 3, all, (512 << 20) as f64, 80);
        assert_eq!(told, "big.iso: 1.0 GiB of 4.0 GiB, 512.0 MiB/s, 0:06 left, 3 of 10 files");
        assert_eq!(line(b"", 5, 1, None, 0.0, 80), "5 B, 0 B/s, 1 file");
        let slow = line(b"a", 0, 0, Some(All { files: 1, bytes: Some(36_610) }), 1.0, 80);
        assert_eq!(slow, "a: 0 B of 35.8 KiB, 1 B/s, 10:10:10 left, 0 of 1 file");
        let outgrown = line(b"a", 9, 0, Some(All { files: 2, bytes: Some(5) }), 1.0, 80);
        assert_eq!(outgrown, "a: 9 B of 5 B, 1 B/s, 0:00 left, 0 of 2 files");
        let pipe = line(b"-", 9, 0, Some(All { files: 1, bytes: None }), 1.0, 80);
        assert_eq!(pipe, "-: 9 B, 1 B/s, 0 of 1 file");
    }

    #[test]
    fn sizes_have_the_unit_that_makes_them_short() {
        let shown = |size: f64| Size(size).to_string();
        assert_eq!(shown(1023.0), "1023 B");
        assert_eq!(shown(1024.0), "1.0 KiB");
        assert_eq!(shown(1048575.0), "1.0 MiB");
        assert_eq!(shown(1e30), "867361737988.4 EiB");
    }

    #[test]
    fn a_long_name_shows_its_end_and_nothing_a_terminal_would_obey() {
        assert_eq!(line(b"folder/\x1b[2J\n", 0, 0, None, 0.0, 7), "…r/?[2J?: 0 B, 0 B/s, 0 files");
        assert_eq!(line("ääää".as_bytes(), 0, 0, None, 0.0, 3), "…ä: 0 B, 0 B/s, 0 files");
        let name = Name::new();
        name.set("漢".repeat(5000).as_bytes());
        assert_eq!(str::from_utf8(name.get().bytes()).unwrap(), format!("…{}", "漢".repeat(52)));
        assert_eq!(line("\u{9b}31m\u{7f}".as_bytes(), 0, 0, None, 0.0, 80), "?31m?: 0 B, 0 B/s, 0 files");
        assert_eq!(line(b"\x9b\xff", 0, 0, None, 0.0, 80), "??: 0 B, 0 B/s, 0 files");
        name.set(b"short");
        assert_eq!(name.get().bytes(), b"short");
    }

    #[test]
    fn a_name_is_never_half_of_one_and_half_of_another() {
        let name = Name::new();
        std::thread::scope(|scope| {
            for letter in [b'a', b'b', b'c'] {
                let name = &name;
                scope.spawn(move || (0..20_000).for_each(|round| name.set(&vec![letter; 1 + round % 150])));
            }
            for _ in 0..20_000 {
                let seen = name.get();
                assert!(seen.bytes().iter().all(|byte| *byte == seen.bytes()[0]), "{:?}", seen.bytes());
            }
        });
    }
}
