//! The progress of a table, the reasons for which it is held, and those for which its windows close.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// The progress of a table.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Stage {
    /// Players join and leave.
    Forming,
    /// The game is being played.
    Playing,
    /// The game is over, or was ended.
    Over,
}

/// The reason why a window closed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum CloseReason {
    /// The deadline came.
    Deadline,
    /// All seats had sealed.
    AllSealed,
    /// A game master closed it.
    #[serde(rename = "host")]
    #[strum(serialize = "host")]
    GameMaster,
}

/// The reason why a table is held.
#[derive(
    Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantNames,
)]
#[serde(into = "String", from = "String")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum HoldReason {
    /// No process was running at its deadline.
    Outage,
    /// A game master has paused it.
    Pause,
    /// A game master has locked it against input, while its clock runs on.
    Lock,
    /// A game master has locked it against input, and stopped its clock.
    LockAndStop,
    /// Its last result is held back for review.
    Review,
    /// No player was present any more.
    Deserted,
    /// Its rules failed, with this message.
    #[strum(default)]
    Rules(String),
}

impl HoldReason {
    /// True if the table takes no input before it is unlocked.
    pub fn is_lock(&self) -> bool {
        matches!(self, Self::Lock | Self::LockAndStop)
    }

    /// True if the clock stands still, so that the table has no deadline to show.
    pub fn stops_clock(&self) -> bool {
        *self != Self::Lock
    }

    /// Returns the reason for the public, without the message of a failure, which may name hidden pieces.
    #[must_use]
    pub fn in_public(&self) -> Self {
        Self::from(self.into_str().to_owned())
    }

    /// True if the table stays held with another window.
    pub fn outlasts_window(&self) -> bool {
        *self == Self::Pause || self.is_lock()
    }
}

/// Writes the word of the reason, or the message of a failure.
impl fmt::Display for HoldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if let Self::Rules(failed) = self { failed } else { self.into_str() })
    }
}

impl From<String> for HoldReason {
    fn from(text: String) -> Self {
        text.parse().unwrap_or(Self::Rules(text))
    }
}

impl From<HoldReason> for String {
    fn from(held: HoldReason) -> Self {
        held.to_string()
    }
}

/// The way in which a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// The game was played to its end.
    Played,
    /// The game was ended early.
    Ended,
    /// The players agreed on a draw.
    Drawn,
    /// The table was cancelled, and does not count.
    Cancelled,
}

/// The form in which the results of windows are shown.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum ResultForm {
    /// The changes, and a line for each player's standing.
    #[default]
    Short,
    /// The whole form, like that of the game's source.
    Full,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_table_stands_still_is_kept_as_a_word_or_as_what_failed() {
        for (held, word, text) in [
            (HoldReason::Outage, "outage", "outage"),
            (HoldReason::Deserted, "deserted", "deserted"),
            (HoldReason::Rules("no card 9".to_owned()), "rules", "no card 9"),
        ] {
            assert_eq!((held.into_str(), held.to_string().as_str()), (word, text));
            assert_eq!(HoldReason::from(text.to_owned()), held);
        }
    }
}
