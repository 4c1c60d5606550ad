//! What a plan aims at: a number for every slot, and a turn to release in.

/// What each slot that holds the aimed number is worth beyond its score: a single one scores no
/// combination yet, but every later one scores more by it.
const HIT: i16 = 12;
/// What each family that is still missing takes away: without all four there is no film.
const MISSING: i16 = 20;

/// A plan in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanInShort {
    /// The number wanted in every slot, awards included; 0 for none.
    pub(super) number: u8,
    /// The turn of the release, or the first one after it in which the film is ready.
    pub(super) until: u8,
    /// No time is left for anything but completing the film.
    pub(super) short: bool,
}

impl PlanInShort {
    /// True if a number is the one aimed at.
    pub(super) fn is_hit(self, number: u8) -> bool {
        number > 0 && number == self.number
    }

    /// What so many slots with the aimed number promise.
    pub(super) fn worth_of_hits(hits: usize) -> i16 {
        i16::try_from(hits).expect("at most five") * HIT
    }

    /// What so many missing families take away, once time is short.
    pub(super) fn worth_of_missing(self, missing: u8) -> i16 {
        if self.short { -i16::from(missing) * MISSING } else { 0 }
    }
}
