//! The truth table: what comes of a seat in each condition on each occasion.

use serde::{Deserialize, Serialize};

use super::{Absence, Away, Inactive};
use crate::rules::Interview;
use crate::tables::pace::Outage;

/// How a seat stands in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// The window asks it nothing.
    NothingToDeclare,
    /// It is asked, and there is neither draft nor seal.
    NothingSent,
    /// What it has declared leaves something open: a draft, or a seal on it.
    Incomplete,
    /// It has sealed, with nothing left open.
    Complete,
    /// It has sealed that it says nothing.
    Empty,
    /// Something in what it has sealed cannot stand.
    Faulty,
    /// It has sent nothing, and has said that it is away.
    Away,
    /// It has sent nothing, and neither has who stands in for it.
    Delegated,
    /// It has sent nothing, and had missed too many windows before.
    Inactive,
    /// It is out of the game.
    Eliminated,
}

/// When it is asked what comes of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// The deadline has come; or the time of grace is over.
    Deadline,
    /// Everybody who is waited for has sealed, and the window closes.
    AllSealed,
    /// Everybody who is waited for has sealed, and may still think better of it.
    CoolDown,
    /// Those who are late may still seal.
    Grace,
    /// The GM closes the window.
    GmClose,
    /// The table is paused.
    Paused,
    /// No program was there when the deadline came, and this is the pace's answer to it.
    Down(Outage),
}

/// What can still be done for a seat that has sent nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is there or not, whatever the others are")]
pub struct Means {
    /// It has allowance left, and the window was not put off by anybody's yet.
    pub allowance: bool,
    /// The table gives grace, and the window has had none.
    pub grace: bool,
    /// The window can be put off further.
    pub further: bool,
    /// The game skips the turn of who declares nothing; if not, everything goes by default.
    pub skips: bool,
    /// It is told who has sealed and who has not. Where it is not, those who were struck are told
    /// alone.
    pub named: bool,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// Nothing: it is not asked.
    Nothing,
    /// What it has declared counts.
    Counts,
    /// What it has declared counts, and cannot be changed any more.
    Frozen,
    /// It may declare, and change what it has declared.
    AskedOn,
    /// The deadline is put off.
    PutOff,
    /// It may seal late.
    Grace,
    /// Its turn is skipped.
    Skipped,
    /// Everything goes by default.
    ByDefault,
    /// A house player declares for it.
    ByHouse,
    /// Nothing, until the table goes on.
    Waits,
}

/// Who is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nobody: nothing has happened.
    Nobody,
    /// The seat alone.
    Oneself,
    /// The whole table, the seat among it.
    Everybody,
}

/// What comes of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// What is done.
    pub deed: Deed,
    /// Who is told.
    pub told: Told,
    /// In which part of a letter.
    pub words: Option<&'static str>,
    /// Whether it counts as a miss.
    pub missed: bool,
}

impl Condition {
    /// How a seat stands that has declared this, and sealed it or not.
    pub fn declared(sealed: bool, interview: &Interview) -> Self {
        if !interview.faults.is_empty() && sealed {
            Self::Faulty
        } else if sealed && interview.says_nothing() {
            Self::Empty
        } else if sealed && interview.is_complete() {
            Self::Complete
        } else {
            Self::Incomplete
        }
    }

    /// The same, of who would be asked these questions: where there are none, nothing is missing.
    #[must_use]
    pub fn over(self, form: &Interview) -> Self {
        if self.is_missing() && form.asked.is_empty() { Self::NothingToDeclare } else { self }
    }

    /// Whether there is anything from it that counts.
    pub fn has_declared(self) -> bool {
        matches!(self, Self::Incomplete | Self::Complete | Self::Empty | Self::Faulty)
    }

    /// Whether it was asked and has sent nothing, for whatever reason.
    pub fn is_missing(self) -> bool {
        matches!(self, Self::NothingSent | Self::Away | Self::Delegated | Self::Inactive)
    }
}

impl Deed {
    /// Whether a turn came to something that its player has not declared.
    pub fn strikes(self) -> bool {
        matches!(self, Self::Skipped | Self::ByDefault | Self::ByHouse)
    }
}

impl Fate {
    const fn new(deed: Deed, told: Told, words: Option<&'static str>) -> Self {
        Self { deed, told, words, missed: false }
    }

    const NOTHING: Self = Self::new(Deed::Nothing, Told::Nobody, None);
    const ASKED_ON: Self = Self::new(Deed::AskedOn, Told::Nobody, None);
    const COUNTS: Self = Self::new(Deed::Counts, Told::Everybody, Some("result"));

    /// What its player has not declared.
    const fn struck(deed: Deed, means: Means) -> Self {
        let told = if means.named { Told::Everybody } else { Told::Oneself };
        Self::new(deed, told, Some("struck"))
    }

    const fn everybody(deed: Deed, words: &'static str) -> Self {
        Self::new(deed, Told::Everybody, Some(words))
    }

    fn missed(self) -> Self {
        Self { missed: true, ..self }
    }
}

impl Absence {
    /// What comes of a seat.
    pub fn fate(&self, condition: Condition, occasion: Occasion, means: Means) -> Fate {
        match (condition, occasion) {
            (Condition::NothingToDeclare | Condition::Eliminated, _) => Fate::NOTHING,
            (_, Occasion::Paused | Occasion::Down(Outage::Wait)) => {
                Fate::everybody(Deed::Waits, "waiting")
            }
            (_, Occasion::Down(Outage::Extend)) => Fate::everybody(Deed::PutOff, "extended"),
            (_, Occasion::CoolDown) => Fate::ASKED_ON,
            (condition, occasion) if condition.has_declared() => match occasion {
                Occasion::Grace => Fate::everybody(Deed::Frozen, "grace"),
                _ => Fate::COUNTS,
            },
            (_, Occasion::Grace) => Fate::new(Deed::AskedOn, Told::Everybody, Some("grace")),
            (Condition::Away, occasion) => self.fate_of_away(occasion, means),
            (Condition::Inactive, _) => match self.inactive {
                Inactive::Skip => struck(means),
                Inactive::House => Fate::struck(Deed::ByHouse, means),
            },
            (_, occasion) => fate_of_missing(occasion, means),
        }
    }

    /// Whether a window waits for a seat in this condition, and so does not close without it.
    pub fn waits_for(&self, condition: Condition) -> bool {
        match condition {
            Condition::NothingToDeclare | Condition::Eliminated | Condition::Inactive => false,
            Condition::Away => self.away == Away::Extend,
            _ => true,
        }
    }

    fn fate_of_away(&self, occasion: Occasion, means: Means) -> Fate {
        match (self.away, occasion) {
            (Away::House, _) => Fate::struck(Deed::ByHouse, means),
            (Away::Extend, Occasion::AllSealed) => Fate::ASKED_ON,
            (Away::Extend, Occasion::Deadline) if means.further => {
                Fate::everybody(Deed::PutOff, "put-off")
            }
            _ => struck(means),
        }
    }
}

/// Of somebody who could have been there.
fn fate_of_missing(occasion: Occasion, means: Means) -> Fate {
    match occasion {
        // Nobody is gone before the deadline.
        Occasion::AllSealed => Fate::ASKED_ON,
        Occasion::Deadline if means.allowance && means.further => {
            Fate::everybody(Deed::PutOff, "put-off")
        }
        Occasion::Deadline if means.grace => Fate::everybody(Deed::Grace, "grace"),
        Occasion::Deadline => struck(means).missed(),
        // They were cut short by the GM, or could reach nobody: that is no miss of theirs.
        _ => struck(means),
    }
}

/// The rule of the game for those who declare nothing.
fn struck(means: Means) -> Fate {
    Fate::struck(if means.skips { Deed::Skipped } else { Deed::ByDefault }, means)
}
