//! Opens what a job reads, and asks the file system for the size of its records.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::LazyLock;

use crate::plan::Source;
use crate::system::{self, Standard};

/// An open input.
#[derive(Debug)]
pub struct Input {
    file: Descriptor,
    /// Bytes in a record of the store, as far as it says so (`st_blksize`).
    pub record_size: u64,
    /// Bytes a regular file seems to have (`st_size`), 0 for everything else. Files grow and shrink, and those in /proc say 0.
    pub apparent_size: u64,
}

/// A descriptor of our own, or one that outlives us.
#[derive(Debug)]
enum Descriptor {
    Own(File),
    Standard(ManuallyDrop<File>),
}

impl Deref for Descriptor {
    type Target = File;

    fn deref(&self) -> &File {
        match self {
            Self::Own(file) => file,
            Self::Standard(file) => file,
        }
    }
}

impl Input {
    /// Opens what a job or a list reads.
    ///
    /// # Errors
    /// The system's error, or `EISDIR` for a directory.
    pub fn of(source: &Source) -> io::Result<Self> {
        match source {
            Source::StandardInput => Self::standard_input(),
            Source::File(name) => Self::open(name),
            Source::Text(_) => Err(ErrorKind::InvalidInput.into()),
        }
    }

    fn open(name: &OsStr) -> io::Result<Self> {
        Self::new(Descriptor::Own(open(name)?))
    }

    /// Opens a regular file that was [looked at](look), without asking again.
    ///
    /// # Errors
    /// The system's error.
    pub fn open_regular(name: &OsStr, facts: &Facts) -> io::Result<Self> {
        let file = Descriptor::Own(open(name)?);
        Ok(Self { file, record_size: facts.record_size, apparent_size: facts.size })
    }

    /// Reads go to the descriptor itself: std's own handle takes a closed one for an empty file.
    fn standard_input() -> io::Result<Self> {
        Self::new(Descriptor::Standard(system::standard_file(Standard::Input)?))
    }

    fn new(file: Descriptor) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            // Not every system's read(2) refuses a directory.
            return Err(io::Error::from_raw_os_error(libc::EISDIR));
        }
        let apparent_size = if metadata.is_file() { metadata.len() } else { 0 };
        Ok(Self { file, record_size: metadata.blksize(), apparent_size })
    }

    /// Whether it is a regular file, all of which is there to be read.
    pub fn is_regular(&self) -> bool {
        self.file.metadata().is_ok_and(|metadata| metadata.is_file())
    }

    /// The file, to be read from several threads.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Where the next read begins, in bytes from the file's start.
    ///
    /// # Errors
    /// The system's error, such as `ESPIPE` for a pipe.
    pub fn position(&self) -> io::Result<u64> {
        (&*self.file).stream_position()
    }

    /// Moves to where the next read begins.
    ///
    /// # Errors
    /// As [`Input::position`].
    pub fn move_to(&self, position: u64) -> io::Result<()> {
        (&*self.file).seek(SeekFrom::Start(position)).map(drop)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.file).read(buffer)
    }
}

fn open(name: &OsStr) -> io::Result<File> {
    let file = File::open(name)?;
    // Above the standard descriptors, or /dev/stdin would be this file.
    if system::has_closed_descriptors() { file.try_clone() } else { Ok(file) }
}

/// Links that Linux follows from one name.
const MAX_LINKS: usize = 40;

/// Whether a name may stand for an open descriptor of ours, as that of standard input does.
pub fn may_be_descriptor(name: &OsStr) -> bool {
    ["/dev", "/proc"].iter().any(|folder| Path::new(name).starts_with(folder))
}

/// Device and number of what an open descriptor of ours may stand for; nothing for what has a name of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity(Option<(u64, u64)>);

impl Identity {
    /// That of standard input and of files in /dev and /proc, which may be other names of it.
    ///
    /// # Errors
    /// The system's error.
    pub fn of(source: &Source) -> io::Result<Self> {
        let metadata = match source {
            Source::StandardInput => Input::standard_input()?.file.metadata()?,
            Source::File(name) if may_be_descriptor(name) => fs::metadata(name)?,
            Source::File(_) | Source::Text(_) => return Ok(Self(None)),
        };
        Ok(Self(Some((metadata.dev(), metadata.ino()))))
    }

    /// Whether a source is another name of it.
    ///
    /// # Errors
    /// The system's error.
    pub fn is_of(self, source: &Source) -> io::Result<bool> {
        Ok(self.0.is_some() && Self::of(source)? == self)
    }
}

/// What the file system says of a file that is not open.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// Whether it is a regular file by a name of its own, which can be read at any time without anybody else seeing it.
    pub is_regular: bool,
    /// The device it is on (`st_dev`).
    pub device: u64,
    /// Bytes it seems to have (`st_size`).
    pub size: u64,
    /// Bytes in a record of the store (`st_blksize`).
    pub record_size: u64,
}

impl Facts {
    /// Bytes it seems to have, if it is what tells.
    pub fn bytes(&self) -> Option<u64> {
        self.is_regular.then_some(self.size)
    }
}

/// Asks for the facts of the file of this name.
///
/// # Errors
/// The system's error, or `EISDIR` for a directory.
pub fn look(name: &OsStr) -> io::Result<Facts> {
    let path = Path::new(name);
    let own = fs::symlink_metadata(path)?;
    let is_descriptor = may_be_descriptor(name) || (own.is_symlink() && leads_to_descriptor(path, own.dev()));
    let metadata = if own.is_symlink() { fs::metadata(path)? } else { own };
    if metadata.is_dir() {
        // One that may not be opened says so first.
        let denied = File::open(name).err().filter(|error| error.kind() == ErrorKind::PermissionDenied);
        return Err(denied.unwrap_or_else(|| io::Error::from_raw_os_error(libc::EISDIR)));
    }
    Ok(Facts {
        is_regular: metadata.is_file() && !is_descriptor,
        device: metadata.dev(),
        size: metadata.len(),
        record_size: metadata.blksize(),
    })
}

/// Whether a link on this device leads to an open descriptor of ours, which may be that of another input: by way of a link that
/// Linux' /proc makes up.
fn leads_to_descriptor(link: &Path, device: u64) -> bool {
    static PROC: LazyLock<Option<u64>> = LazyLock::new(|| fs::metadata("/proc").ok().map(|metadata| metadata.dev()));
    let (mut link, mut device) = (link.to_owned(), device);
    for _ in 0..MAX_LINKS {
        if Some(device) == *PROC {
            return true;
        }
        let Ok(target) = fs::read_link(&link) else { return false };
        link = link.parent().map(|folder| folder.join(&target)).unwrap_or(target);
        match fs::symlink_metadata(&link) {
            Ok(metadata) if metadata.is_symlink() => device = metadata.dev(),
            _ => return false,
        }
    }
    true
}

/// Whether it is a regular file, which can be opened and read without waiting for anybody.
pub fn is_regular(name: &OsStr) -> bool {
    fs::metadata(Path::new(name)).is_ok_and(|metadata| metadata.is_file())
}

/// Whether something could not be opened only because too many others are open.
pub fn is_short_of_descriptors(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

/// Standard output, unbuffered. Writes go to the descriptor itself: std's own handle takes a closed one for /dev/null.
#[derive(Debug)]
pub struct Output(io::Result<ManuallyDrop<File>>);

impl Output {
    /// Standard output as it is; when it cannot be had, each write says why.
    pub fn standard() -> Self {
        Self(system::standard_file(Standard::Output))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Ok(file) => file.write(bytes),
            Err(error) => Err(error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether there is a file, or a link to nowhere, of this name.
pub fn exists(name: &OsStr) -> bool {
    fs::symlink_metadata(Path::new(name)).is_ok()
}
