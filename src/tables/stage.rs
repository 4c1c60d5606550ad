//! How far a table is, why it stands still, and why its windows close.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// How far a table is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Stage {
    /// People join and leave.
    Forming,
    /// The game is on.
    Playing,
    /// It is over, or was ended.
    Over,
}

/// Why a window closed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum CloseReason {
    /// Its deadline came.
    Deadline,
    /// Everybody had sealed.
    AllSealed,
    /// The table's host wanted it.
    #[serde(rename = "host")]
    #[strum(serialize = "host")]
    GameMaster,
}

/// Why a table cannot go on by itself.
#[derive(
    Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantNames,
)]
#[serde(into = "String", from = "String")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum HoldReason {
    /// Nobody had kept its deadline.
    Outage,
    /// A game master wanted it to stand still.
    Pause,
    /// A game master lets nothing be taken, while its clock runs on.
    Lock,
    /// A game master lets nothing be taken, and its clock stands.
    LockAndStop,
    /// Its last result is not announced before it is published.
    Review,
    /// Nobody was there any more.
    Deserted,
    /// Its rules came to grief, and how.
    #[strum(default)]
    Rules(String),
}

impl HoldReason {
    /// True if nothing is taken before it is unlocked.
    pub fn is_lock(&self) -> bool {
        matches!(self, Self::Lock | Self::LockAndStop)
    }

    /// True if no time runs meanwhile, so that nobody can be told a deadline.
    pub fn stops_clock(&self) -> bool {
        *self != Self::Lock
    }

    /// What everybody may know of it: what failed may name what is hidden.
    #[must_use]
    pub fn in_public(&self) -> Self {
        Self::from(self.into_str().to_owned())
    }

    /// True if the table goes on standing still with another window.
    pub fn outlasts_window(&self) -> bool {
        *self == Self::Pause || self.is_lock()
    }
}

/// Its word, or what failed.
impl fmt::Display for HoldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if let Self::Rules(failed) = self { failed } else { self.into_str() })
    }
}

impl From<String> for HoldReason {
    fn from(said: String) -> Self {
        said.parse().unwrap_or(Self::Rules(said))
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
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Oversight {
    Blind,
    Open,
}

/// How the results of windows are told.
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
    /// What changed, and where everybody stands on a line each.
    #[default]
    Short,
    /// The whole form, as the game's source has it.
    Full,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_table_stands_still_is_kept_as_a_word_or_as_what_failed() {
        for (held, word, kept) in [
            (HoldReason::Outage, "outage", "outage"),
            (HoldReason::Deserted, "deserted", "deserted"),
            (HoldReason::Rules("no card 9".to_owned()), "rules", "no card 9"),
        ] {
            assert_eq!((held.into_str(), held.to_string().as_str()), (word, kept));
            assert_eq!(HoldReason::from(kept.to_owned()), held);
        }
    }
}
