//! A host's settings about players who miss a window; records of windows, and the minimum for new players.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use crate::time::Span;

/// A host's settings about players who miss a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Absence {
    /// The number of windows that are put off for a seat that has sent nothing, from 0 to 4.
    pub allowance: u8,
    /// The time after the deadline in which late players may still seal.
    pub grace: Span,
    /// The number of consecutive misses after which no window waits for a seat, 0 for never.
    pub inactive_after: u8,
    /// The treatment of an inactive seat's turns.
    pub inactive: Inactive,
    /// The treatment of a deadline at which a player is away.
    pub away: Away,
    /// The requirement for new players, `None` if anybody may join.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Minimum>,
}

/// The treatment of the turns of a seat that no window waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inactive {
    /// The rule of the game for seats without a declaration applies.
    #[default]
    Skip,
    /// A bot player declares.
    House,
}

/// The treatment of a deadline at which a player is away. An absence is never a miss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Away {
    /// The deadline is put off until they are back, by [`MOST_PUT_OFF`](super::fate::MOST_PUT_OFF) window lengths at most.
    Extend,
    /// A bot player declares.
    House,
    /// The rule of the game for seats without a declaration applies. The window does not wait for them.
    #[default]
    Skip,
    /// Their named substitute declares, and the window waits for the substitute. Without one, [`Away::Skip`]
    /// applies.
    Substitute,
}

impl Default for Absence {
    /// Deadlines are strict: none is put off, and nobody may be late. After two consecutive misses no window
    /// waits for a seat, so that absent players do not stop the others. No bot player plays for others, and
    /// anybody may join.
    fn default() -> Self {
        Self {
            allowance: 0,
            grace: Span::ZERO,
            inactive_after: 2,
            inactive: Inactive::Skip,
            away: Away::Skip,
            minimum: None,
        }
    }
}

impl Absence {
    /// Returns the defaults of a game, with bot players for inactive seats or without.
    pub fn of_game(house_for_gone: bool) -> Self {
        let inactive = if house_for_gone { Inactive::House } else { Inactive::Skip };
        Self { inactive, ..Self::default() }
    }

    /// The maximum number of windows that can be put off for a seat.
    pub const MOST_ALLOWANCE: u8 = 4;
    /// The longest grace.
    pub const LONGEST_GRACE: Span = Span::days(7);
    /// The maximum number of consecutive misses after which a seat becomes inactive.
    pub const MOST_MISSES: u8 = 9;

    /// True if this number of consecutive misses makes a seat inactive.
    pub fn is_inactive(&self, misses: u32) -> bool {
        self.inactive_after > 0 && misses >= u32::from(self.inactive_after)
    }
}

/// A player's record of one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Keeping {
    /// The player sealed with more than half of the window left.
    Early,
    /// The player declared by the deadline.
    InTime,
    /// The player declared in the time of grace, or later with a game master's consent.
    Late,
    /// The player was asked and declared nothing, with neither an absence nor a substitute.
    Missed,
    /// Another player was given the seat.
    Replaced,
}

/// A player's record of their last windows, at all of their tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The number of windows counted.
    pub windows: u8,
    /// The windows declared in time, with more than half of the window left.
    pub early: u8,
    /// The windows declared in time, but not early.
    pub in_time: u8,
    pub late: u8,
    pub missed: u8,
    /// The windows in which another player was given the seat.
    pub replaced: u8,
}

impl Tally {
    /// Counts the first `last` windows of a list, which has the newest first.
    pub fn of(record: &[Keeping], last: u8) -> Self {
        let mut tally = Self::default();
        for keeping in &record[..record.len().min(last.into())] {
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

/// A host's requirement for new players: a maximum of missed windows among the last ones. A player without
/// windows has missed none and may join: otherwise nobody could ever begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Minimum {
    /// The maximum number of missed windows.
    pub missed: u8,
    /// The number of last windows: one of [`Minimum::SPANS`].
    pub of: u8,
}

/// The record of a player who does not meet the minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// The requirement.
    pub minimum: Minimum,
    /// The number of missed windows.
    pub missed: u8,
}

impl Minimum {
    /// The possible numbers of last windows, the fewest first.
    pub const SPANS: [u8; 2] = [10, 100];

    /// Checks the record of a player's last windows, the newest first.
    ///
    /// # Errors
    /// If the player has missed too many windows.
    pub fn met_by(self, record: &[Keeping]) -> Result<(), Unmet> {
        let missed = Tally::of(record, self.of).missed;
        if missed <= self.missed { Ok(()) } else { Err(Unmet { minimum: self, missed }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_windows_are_looked_at() {
        let mut record = vec![Keeping::Early; 9];
        record.extend([Keeping::Missed; 3]);
        let tally = Tally::of(&record, 10);
        assert_eq!((tally.windows, tally.early, tally.missed), (10, 9, 1));
        assert_eq!(Minimum { missed: 1, of: 10 }.met_by(&record), Ok(()));
        let minimum = Minimum { missed: 2, of: 100 };
        assert_eq!(minimum.met_by(&record), Err(Unmet { minimum, missed: 3 }));
    }

    #[test]
    fn whoever_has_no_windows_yet_may_join() {
        assert_eq!(Minimum { missed: 0, of: 100 }.met_by(&[]), Ok(()));
        assert_eq!(Tally::of(&[], 10), Tally::default());
    }
}
