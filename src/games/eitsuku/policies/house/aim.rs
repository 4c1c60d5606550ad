//! The aim of a plan: a number for every slot, and a turn of release.

/// The value of each slot with the aimed number beyond its score: one alone scores no combination yet, but
/// raises the score of every later one.
const HIT: i16 = 12;
/// The deduction for each missing family: without all four there is no film.
const MISSING: i16 = 20;

/// The aim of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanInShort {
    /// The number wanted in every slot, awards included; 0 for none.
    pub(super) number: u8,
    /// The earliest turn of the release.
    pub(super) until: u8,
    /// True if the remaining time only suffices to complete the film.
    pub(super) short: bool,
}

impl PlanInShort {
    /// True if the number is the aimed one.
    pub(super) fn is_hit(self, number: u8) -> bool {
        number > 0 && number == self.number
    }

    /// The value of `hits` slots with the aimed number.
    pub(super) fn worth_of_hits(hits: usize) -> i16 {
        i16::try_from(hits).expect("at most five") * HIT
    }

    /// The deduction for this number of missing families; 0 unless time is short.
    pub(super) fn worth_of_missing(self, missing: u8) -> i16 {
        if self.short { -i16::from(missing) * MISSING } else { 0 }
    }
}
