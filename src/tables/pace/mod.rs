//! The pace of a table: the times of its deadlines, announcements and reminders.
//!
//! Only a pace with times of day needs a calendar.
//!
//! | file | content |
//! | --- | --- |
//! | `calendar` | instants and the local clock, clock changes included; excepted days and holidays |
//! | `day` | times and parts of a day, days of the week, dates, quiet hours |
//! | `course` | the deadlines, announcements and reminders of a pace |
//! | `words`, `presets` | the words of a pace and named paces, from `data/desk` |
//! | `length`, `scan`, `read` | the parser of a pace: lengths of time, its pieces, their relations and faults |
//! | `when` | a point in time, as a person types it |

mod calendar;
mod course;
mod day;
pub(crate) mod length;
pub mod presets;
mod read;
mod scan;
#[cfg(test)]
mod test_course;
#[cfg(test)]
mod test_read;
mod when;
mod words;

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::pace::calendar::ALLOWED_WITHIN;
use crate::pace::calendar::Day;
use crate::pace::day::SaidTime;
use crate::pace::length::Length;
use crate::pace::scan::{Scan, TokenKind};
use crate::pace::words::PaceWord;
use crate::time::{HOUR, Span};
use rules::WindowKind;

pub use crate::pace::calendar::{ExceptedDays, Holidays, check_holidays};
pub use crate::pace::day::{CalendarDate, Dates, NoDay, NoTimeOfDay, Quiet, TimeOfDay, Weekdays};
pub use crate::pace::scan::PaceFault;
pub use crate::pace::when::{read_quiet, read_zone, when};
pub use crate::pace::words::check;

/// The divisor that gives the part of a period left at its reminder.
const REMINDED: i64 = 5;

/// The divisor that gives the part of a window before the call of the last awaited player.
const LAST_CALLED: i64 = 8;

/// The times of deadlines, announcements and reminders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// The rhythm: the time from the opening of a window to its deadline.
    pub every: Every,
    /// The zone of the local times.
    pub zone: Tz,
    /// The time of the announcement.
    pub announce: Announce,
    /// True if a window closes as soon as all seats have sealed.
    pub early: bool,
    /// The time from the last seal to the early close.
    pub cool_down: Span,
    /// The minimum time for which a window is open: a nearer deadline is passed over.
    pub least: Span,
    /// The times of the reminders before the deadline, the longest first.
    pub reminders: Vec<Span>,
    /// The minimum time from the opening to the call of the last awaited player.
    #[serde(default, skip_serializing_if = "LastCall::is_supposed")]
    pub last_call: LastCall,
    /// The hours in which nobody is called, `None` if there are none.
    pub quiet: Option<Quiet>,
    /// The days on which no deadline falls.
    #[serde(default, skip_serializing_if = "ExceptedDays::is_none")]
    pub except: ExceptedDays,
    /// The treatment of a window whose deadline passed during an outage.
    pub outage: OutageRule,
    /// The given paces of other kinds of windows than turns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<WindowKind, KindPace>,
    /// The moments at which a window can close.
    #[serde(skip)]
    pub tick: Tick,
    /// The minimum time from the opening to an early close.
    #[serde(skip)]
    pub settles_after: Span,
}

/// The rhythm: the time from the opening of a window to its deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Every {
    /// A fixed time later. Hours are instants: a clock change makes no difference.
    Period(Span),
    /// The same local time this many calendar days later.
    Days(u32),
    /// The next of these local times of day on one of these days of the week.
    Times {
        /// The times of day, the earliest first.
        times: Vec<TimeOfDay>,
        /// The days of the week.
        days: Weekdays,
    },
}

/// The time of an announcement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Announce {
    /// The close of the window.
    #[default]
    AtOnce,
    /// This long after the close.
    After(Span),
    /// A local time of day.
    At(TimeOfDay),
}

/// The minimum time from the opening of a window to the call of the last awaited player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LastCall {
    /// One `LAST_CALLED`th of the window's length.
    #[default]
    Supposed,
    /// This long.
    After(Span),
    Never,
}

impl LastCall {
    fn is_supposed(&self) -> bool {
        *self == Self::Supposed
    }
}

/// The reason why a window closes some time after the last seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CloseDelay {
    /// The minimum time for which a window is open.
    LeastTime,
    /// The time to reconsider after a seal.
    CoolDown,
    /// Quiet hours.
    Quiet,
    /// The wait for the next allowed moment.
    Tick,
}

/// The treatment of a window whose deadline passed while no process was running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutageRule {
    /// The window closes late, when a process runs again.
    Late,
    /// The deadline is put off by the length of the outage.
    #[default]
    Extend,
    /// The window waits for its host.
    Wait,
}

impl Pace {
    /// Creates a pace with defaults for everything but its rhythm: it closes early, announces immediately,
    /// and puts deadlines off for outages. A period has one reminder when a fifth of it is left; calendar
    /// days and times of day have one three hours before, and windows that close at times of day are open for
    /// six hours at least.
    pub fn new(every: Every, zone: Tz) -> Self {
        let reminders = match every {
            Every::Period(period) => vec![period / REMINDED],
            Every::Days(_) | Every::Times { .. } => vec![HOUR * 3],
        };
        let least = if matches!(every, Every::Times { .. }) { HOUR * 6 } else { Span::ZERO };
        Self {
            every,
            zone,
            announce: Announce::AtOnce,
            early: true,
            cool_down: Span::ZERO,
            least,
            reminders,
            last_call: LastCall::Supposed,
            quiet: None,
            except: ExceptedDays::default(),
            outage: OutageRule::Extend,
            kinds: BTreeMap::new(),
            tick: Tick::Any,
            settles_after: Span::ZERO,
        }
    }

    /// Creates a plain period, as for a game played in one sitting.
    pub fn play(period: Span, zone: Tz) -> Self {
        Self::new(Every::Period(period), zone)
    }
}

/// The minimum time before a reaction closes by default, unless a part of its length is shorter.
const LEAST: Span = Span::minutes(30);
const LEAST_PART: i64 = 4;

/// The length from which a default pace closes on full hours.
const LONG: Span = Span::hours(3);

/// The pace of the windows of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindPace {
    /// The time from the opening to the deadline, at most.
    pub length: Span,
    /// The minimum time from the opening to an early close while sealings are hidden.
    pub least: Span,
    /// The moments at which the window can close early while sealings are hidden, and its deadline falls.
    pub tick: Tick,
}

/// The moments at which a window can close, so that the time of its close does not reveal the time of a seal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Tick {
    /// Any moment; while sealings are hidden, a full step of the clock.
    #[default]
    Any,
    /// The full hours.
    Hourly,
    /// These local times of day.
    Times(Vec<TimeOfDay>),
}

impl KindPace {
    /// Returns the default pace of a kind whose windows are open for this long.
    pub fn supposed(kind: WindowKind, length: Span) -> Self {
        let (least, tick) = match kind {
            WindowKind::Reaction => (LEAST.min(length / LEAST_PART), true),
            WindowKind::Choice => (Span::ZERO, true),
            WindowKind::Setup | WindowKind::Turn => (Span::ZERO, false),
        };
        let tick = if tick && length >= LONG { Tick::Hourly } else { Tick::Any };
        Self { length, least, tick }
    }
}

impl Tick {
    /// Returns the times of day, empty if any moment will do.
    pub(super) fn times(&self) -> Vec<TimeOfDay> {
        match self {
            Self::Any => Vec::new(),
            Self::Hourly => (0..24).filter_map(|hour| TimeOfDay::new(hour, 0)).collect(),
            Self::Times(times) => times.clone(),
        }
    }
}
