//! How far a table is, why it stands still, and why its windows close.

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
pub enum CloseReason {
    /// Its deadline came.
    Deadline,
    /// Everybody had sealed.
    AllSealed,
    /// The table's host wanted it.
    Host,
}

impl CloseReason {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::AllSealed => "all-sealed",
            Self::Host => "host",
        }
    }
}

/// Why a table cannot go on by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum HoldReason {
    /// Nobody had kept its deadline.
    Outage,
    /// A game master wanted it to stand still.
    Pause,
    /// Its last result is not announced before it is published.
    Review,
    /// Nobody was there any more.
    Deserted,
    /// Its rules came to grief, and how.
    Rules(String),
}

impl HoldReason {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Outage => "outage",
            Self::Pause => "pause",
            Self::Review => "review",
            Self::Deserted => "deserted",
            Self::Rules(_) => "rules",
        }
    }
}

/// Its word, or what failed.
impl fmt::Display for HoldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if let Self::Rules(failed) = self { failed } else { self.word() })
    }
}

impl From<String> for HoldReason {
    fn from(said: String) -> Self {
        let words = [Self::Outage, Self::Pause, Self::Review, Self::Deserted];
        words.into_iter().find(|held| held.word() == said).unwrap_or(Self::Rules(said))
    }
}

impl From<HoldReason> for String {
    fn from(held: HoldReason) -> Self {
        held.to_string()
    }
}

/// How a table came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// The game was played to its end.
    Played,
    /// It was ended before that.
    Ended,
    /// The table has agreed that nobody wins.
    Drawn,
    /// It was called off: nothing of it counts.
    Cancelled,
}

impl EndKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Played, Self::Ended, Self::Drawn, Self::Cancelled];
}

/// Whether game masters see what is sealed, or only who has sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oversight {
    Blind,
    Open,
}

impl Oversight {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Blind => "blind",
            Self::Open => "open",
        }
    }
}

impl TryFrom<String> for Oversight {
    type Error = NoOversight;

    fn try_from(word: String) -> Result<Self, NoOversight> {
        [Self::Blind, Self::Open].into_iter().find(|it| it.word() == word).ok_or(NoOversight(word))
    }
}

/// A word that does not say whether game masters see what is sealed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no oversight of a table")]
pub struct NoOversight(String);
