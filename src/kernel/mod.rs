//! Our own compression functions, where they are faster than the crates', and the only part with processor instructions.
//!
//! A kernel knows blocks and chaining values, no files. Each has several implementations, best first; the first one whose
//! instructions the processor has is used, so that one binary runs on any x86-64. Other processors use the crates.

pub mod md5;

/// One way to compute a compression function.
pub struct Implementation<F> {
    /// What it is called in tests and benchmarks: the instructions it needs.
    pub name: &'static str,
    /// Whether this processor has them.
    pub is_available: fn() -> bool,
    /// The function. To be called only where it is available.
    pub compress: F,
}

/// The first implementation this processor can run.
///
/// # Panics
/// When there is none: the last of each list is always available.
pub fn best<F: Copy>(implementations: &[Implementation<F>]) -> F {
    let available = implementations.iter().find(|implementation| (implementation.is_available)());
    available.expect("the last implementation needs no special instructions").compress
}
