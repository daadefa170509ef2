//! The program: arguments and the real streams → [`run`](bsdigest::run::run) → exit status.
//!
//! It starts as a C program does. Rust's own start would open /dev/null in place of closed descriptors, so that
//! `md5 <&-` gave the empty digest, would ignore SIGPIPE, which the references die of, and takes a twentieth of a short run.

#![no_main]
#![allow(unsafe_code, reason = "what a C program's main is given")]

use std::ffi::{c_char, c_int};
use std::{env, io};

use bsdigest::invocation::Invocation;
use bsdigest::meter::METER;
use bsdigest::sandbox::Sandbox;
use bsdigest::source::Output;
use bsdigest::{cli, run, system};

#[unsafe(no_mangle)]
extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    system::note_closed_descriptors();
    system::give_back_freed_memory();
    // SAFETY: these are the arguments of main.
    let mut args = unsafe { system::arguments(argc, argv) };
    let invocation = Invocation::from_argv0(&args.next().unwrap_or_default());
    let options_first = env::var_os("POSIXLY_CORRECT").is_some();
    METER.start(&invocation.program);
    system::answer_status_signal();
    let plan = cli::plan(&invocation, args, options_first);
    let sandbox = Sandbox::enter(&plan);
    run::run(&plan, &sandbox, &mut Output::standard(), &mut io::stderr()).exit_status().into()
}
