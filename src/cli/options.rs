//! The options that were typed. What was not even defined was not.

use std::ffi::OsString;

use clap::ArgMatches;
use clap::parser::ValueSource;

/// The options that were typed.
pub(super) struct Options(pub(super) ArgMatches);

impl Options {
    /// Whether a flag was given.
    pub(super) fn has(&self, flag: &str) -> bool {
        self.0.try_get_one::<bool>(flag).ok().flatten().is_some_and(|is_given| *is_given)
    }

    /// An option's value, the last one if there are several.
    pub(super) fn value(&self, option: &str) -> Option<&OsString> {
        self.0.try_get_one(option).ok().flatten()
    }

    /// An option's values, in order.
    pub(super) fn values(&self, option: &str) -> impl Iterator<Item = &OsString> {
        self.0.try_get_many(option).ok().flatten().unwrap_or_default()
    }

    /// Each occurrence of an option: where it stands and its value.
    pub(super) fn occurrences(&self, option: &str) -> impl Iterator<Item = (usize, &OsString)> {
        let is_given = self.is_given(option);
        let indices = is_given.then(|| self.0.indices_of(option)).flatten();
        indices.into_iter().flatten().zip(self.values(option))
    }

    /// The first of these options that was given.
    pub(super) fn given(&self, options: &[&'static str]) -> Option<&'static str> {
        options.iter().copied().find(|option| self.is_given(option))
    }

    /// Whether an option was given.
    pub(super) fn is_given(&self, option: &str) -> bool {
        self.0.ids().any(|id| id == option) && self.0.value_source(option) == Some(ValueSource::CommandLine)
    }
}
