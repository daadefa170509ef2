//! The line on the terminal that tells how far a run is, and a survey of what there is to do.

use std::io::{self, IsTerminal, Write};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::meter::METER;
use crate::plan::{Plan, Step};
use crate::survey::Survey;

/// From one line to the next.
const TICK: Duration = Duration::from_millis(100);

/// How long the survey goes on in a tick: it costs no more than a hundredth of a processor.
const SURVEY_TIME: Duration = Duration::from_millis(1);

/// Ticks before the first line: what is done sooner needs none.
const PATIENCE: u32 = 3;

/// Columns beside the file's name for what is told of it.
const FIGURES: usize = 64;

/// The least columns for the file's name.
const NAME: usize = 16;

/// Columns of a terminal that does not tell.
const USUAL: usize = 80;

/// A line on the terminal.
#[derive(Debug)]
pub struct Progress {
    terminal: Term,
    bar: ProgressBar,
    /// Whether standard output is on the same terminal.
    is_beside_output: bool,
    is_over: Mutex<bool>,
    news: Condvar,
}

impl Progress {
    /// One for a plan that asks for it, if standard error is a terminal that nothing else fills.
    pub fn of(plan: &Plan) -> Option<Self> {
        if !plan.progress || !io::stderr().is_terminal() {
            return None;
        }
        let is_beside_output = io::stdout().is_terminal();
        if !plan.steps.iter().any(reads)
            || (is_beside_output && !plan.steps.iter().all(|step| writes_lines(plan, step)))
        {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template("{msg}").expect("it is one"));
        Some(Self { terminal: Term::stderr(), bar, is_beside_output, is_over: Mutex::new(false), news: Condvar::new() })
    }

    /// Shows the line while `work` is done.
    pub fn during<T>(&self, plan: &Plan, work: impl FnOnce() -> T) -> T {
        thread::scope(|scope| {
            // Where there is no thread to be had, there is no line.
            let _ = thread::Builder::new().spawn_scoped(scope, || self.watch(plan));
            let result = work();
            *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.news.notify_all();
            result
        })
    }

    /// What is written to standard error, or to standard output, without the line being in its way.
    pub fn beside<'a>(progress: Option<&'a Self>, standard: &'a mut (dyn Write + Send), is_output: bool) -> Beside<'a> {
        let bar = progress.filter(|progress| !is_output || progress.is_beside_output).map(|progress| &progress.bar);
        Beside { standard, bar }
    }

    fn watch(&self, plan: &Plan) {
        let mut survey = Survey::of(plan);
        let mut ticks = 0;
        while !self.is_over_after(TICK) {
            ticks += 1;
            let all = survey.as_mut().and_then(|survey| survey.go_on(Instant::now() + SURVEY_TIME));
            if let Some(all) = all {
                METER.surveyed(all);
            }
            if ticks >= PATIENCE {
                self.draw();
            }
        }
        METER.set_shown(false);
        self.bar.finish_and_clear();
    }

    fn is_over_after(&self, time: Duration) -> bool {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        *self.news.wait_timeout_while(is_over, time, |is_over| !*is_over).unwrap_or_else(PoisonError::into_inner).0
    }

    fn draw(&self) {
        let mut look = METER.look();
        if let Some(bytes) = look.all.and_then(|all| all.bytes) {
            self.bar.set_length(bytes);
        }
        self.bar.set_position(look.bytes);
        // What it was of late says more than what it was on the whole.
        look.speed = self.bar.per_sec();
        let columns = match self.terminal.size().1 {
            0 => USUAL,
            columns => columns.into(),
        };
        let line = look.line(columns.saturating_sub(FIGURES).max(NAME));
        METER.set_shown(true);
        self.bar.set_message(String::from_utf8_lossy(line.bytes()).into_owned());
    }
}

/// A stream whose text may stand on the terminal that shows the line.
pub struct Beside<'a> {
    standard: &'a mut (dyn Write + Send),
    bar: Option<&'a ProgressBar>,
}

impl Write for Beside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.bar {
            Some(bar) => bar.suspend(|| self.standard.write(bytes)),
            None => self.standard.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.standard.flush()
    }
}

/// Whether a step reads files, so that it may take long.
fn reads(step: &Step) -> bool {
    matches!(step, Step::Digest(_) | Step::DigestListed(_) | Step::Check(_))
}

/// Whether what a step writes leaves the terminal at the start of a line.
fn writes_lines(plan: &Plan, step: &Step) -> bool {
    let passes_through = matches!(step, Step::Digest(job) if job.pass_through);
    !passes_through && !matches!(step, Step::TimeTrial) && plan.style.terminator == b'\n'
}
