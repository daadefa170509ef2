//! Gives up what digests do not need, before the first byte of an input is read: whoever finds a fault in what reads it can do
//! no more than read.
//!
//! On Linux with Landlock (its newest rights that the kernel has) and no_new_privs(2const); on OpenBSD with pledge(2); on FreeBSD
//! with Capsicum where no file is to be opened, as what is opened later would need a helper process. Best effort: where there is
//! none of these, all goes on as without.

use std::fmt;

use crate::plan::{Plan, Step};

/// What was given up.
#[derive(Debug, Default)]
pub struct Sandbox {
    protections: Vec<String>,
}

impl Sandbox {
    /// Enters it, unless the plan is to make links.
    pub fn enter(plan: &Plan) -> Self {
        let makes_links = plan.steps.iter().any(|step| matches!(step, Step::InstallLinks(_)));
        if makes_links { Self::default() } else { Self { protections: protect(plan) } }
    }
}

impl fmt::Display for Sandbox {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.protections.as_slice() {
            [] => formatter.write_str("sandbox: none"),
            protections => write!(formatter, "sandbox: {}", protections.join(", ")),
        }
    }
}

/// No file is written, created, removed or executed, no device controlled, no address of the network bound or connected, no
/// signal sent and no abstract socket connected outside. Descriptors that are open stay as they are.
#[cfg(target_os = "linux")]
fn protect(_: &Plan) -> Vec<String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr, RulesetError,
        RulesetStatus, Scope,
    };

    const NEWEST: ABI = ABI::V10;
    let restrict = || -> Result<RestrictionStatus, RulesetError> {
        Ruleset::default()
            .handle_access(AccessFs::from_write(NEWEST) | AccessFs::Execute)?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?
            .restrict_self()
    };
    let Ok(status) = restrict() else { return Vec::new() };
    let landlock = match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => None,
        (_, LandlockStatus::Available { effective_abi, .. }) => Some(format!("Landlock {}", effective_abi as i32)),
        _ => None,
    };
    landlock.into_iter().chain(status.no_new_privs.then(|| "no new privileges".to_owned())).collect()
}

/// Nothing but reading files and writing to what is open.
#[cfg(target_os = "openbsd")]
fn protect(plan: &Plan) -> Vec<String> {
    let promises = if plan.progress { "stdio rpath tty" } else { "stdio rpath" };
    pledge::pledge(promises, "").map(|()| format!("pledge {promises}")).into_iter().collect()
}

/// Nothing but the open descriptors.
#[cfg(target_os = "freebsd")]
fn protect(plan: &Plan) -> Vec<String> {
    use crate::plan::Source;

    let opens_nothing = |step: &Step| match step {
        Step::Digest(job) => !matches!(job.source, Source::File(_)),
        Step::Check(_) | Step::DigestListed(_) | Step::InstallLinks(_) => false,
        Step::Print(_) | Step::Complain(_) | Step::TimeTrial | Step::SelfTest | Step::TellSandbox => true,
    };
    let is_entered = plan.steps.iter().all(opens_nothing) && capsicum::enter().is_ok();
    is_entered.then(|| "Capsicum".to_owned()).into_iter().collect()
}

#[cfg(not(any(target_os = "linux", target_os = "openbsd", target_os = "freebsd")))]
fn protect(_: &Plan) -> Vec<String> {
    Vec::new()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, File};
    use std::io::{self, ErrorKind};
    use std::net::{TcpListener, TcpStream};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
    use std::process::{self, Command};
    use std::thread;

    use super::*;
    use crate::cli;
    use crate::invocation::Dialect;

    /// What a thread that has entered the sandbox sees of it; others of the process are free.
    fn inside<T: Send + 'static>(arguments: &[&str], see: impl FnOnce(Sandbox) -> T + Send + 'static) -> T {
        let plan = cli::plan(&Dialect::Bsd.invocation(), arguments.iter().map(Into::into), false);
        thread::spawn(move || see(Sandbox::enter(&plan))).join().unwrap()
    }

    /// The rights the kernel has: 0 without Landlock.
    fn rights(sandbox: &Sandbox) -> u32 {
        let told = sandbox.protections.iter().find_map(|protection| protection.strip_prefix("Landlock "));
        told.map_or(0, |rights| rights.parse().unwrap())
    }

    fn is_denied<T>(result: io::Result<T>) -> bool {
        result.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    /// Asks whether a signal may be sent.
    fn signal(process: u32) -> io::Result<()> {
        // SAFETY: the call takes no pointer, and signal 0 is none.
        #[allow(unsafe_code, reason = "a system call")]
        let result = unsafe { libc::kill(process.cast_signed(), 0) };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    #[test]
    fn inside_nothing_is_written_executed_connected_or_signalled_but_all_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        fs::write(path.join("a"), "alpha\n").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let name = SocketAddr::from_abstract_name(format!("bsdigest-test-{}", process::id())).unwrap();
        let _abstract_listener = UnixListener::bind_addr(&name).unwrap();
        let mut process_outside = Command::new("sleep").arg("60").spawn().unwrap();
        let outside = process_outside.id();
        assert!(signal(outside).is_ok());
        let rights = inside(&["a"], move |sandbox| {
            let rights = rights(&sandbox);
            assert_eq!(fs::read(path.join("a")).unwrap(), b"alpha\n");
            assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
            if rights >= 1 {
                assert!(is_denied(fs::write(path.join("b"), "new")));
                assert!(is_denied(File::options().append(true).open(path.join("a"))));
                assert!(is_denied(fs::remove_file(path.join("a"))));
                assert!(is_denied(fs::create_dir(path.join("d"))));
                assert!(is_denied(symlink("a", path.join("link"))));
                assert!(is_denied(Command::new("/bin/true").status()));
            }
            if rights >= 3 {
                assert!(is_denied(File::options().write(true).truncate(true).open(path.join("a"))));
            }
            if rights >= 4 {
                assert!(is_denied(TcpStream::connect(address)));
                assert!(is_denied(TcpListener::bind("127.0.0.1:0")));
            }
            if rights >= 6 {
                assert!(is_denied(UnixStream::connect_addr(&name)));
                assert!(is_denied(signal(outside)));
                assert!(signal(process::id()).is_ok(), "its own threads");
            }
            rights
        });
        process_outside.kill().unwrap();
        process_outside.wait().unwrap();
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"alpha\n");
        if rights == 0 {
            println!("left out: this kernel has no Landlock");
        }
    }

    #[test]
    fn making_links_stays_possible() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made");
        let made = path.clone();
        inside(&["--install-links", "."], move |_| fs::write(made, "").unwrap());
        assert!(path.exists());
    }
}
