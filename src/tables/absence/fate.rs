//! The truth table: what comes of a seat in each condition on each occasion; and how far a window is
//! put off for somebody, and how often.

use serde::{Deserialize, Serialize};

use super::settings::{Absence, Away, Inactive};
use crate::Pace;
use crate::time::{Span, Time};
use rules::Interview;

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
    /// It has sent nothing, and has said that it is away.
    Away,
    /// It has sent nothing, and neither has who stands in for it.
    Delegated,
    /// It has sent nothing, and had missed too many windows before.
    Inactive,
}

/// When it is asked what comes of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// The deadline has come; or the time of grace is over.
    Deadline,
    /// Everybody who is waited for has sealed, and the window closes.
    AllSealed,
    /// The GM closes the window.
    GmClose,
    /// The deadline came while no program was there, and the window is resolved late.
    AfterOutage,
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
    /// The window can be let pass, and that is no miss.
    pub optional: bool,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// Nothing: it is not asked.
    Nothing,
    /// What it has declared counts.
    Counts,
    /// It may still declare.
    AskedOn,
    /// The deadline is put off.
    PutOff,
    /// It may seal late.
    Grace,
    /// Its turn is skipped.
    Skipped,
    /// It has let the window pass, as it may.
    LetPass,
    /// Everything goes by default.
    ByDefault,
    /// A house player declares for it.
    ByHouse,
}

/// What comes of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// What is done.
    pub deed: Deed,
    /// Whether the whole table is told of it, or the seat alone.
    pub public: bool,
    /// True if it counts as a miss.
    pub missed: bool,
}

impl Condition {
    /// How a seat stands that would be asked these questions: where there are none, nothing is
    /// missing.
    #[must_use]
    pub fn over(self, form: &Interview) -> Self {
        if self.is_missing() && form.asked.is_empty() { Self::NothingToDeclare } else { self }
    }

    /// True if there is anything from it that counts.
    pub fn has_declared(self) -> bool {
        matches!(self, Self::Incomplete | Self::Complete)
    }

    /// True if it was asked and has sent nothing, for whatever reason.
    pub fn is_missing(self) -> bool {
        matches!(self, Self::NothingSent | Self::Away | Self::Delegated | Self::Inactive)
    }
}

impl Deed {
    /// True if a turn came to something that its player has not declared.
    pub fn strikes(self) -> bool {
        matches!(self, Self::Skipped | Self::ByDefault | Self::ByHouse)
    }
}

impl Fate {
    const NOTHING: Self = Self { deed: Deed::Nothing, public: false, missed: false };
    const ASKED_ON: Self = Self { deed: Deed::AskedOn, public: false, missed: false };

    const fn everybody(deed: Deed) -> Self {
        Self { deed, public: true, missed: false }
    }

    /// What its player has not declared.
    const fn struck(deed: Deed, means: Means) -> Self {
        Self { deed, public: means.named, missed: false }
    }
}

impl Absence {
    /// What comes of a seat.
    pub fn fate(&self, condition: Condition, occasion: Occasion, means: Means) -> Fate {
        match condition {
            Condition::NothingToDeclare => Fate::NOTHING,
            Condition::Incomplete | Condition::Complete => Fate::everybody(Deed::Counts),
            _ if means.optional => self.fate_of_passing(condition),
            Condition::Away => self.fate_of_away(occasion, means),
            Condition::Inactive => match self.inactive {
                Inactive::Skip => struck(means),
                Inactive::House => Fate::struck(Deed::ByHouse, means),
            },
            Condition::NothingSent | Condition::Delegated => fate_of_missing(occasion, means),
        }
    }

    /// True if a window waits for a seat in this condition, and so does not close without it.
    pub fn waits_for(&self, condition: Condition) -> bool {
        match condition {
            Condition::NothingToDeclare | Condition::Inactive => false,
            Condition::Away => self.away == Away::Extend,
            _ => true,
        }
    }

    /// Of somebody who may let the window pass: whoever is gone and played for is played for here, too,
    /// and nobody is told of anything.
    fn fate_of_passing(&self, condition: Condition) -> Fate {
        let by_house = match condition {
            Condition::Inactive => self.inactive == Inactive::House,
            Condition::Away => self.away == Away::House,
            _ => false,
        };
        let deed = if by_house { Deed::ByHouse } else { Deed::LetPass };
        Fate { deed, public: false, missed: false }
    }

    fn fate_of_away(&self, occasion: Occasion, means: Means) -> Fate {
        match (self.away, occasion) {
            (Away::House, _) => Fate::struck(Deed::ByHouse, means),
            (Away::Extend, Occasion::AllSealed) => Fate::ASKED_ON,
            (Away::Extend, Occasion::Deadline) if means.further => Fate::everybody(Deed::PutOff),
            _ => struck(means),
        }
    }
}

/// Of somebody who could have been there.
fn fate_of_missing(occasion: Occasion, means: Means) -> Fate {
    match occasion {
        // Nobody is gone before the deadline.
        Occasion::AllSealed => Fate::ASKED_ON,
        Occasion::Deadline if means.allowance && means.further => Fate::everybody(Deed::PutOff),
        Occasion::Deadline if means.grace => Fate::everybody(Deed::Grace),
        Occasion::Deadline => Fate { missed: true, ..struck(means) },
        // They were cut short by the GM, or could reach nobody: that is no miss of theirs.
        _ => struck(means),
    }
}

/// The rule of the game for those who declare nothing.
fn struck(means: Means) -> Fate {
    Fate::struck(if means.skips { Deed::Skipped } else { Deed::ByDefault }, means)
}

/// The longest time that somebody can be away, or be stood in for: nobody is gone without end.
pub const LONGEST_AWAY: Span = Span::days(60);

/// A window is put off by so many windows' lengths at most, for whomever and by whomever: nobody's
/// absence stops a table for ever.
pub const MOST_PUT_OFF: u32 = 3;

/// How often a window can be put off on demand, by its game masters and by votes together, in windows'
/// lengths: whoever has a good reason finds room for a weekend in daily windows, and whoever presses
/// it again and again comes to an end. What is put off for those who are missing counts for itself.
pub const MOST_EXTENDED: u32 = 2;

/// A window can be put off on demand by so much in any case: an evening of short
/// windows can go on the next day.
pub const LEAST_ROOM: Span = Span::days(1);

/// The time for which a table may stand still at a time: what stands still without an end is
/// dead.
pub const LONGEST_PAUSE: Span = Span::days(30);

/// For so long after a table was paused its players can object to that.
pub const OBJECTION: Span = Span::days(1);

/// The time for which a table may stand still on demand in all: as long as one person can be
/// away. That is enough for a summer and a new year; a pause after a pause is no end either.
pub const MOST_PAUSED: Span = LONGEST_AWAY;

/// By how much more a window can be put off on demand that closes at this time and
/// has been put off by so much.
pub fn room(pace: &Pace, closes: Time, extended: Span) -> Span {
    let first = closes - extended;
    let last = (0..MOST_EXTENDED).fold(first, |last, _| pace.deadline(last));
    (last.max(first + LEAST_ROOM) - closes).max(Span::ZERO)
}

/// A window that is put off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutOff {
    /// Its new deadline.
    pub closes: Time,
    /// By how many windows' lengths it has been put off by then, in all.
    pub times: u32,
}

/// Puts a deadline off by a window's length of the pace, and by another as long as it does not lie
/// after `beyond`. `None`: it has been put off as often as can be, `times` times.
///
/// A window's length is what the pace makes of it: where windows close at 21:00, a deadline is put
/// off to 21:00, whether or not the clock is changed before.
pub fn put_off(pace: &Pace, closes: Time, times: u32, beyond: Time, now: Time) -> Option<PutOff> {
    let mut put_off = PutOff { closes, times };
    while put_off.times < MOST_PUT_OFF
        && (put_off.times == times || put_off.closes <= beyond.max(now))
    {
        put_off.closes = pace.deadline(put_off.closes);
        put_off.times += 1;
    }
    let is_later = put_off.times > times && put_off.closes > now;
    is_later.then_some(put_off)
}
