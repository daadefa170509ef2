//! The values of `--buffer-size`, `--read-ahead` and `--jobs`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use bsdigest::cli;
use bsdigest::invocation::Dialect;
use bsdigest::plan::{Resources, Step};
use regex::bytes::Regex;

use super::{Case, mixture};

/// What is typed behind an option that takes a number.
#[derive(Debug)]
pub struct Number {
    option: &'static str,
    typed: Vec<u8>,
}

impl Arbitrary<'_> for Number {
    fn arbitrary(from: &mut Unstructured) -> Result<Self> {
        let option = from.choose(&["buffer-size", "read-ahead", "jobs"])?;
        let pieces: [&[u8]; 22] = [
            b"0",
            b"1",
            b"2",
            b"16",
            b"64",
            b"256",
            b"257",
            b"1024",
            b"1025",
            b"1048576",
            b"1073741824",
            b"1073741825",
            b"18446744073709551616",
            b"K",
            b"k",
            b"KiB",
            b"KB",
            b"M",
            b"G",
            b"B",
            b" ",
            b"-",
        ];
        let typed = if from.ratio(1, 4)? {
            mixture(from, &pieces, 5)?
        } else {
            let unit = *from.choose(&["", "", "b", "K", "kb", "KIB", "m", "MB", "Mib", "G", "gB", "GiB", "T", "x"])?;
            let digits = from.int_in_range(0..=12)?;
            let mut typed = (0..digits).map(|_| from.int_in_range(b'0'..=b'9')).collect::<Result<Vec<_>>>()?;
            typed.extend_from_slice(unit.as_bytes());
            typed
        };
        Ok(Self { option, typed })
    }
}

/// What a number means, or what is said of it.
type Meaning = std::result::Result<usize, &'static str>;

impl Case for Number {
    fn check(&self) {
        let Self { option, typed } = self;
        let arg = [b"--", option.as_bytes(), b"=", typed].concat();
        let plan = cli::plan(&Dialect::Bsd.invocation(), [OsString::from_vec(arg)], false);
        let Resources { buffer_size, read_ahead, jobs } = plan.resources;
        let (taken, wanted) = match *option {
            "buffer-size" => (buffer_size, size(typed)),
            "read-ahead" => (read_ahead, count(typed, 0, 256)),
            _ => (jobs, count(typed, 1, 1024)),
        };
        match (wanted, plan.steps.as_slice()) {
            (Ok(number), [Step::Digest(_)]) => assert_eq!(taken, Some(number)),
            (Err(why), [Step::Complain(text)]) => {
                let text = String::from_utf8_lossy(text);
                assert!(text.contains(why), "{text}");
            }
            (wanted, steps) => panic!("{wanted:?}: {steps:?}"),
        }
    }
}

/// A number of bytes from 1 to 1 GiB: digits and a unit.
fn size(typed: &[u8]) -> Meaning {
    static FORM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([0-9]+)(?i-u:([kmg]?)(i?)(b?))$").unwrap());
    let parts =
        FORM.captures(typed).filter(|parts| parts[3].is_empty() || !(parts[2].is_empty() || parts[4].is_empty()));
    let parts = parts.ok_or("is not a size such as 65536, 64K or 1M")?;
    let power = b"kmg".iter().position(|unit| parts[2].eq_ignore_ascii_case(&[*unit])).map_or(0, |power| power + 1);
    let base: f64 = if parts[3].is_empty() && !parts[4].is_empty() { 1000.0 } else { 1024.0 };
    // Exact as far as sizes go.
    let bytes = std::str::from_utf8(&parts[1]).unwrap().parse::<f64>().unwrap() * base.powi(power as i32);
    if bytes == 0.0 {
        Err("the least size is 1")
    } else if bytes > 1024_f64.powi(3) {
        Err("is too large: the greatest size is 1G")
    } else {
        Ok(bytes as usize)
    }
}

/// A number between two others: digits, whatever zeros they begin with.
fn count(typed: &[u8], least: usize, most: usize) -> Meaning {
    let before = |number: &usize| typed.strip_suffix(number.to_string().as_bytes());
    let is_meant = |number: &usize| before(number).is_some_and(|zeros| zeros.iter().all(|&digit| digit == b'0'));
    (least..=most).find(is_meant).ok_or("is not a number from ")
}
