//! The root windows of a game, in order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The number of a root window, counted from 0, which is the deal.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Round(u32);

impl Round {
    pub const DEAL: Self = Self(0);
    pub const FIRST: Self = Self(1);

    /// Returns the round with this many rounds before it.
    pub const fn new(before: u32) -> Self {
        Self(before)
    }

    /// Returns the number of rounds before this one.
    pub const fn get(self) -> u32 {
        self.0
    }

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl FromStr for Round {
    type Err = std::num::ParseIntError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        digits.parse().map(Self)
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
