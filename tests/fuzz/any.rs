//! A target for cargo-fuzz: whatever holds for every input.

#![no_main]

#[path = "../suite/fuzz/mod.rs"]
mod fuzz;

use fuzz::{Any, Case};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: Any| input.check());
