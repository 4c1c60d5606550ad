//! The options of a table.

use serde::{Deserialize, Serialize};

/// The options of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The number of frames in a row without a card that loses the game for a guild (W2.2).
    pub absences: Absences,
}

impl Default for Options {
    fn default() -> Self {
        Self { absences: Absences::Two }
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
