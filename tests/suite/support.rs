//! A folder to run the program in, and what a run gave.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bsdigest::invocation::Dialect;
use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_md5");

/// MD5 of `alpha\n`, and of nothing.
pub const ALPHA_MD5: &str = "9f9f90dbe3e5ee1218c86b8839db1995";
pub const EMPTY_MD5: &str = "d41d8cd98f00b204e9800998ecf8427e";

/// Where files are in memory.
const MEMORY: &str = "/dev/shm";

/// Whether a folder has room for the files of all tests at once.
fn has_room(folder: &str) -> bool {
    let output = Command::new("df").args(["-Pk", folder]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let kibibytes = text.lines().nth(1).and_then(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok());
    kibibytes.is_some_and(|kibibytes| kibibytes >= 256 << 10)
}

/// A folder of its own, removed at the end.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder in memory where the system has such and room in it, so that holes of files take no time.
    pub fn in_memory() -> Self {
        let in_memory = has_room(MEMORY).then(|| TempDir::new_in(MEMORY).ok()).flatten();
        Self(in_memory.unwrap_or_else(|| TempDir::new().unwrap()))
    }

    /// Whether it is in memory; says so where it is not.
    pub fn is_in_memory(&self) -> bool {
        let is_in_memory = self.0.path().starts_with(MEMORY);
        if !is_in_memory {
            eprintln!("left out: no folder in memory, or no room in it");
        }
        is_in_memory
    }

    /// A folder with a file `a` that holds `alpha\n`.
    pub fn with_alpha() -> Self {
        Self::new().file("a", "alpha\n")
    }

    pub fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.path().join(Path::new(name.as_ref()))
    }

    pub fn file(self, name: impl AsRef<OsStr>, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// The program by this name, to be run in the folder.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg0(name).current_dir(self.0.path()).env_remove("POSIXLY_CORRECT").stdin(Stdio::null());
        command
    }

    pub fn run<A: AsRef<OsStr>>(&self, name: &str, args: impl IntoIterator<Item = A>) -> Ran {
        self.program(name).args(args).output().unwrap().into()
    }

    pub fn run_with_input<A: AsRef<OsStr>>(
        &self,
        name: &str,
        args: impl IntoIterator<Item = A>,
        input: impl AsRef<[u8]>,
    ) -> Ran {
        feed(self.program(name).args(args), input.as_ref())
    }

    /// A folder with links of the family's names to the program.
    pub fn links(&self) -> PathBuf {
        let links = self.path(".links");
        if fs::create_dir(&links).is_ok() {
            let names = Dialect::ALL.map(Dialect::names).concat();
            names.iter().for_each(|name| symlink(PROGRAM, links.join(name)).unwrap());
        }
        links
    }

    /// Runs a shell script that finds the program by the family's names.
    pub fn shell(&self, script: &str) -> Ran {
        let path = format!("{}:{}", self.links().display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .current_dir(self.0.path())
            .env("PATH", path)
            .env_remove("POSIXLY_CORRECT")
            .stdin(Stdio::null());
        command.output().unwrap().into()
    }
}

/// Whether there is such a program; says so where there is none.
pub fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&paths).any(|folder| folder.join(program).is_file());
    if !is_there {
        eprintln!("left out: {program} is not there");
    }
    is_there
}

/// Runs a command with this standard input.
pub fn feed(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A program that does not read its input closes the pipe.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap().into()
    })
}

/// What a run gave. A run that a signal ended has 128 and the signal's number as its status.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub status: i32,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let status = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or_default());
        Self { stdout: output.stdout, stderr: output.stderr, status }
    }
}

impl Ran {
    /// Standard output, standard error and the status, to be compared with what was promised.
    pub fn text(&self) -> (&str, &str, i32) {
        let utf8 = |bytes| std::str::from_utf8(bytes).expect("this run's output is text");
        (utf8(&self.stdout), utf8(&self.stderr), self.status)
    }
}
