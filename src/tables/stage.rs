//! How far a table is, and why its windows close.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How far a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// People join and leave.
    Forming,
    /// The game is on.
    Playing,
    /// It is over, or was ended.
    Over,
}

impl Stage {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Forming => "forming",
            Self::Playing => "playing",
            Self::Over => "over",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl TryFrom<String> for Stage {
    type Error = NoSuchStage;

    fn try_from(word: String) -> Result<Self, NoSuchStage> {
        let stages = [Self::Forming, Self::Playing, Self::Over];
        stages.into_iter().find(|stage| stage.word() == word).ok_or(NoSuchStage(word))
    }
}

/// A word that is no stage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no stage of a table")]
pub struct NoSuchStage(String);

/// Why a window closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// Its deadline came.
    Deadline,
    /// Everybody had sealed.
    AllSealed,
    /// The table's host wanted it.
    Host,
}

impl Why {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::AllSealed => "all-sealed",
            Self::Host => "host",
        }
    }
}
