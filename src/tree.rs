//! The files of a folder and of all folders in it.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::iter;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use walkdir::{DirEntry, IntoIter, WalkDir};

use crate::plan::Walk;
use crate::source;

/// What a [`Tree`] holds. Names start with that of the tree.
#[derive(Debug)]
pub enum Found {
    /// A file.
    File(OsString),
    /// What is none, and what it is.
    Skipped(OsString, &'static str),
    /// What could not be looked at.
    Unreadable(OsString, io::Error),
    /// A folder that could not be opened for now: too many others are open, or the call was interrupted.
    TryAgain(OsString, io::Error),
}

/// A folder's files, in the order of their names' bytes: that of `LC_ALL=C sort`.
#[derive(Debug)]
pub struct Tree {
    /// The folder that was come to last, behind those it is in.
    folders: Vec<OsString>,
    walk: Walk,
    entries: IntoIter,
}

impl Tree {
    /// What is below a folder. What is no folder, or a link to one, is its own only file.
    pub fn new(name: &OsStr, walk: Walk) -> Self {
        let entries = WalkDir::new(name)
            .follow_links(walk.follow)
            .same_file_system(walk.one_file_system)
            .sort_by(move |one, other| path_bytes(one, walk).cmp(path_bytes(other, walk)))
            .into_iter();
        Self { folders: vec![name.to_owned()], walk, entries }
    }

    /// What an entry is to whoever reads files.
    fn found(&self, entry: DirEntry) -> Option<Found> {
        let kind = entry.file_type();
        let is_own = entry.depth() == 0;
        if kind.is_dir() || (is_own && entry.path().is_dir()) {
            None
        } else if kind.is_file() || is_own {
            Some(Found::File(entry.into_path().into()))
        } else {
            let what = match kind {
                _ if kind.is_symlink() => "a symbolic link",
                _ if kind.is_fifo() => "a FIFO",
                _ if kind.is_socket() => "a socket",
                _ => "a device",
            };
            self.walk.warn.then(|| Found::Skipped(entry.into_path().into(), what))
        }
    }

    fn unreadable(&self, error: walkdir::Error) -> Found {
        // Without a path, it is that of something in a folder, or of reading on in it.
        let is_folder = error.path().is_some();
        let depth = error.depth().clamp(1, self.folders.len());
        let name = error.path().map_or(&*self.folders[depth - 1], Path::as_os_str).to_owned();
        // Without an error of the system, it is a link to a folder that it is in.
        let error = error.into_io_error().unwrap_or_else(|| io::Error::from_raw_os_error(libc::ELOOP));
        let is_passing = source::is_short_of_descriptors(&error) || error.kind() == ErrorKind::Interrupted;
        if is_folder && is_passing { Found::TryAgain(name, error) } else { Found::Unreadable(name, error) }
    }
}

impl Iterator for Tree {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            match self.entries.next()? {
                Err(error) => return Some(self.unreadable(error)),
                Ok(entry) => {
                    if entry.file_type().is_dir() {
                        self.folders.truncate(entry.depth());
                        self.folders.push(entry.path().as_os_str().to_owned());
                    }
                    if let Some(found) = self.found(entry) {
                        return Some(found);
                    }
                }
            }
        }
    }
}

/// The bytes by which an entry is sorted: a folder's name is followed by a slash in the names of its files. Where a link leads
/// is asked only when the other name goes on.
fn path_bytes(entry: &DirEntry, walk: Walk) -> impl Iterator<Item = &u8> {
    let kind = entry.file_type();
    let is_folder = move || kind.is_dir() || (walk.follow && kind.is_symlink() && entry.path().is_dir());
    let slash = iter::once_with(move || is_folder().then_some(&b'/')).flatten();
    entry.file_name().as_bytes().iter().chain(slash)
}
