//! Times of day and days of the week, as people type them.

use std::fmt;
use std::str::FromStr;

use chrono::Weekday;
use serde::{Deserialize, Serialize};

use crate::time::{MINUTE, Span};

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

/// A part of the day, which defines the hours named in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayPart {
    Am,
    Pm,
    Morning,
    Afternoon,
    Evening,
    Night,
    LateNight,
    Noon,
    Midnight,
}

impl DayPart {
    /// Returns the hour that a number names in this part of a day, counted from the day's midnight: the small
    /// hours of a night are those of the next day. `None` if no clock shows that hour then.
    pub(super) fn hour(self, number: u32) -> Option<u32> {
        let (afternoon, night) = (number.saturating_add(12), number.saturating_add(24));
        Some(match (self, number) {
            (Self::Am, 12) => 0,
            (Self::Pm | Self::Afternoon | Self::Noon, 12) => 12,
            (Self::Night | Self::LateNight | Self::Midnight, 0 | 12) => 24,
            (Self::Night, 1..=4) | (Self::LateNight, 1..=5) => night,
            (Self::Pm, 0..=11)
            | (Self::Afternoon, 1..=5)
            | (Self::Evening, 1..=11)
            | (Self::Night, 5..=11)
            | (Self::LateNight, 6..=11) => afternoon,
            (Self::Am | Self::Morning, 0..=11)
            | (Self::Afternoon, 13..=17)
            | (Self::Evening, 13..=23)
            | (Self::Night, 13..)
            | (Self::LateNight, 18..) => number,
            _ => return None,
        })
    }
}

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
