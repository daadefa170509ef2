//! Manual pages: a dialect's options, and what is to be said besides.

use clap_mangen::Man;

use crate::invocation::Dialect;

/// When the texts were changed last.
const DATE: &str = "2026-12-02";

const SHARED: &str = include_str!("manual/shared.man");
const SECURITY: &str = include_str!("manual/security.man");

/// What a dialect's page says besides its options.
pub(super) struct Manual {
    /// What the programs do, in a few words.
    pub(super) summary: &'static str,
    /// How they are used, in plain text.
    pub(super) description: &'static str,
    /// The lines they print.
    pub(super) lines: &'static str,
    /// The sections at the end.
    pub(super) rest: &'static str,
}

/// The page of all names of a dialect.
pub(super) fn page(dialect: Dialect) -> String {
    let Manual { summary, description, lines, rest } = super::rules(dialect).manual;
    let names = dialect.names();
    let command = super::command(&dialect.invocation())
        .bin_name(&names[0])
        .display_name(names.join(", "))
        .about(summary)
        .long_about(description);
    let page = Man::new(command)
        .title(names[0].to_uppercase())
        .date(DATE)
        .source(concat!("bsdigest ", env!("CARGO_PKG_VERSION")))
        .manual("General Commands Manual");
    let mut options = Vec::new();
    page.render(&mut options).expect("memory takes all that is written");
    let options = String::from_utf8(options).expect("options are text");
    [options.as_str(), lines, SHARED, rest, SECURITY].concat()
}
