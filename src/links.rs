//! Links of the family's names to the running program.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::{env, fs, process};

/// The running program's file.
///
/// # Errors
/// When the system does not tell, or the file is gone.
pub fn program() -> io::Result<PathBuf> {
    fs::canonicalize(env::current_exe()?)
}

/// A link that leads to the program.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    /// What it holds.
    pub target: PathBuf,
    /// Whether it was there before.
    pub was_there: bool,
}

/// Where links are made, and where they lead.
#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
    program: PathBuf,
    /// The program's path as seen from the folder.
    target: PathBuf,
}

impl Place {
    /// A folder with links to a program, of which this is the canonical path.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn new(folder: &OsStr, program: PathBuf) -> io::Result<Self> {
        let folder = fs::canonicalize(folder)?;
        // Only a folder can be listed.
        fs::read_dir(&folder)?;
        let target = relative(&folder, &program);
        Ok(Self { folder, program, target })
    }

    /// Sees to it that the name leads to the program; none where it is the program itself. With `force`, what else has the
    /// name is replaced, unless it is a folder.
    ///
    /// # Errors
    /// When something else has the name, or the link cannot be made.
    pub fn link(&self, name: &str, force: bool) -> io::Result<Option<Link>> {
        let path = self.folder.join(name);
        let made = || Some(Link { target: self.target.clone(), was_there: false });
        let taken = match symlink(&self.target, &path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => error,
            result => return result.map(|()| made()),
        };
        let is_program = fs::canonicalize(&path).is_ok_and(|file| file == self.program);
        match fs::read_link(&path) {
            Ok(target) if is_program => Ok(Some(Link { target, was_there: true })),
            Err(_) if is_program => Ok(None),
            _ if force => self.replace(name).map(|()| made()),
            _ => Err(taken),
        }
    }

    /// Puts a link in the place of a file or a link at once; the system refuses to do so with a folder.
    fn replace(&self, name: &str) -> io::Result<()> {
        let temporary = self.folder.join(format!(".{name}.{}", process::id()));
        symlink(&self.target, &temporary)?;
        fs::rename(&temporary, self.folder.join(name)).inspect_err(|_| drop(fs::remove_file(&temporary)))
    }
}

/// The way from a folder to a file, both by their canonical paths.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let shared = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(file.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_the_program_is_as_short_as_it_can_be() {
        for (folder, file, way) in [
            ("/opt/bin", "/opt/bin/md5", "md5"),
            ("/opt/bin", "/opt/lib/x/md5", "../lib/x/md5"),
            ("/opt", "/opt/bin/md5", "bin/md5"),
            ("/", "/md5", "md5"),
            ("/a/b", "/md5", "../../md5"),
            ("/opt/bin", "/opt/binary/md5", "../binary/md5"),
        ] {
            assert_eq!(relative(Path::new(folder), Path::new(file)), Path::new(way));
        }
    }
}
