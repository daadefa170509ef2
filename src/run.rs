//! Takes a plan's steps in order: has inputs digested, compares, writes, and counts what went wrong.

use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::algorithm::{Algorithm, Checksums};
use crate::links::{self, Place};
use crate::message::Messages;
use crate::meter::METER;
use crate::operands::Operands;
use crate::outcome::Tally;
use crate::plan::{Job, Links, Plan, Source, Step};
use crate::progress::Progress;
use crate::pump::{self, Failure};
use crate::report::Report;
use crate::sandbox::Sandbox;
use crate::source::Input;
use crate::system::Standard;
use crate::{check, crew, passing, selftest, system, timetrial};

/// Does what the plan says and tells what went wrong. Lines go to `out` as soon as they are known, messages to `err`.
///
/// A failed write of `out` ends the run, with a message unless it is a closed pipe.
pub fn run(plan: &Plan, sandbox: &Sandbox, out: &mut (dyn Write + Send), err: &mut (dyn Write + Send)) -> Tally {
    let progress = Progress::of(plan);
    let mut out = Progress::beside(progress.as_ref(), out, true);
    let mut err = Progress::beside(progress.as_ref(), err, false);
    let mut report = Report::new(plan, &mut out, &mut err);
    let mut work = || take_all(plan, sandbox, &mut report);
    let result = match &progress {
        Some(progress) => progress.during(plan, work),
        None => work(),
    };
    report.end(result)
}

/// The error is that of writing the output, which ends it.
fn take_all(plan: &Plan, sandbox: &Sandbox, report: &mut Report) -> io::Result<()> {
    // Files in a row may be digested at once; all else is done by itself.
    let mut groups = plan.steps.chunk_by(|one, other| is_plain(one) && is_plain(other));
    groups.try_for_each(|group| take(plan, sandbox, group, report))
}

/// Whether a step is no more than the digests of inputs.
fn is_plain(step: &Step) -> bool {
    match step {
        Step::Digest(job) => !job.pass_through,
        Step::DigestListed(_) => true,
        _ => false,
    }
}

/// Takes steps that go together. The error is that of writing the output.
fn take(plan: &Plan, sandbox: &Sandbox, steps: &[Step], report: &mut Report) -> io::Result<()> {
    match steps {
        [Step::Print(text)] => report.write(text.as_bytes()),
        [Step::TellSandbox] => report.write(format!("{sandbox}\n").as_bytes()),
        [Step::Complain(text)] => {
            report.complain(text);
            Ok(())
        }
        [Step::TimeTrial] => plan.algorithms.iter().try_for_each(|algorithm| time_trial(algorithm, report)),
        [Step::SelfTest] => plan.algorithms.iter().try_for_each(|algorithm| self_test(algorithm, report)),
        [Step::Check(check)] => check::check(plan.resources, check, report),
        [Step::InstallLinks(links)] => install_links(plan, links, report),
        [Step::Digest(job)] if job.pass_through => pass_through(plan, job, report),
        steps => crew::run(plan.resources, &mut Operands::new(plan, steps), report),
    }
}

fn time_trial(algorithm: &Algorithm, report: &mut Report) -> io::Result<()> {
    report.write(timetrial::heading(algorithm).as_bytes())?;
    report.show()?;
    let before = system::user_time();
    let digest = timetrial::digest(algorithm);
    let time = system::user_time().saturating_sub(before);
    report.write(timetrial::report(&digest, time).as_bytes())
}

fn self_test(algorithm: &Algorithm, report: &mut Report) -> io::Result<()> {
    report.write(selftest::heading(algorithm).as_bytes())?;
    for (line, is_right) in selftest::lines(algorithm) {
        report.tally.wrong_answers += u64::from(!is_right);
        report.write(line.as_bytes())?;
    }
    Ok(())
}

fn install_links(plan: &Plan, links: &Links, report: &mut Report) -> io::Result<()> {
    match place(plan, links) {
        Ok(place) => links.names.iter().try_for_each(|name| {
            let path = Path::new(&links.folder).join(name);
            report.link(path.as_os_str().as_bytes(), place.link(name, links.force))
        }),
        Err((name, error)) => report.link(name, Err(error)),
    }
}

/// Where the links are made; the error has the name of what is not there.
fn place<'a>(plan: &'a Plan, links: &'a Links) -> Result<Place, (&'a [u8], io::Error)> {
    let program = links::program().map_err(|error| (plan.program.as_slice(), error))?;
    Place::new(&links.folder, program).map_err(|error| (links.folder.as_bytes(), error))
}

fn pass_through(plan: &Plan, job: &Job, report: &mut Report) -> io::Result<()> {
    system::enlarge_pipe(Standard::Output, pump::DEFAULT_BUFFER_SIZE);
    match pass(plan, &job.source, report.output()?) {
        Err(Failure::Output(error)) => Err(error),
        Err(Failure::Input(error)) => report.digest(job, Err(error)),
        Ok(checksums) => report.digest(job, Ok(checksums)),
    }
}

fn pass(plan: &Plan, source: &Source, copy: &mut dyn Write) -> Result<Checksums, Failure> {
    let mut input = Input::of(source).map_err(Failure::Input)?;
    METER.at(source.name());
    let size = pump::buffer_size(plan.resources.buffer_size, input.record_size);
    let messages = Messages::new(&plan.algorithms, plan.mode, plan.resources).map_err(Failure::Input)?;
    passing::pass(&mut input, size, messages, copy)
}
