//! Days on which no deadline falls.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::calendar::Day;
use super::date::Dates;
use super::day::Weekdays;
use super::holidays::Holidays;

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
