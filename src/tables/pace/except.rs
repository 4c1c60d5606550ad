//! Days on which no deadline falls.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use super::calendar::{Day, local};
use super::date::Dates;
use super::day::Weekdays;
use super::holidays::Holidays;
use super::{Every, Pace};
use crate::time::Time;

/// After so many days at the latest one comes on which a window can close.
pub(super) const ALLOWED_WITHIN: u32 = 60;

/// In so many years every date has come on every day of the week.
const CYCLE: i32 = 28;

/// Days on which no deadline falls: those of a calendar day, or of days later. It moves to the next
/// day that is none of them, at the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExceptedDays {
    /// Whether Japan's public holidays are, as far as they are known.
    #[serde(default)]
    pub holidays: bool,
    /// Dates of a host's own.
    #[serde(default)]
    pub dates: Vec<Dates>,
}

impl ExceptedDays {
    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        !self.holidays && self.dates.is_empty()
    }

    fn has(&self, day: NaiveDate) -> bool {
        self.holidays && Holidays::built_in().has(day) || self.dates.iter().any(|it| it.has(day))
    }

    /// How many days are looked through more than where there are none of them.
    pub(super) fn looked_through(&self) -> i64 {
        if self.is_none() { 0 } else { ALLOWED_WITHIN.into() }
    }

    /// The last year of which the public holidays are known.
    pub fn holidays_known_until() -> i32 {
        Holidays::built_in().years().1
    }
}

impl Pace {
    /// Whether a deadline can fall on the day on which this instant lies.
    pub(super) fn allows(&self, at: Time) -> bool {
        self.except.is_none()
            || !local(self.zone, at).day().date().is_some_and(|day| self.except.has(day))
    }

    /// Whether a window can close on one of any `ALLOWED_WITHIN` days in a row.
    pub(super) fn leaves_days(&self) -> bool {
        let dated = self.except.dates.iter().filter_map(|dates| dates.ends());
        let around = Days::new(ALLOWED_WITHIN.into());
        let mut stretches = dated.filter_map(|(from, to)| {
            Some((from.checked_sub_days(around)?, to.checked_add_days(around)?))
        });
        let (first, last) = Holidays::built_in().years();
        let every_year = NaiveDate::from_ymd_opt(first, 1, 1).zip(NaiveDate::from_ymd_opt(
            last.saturating_add(CYCLE),
            12,
            31,
        ));
        self.except.dates.is_empty()
            || stretches.all(|stretch| self.leaves_days_in(stretch))
                && every_year.is_none_or(|years| self.leaves_days_in(years))
    }

    fn leaves_days_in(&self, (from, to): (NaiveDate, NaiveDate)) -> bool {
        let weekdays = match &self.every {
            Every::Times { days, .. } => *days,
            Every::Period(_) | Every::Days(_) => Weekdays::DAILY,
        };
        let allowed =
            |day: NaiveDate| weekdays.has(Day::of(day).weekday()) && !self.except.has(day);
        let mut in_a_row = 0;
        from.iter_days().take_while(|day| *day <= to).all(|day| {
            in_a_row = if allowed(day) { 0 } else { in_a_row + 1 };
            in_a_row < ALLOWED_WITHIN
        })
    }
}
