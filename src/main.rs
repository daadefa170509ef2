//! The program: argv, arguments and the real streams → [`run`](bsdigest::run::run) → exit status.

use std::env;
use std::io;
use std::process::ExitCode;

use bsdigest::invocation::Invocation;
use bsdigest::source::Output;
use bsdigest::{cli, run, system};

fn main() -> ExitCode {
    system::restore();
    let mut args = env::args_os();
    let invocation = Invocation::from_argv0(&args.next().unwrap_or_default());
    let options_first = env::var_os("POSIXLY_CORRECT").is_some();
    let plan = cli::plan(&invocation, args, options_first);
    run::run(&plan, &mut Output::standard(), &mut io::stderr()).exit_status().into()
}
