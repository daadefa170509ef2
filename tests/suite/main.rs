//! What is promised, tried on the program itself.

mod bsd;
mod cases;
mod gnu;
mod io;
mod list;
mod many;
mod perl;
#[cfg(target_os = "linux")]
mod record_store;
mod support;
