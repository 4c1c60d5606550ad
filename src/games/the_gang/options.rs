//! The host's options for a table.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::extra_cards::Piles;
use crate::switch::Switch;

/// The host's options for a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The mode, which determines the extra cards (G4).
    pub mode: Mode,
    /// The way of taking chips (G2.2).
    pub chips: Chips,
    /// The maximum number of passes in a round of wishes (G2.3).
    pub passes: UpToFive,
    /// The number of moves of a player in a round of live chips (G2.4).
    pub moves: UpToFive,
    /// On if a window closes as soon as all players have sealed (G7.2).
    pub early: Switch,
    /// G4.2.1: the piles of the group's last game; `None` for sorted piles. A host cannot set this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carried: Option<Piles>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Basic,
            chips: Chips::Sealed,
            passes: UpToFive(3),
            moves: UpToFive(3),
            early: Switch::On,
            carried: None,
        }
    }
}

/// The mode, which determines the extra cards (G4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// G4.1: none.
    Basic,
    /// G4.2: a challenge after a success, a specialist after a failure.
    Advanced,
    /// G4.3: as in the advanced mode, and a challenge for the whole game.
    Professional,
    /// G4.4: always two challenges, and no specialists.
    Master,
}

impl Mode {
    /// G4.3.1: true if Quick Access is left out.
    pub fn spares_quick_access(self) -> bool {
        matches!(self, Self::Professional | Self::Master)
    }
}

/// The way of taking chips (G2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chips {
    /// Chips are wished for under seal (G2.3).
    Sealed,
    /// Chips are taken one by one, seen by all players (G2.4).
    Live,
}

/// A number from 1 to 5, as a host writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UpToFive(u8);

/// The values from 1 to 5.
pub(super) const UP_TO_FIVE: &[&str] = &["1", "2", "3", "4", "5"];

impl UpToFive {
    pub fn get(self) -> u8 {
        self.0
    }
}

impl Serialize for UpToFive {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(UP_TO_FIVE[usize::from(self.0) - 1])
    }
}

impl<'de> Deserialize<'de> for UpToFive {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let input = String::deserialize(deserializer)?;
        let index = UP_TO_FIVE.iter().position(|number| *number == input);
        let index = index.and_then(|index| u8::try_from(index).ok());
        index
            .map(|index| Self(index + 1))
            .ok_or_else(|| D::Error::unknown_variant(&input, UP_TO_FIVE))
    }
}
