//! A host's settings about players who miss a window.

use serde::{Deserialize, Serialize};

use super::keeping::Minimum;
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
    /// The deadline is put off until they are back, by [`super::MOST_PUT_OFF`] window lengths at most.
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
