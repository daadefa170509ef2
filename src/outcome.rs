//! What happened → the exit status.

/// What went wrong in a run. All counts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Complaints about the command line.
    pub complaints: u64,
    /// Inputs and lists that could not be opened or read.
    pub unreadable: u64,
    /// Links that could not be made.
    pub unlinked: u64,
    /// Failed writes of standard output.
    pub unwritten: u64,
    /// Self-test messages whose digest was wrong.
    pub wrong_answers: u64,
    /// Inputs that have not the expected digest.
    pub unexpected: u64,
    /// Lists that did not pass.
    pub failed_lists: u64,
}

impl Tally {
    /// The exit status: 0 all well, 1 something could not be done or a list did not pass, 2 only an expected digest missed.
    pub fn exit_status(&self) -> u8 {
        let Self { complaints, unreadable, unlinked, unwritten, wrong_answers, unexpected, failed_lists } = *self;
        match complaints + unreadable + unlinked + unwritten + wrong_answers + failed_lists {
            0 if unexpected == 0 => 0,
            0 => 2,
            _ => 1,
        }
    }
}

/// What a digest list's lines came to. All counts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ListTally {
    /// Lines that say which digest a file should have.
    pub entries: u64,
    /// Lines that are neither entries nor blank nor comments.
    pub malformed: u64,
    /// Listed files that could not be opened or read.
    pub unreadable: u64,
    /// Listed files whose digest differs.
    pub mismatched: u64,
    /// Listed files whose digest is the listed one.
    pub matched: u64,
}

impl ListTally {
    /// Whether the list passes. A list without an entry never does, so that nothing passes by accident.
    pub fn passes(&self, strict: bool) -> bool {
        self.entries > 0 && self.unreadable == 0 && self.mismatched == 0 && !(strict && self.malformed > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_wrong_is_0() {
        assert_eq!(Tally::default().exit_status(), 0);
    }

    #[test]
    fn only_an_unexpected_digest_is_2_and_all_else_wins_over_it() {
        let unexpected = Tally { unexpected: 3, ..Tally::default() };
        assert_eq!(unexpected.exit_status(), 2);
        for worse in [
            Tally { complaints: 1, ..unexpected },
            Tally { unreadable: 1, ..unexpected },
            Tally { unlinked: 1, ..unexpected },
            Tally { unwritten: 1, ..unexpected },
            Tally { wrong_answers: 1, ..unexpected },
            Tally { failed_lists: 1, ..unexpected },
        ] {
            assert_eq!(worse.exit_status(), 1, "{worse:?}");
        }
    }

    #[test]
    fn a_list_passes_when_every_file_read_matches_and_there_is_an_entry() {
        let good = ListTally { entries: 2, matched: 2, ..ListTally::default() };
        assert!(good.passes(true));
        assert!(!ListTally::default().passes(false), "an empty list");
        assert!(!ListTally { malformed: 3, ..ListTally::default() }.passes(false), "nothing but garbage");
        assert!(!ListTally { unreadable: 1, ..good }.passes(false));
        assert!(!ListTally { mismatched: 1, ..good }.passes(false));
        let with_garbage = ListTally { malformed: 1, ..good };
        assert!(with_garbage.passes(false) && !with_garbage.passes(true));
        let all_absent = ListTally { entries: 2, ..ListTally::default() };
        assert!(all_absent.passes(true), "absent files that were to be passed over");
    }
}
