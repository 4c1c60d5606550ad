//! The options of a table.

use serde::{Deserialize, Serialize};

/// The options of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// In how many frames in a row a guild may use no card before it loses (W2.2).
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
    /// As a host writes them.
    pub(super) const VALUES: &'static [&'static str] = &["1", "2", "3"];

    pub fn get(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}
