//! Instants and the local clock of a zone.
//!
//! No function here fails: very far from the present a zone counts as UTC.

use std::collections::BTreeMap;
use std::ops::Add;

use chrono::{
    DateTime, Datelike as _, MappedLocalTime, NaiveDate, NaiveDateTime, Offset as _, TimeZone as _,
    Weekday,
};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::time::{DAY, Span, Time};
use crate::{Dates, Quiet, Weekdays};
use rules::data::{BuiltIn, DataFault, parse};

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

/// The number of consecutive days among which a window must be able to close on at least one.
pub(super) const ALLOWED_WITHIN: u32 = 60;

/// Days on which no deadline falls, for deadlines at times of day or days later. Such a deadline moves to the
/// same time of the next allowed day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExceptedDays {
    /// True if Japan's public holidays are excepted, for the years in which they are known.
    #[serde(default)]
    pub holidays: bool,
    /// The excepted days of the week, for a rhythm of days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weekdays: Option<Weekdays>,
    /// The host's own dates.
    #[serde(default)]
    pub dates: Vec<Dates>,
}

impl ExceptedDays {
    /// True if no day is excepted.
    pub fn is_none(&self) -> bool {
        !self.holidays && self.weekdays.is_none() && self.dates.is_empty()
    }

    pub(super) fn has(&self, day: NaiveDate) -> bool {
        self.holidays && Holidays::built_in().has(day)
            || self.weekdays.is_some_and(|days| days.has(Day::of(day).weekday()))
            || self.dates.iter().any(|it| it.has(day))
    }

    /// Returns the number of additional days to search because of excepted days.
    pub(super) fn looked_through(&self) -> i64 {
        if self.is_none() { 0 } else { ALLOWED_WITHIN.into() }
    }

    /// Returns the last year with known public holidays.
    pub fn holidays_known_until() -> i32 {
        Holidays::built_in().years().1
    }
}

const FILE: &str = "data/desk/holidays.toml";
const TEXT: &str = include_str!("../../../data/desk/holidays.toml");

/// The holidays. `shimekiri check` and a test rule out a faulty file.
static HOLIDAYS: BuiltIn<Holidays> = BuiltIn::new(|| read(FILE, TEXT));

/// The public holidays of some years.
#[derive(Debug)]
pub struct Holidays {
    /// The names of the holidays, by day.
    names: BTreeMap<NaiveDate, String>,
}

impl Holidays {
    pub fn built_in() -> &'static Self {
        &HOLIDAYS
    }

    pub fn has(&self, day: NaiveDate) -> bool {
        self.names.contains_key(&day)
    }

    /// Returns the first and the last known year.
    pub(super) fn years(&self) -> (i32, i32) {
        let year = |of: Option<&NaiveDate>| of.map_or(0, NaiveDate::year);
        (year(self.names.keys().next()), year(self.names.keys().next_back()))
    }
}

/// Returns the fault of the file, `None` if it has none.
pub fn check_holidays() -> Option<DataFault> {
    HOLIDAYS.fault()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HolidayFile {
    source: String,
    day: BTreeMap<String, String>,
}

fn read(file: &str, text: &str) -> Result<Holidays, DataFault> {
    let HolidayFile { source, day } = parse(file, text)?;
    let fault = |key: &str, what: &str| Err(DataFault::at_key(file, text, key, what));
    if source.trim().is_empty() {
        return fault("source", "it does not say where the days come from");
    }
    let mut names = BTreeMap::new();
    for (key, name) in day {
        match key.parse::<NaiveDate>() {
            Ok(date) if !name.trim().is_empty() => names.insert(date, name),
            Ok(_) => return fault(&key, "it has no name"),
            Err(_) => return fault(&key, "it is no day such as 2027-01-01"),
        };
    }
    if names.is_empty() { fault("[day]", "there are no days") } else { Ok(Holidays { names }) }
}

#[cfg(test)]
mod tests {
    use chrono::Days;

    use super::*;

    #[test]
    fn the_days_are_those_of_the_law() {
        assert_eq!(check_holidays(), None);
        let names = &HOLIDAYS.names;
        let holiday = |day: NaiveDate| {
            names.get(&day).is_some_and(|name| !matches!(name.as_str(), "振替休日" | "国民の休日"))
        };
        let (first, last) = HOLIDAYS.years();
        let days = NaiveDate::from_ymd_opt(first, 1, 1).unwrap().iter_days();
        let mut owed = false;
        for day in days.take_while(|day| day.year() <= last) {
            let name = names.get(&day).map(String::as_str);
            let between = holiday(day - Days::new(1)) && holiday(day + Days::new(1));
            owed |= holiday(day) && day.weekday() == Weekday::Sun;
            // Article 3 of the law: a holiday on a Sunday is made up for, and a day between two holidays is
            // free.
            if !holiday(day) {
                assert_eq!(name == Some("振替休日"), owed, "{day}");
                assert_eq!(name == Some("国民の休日"), between && !owed, "{day}");
                owed = false;
            }
            let monday = matches!(name, Some("成人の日" | "海の日" | "敬老の日" | "スポーツの日"));
            assert!(!monday || day.weekday() == Weekday::Mon, "{day}");
        }
        // Article 2 names 16 holidays.
        for year in first..=last {
            assert_eq!(
                names.keys().filter(|day| day.year() == year && holiday(**day)).count(),
                16,
                "{year}"
            );
        }
    }

    #[test]
    fn a_fault_has_its_line() {
        for (text, line) in [
            ("source = \"\"\n[day]\n", 1),
            ("source = \"x\"\n[day]\n", 2),
            ("source = \"x\"\n[day]\n2027-02-30 = \"x\"\n", 3),
            ("source = \"x\"\n[day]\n2027-02-20 = \"\"\n", 3),
        ] {
            assert_eq!(read("f", text).unwrap_err().line, line, "{text}");
        }
    }
}
