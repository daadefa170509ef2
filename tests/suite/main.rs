//! What is promised, tried on the program itself.

mod bsd;
mod cases;
mod changing;
#[cfg(target_os = "linux")]
mod faults;
mod fuzz;
mod gnu;
mod io;
#[cfg(target_os = "linux")]
mod limits;
mod links;
mod list;
mod manual;
mod many;
mod matrix;
mod perl;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod processors;
mod progress;
mod property;
mod published;
mod random;
mod readme;
#[cfg(target_os = "linux")]
mod record_store;
mod sandbox;
mod several;
mod shells;
mod support;
mod tree;
