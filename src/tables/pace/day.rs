//! Times of day, days of the week, dates and holidays, as people type them.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike as _, NaiveDate, Weekday};
use serde::{Deserialize, Serialize};

use crate::time::{MINUTE, Span};
use crate::vocabulary::count_at;
use rules::text::Folded;

/// A local time of day, to the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    pub const MIDNIGHT: Self = Self(0);

    /// Creates a time of day, from 0:00 to 23:59.
    pub fn new(hour: u32, minute: u32) -> Option<Self> {
        let minutes = u16::try_from(hour * 60 + minute).ok();
        minutes.filter(|_| hour < 24 && minute < 60).map(Self)
    }

    /// Returns the time since midnight, without clock changes.
    pub(super) fn since_midnight(self) -> Span {
        MINUTE * i64::from(self.0)
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// The parse error of a text that is not a time of day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time of day such as 21:00")]
pub struct NoTimeOfDay(String);

impl FromStr for TimeOfDay {
    type Err = NoTimeOfDay;

    fn from_str(text: &str) -> Result<Self, NoTimeOfDay> {
        let read = || {
            let (hour, minute) = text.split_once(':')?;
            let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
            if hour.len() > 2 || minute.len() != 2 || !digits(hour) || !digits(minute) {
                return None;
            }
            Self::new(hour.parse().ok()?, minute.parse().ok()?)
        };
        read().ok_or_else(|| NoTimeOfDay(text.to_owned()))
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = NoTimeOfDay;

    fn try_from(text: String) -> Result<Self, NoTimeOfDay> {
        text.parse()
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> Self {
        time.to_string()
    }
}

/// A time of day as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SaidTime {
    pub(super) time: TimeOfDay,
    /// True if the time is on the day after the named day, such as 25:00.
    pub(super) next_day: bool,
}

impl SaidTime {
    /// Creates a time from its hour, counted from the midnight of the named day, and its minute.
    pub(super) fn new(hour: u32, minute: u32) -> Option<Self> {
        let of_night = (hour < HOURS_SAID).then_some(hour / 24)?;
        let time = TimeOfDay::new(hour % 24, minute)?;
        Some(Self { time, next_day: of_night > 0 })
    }
}

/// The limit of hours counted on into the night of a day.
const HOURS_SAID: u32 = 30;

/// A set of days of the week, at least one.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct Weekdays(u8);

impl Weekdays {
    pub const DAILY: Self = Self(0b111_1111);
    /// Monday to Friday.
    pub const WEEKDAYS: Self = Self(0b001_1111);
    /// Saturday and Sunday.
    pub const WEEKENDS: Self = Self(0b110_0000);
    /// The meaning of "once a week": Sunday.
    pub const ONCE: Self = Self(0b100_0000);
    /// The meaning of "twice a week": Monday and Thursday.
    pub const TWICE: Self = Self(0b000_1001);

    pub const fn one(day: Weekday) -> Self {
        Self(1 << day.num_days_from_monday())
    }

    /// Returns the days from `first` to `last`, past Sunday if `last` comes earlier in the week.
    pub fn from_to(first: Weekday, last: Weekday) -> Self {
        let mut days = Self::one(first);
        let mut day = first;
        while day != last {
            day = day.succ();
            days = days.with(Self::one(day));
        }
        days
    }

    /// Returns the days from the only day of one set to the only day of the other.
    pub(super) fn to(self, last: Self) -> Option<Self> {
        let only = |days: Self| {
            let mut each = days.days();
            each.next().filter(|_| each.next().is_none())
        };
        Some(Self::from_to(only(self)?, only(last)?))
    }

    /// Returns the number of days.
    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns the difference of two sets, `None` if it is empty.
    pub(super) fn without(self, others: Self) -> Option<Self> {
        Some(Self(self.0 & !others.0)).filter(|left| left.0 != 0)
    }

    /// Returns the days after these.
    pub(super) fn next(self) -> Self {
        Self((self.0 << 1 | self.0 >> 6) & Self::DAILY.0)
    }

    /// True if the set contains a day.
    pub(super) fn has(self, day: Weekday) -> bool {
        self.0 >> day.num_days_from_monday() & 1 == 1
    }

    /// Returns the days in order, from Monday.
    pub fn days(self) -> impl Iterator<Item = Weekday> {
        ALL.into_iter().filter(move |day| self.has(*day))
    }
}

const ALL: [Weekday; 7] = [
    Weekday::Mon,
    Weekday::Tue,
    Weekday::Wed,
    Weekday::Thu,
    Weekday::Fri,
    Weekday::Sat,
    Weekday::Sun,
];

impl fmt::Debug for Weekdays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.days()).finish()
    }
}

/// The error for words that are not days of the week, or for no words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} are not some of mon, tue, wed, thu, fri, sat, sun")]
pub struct NoDay(Vec<String>);

impl TryFrom<Vec<String>> for Weekdays {
    type Error = NoDay;

    fn try_from(names: Vec<String>) -> Result<Self, NoDay> {
        let days: Option<Vec<Weekday>> = names.iter().map(|name| name.parse().ok()).collect();
        let days = days.unwrap_or_default().into_iter().map(Self::one).reduce(Self::with);
        days.ok_or(NoDay(names))
    }
}

impl From<Weekdays> for Vec<String> {
    fn from(days: Weekdays) -> Self {
        days.days().map(|day| day.to_string().to_lowercase()).collect()
    }
}

/// Local hours in which nobody is called; they may span midnight. With equal ends there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quiet {
    /// The beginning.
    pub from: TimeOfDay,
    /// The end.
    pub to: TimeOfDay,
}

impl Quiet {
    /// True if these hours contain the time since midnight.
    pub(super) fn has(self, clock: Span) -> bool {
        let (from, to) = (self.from.since_midnight(), self.to.since_midnight());
        if from <= to { (from..to).contains(&clock) } else { clock >= from || clock < to }
    }
}

/// A leap year, which has every possible date.
const LEAP_YEAR: i32 = 2000;

/// A date, of every year if it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalendarDate {
    /// The year, `None` for every year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    /// The month, from 1.
    pub month: u32,
    /// The day, from 1.
    pub day: u32,
}

impl CalendarDate {
    /// Parses the date here, such as `11/24`, `2026-11-24`, `11月24日`, and returns its end. The inner error
    /// means a date that no calendar has.
    pub(super) fn at(text: &Folded<'_>, at: usize) -> Option<(Result<Self, NoDate>, usize)> {
        let (first, sign, at) = number_and_sign(text, at, &['/', '-', '年', '月'])?;
        let (year, month, sign, at) = match sign {
            '年' => {
                let (month, sign, at) = number_and_sign(text, at, &['月'])?;
                (Some(first), month, sign, at)
            }
            '月' => (None, first, sign, at),
            sign if first > 31 => {
                let (month, sign, at) = number_and_sign(text, at, &[sign])?;
                (Some(first), month, sign, at)
            }
            // `2-3` may be a range; only slashes make dates without a year.
            '-' => return None,
            sign => (None, first, sign, at),
        };
        let year = year.map(i32::try_from).transpose().ok()?;
        Self { year, month, day: 1 }.with_day_at(text, at, sign == '月')
    }

    /// Parses a day alone as one of the same month, and returns its end.
    pub(super) fn same_month_at(self, text: &Folded<'_>, at: usize) -> Option<(Self, usize)> {
        let (_, end) = count_at(text, at)?;
        let (date, end) = self.with_day_at(text, at, text.char(end) == Some('日'))?;
        Some((date.ok()?, end))
    }

    /// Parses the day here, with its sign or without, and returns its end.
    fn with_day_at(
        self,
        text: &Folded<'_>,
        at: usize,
        signed: bool,
    ) -> Option<(Result<Self, NoDate>, usize)> {
        let (day, end) = count_at(text, at)?;
        let sign = text.char(end);
        if signed != (sign == Some('日')) || matches!(sign, Some(':' | '時')) {
            return None;
        }
        let date = Self { day: u32::try_from(day).ok()?, ..self };
        let is_there = date.in_year(self.year.unwrap_or(LEAP_YEAR)).is_some();
        Some((if is_there { Ok(date) } else { Err(NoDate) }, end + usize::from(signed)))
    }

    /// Returns the date in a year, `None` if the year does not have it.
    pub(super) fn in_year(self, year: i32) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(year, self.month, self.day)
    }

    fn of_the_year(self) -> (u32, u32) {
        (self.month, self.day)
    }
}

impl fmt::Display for CalendarDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(year) = self.year {
            write!(f, "{year}/")?;
        }
        write!(f, "{}/{}", self.month, self.day)
    }
}

/// The error for a date that no calendar has, such as the 30th of February.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoDate;

/// Parses a number directly followed by one of these signs, and returns the end.
fn number_and_sign(text: &Folded<'_>, at: usize, signs: &[char]) -> Option<(u32, char, usize)> {
    let (number, end) = count_at(text, at)?;
    let sign = text.char(end).filter(|sign| signs.contains(sign))?;
    Some((u32::try_from(number).ok()?, sign, end + 1))
}

/// A range of dates, both ends included. Both have a year, or neither; without a year, the range is of every
/// year, and may cross the end of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dates {
    /// The first date.
    pub from: CalendarDate,
    /// The last date.
    pub to: CalendarDate,
}

impl Dates {
    pub(super) fn one(date: CalendarDate) -> Self {
        Self { from: date, to: date }
    }

    /// Returns the range from the first of these dates to the last of those. The year of one end is also that
    /// of the other.
    pub(super) fn up_to(self, last: Self) -> Self {
        let (mut from, mut to) = (self.from, last.to);
        let over_the_year = i32::from(to.of_the_year() < from.of_the_year());
        match (from.year, to.year) {
            (Some(year), None) => to.year = Some(year.saturating_add(over_the_year)),
            (None, Some(year)) => from.year = Some(year.saturating_sub(over_the_year)),
            _ => {}
        }
        Self { from, to }
    }

    /// Returns the date of a range of one day.
    pub(super) fn alone(self) -> Option<CalendarDate> {
        (self.from == self.to).then_some(self.from)
    }

    /// True if the last date comes before the first.
    pub(super) fn is_reversed(self) -> bool {
        self.ends().is_some_and(|(from, to)| to < from)
    }

    /// True if the range contains a day.
    pub fn has(self, day: NaiveDate) -> bool {
        let (from, to) = (self.from.of_the_year(), self.to.of_the_year());
        let of_the_year = (day.month(), day.day());
        match (self.from.year, self.to.year) {
            (Some(first), Some(last)) => {
                ((first, from)..=(last, to)).contains(&(day.year(), of_the_year))
            }
            _ if from <= to => (from..=to).contains(&of_the_year),
            _ => of_the_year >= from || of_the_year <= to,
        }
    }

    /// Returns the first and the last day, `None` if they have no year.
    pub(super) fn ends(self) -> Option<(NaiveDate, NaiveDate)> {
        Some((self.from.in_year(self.from.year?)?, self.to.in_year(self.to.year?)?))
    }
}

impl fmt::Display for Dates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.alone() {
            Some(date) => write!(f, "{date}"),
            None => write!(f, "{}-{}", self.from, self.to),
        }
    }
}
