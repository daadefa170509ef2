//! Other processors, emulated: the program uses no instruction they do not have.

use bsdigest::algorithm::ALGORITHMS;

use crate::support::{Folder, PROGRAM, is_there};

/// What the emulator calls some processors, from one that has no more than every x86-64, and the one that has all it knows (AVX-512
/// is not among it), whole and without some.
const PROCESSORS: [&str; 14] = [
    "qemu64",
    "Penryn",
    "Nehalem",
    "SandyBridge",
    "Haswell",
    "EPYC",
    "max",
    "max,-avx",
    "max,-avx2",
    "max,-avx2,-ssse3",
    "max,-sse4.1",
    "max,-bmi1",
    "max,-bmi2",
    "max,-sha-ni",
];

/// Makes the GNU C library use no instruction but every processor's: it infers some from others that no real processor has alone.
const C_LIBRARY: &str = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-BMI2,-SSE4_2";

#[test]
fn every_processor_gives_the_same_digests() {
    if !is_there("qemu-x86_64") {
        return;
    }
    // Around the ends of blocks, and of many blocks.
    let content: Vec<u8> = (0..10_000_u32).map(|i| (i * i / 8) as u8).collect();
    let file = |folder: Folder, number: usize| folder.file(number.to_string(), &content[..number * number * 6]);
    let folder = (0..40).fold(Folder::new(), file);
    let algorithms = ALGORITHMS.each_ref().map(|row| row.name).join(",");
    // Several files go through lanes, one does not.
    for operands in ["--self-test", "?", "??", "5", "39"] {
        let arguments = format!("--algorithm {algorithms} {operands}");
        let native = folder.shell(&format!("md5 {arguments}"));
        for processor in PROCESSORS {
            let emulator = format!("{C_LIBRARY} exec qemu-x86_64 -cpu {processor} -0 md5");
            let emulated = folder.shell(&format!("{emulator} '{PROGRAM}' {arguments}"));
            // Standard error has the emulator's own remarks.
            let remarks = String::from_utf8_lossy(&emulated.stderr);
            assert_eq!(emulated.status, 0, "{operands} on {processor}: {remarks}");
            assert!(emulated.stdout == native.stdout, "{operands} on {processor}");
        }
    }
}
