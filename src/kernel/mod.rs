//! Our own compression functions, where they are faster than the crates', and the only part with processor instructions.
//!
//! A kernel knows blocks and chaining values, no files. Each has several implementations, best first; the first one whose
//! instructions the processor has is used, so that one binary runs on any x86-64. Other processors use the crates.

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod macros {
    /// Makes functions of a kernel that is written for any vector, each with the instructions its vector needs.
    macro_rules! lane_functions {
        ($($(#[$doc:meta])* $name:ident: $kernel:expr, $word:ty, $state:literal, $lanes:literal, $features:literal;)*) => {
            $($(#[$doc])*
            #[target_feature(enable = $features)]
            unsafe fn $name(states: &mut [[$word; $lanes]; $state], blocks: [*const u8; $lanes], count: usize) {
                // SAFETY: the features are enabled, and the caller vouches for the blocks.
                unsafe { $kernel(states, blocks, count) }
            })*
        };
    }

    /// Keeps the compiler from adding to `$sum` in another order than the one written, in a register of this class.
    macro_rules! in_order {
        ($class:ident, $sum:ident) => {
            // Where code is interpreted to find undefined behaviour, no assembly is.
            #[cfg(not(miri))]
            #[allow(asm_sub_register, reason = "the register is only named in a comment")]
            // SAFETY: no instruction.
            unsafe {
                std::arch::asm!("/* {} */", inout($class) $sum, options(pure, nomem, nostack, preserves_flags));
            }
        };
    }

    /// Runs `$round!(i)` for four values of i from `$from` on.
    macro_rules! four {
        ($round:ident, $from:expr) => {
            $round!($from);
            $round!($from + 1);
            $round!($from + 2);
            $round!($from + 3);
        };
    }

    /// Runs `$round!(i)` for twenty values of i from `$from` on.
    macro_rules! twenty {
        ($round:ident, $from:expr) => {
            four!($round, $from);
            four!($round, $from + 4);
            four!($round, $from + 8);
            four!($round, $from + 12);
            four!($round, $from + 16);
        };
    }
}
#[cfg(all(test, target_arch = "x86_64"))]
mod agreement;
#[cfg(test)]
pub mod crates;
pub mod lanes;
#[cfg(target_arch = "x86_64")]
pub mod md5;
#[cfg(target_arch = "x86_64")]
pub mod merkle_damgard;
#[cfg(target_arch = "x86_64")]
pub mod rmd160;
#[cfg(target_arch = "x86_64")]
pub mod sha1;
#[cfg(target_arch = "x86_64")]
pub mod sha256;
#[cfg(target_arch = "x86_64")]
pub mod sha512;
#[cfg(target_arch = "x86_64")]
pub mod skein;
#[cfg(target_arch = "x86_64")]
pub mod vector;

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

use crate::algorithm::Hasher;
use lanes::Lanes;

/// One way to compute a compression function.
#[derive(Debug)]
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

/// Where the N words of a state stand in a round: each round makes a word and moves all of them on by one place, which takes no
/// more than naming them anew.
#[cfg(target_arch = "x86_64")]
const fn places<const N: usize>(round: usize) -> [usize; N] {
    let mut places = [0; N];
    let mut word = 0;
    while word < N {
        places[word] = (word + N - round % N) % N;
        word += 1;
    }
    places
}

/// Whether a chain of AVX-512's rotations is as fast as one of additions. It is on Intel's processors, where it was measured;
/// others may take two cycles for each, and then general registers are no slower.
#[cfg(target_arch = "x86_64")]
fn has_fast_avx512_rotations() -> bool {
    // Under a hypervisor each question takes tens of microseconds.
    static IS_INTEL: LazyLock<bool> = LazyLock::new(|| {
        let vendor = std::arch::x86_64::__cpuid(0);
        let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        vendor.as_flattened() == b"GenuineIntel"
    });
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") && *IS_INTEL
}

/// Passes `data` to `update` in pieces of `size` bytes, asking for the next piece before each: a buffer another processor filled
/// is in none of this one's caches.
pub fn with_prefetch(data: &[u8], size: usize, update: &mut dyn FnMut(&[u8])) {
    let mut pieces = data.chunks(size).peekable();
    while let Some(piece) = pieces.next() {
        if let Some(next) = pieces.peek() {
            prefetch(next);
        }
        update(piece);
    }
}

/// Asks for the cache lines of `data`.
#[inline]
fn prefetch(data: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in data.chunks(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching reads nothing, and every x86-64 has the instruction.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    for line in data.chunks(64) {
        // SAFETY: prefetching reads nothing.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{line}]", line = in(reg) line.as_ptr(),
                options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = data;
}

/// Makes each hasher from its kernel, or from the crate where there is none.
macro_rules! hashers {
    ($($(#[$doc:meta])* $name:ident: $kernel:expr, $portable:ty;)*) => {
        $($(#[$doc])*
        pub fn $name() -> Box<dyn Hasher> {
            #[cfg(target_arch = "x86_64")]
            return Box::new($kernel);
            #[cfg(not(target_arch = "x86_64"))]
            crate::algorithm::plain::<$portable>()
        })*
    };
}

hashers! {
    /// An MD5 hasher.
    md5: merkle_damgard::Hash::new(md5::INITIAL, best(md5::IMPLEMENTATIONS)), ::md5::Md5;
    /// A SHA-384 hasher.
    sha384: sha512::Sha512::<48>::new(sha512::INITIAL_384, best(sha512::IMPLEMENTATIONS)), sha2::Sha384;
    /// A SHA-512 hasher.
    sha512: sha512::Sha512::<64>::new(sha512::INITIAL_512, best(sha512::IMPLEMENTATIONS)), sha2::Sha512;
    /// A SHA-512/224 hasher.
    sha512t224: sha512::Sha512::<28>::new(sha512::INITIAL_512_224, best(sha512::IMPLEMENTATIONS)), sha2::Sha512_224;
    /// A SHA-512/256 hasher.
    sha512t256: sha512::Sha512::<32>::new(sha512::INITIAL_512_256, best(sha512::IMPLEMENTATIONS)), sha2::Sha512_256;
    /// A RIPEMD-160 hasher.
    rmd160: merkle_damgard::Hash::new(rmd160::INITIAL, best(rmd160::IMPLEMENTATIONS)), ::ripemd::Ripemd160;
    /// A Skein-256-256 hasher.
    skein256: skein::Skein256::new(best(skein::IMPLEMENTATIONS_256)), ::skein::Skein256_256;
    /// A Skein-512-512 hasher.
    skein512: skein::Skein512::new(best(skein::IMPLEMENTATIONS_512)), ::skein::Skein512_512;
    /// A Skein-1024-1024 hasher.
    skein1024: skein::Skein1024::new(best(skein::IMPLEMENTATIONS_1024)), ::skein::Skein1024_1024;
}

/// The implementations of one function for several messages at once, best first.
pub type LaneKernels = &'static [Implementation<&'static dyn Lanes>];

/// Names each list of implementations; there are none but for x86-64.
macro_rules! lane_kernels {
    ($($(#[$doc:meta])* $name:ident: $implementations:expr;)*) => {
        $($(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        pub const $name: LaneKernels = $implementations;
        $(#[$doc])*
        #[cfg(not(target_arch = "x86_64"))]
        pub const $name: LaneKernels = &[];)*
    };
}

lane_kernels! {
    /// Several messages of MD5.
    MD5_LANES: md5::LANES;
    /// Several messages of SHA-1.
    SHA1_LANES: sha1::LANES;
    /// Several messages of SHA-224.
    SHA224_LANES: sha256::LANES_224;
    /// Several messages of SHA-256.
    SHA256_LANES: sha256::LANES_256;
    /// Several messages of SHA-384.
    SHA384_LANES: sha512::LANES_384;
    /// Several messages of SHA-512.
    SHA512_LANES: sha512::LANES_512;
    /// Several messages of SHA-512/224.
    SHA512T224_LANES: sha512::LANES_512_224;
    /// Several messages of SHA-512/256.
    SHA512T256_LANES: sha512::LANES_512_256;
    /// Several messages of RIPEMD-160.
    RMD160_LANES: rmd160::LANES;
    /// Several messages of Skein-256-256.
    SKEIN256_LANES: skein::LANES_256;
    /// Several messages of Skein-512-512.
    SKEIN512_LANES: skein::LANES_512;
    /// Several messages of Skein-1024-1024.
    SKEIN1024_LANES: skein::LANES_1024;
}
