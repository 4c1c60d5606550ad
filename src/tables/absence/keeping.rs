//! How windows were kept by somebody, and what a host requires of it of those who join.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

/// How somebody has kept one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Keeping {
    /// Sealed with more than half of the window left.
    Early,
    /// Declared by the deadline.
    InTime,
    /// Declared in the time of grace, or later, and a game master counted it.
    Late,
    /// Asked, and nothing came, though they were neither away nor stood in for.
    Missed,
    /// Somebody else was given the seat.
    Replaced,
}

/// How somebody has kept their last windows, at all of their tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// How many of the windows that are looked at there are.
    pub windows: u8,
    /// Declared in time, with more than half of the window left.
    pub early: u8,
    /// Declared in time, but not so early.
    pub in_time: u8,
    pub late: u8,
    pub missed: u8,
    /// In which somebody else was given the seat.
    pub replaced: u8,
}

impl Tally {
    /// Of so many of these, the newest of which comes first.
    pub fn of(kept: &[Keeping], last: u8) -> Self {
        let mut tally = Self::default();
        for keeping in &kept[..kept.len().min(last.into())] {
            tally.windows += 1;
            *match keeping {
                Keeping::Early => &mut tally.early,
                Keeping::InTime => &mut tally.in_time,
                Keeping::Late => &mut tally.late,
                Keeping::Missed => &mut tally.missed,
                Keeping::Replaced => &mut tally.replaced,
            } += 1;
        }
        tally
    }
}

/// What a host requires of those who join: to have missed no more of their last windows than that.
/// Whoever has no windows yet has missed none, and may join: nobody could ever begin otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Minimum {
    /// At most so many missed.
    pub missed: u8,
    /// Of so many: one of [`Minimum::SPANS`].
    pub of: u8,
}

/// What somebody has who does not meet it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// What is required.
    pub minimum: Minimum,
    /// How many they have missed of them.
    pub missed: u8,
}

impl Minimum {
    /// Of how many windows it can be said, the fewest first.
    pub const SPANS: [u8; 2] = [10, 100];

    /// True if they meet it whose last windows these are, the newest first.
    ///
    /// # Errors
    /// If they do not: what they have.
    pub fn met_by(self, kept: &[Keeping]) -> Result<(), Unmet> {
        let missed = Tally::of(kept, self.of).missed;
        if missed <= self.missed { Ok(()) } else { Err(Unmet { minimum: self, missed }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_windows_are_looked_at() {
        let mut kept = vec![Keeping::Early; 9];
        kept.extend([Keeping::Missed; 3]);
        let tally = Tally::of(&kept, 10);
        assert_eq!((tally.windows, tally.early, tally.missed), (10, 9, 1));
        assert_eq!(Minimum { missed: 1, of: 10 }.met_by(&kept), Ok(()));
        let minimum = Minimum { missed: 2, of: 100 };
        assert_eq!(minimum.met_by(&kept), Err(Unmet { minimum, missed: 3 }));
    }

    #[test]
    fn whoever_has_no_windows_yet_may_join() {
        assert_eq!(Minimum { missed: 0, of: 100 }.met_by(&[]), Ok(()));
        assert_eq!(Tally::of(&[], 10), Tally::default());
    }
}
