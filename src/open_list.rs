//! A list that is open to be read line by line: of digests, or of names.

use std::io;

use crate::lines::Lines;
use crate::plan::Source;
use crate::source::{Identity, Input};

/// A list that is being read.
pub struct OpenList {
    /// Its lines.
    pub lines: Lines<Input>,
    /// What its own name, and others, may stand for.
    pub identity: Identity,
    /// Whether it is all there to be read.
    is_file: bool,
}

impl OpenList {
    /// Opens a list whose lines are read in one way or another.
    ///
    /// # Errors
    /// The system's error.
    pub fn new(list: &Source, lines: impl FnOnce(Input) -> Lines<Input>) -> io::Result<Self> {
        let input = Input::of(list)?;
        Ok(Self { is_file: input.is_regular(), identity: Identity::of(list)?, lines: lines(input) })
    }

    /// Whether its next line can be had without waiting.
    pub fn is_ready(&self) -> bool {
        self.is_file || self.lines.has_line()
    }
}
