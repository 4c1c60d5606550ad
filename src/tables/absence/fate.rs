//! The truth table: the fate of a seat in each condition on each occasion; and the limits on putting a window
//! off.

use serde::{Deserialize, Serialize};

use crate::absence::{Away, Inactive};
use crate::time::{Span, Time};
use crate::{Absence, Pace};
use rules::Interview;

/// The state of a seat in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// The window does not ask the seat.
    NothingToDeclare,
    /// The seat is asked, and has neither draft nor seal.
    NothingSent,
    /// The declaration leaves a question open: a draft, or an incomplete seal.
    Incomplete,
    /// The seat has sealed, with no question left open.
    Complete,
    /// The seat has sent nothing, and its player has announced an absence.
    Away,
    /// The seat has sent nothing, and neither has its substitute.
    Delegated,
    /// The seat has sent nothing, and had missed too many windows before.
    Inactive,
}

/// The occasion on which the fate of a seat is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// The deadline, or the end of the time of grace.
    Deadline,
    /// All awaited seats have sealed, and the window closes.
    AllSealed,
    /// The GM closes the window.
    GmClose,
    /// The deadline passed while no process was running, and the window is resolved late.
    AfterOutage,
}

/// The remaining options for a seat that has sent nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is there or not, whatever the others are")]
pub struct Means {
    /// True if the seat has allowance left, and no allowance has put the window off yet.
    pub allowance: bool,
    /// True if the table gives grace, and the window has had none.
    pub grace: bool,
    /// True if the window can be put off further.
    pub further: bool,
    /// True if the game skips the turn of a seat without a declaration; if not, defaults apply.
    pub skips: bool,
    /// True if the table shows which seats have sealed. If not, only the struck seats are informed.
    pub named: bool,
    /// True if the window can be let pass without a miss.
    pub optional: bool,
}

/// The consequence for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// The seat is not asked.
    Nothing,
    /// The declaration counts.
    Counts,
    /// The seat may still declare.
    AskedOn,
    /// The deadline is put off.
    PutOff,
    /// The seat may seal late.
    Grace,
    /// The turn is skipped.
    Skipped,
    /// The seat has let an optional window pass.
    LetPass,
    /// Defaults answer all questions.
    ByDefault,
    /// A bot player declares for the seat.
    ByHouse,
}

/// The fate of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The treatment of the seat.
    pub deed: Deed,
    /// True if the whole table is informed, not the seat alone.
    pub public: bool,
    /// True if the window counts as a miss.
    pub missed: bool,
}

impl Condition {
    /// Returns the condition of a seat with this interview: without questions, nothing is missing.
    #[must_use]
    pub fn over(self, form: &Interview) -> Self {
        if self.is_missing() && form.asked.is_empty() { Self::NothingToDeclare } else { self }
    }

    /// True if the seat has declared something that counts.
    pub fn has_declared(self) -> bool {
        matches!(self, Self::Incomplete | Self::Complete)
    }

    /// True if the seat was asked and has sent nothing, for whatever reason.
    pub fn is_missing(self) -> bool {
        matches!(self, Self::NothingSent | Self::Away | Self::Delegated | Self::Inactive)
    }
}

impl Deed {
    /// True if the turn gets an outcome that its player has not declared.
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

    /// Returns the fate of a seat that gets an outcome its player has not declared.
    const fn struck(deed: Deed, means: Means) -> Self {
        Self { deed, public: means.named, missed: false }
    }
}

impl Absence {
    /// Returns the fate of a seat.
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

    /// True if a window waits for a seat in this condition, and does not close without it.
    pub fn waits_for(&self, condition: Condition) -> bool {
        match condition {
            Condition::NothingToDeclare | Condition::Inactive => false,
            Condition::Away => self.away == Away::Extend,
            _ => true,
        }
    }

    /// Returns the fate of a seat in an optional window: a bot player still plays for an absent or inactive
    /// player, and the table is not informed.
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

/// Returns the fate of a seat whose player could have been present.
fn fate_of_missing(occasion: Occasion, means: Means) -> Fate {
    match occasion {
        // Nobody counts as missing before the deadline.
        Occasion::AllSealed => Fate::ASKED_ON,
        Occasion::Deadline if means.allowance && means.further => Fate::everybody(Deed::PutOff),
        Occasion::Deadline if means.grace => Fate::everybody(Deed::Grace),
        Occasion::Deadline => Fate { missed: true, ..struck(means) },
        // The GM cut the window short, or the program was down: no miss.
        _ => struck(means),
    }
}

/// Returns the fate by the game's rule for seats without a declaration.
fn struck(means: Means) -> Fate {
    Fate::struck(if means.skips { Deed::Skipped } else { Deed::ByDefault }, means)
}

/// The longest absence, and the longest time with a substitute.
pub const LONGEST_AWAY: Span = Span::days(60);

/// The maximum number of window lengths by which a window is put off, for any reason: no absence stops a
/// table for ever.
pub const MOST_PUT_OFF: u32 = 3;

/// The maximum number of window lengths by which a window is put off on demand, by its game masters and by
/// votes together: enough for a weekend in daily windows, and an end for endless demands. Extensions for
/// missing players count separately.
pub const MOST_EXTENDED: u32 = 2;

/// The minimum time by which a window can be put off on demand: an evening of short windows can go on the
/// next day.
pub const LEAST_ROOM: Span = Span::days(1);

/// The longest single pause of a table: a table paused without an end is dead.
pub const LONGEST_PAUSE: Span = Span::days(30);

/// The time after a pause in which players can object to it.
pub const OBJECTION: Span = Span::days(1);

/// The longest total pause of a table on demand, as long as one absence: enough for a summer and a new year,
/// and a limit on pause after pause.
pub const MOST_PAUSED: Span = LONGEST_AWAY;

/// Returns the time by which a window can still be put off on demand, given its close and its extension so
/// far.
pub fn room(pace: &Pace, closes: Time, extended: Span) -> Span {
    let first = closes - extended;
    let last = (0..MOST_EXTENDED).fold(first, |last, _| pace.deadline(last));
    (last.max(first + LEAST_ROOM) - closes).max(Span::ZERO)
}

/// A window put off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutOff {
    /// The new deadline.
    pub closes: Time,
    /// The number of window lengths put off so far, in all.
    pub times: u32,
}

/// Puts a deadline off by a window length of the pace, and by more until it lies after `beyond`. `None` if
/// the window has been put off the maximum number of times.
///
/// The pace defines a window length: if windows close at 21:00, a deadline is put off to 21:00, even across a
/// clock change.
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
