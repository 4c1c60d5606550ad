//! The pace of a table: the times of its deadlines, announcements and reminders.
//!
//! Only a pace with times of day needs a calendar.
//!
//! | file | content |
//! | --- | --- |
//! | `calendar` | instants and the local clock, clock changes included |
//! | `day` | times of day, days of the week, quiet hours |
//! | `date` | dates, and from one to another |
//! | `except`, `allowed`, `holidays` | excepted and allowed days; holidays, from `data/desk/holidays.toml` |
//! | `course` | the deadlines, announcements and reminders of a pace |
//! | `kinds` | the given or default paces of other kinds of windows than turns |
//! | `words`, `nearest` | the words of a pace, from `data/desk/pace.toml`, and suggestions |
//! | `length` | numbers and lengths of time in a text |
//! | `scan`, `read`, `parts` | the parser of a pace: its pieces, their relations, and the pace |
//! | `when` | a point in time, as a person types it |
//! | `presets` | named paces, from `data/desk/presets.toml` |
//! | `fault` | the parse faults of a line |

mod allowed;
mod alone;
mod calendar;
mod course;
mod date;
mod day;
mod except;
mod fault;
mod holidays;
mod kinds;
pub(crate) mod length;
mod nearest;
mod parts;
pub mod presets;
mod read;
mod scan;
mod when;
mod words;

#[cfg(test)]
mod test_course;
#[cfg(test)]
mod test_read;

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::time::{HOUR, Span};
use rules::WindowKind;

pub use alone::{read_quiet, read_zone};
pub use date::{CalendarDate, Dates};
pub use day::{NoDay, NoTimeOfDay, Quiet, TimeOfDay, Weekdays};
pub use except::ExceptedDays;
pub use fault::PaceFault;
pub use holidays::{Holidays, check_holidays};
pub use kinds::{KindPace, Tick};
pub use when::when;
pub use words::check;

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
