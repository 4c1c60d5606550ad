//! The settings of a pace parsed so far, and the pace they make.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::day::{Quiet, TimeOfDay, Weekdays};
use super::except::ALLOWED_WITHIN;
use super::fault::PaceFault;
use super::kinds::{KindPace, Tick};
use super::{Announce, Every, ExceptedDays, LastCall, OutageRule, Pace};
use crate::time::{DAY, Span};
use rules::WindowKind;

/// The hour of a deadline that is given by its days alone.
const EVENING: u32 = 21;

/// The settings parsed so far, `None` for those not given.
#[derive(Debug, Default)]
pub(super) struct PaceParts {
    pub(super) rhythm: Option<Every>,
    pub(super) times: Vec<TimeOfDay>,
    pub(super) days: Option<Weekdays>,
    pub(super) zone: Option<Tz>,
    pub(super) announce: Option<Announce>,
    pub(super) early: Option<bool>,
    pub(super) cool_down: Option<Span>,
    pub(super) least: Option<Span>,
    pub(super) reminders: Option<Vec<Span>>,
    pub(super) last_call: Option<LastCall>,
    #[expect(clippy::option_option, reason = "nothing given, none wanted, or these hours")]
    pub(super) quiet: Option<Option<Quiet>>,
    pub(super) except: Option<ExceptedDays>,
    pub(super) outage: Option<OutageRule>,
    pub(super) kinds: BTreeMap<WindowKind, KindParts>,
}

/// The settings of the windows of one kind.
#[derive(Debug, Default)]
pub(super) struct KindParts {
    pub(super) length: Option<Span>,
    pub(super) least: Option<Span>,
    pub(super) tick: Option<Tick>,
}

impl PaceParts {
    /// Returns the pace, with defaults for the rest. Without a rhythm, the settings change `before`.
    pub(super) fn pace(self, default_zone: Tz, before: Option<&Pace>) -> Result<Pace, PaceFault> {
        let days = self.days.or((!self.times.is_empty()).then_some(Weekdays::DAILY));
        let every = match (self.rhythm, days) {
            (Some(rhythm), _) => Some(rhythm),
            (None, None) => None,
            (None, Some(days)) => {
                let mut times = self.times;
                if times.is_empty() {
                    times.extend(TimeOfDay::new(EVENING, 0));
                }
                times.sort_unstable();
                Some(Every::Times { times, days })
            }
        };
        let mut pace = match (every, before) {
            (Some(every), _) => Pace::new(every, default_zone),
            (None, Some(before)) => before.clone(),
            (None, None) => return Err(PaceFault::NoRhythm),
        };
        pace.zone = self.zone.unwrap_or(pace.zone);
        pace.announce = self.announce.unwrap_or(pace.announce);
        pace.early = self.early.unwrap_or(pace.early);
        pace.cool_down = self.cool_down.unwrap_or(pace.cool_down);
        pace.least = self.least.unwrap_or(pace.least);
        pace.last_call = self.last_call.unwrap_or(pace.last_call);
        pace.quiet = self.quiet.unwrap_or(pace.quiet);
        pace.except = self.except.unwrap_or(pace.except);
        pace.outage = self.outage.unwrap_or(pace.outage);
        for (kind, parts) in self.kinds {
            let supposed = pace.supposed(kind);
            let length = parts.length.or(supposed.as_ref().map(|supposed| supposed.length));
            let Some(length) = length else { return Err(PaceFault::NoRhythm) };
            let mut of_kind = KindPace::supposed(kind, length);
            of_kind.least = parts.least.unwrap_or(of_kind.least);
            of_kind.tick = parts.tick.unwrap_or(of_kind.tick);
            if of_kind.least >= length {
                return Err(PaceFault::TooLong { said: of_kind.least, most: length });
            }
            if supposed != Some(of_kind.clone()) {
                pace.kinds.insert(kind, of_kind);
            }
        }
        if let Some(mut reminders) = self.reminders {
            reminders.sort_unstable_by(|one, other| other.cmp(one));
            reminders.dedup();
            let window = pace.longest();
            if let Some(longest) = reminders.first().copied().filter(|longest| *longest >= window) {
                return Err(PaceFault::ReminderTooLong { said: longest, window });
            }
            pace.reminders = reminders;
        }
        if !pace.leaves_days() {
            return Err(PaceFault::NoDayLeft { most: ALLOWED_WITHIN });
        }
        Ok(pace)
    }
}

impl Pace {
    /// Returns the longest time for which a window can be open, without clock changes and quiet hours.
    fn longest(&self) -> Span {
        let rhythm = match &self.every {
            Every::Period(period) => *period,
            Every::Days(days) => DAY * i64::from(*days),
            Every::Times { .. } => DAY * 7,
        };
        rhythm.max(self.least)
    }
}
