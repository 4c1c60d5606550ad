//! The pace of a table: when its windows close, when results are announced, and when the deadline
//! is called to mind.
//!
//! A calendar is looked at only where a pace speaks of times of day.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `calendar` | instants and the local clock, clock changes included |
//! | `day` | times of day, days of the week, quiet hours |
//! | `date` | dates, and from one to another |
//! | `except`, `allowed`, `holidays` | days on which no deadline falls, and on which one can; Japan's public holidays, from `data/desk/holidays.toml` |
//! | `course` | the deadlines, announcements and reminders of a pace |
//! | `kinds`, `of_kind` | how windows of other kinds than turns are paced, as it is said or supposed |
//! | `words`, `nearest` | what a pace is said in, from `data/desk/pace.toml`, and what may have been meant |
//! | `length` | numbers and lengths of time in a text |
//! | `scan`, `read`, `said` | a line that says a pace: its pieces, what belongs to what, and the pace it makes |
//! | `when` | a point in time, as a person says it |
//! | `presets` | paces that have a name, from `data/desk/presets.toml` |
//! | `fault` | what a line can have wrong |

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
pub mod presets;
mod read;
mod said;
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

/// A reminder comes when this part of a period is left.
const REMINDED: i64 = 5;

/// Nobody is told that they are the last one before this part of a window has passed.
const LAST_CALLED: i64 = 8;

/// When windows close, results are announced, and people are reminded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// From the opening of a window to its deadline.
    pub every: Every,
    /// Where its times of day are local.
    pub zone: Tz,
    /// When the result is announced.
    pub announce: Announce,
    /// True if a window closes as soon as everybody has sealed.
    pub early: bool,
    /// How long after the last seal it does so.
    pub cool_down: Span,
    /// A window is open for at least so long: a nearer deadline is passed over.
    pub least: Span,
    /// So long before the deadline it is called to mind, the longest first.
    pub reminders: Vec<Span>,
    /// How long after its opening somebody is told at the soonest that they are the last one who is
    /// waited for.
    #[serde(default, skip_serializing_if = "LastCall::is_supposed")]
    pub last_call: LastCall,
    /// When nobody is to be called.
    pub quiet: Option<Quiet>,
    /// On which days no deadline falls.
    #[serde(default, skip_serializing_if = "ExceptedDays::is_none")]
    pub except: ExceptedDays,
    /// What happens to a window whose deadline passed while nobody kept it.
    pub outage: OutageRule,
    /// How the windows of other kinds than turns are paced, as far as it is said.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<WindowKind, KindPace>,
    /// On which moments a window closes.
    #[serde(skip)]
    pub tick: Tick,
    /// A window closes early no sooner after its opening.
    #[serde(skip)]
    pub settles_after: Span,
}

/// From the opening of a window to its deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Every {
    /// So much later. Hours are instants: no clock change makes a difference.
    Period(Span),
    /// The same local time so many calendar days later.
    Days(u32),
    /// The next of these local times of day on one of these days of the week.
    Times {
        /// The times of day, the earliest first.
        times: Vec<TimeOfDay>,
        /// The days of the week.
        days: Weekdays,
    },
}

/// When a result is announced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Announce {
    /// When the window closes.
    #[default]
    AtOnce,
    /// So long after it has closed.
    After(Span),
    /// At this local time of day.
    At(TimeOfDay),
}

/// How long after the opening of a window somebody is told at the soonest that they are the last one
/// who is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LastCall {
    /// `LAST_CALLED` of the window's length.
    #[default]
    Supposed,
    /// So long.
    After(Span),
    Never,
}

impl LastCall {
    fn is_supposed(&self) -> bool {
        *self == Self::Supposed
    }
}

/// What a window waits for that closes early, behind the last seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CloseDelay {
    /// It is open for so long at least.
    LeastTime,
    /// Whoever has sealed has time to think again.
    CoolDown,
    /// Nobody is called.
    Quiet,
    /// It closes on certain moments only.
    Tick,
}

/// What happens to a window whose deadline passed while no process was running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutageRule {
    /// It closes late, when there is a process again.
    Late,
    /// Its deadline is put off for as long as there was none.
    #[default]
    Extend,
    /// It waits for its host.
    Wait,
}

impl Pace {
    /// A pace that leaves everything but its rhythm to be supposed: it closes early, announces at
    /// once, and puts deadlines off for outages. A period has one reminder at a fifth of it;
    /// calendar days and times of day have one three hours before, and windows that close at
    /// times of day are open for six hours at least.
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

    /// A plain period, as for a game that is played in one sitting.
    pub fn play(period: Span, zone: Tz) -> Self {
        Self::new(Every::Period(period), zone)
    }
}
