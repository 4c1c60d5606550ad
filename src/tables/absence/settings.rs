//! What a host sets about those who miss a window.

use serde::{Deserialize, Serialize};

use super::keeping::Minimum;
use crate::time::Span;

/// What a host sets about those who miss a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Absence {
    /// The number of windows that are put off for a seat that has sent nothing, from 0 to 4.
    pub allowance: u8,
    /// How long after the deadline those who are late may still seal.
    pub grace: Span,
    /// After so many misses in a row no window waits for a seat any more; 0 for never.
    pub inactive_after: u8,
    /// What becomes of the turns of a seat that no window waits for.
    pub inactive: Inactive,
    /// What becomes of a deadline at which somebody is away.
    pub away: Away,
    /// What is required of those who join.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Minimum>,
}

/// What becomes of the turns of a seat that no window waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inactive {
    /// The rule of the game for those who declare nothing.
    #[default]
    Skip,
    /// A house player declares.
    House,
}

/// What becomes of a deadline at which somebody is away. Nothing of it is a miss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Away {
    /// It is put off until they are back, by [`super::MOST_PUT_OFF`] windows' lengths at most.
    Extend,
    /// A house player declares.
    House,
    /// The rule of the game for those who declare nothing. The window does not wait for them.
    #[default]
    Skip,
    /// Whom they have named declares, and is waited for as they would be. If they have named
    /// nobody, it is as with [`Away::Skip`].
    Substitute,
}

impl Default for Absence {
    /// The deadline is the deadline: nothing is put off and nobody may be late. Whoever has missed
    /// two windows in a row is not waited for any more, so that nobody who is gone stops those who
    /// are there. Nobody plays for others unless the host wants it, and anybody may join.
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
    /// What is supposed in a game that has its house players declare for those who are gone, or has not.
    pub fn of_game(house_for_gone: bool) -> Self {
        let inactive = if house_for_gone { Inactive::House } else { Inactive::Skip };
        Self { inactive, ..Self::default() }
    }

    /// The most windows that can be put off for a seat.
    pub const MOST_ALLOWANCE: u8 = 4;
    /// The longest grace.
    pub const LONGEST_GRACE: Span = Span::days(7);
    /// The most misses in a row after which a seat can be inactive.
    pub const MOST_MISSES: u8 = 9;

    /// True if so many misses in a row make a seat inactive.
    pub fn is_inactive(&self, misses: u32) -> bool {
        self.inactive_after > 0 && misses >= u32::from(self.inactive_after)
    }
}
