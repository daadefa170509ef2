//! The few system calls no crate wraps, and what the process looked like before Rust's runtime changed it.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

/// A standard descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standard {
    /// Descriptor 0.
    Input = 0,
    /// Descriptor 1.
    Output = 1,
    /// Descriptor 2.
    Error = 2,
}

/// One bit for each standard descriptor that was closed when the process started.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Whether the parent had SIGPIPE ignored.
static SIGPIPE_WAS_IGNORED: AtomicBool = AtomicBool::new(false);

/// Run by the C library before Rust's runtime, which opens /dev/null in place of closed descriptors and ignores SIGPIPE.
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: extern "C" fn() = look;

extern "C" fn look() {
    for descriptor in 0..3 {
        // SAFETY: F_GETFD takes no pointer and changes nothing, whatever the descriptor.
        if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
        }
    }
    // SAFETY: a sigaction of zeros is valid, and without a new action the call only fills it in.
    let action = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGPIPE, std::ptr::null(), &mut action);
        action
    };
    SIGPIPE_WAS_IGNORED.store(action.sa_sigaction == libc::SIG_IGN, Ordering::Relaxed);
}

/// Fails as a call on the descriptor itself would have, when it was closed at the start.
///
/// # Errors
/// `EBADF` when it was closed.
pub fn ensure_open(standard: Standard) -> io::Result<()> {
    if CLOSED.load(Ordering::Relaxed) & (1 << standard as u8) == 0 {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(libc::EBADF))
    }
}

/// Undoes what Rust's runtime did before `main`: SIGPIPE ends the process again, unless the parent ignored it, and a
/// closed standard input is closed again, so that /dev/stdin is no empty file.
pub fn restore() {
    if !SIGPIPE_WAS_IGNORED.load(Ordering::Relaxed) {
        // SAFETY: the default action is no handler of ours.
        unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    }
    if ensure_open(Standard::Input).is_err() {
        // SAFETY: descriptor 0 holds the runtime's /dev/null, which nothing has borrowed: we never use std's stdin then.
        unsafe { libc::close(0) };
    }
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
