//! Days on which no deadline falls.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::calendar::Day;
use super::date::Dates;
use super::day::Weekdays;
use super::holidays::Holidays;

/// After so many days at the latest one comes on which a window can close.
pub(super) const ALLOWED_WITHIN: u32 = 60;

/// Days on which no deadline falls: those of a calendar day, or of days later. It moves to the next
/// day that is none of them, at the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExceptedDays {
    /// True if Japan's public holidays are, as far as they are known.
    #[serde(default)]
    pub holidays: bool,
    /// Days of the week, where the rhythm is so many days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weekdays: Option<Weekdays>,
    /// Dates of a host's own.
    #[serde(default)]
    pub dates: Vec<Dates>,
}

impl ExceptedDays {
    /// True if there are none.
    pub fn is_none(&self) -> bool {
        !self.holidays && self.weekdays.is_none() && self.dates.is_empty()
    }

    pub(super) fn has(&self, day: NaiveDate) -> bool {
        self.holidays && Holidays::built_in().has(day)
            || self.weekdays.is_some_and(|days| days.has(Day::of(day).weekday()))
            || self.dates.iter().any(|it| it.has(day))
    }

    /// The number of days that are looked through more than where there are none of them.
    pub(super) fn looked_through(&self) -> i64 {
        if self.is_none() { 0 } else { ALLOWED_WITHIN.into() }
    }

    /// The last year of which the public holidays are known.
    pub fn holidays_known_until() -> i32 {
        Holidays::built_in().years().1
    }
}
