//! The few system calls no crate wraps, and what a C program's `main` is given.

use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::meter::METER;

/// A standard descriptor that is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standard {
    /// Descriptor 0.
    Input = 0,
    /// Descriptor 1.
    Output = 1,
}

/// One bit for each standard descriptor that was closed when the process started.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Notes which standard descriptors are closed, before a file is opened and gets the number of one.
pub fn note_closed_descriptors() {
    for standard in [Standard::Input, Standard::Output] {
        // SAFETY: F_GETFD takes no pointer and changes nothing, whatever the descriptor.
        if unsafe { libc::fcntl(standard as c_int, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << standard as u8, Ordering::Relaxed);
        }
    }
}

/// Fails as a call on the descriptor itself would have at the start, when it was closed then.
///
/// # Errors
/// `EBADF` when it was closed.
fn ensure_open(standard: Standard) -> io::Result<()> {
    if CLOSED.load(Ordering::Relaxed) & (1 << standard as u8) == 0 {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(libc::EBADF))
    }
}

/// Whether a file that is opened can get a standard descriptor's number.
pub fn has_closed_descriptors() -> bool {
    CLOSED.load(Ordering::Relaxed) != 0
}

/// A standard descriptor as a file that is not closed when it is dropped. Unlike std's handles it reports a closed one.
///
/// # Errors
/// `EBADF` when it was closed at the start.
pub fn standard_file(standard: Standard) -> io::Result<ManuallyDrop<File>> {
    ensure_open(standard)?;
    // SAFETY: the descriptor is open, and nothing in the program closes it.
    Ok(ManuallyDrop::new(unsafe { File::from_raw_fd(standard as c_int) }))
}

/// Lets a pipe on a standard descriptor hold `size` bytes, so that a whole buffer goes into it at once and its reader is woken
/// once. A pipe that cannot be enlarged, and what is no pipe, stays as it is.
pub fn enlarge_pipe(standard: Standard, size: usize) {
    #[cfg(target_os = "linux")]
    if let Ok(size) = c_int::try_from(size) {
        // SAFETY: these commands take no pointer, and fail for what is no pipe.
        unsafe {
            if libc::fcntl(standard as c_int, libc::F_GETPIPE_SZ) < size {
                libc::fcntl(standard as c_int, libc::F_SETPIPE_SZ, size);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (standard, size);
}

/// The signal that asks how far a run is: SIGINFO where there is one, else SIGUSR1.
#[cfg(any(
    target_os = "macos",
    target_os = "freebsd",
    target_os = "openbsd",
    target_os = "netbsd",
    target_os = "dragonfly"
))]
const STATUS_SIGNAL: c_int = libc::SIGINFO;
#[cfg(not(any(
    target_os = "macos",
    target_os = "freebsd",
    target_os = "openbsd",
    target_os = "netbsd",
    target_os = "dragonfly"
)))]
const STATUS_SIGNAL: c_int = libc::SIGUSR1;

/// Has a line written to standard error whenever the signal comes that asks how far the run is. Without it, what asks such a
/// question on Linux would end the process.
pub fn answer_status_signal() {
    let answer = || {
        let line = METER.look().status_line();
        // SAFETY: the bytes live until the call ends. Where they cannot be written, nobody is told: the run goes on.
        unsafe { libc::write(libc::STDERR_FILENO, line.bytes().as_ptr().cast(), line.bytes().len()) };
    };
    // SAFETY: the handler reads atomics and the clock, formats into an array and writes, all of which signal-safety(7) allows;
    // it takes no lock and no memory, and the crate keeps errno.
    let _ = unsafe { signal_hook_registry::register(STATUS_SIGNAL, answer) };
}

/// Has the C library give back each large piece of memory when it is freed. glibc keeps such in its heap after the first one
/// that was freed, in pieces that are of no use later: where memory is short, small ones then find none.
pub fn give_back_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call changes a number of the allocator's, which has no other thread yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
    }
}

/// The arguments of `main`, the program's name first.
///
/// # Safety
/// `argv` points to `argc` pointers to strings that end with a zero byte.
pub unsafe fn arguments(argc: c_int, argv: *const *const c_char) -> impl Iterator<Item = OsString> {
    let count = usize::try_from(argc).unwrap_or_default();
    (0..count).map(move |index| {
        // SAFETY: the caller vouches for the first `argc` pointers and their strings.
        let argument = unsafe { CStr::from_ptr(*argv.add(index)) };
        OsStr::from_bytes(argument.to_bytes()).to_owned()
    })
}

/// The processor time this process has spent outside the kernel (getrusage(2)).
pub fn user_time() -> Duration {
    // SAFETY: a rusage of zeros is valid, and the call only fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = u64::try_from(usage.ru_utime.tv_sec).unwrap_or_default();
    let microseconds = u64::try_from(usage.ru_utime.tv_usec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_micros(microseconds)
}
