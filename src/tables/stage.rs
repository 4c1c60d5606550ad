//! The progress of a table, the reasons for which it is held, those for which its windows close, and the
//! times of the open window.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use crate::Pace;
use crate::time::{Span, Time};
use rules::Procedure;

/// The progress of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(Display, EnumString, IntoStaticStr)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(Display, EnumString, IntoStaticStr)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
#[derive(EnumString, IntoStaticStr, VariantNames)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum ResultForm {
    /// The changes, and a line for each player's standing.
    #[default]
    Short,
    /// The whole form, like that of the game's source.
    Full,
}

/// The divisor that gives the minimum gap between two reminders as a part of the window.
const APART: i64 = 12;

/// The opening time of a window whose announcement is held back.
pub const NEVER: Time = Time::from_milliseconds(i64::MAX / 4);

/// The times of an open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    pub opens: Time,
    /// The latest closing time.
    pub closes: Time,
    /// The time of an early close, `None` unless all seats have sealed.
    pub settles: Option<Time>,
    /// The time up to which reminders have been sent.
    pub reminded: Time,
}

/// The next task of an open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Close(CloseReason),
    /// The seats that have not sealed are reminded.
    Remind,
    /// No task for now.
    Nothing,
}

impl Timing {
    /// Returns the times of a window that opens at this time.
    pub fn open(pace: &Pace, opens: Time) -> Self {
        Self { opens, closes: pace.deadline(opens), settles: None, reminded: opens }
    }

    /// Returns the times of a window whose announcement is held back.
    pub fn unannounced() -> Self {
        Self { opens: NEVER, closes: NEVER, settles: None, reminded: NEVER }
    }

    /// True if the window takes declarations.
    pub fn takes(&self, now: Time) -> bool {
        self.opens <= now && now < self.closes
    }

    /// Sets or clears the early close, given whether all seats have sealed.
    pub fn settle(&mut self, pace: &Pace, procedure: &Procedure, all_sealed: bool, now: Time) {
        let early = pace.early && procedure.closes_early && all_sealed;
        self.settles = early.then(|| self.early_close(pace, procedure, now));
    }

    /// Returns the soonest early close, if all seats sealed by now, `None` if that is not before the
    /// deadline. It reveals nothing about the seals.
    pub fn soonest(&self, pace: &Pace, procedure: &Procedure, now: Time) -> Option<Time> {
        let soonest = self.early_close(pace, procedure, now);
        let early = pace.early && procedure.closes_early;
        (early && soonest < self.closes).then_some(soonest)
    }

    fn early_close(&self, pace: &Pace, procedure: &Procedure, now: Time) -> Time {
        pace.early_close(self.opens, now.max(self.opens), procedure.sealing)
    }

    /// Returns the task for now.
    pub fn due(&self, pace: &Pace, now: Time) -> Due {
        if self.settles.is_some_and(|settles| settles <= now && settles < self.closes) {
            Due::Close(CloseReason::AllSealed)
        } else if self.closes <= now {
            Due::Close(CloseReason::Deadline)
        } else if self.reminder(pace).is_some_and(|reminder| reminder <= now) {
            Due::Remind
        } else {
            Due::Nothing
        }
    }

    /// Returns the time of the next task.
    pub fn next(&self, pace: &Pace) -> Time {
        let moments = [self.settles, self.reminder(pace)];
        moments.into_iter().flatten().fold(self.closes, Time::min)
    }

    /// True if another reminder follows.
    pub fn is_reminded_again(&self, pace: &Pace) -> bool {
        self.reminder(pace).is_some()
    }

    /// Returns the next reminder, without those that come too soon after another.
    fn reminder(&self, pace: &Pace) -> Option<Time> {
        let apart = (self.closes - self.opens) / APART;
        let is_first = self.reminded <= self.opens;
        let from = if is_first {
            self.opens + Span::INSTANT
        } else {
            self.reminded + apart.max(Span::INSTANT)
        };
        let mut reminders = pace.reminders(self.opens, self.closes).into_iter();
        reminders.find(|reminder| *reminder >= from)
    }
}

/// The outcome of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum VoteOutcome {
    /// The vote has passed, and its decision is carried out.
    Passed,
    /// The vote has too many objections to pass any more.
    Rejected,
    /// The vote has expired.
    Expired,
    /// The window has closed, or the decision is no longer possible.
    Overtaken,
}

/// The recipients of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Notified {
    Public,
    /// The players of the affected seats.
    Private,
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
