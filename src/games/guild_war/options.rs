//! The options of a table.

use serde::{Deserialize, Serialize};

use super::set::TableSet;

/// The options of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The set of cards (W10.2).
    pub set: TableSet,
    /// The number of characters in each guild (W1.1).
    pub size: Size,
    /// The number of games in a match (W1.3).
    pub games: Games,
    /// The number of frames in a row without a card that loses the game for a guild (W2.2).
    pub absences: Absences,
}

impl Default for Options {
    fn default() -> Self {
        let set = TableSet::default();
        Self { set, size: Size::Three, games: Games::One, absences: Absences::Two }
    }
}

/// A number of characters in a guild (W1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Size {
    #[serde(rename = "1v1")]
    One,
    #[serde(rename = "2v2")]
    Two,
    #[serde(rename = "3on3")]
    Three,
    #[serde(rename = "4v4")]
    Four,
    #[serde(rename = "5v5")]
    Five,
    #[serde(rename = "6v6")]
    Six,
}

impl Size {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] = &["1v1", "2v2", "3on3", "4v4", "5v5", "6v6"];

    /// The value that a host chooses.
    pub(super) fn word(self) -> &'static str {
        Self::VALUES[self as usize]
    }

    /// The number of seats of the table.
    pub fn seats(self) -> usize {
        2 * (self as usize + 1)
    }
}

/// The length of a match (W1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Games {
    /// A single game.
    #[serde(rename = "1")]
    One,
    /// Best of three (W2.4).
    #[serde(rename = "3")]
    Three,
}

impl Games {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] = &["1", "3"];

    /// The maximum number of games.
    pub fn most(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Three => 3,
        }
    }
}

/// A number of frames (W2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Absences {
    #[serde(rename = "1")]
    One,
    #[serde(rename = "2")]
    Two,
    #[serde(rename = "3")]
    Three,
}

impl Absences {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] = &["1", "2", "3"];

    pub fn get(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}
