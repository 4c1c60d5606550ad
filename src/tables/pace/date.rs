//! Dates and ranges of dates, as people type them.

use std::fmt;

use chrono::{Datelike as _, NaiveDate};
use serde::{Deserialize, Serialize};

use super::length::count_at;
use rules::text::Folded;

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
