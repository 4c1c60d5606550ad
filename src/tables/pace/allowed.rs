//! The days on which deadlines can fall.

use chrono::{Days, NaiveDate};

use super::calendar::{Day, local};
use super::day::Weekdays;
use super::except::ALLOWED_WITHIN;
use super::holidays::Holidays;
use super::{Every, Pace};
use crate::time::Time;

/// The number of years in which every date comes on every day of the week.
const CYCLE: i32 = 28;

impl Pace {
    /// True if a deadline can fall on the day of this instant.
    pub fn allows(&self, at: Time) -> bool {
        self.except.is_none()
            || !local(self.zone, at).day().date().is_some_and(|day| self.except.has(day))
    }

    /// True if among any `ALLOWED_WITHIN` consecutive days a window can close on at least one.
    pub fn leaves_days(&self) -> bool {
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
