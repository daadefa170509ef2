//! argv\[0\] → which program of the family was called.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::algorithm::{ALGORITHMS, Algorithm};

/// The name Perl's dialect goes by.
const PERL_NAME: &str = "shasum";

/// Whose options, lines and messages are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// FreeBSD's md5(1).
    Bsd,
    /// GNU coreutils' md5sum(1) and its siblings.
    Gnu,
    /// Perl's shasum(1).
    Perl,
}

impl Dialect {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Bsd, Self::Gnu, Self::Perl];

    /// All names it goes by.
    pub fn names(self) -> Vec<String> {
        let names = ALGORITHMS.iter().map(|algorithm| algorithm.name);
        match self {
            Self::Bsd => names.map(str::to_owned).collect(),
            Self::Gnu => names.map(|name| format!("{name}sum")).collect(),
            Self::Perl => vec![PERL_NAME.to_owned()],
        }
    }

    /// The program called by the first of its names.
    pub fn invocation(self) -> Invocation {
        Invocation::from_argv0(OsStr::new(&self.names()[0]))
    }
}

/// The program that was called.
#[derive(Debug, Clone, PartialEq)]
pub struct Invocation {
    /// The last component of argv\[0\], as typed.
    pub program: Vec<u8>,
    /// Its dialect.
    pub dialect: Dialect,
    /// Its algorithm, unless an option says otherwise.
    pub algorithm: &'static Algorithm,
}

impl Invocation {
    /// Reads argv\[0\]: whole names, in any case; a name that is none of the family's is `md5`.
    pub fn from_argv0(argv0: &OsStr) -> Self {
        let program = match argv0.as_bytes().rsplit(|&byte| byte == b'/').next() {
            None | Some(b"") => b"md5".to_vec(),
            Some(name) => name.to_vec(),
        };
        let (dialect, algorithm) = meaning(&program);
        Self { program, dialect, algorithm }
    }
}

fn meaning(name: &[u8]) -> (Dialect, &'static Algorithm) {
    let [md5, sha1, ..] = &ALGORITHMS;
    if name.eq_ignore_ascii_case(PERL_NAME.as_bytes()) {
        return (Dialect::Perl, sha1);
    }
    let gnu = name.split_last_chunk::<3>().filter(|(_, end)| end.eq_ignore_ascii_case(b"sum"));
    if let Some(algorithm) = gnu.and_then(|(stem, _)| Algorithm::named(stem)) {
        return (Dialect::Gnu, algorithm);
    }
    (Dialect::Bsd, Algorithm::named(name).unwrap_or(md5))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(argv0: &str) -> (Dialect, &'static str) {
        let invocation = Invocation::from_argv0(OsStr::new(argv0));
        (invocation.dialect, invocation.algorithm.name)
    }

    #[test]
    fn every_name_of_the_family_is_known() {
        for row in &ALGORITHMS {
            assert_eq!(called(row.name), (Dialect::Bsd, row.name));
            assert_eq!(called(&format!("{}sum", row.name)), (Dialect::Gnu, row.name));
            assert_eq!(called(&format!("/usr/bin/{}", row.name.to_uppercase())), (Dialect::Bsd, row.name));
        }
        assert_eq!(called("./shasum"), (Dialect::Perl, "sha1"));
        assert_eq!(called("Sha256SUM"), (Dialect::Gnu, "sha256"));
    }

    #[test]
    fn the_names_of_a_dialect_mean_it() {
        for (dialect, count) in [(Dialect::Bsd, 12), (Dialect::Gnu, 12), (Dialect::Perl, 1)] {
            assert!(dialect.names().iter().all(|name| called(name).0 == dialect));
            assert_eq!(dialect.names().len(), count);
        }
    }

    #[test]
    fn any_other_name_is_md5() {
        for name in ["digest", "md", "md5x", "sum", "sha", "sha25", "xsum", "", "a/"] {
            assert_eq!(called(name), (Dialect::Bsd, "md5"), "{name:?}");
        }
    }

    #[test]
    fn messages_show_the_name_as_typed() {
        assert_eq!(Invocation::from_argv0(OsStr::new("/opt/bin/SHA256")).program, b"SHA256");
        assert_eq!(Invocation::from_argv0(OsStr::new("")).program, b"md5");
    }
}
