//! Instants and the local clock of a zone.
//!
//! No function here fails: very far from the present a zone counts as UTC.

use std::ops::Add;

use chrono::{
    DateTime, MappedLocalTime, NaiveDate, NaiveDateTime, Offset as _, TimeZone as _, Weekday,
};
use chrono_tz::Tz;

use super::day::Quiet;
use crate::time::{DAY, Span, Time};

/// The year 10000 in milliseconds after 1970; no calendar is asked beyond it, or as far before 1970.
const FAR: i64 = 253_402_300_800_000;

/// The maximum shift of a zone's clock in history, over the date line included.
const FURTHEST: Span = Span::days(2);

/// The local date and time: the instant that it would be if the zone were UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LocalTime(Time);

impl LocalTime {
    /// Returns the time this long after the midnight of a day.
    pub(super) fn of(day: Day, since_midnight: Span) -> Self {
        Self(Time::default() + DAY * day.0 + since_midnight)
    }

    pub(super) fn day(self) -> Day {
        Day(self.0.milliseconds().div_euclid(DAY.milliseconds()))
    }

    /// Returns the time since midnight on the clock.
    fn clock(self) -> Span {
        self.0.beyond(DAY)
    }
}

impl Add<Span> for LocalTime {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0 + span)
    }
}

/// A day of the calendar, counted from 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day(i64);

impl Day {
    pub(super) fn of(date: NaiveDate) -> Self {
        Self(date.to_epoch_days().into())
    }

    pub(super) fn date(self) -> Option<NaiveDate> {
        NaiveDate::from_epoch_days(self.0.try_into().ok()?)
    }

    /// Returns the day this many days later.
    pub(super) fn later(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Returns the number of days after another day.
    pub(super) fn after(self, other: Self) -> i64 {
        self.0.saturating_sub(other.0)
    }

    pub(super) fn weekday(self) -> Weekday {
        // The first day of 1970 was a Thursday.
        (0..self.0.rem_euclid(7)).fold(Weekday::Thu, |day, _| day.succ())
    }
}

fn naive(at: Time) -> Option<NaiveDateTime> {
    let near = Some(at.milliseconds()).filter(|at| (-FAR..FAR).contains(at))?;
    Some(DateTime::from_timestamp_millis(near)?.naive_utc())
}

/// Returns the offset of local time from UTC at an instant.
fn offset(zone: Tz, at: Time) -> Span {
    let seconds = |utc| zone.offset_from_utc_datetime(&utc).fix().local_minus_utc();
    naive(at).map_or(Span::ZERO, |utc| Span::seconds(seconds(utc).into()))
}

/// Returns the local time of an instant.
pub(super) fn local(zone: Tz, at: Time) -> LocalTime {
    LocalTime(at + offset(zone, at))
}

/// Returns the instant of a local time: the earlier one of a time that comes twice, and the first instant
/// after the gap for a time that the clock leaves out.
pub(super) fn instant(zone: Tz, local: LocalTime) -> Time {
    let LocalTime(utc) = local;
    let Some(wanted) = naive(utc) else { return utc };
    let instant = |at: DateTime<Tz>| Time::from_milliseconds(at.timestamp_millis());
    match zone.from_local_datetime(&wanted) {
        MappedLocalTime::Single(at) => instant(at),
        MappedLocalTime::Ambiguous(one, other) => instant(one).min(instant(other)),
        MappedLocalTime::None => {
            first(utc - FURTHEST, utc + FURTHEST, |at| self::local(zone, at) >= local)
        }
    }
}

/// Returns the first time after `below` at which `is` is true, given that it is true at `upto` and stays true
/// from its first time on.
fn first(mut below: Time, mut upto: Time, is: impl Fn(Time) -> bool) -> Time {
    while upto - below > Span::INSTANT {
        let middle = below + (upto - below) / 2;
        if is(middle) {
            upto = middle;
        } else {
            below = middle;
        }
    }
    upto
}

/// True if an instant lies in quiet hours.
pub(super) fn is_quiet(zone: Tz, quiet: Quiet, at: Time) -> bool {
    quiet.has(local(zone, at).clock())
}

/// Returns the time from one clock reading to the next of the other.
fn from_to(from: Span, to: Span) -> Span {
    if from <= to { to - from } else { DAY - from + to }
}

/// The maximum number of pieces of a night: the clock may change within it, and change back.
const PIECES: usize = 8;

impl Quiet {
    /// Returns the first instant from this one on outside of the quiet hours, in a zone.
    pub fn ends(self, zone: Tz, at: Time) -> Time {
        quiet_ends(zone, self, at)
    }
}

/// Returns the first instant from this one on outside of quiet hours.
pub(super) fn quiet_ends(zone: Tz, quiet: Quiet, mut at: Time) -> Time {
    for _ in 0..PIECES {
        if !is_quiet(zone, quiet, at) {
            break;
        }
        let left = from_to(local(zone, at).clock(), quiet.to.since_midnight());
        let (end, now) = (at + left, offset(zone, at));
        at = if offset(zone, end) == now {
            end
        } else {
            first(at, end, |later| offset(zone, later) != now)
        };
    }
    at
}

/// Returns the first instant of the quiet hours that contain this one.
pub(super) fn quiet_begins(zone: Tz, quiet: Quiet, mut at: Time) -> Time {
    for _ in 0..PIECES {
        if !is_quiet(zone, quiet, at) {
            return at + Span::INSTANT;
        }
        let gone = from_to(quiet.from.since_midnight(), local(zone, at).clock());
        let (begin, now) = (at - gone, offset(zone, at));
        if offset(zone, begin) == now {
            // The clock may just have been put to this time, or the hours may end where they begin.
            at = begin - Span::INSTANT;
        } else {
            at = first(begin, at, |later| offset(zone, later) == now) - Span::INSTANT;
        }
    }
    at
}
