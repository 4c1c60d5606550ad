//! A period, as a person types it: `11/03-11/10`, `11月3日から10日まで`, `until tomorrow`.

use std::ops::Range;

use chrono::{DateTime, Datelike};
use chrono_tz::Tz;
use serde::Serialize;

use crate::absence::read::{PeriodMark, WORDS};
use crate::pace::when;
use crate::time::Time;
use crate::vocabulary::count_at;
use crate::vocabulary::quote;
use rules::text::Folded;

/// The maximum length in characters: the parser tries many ways to split a text.
const LONGEST: usize = 100;

/// A number of days in which every day of a month comes at least once.
const TWO_MONTHS: usize = 62;

/// A period of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from: Time,
    pub until: Time,
}

/// The reason why a text is not a period. It quotes the input as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PeriodFault {
    /// A piece that is neither a day nor a time, or lies more than a year away.
    NoTime {
        said: String,
    },
    NoEnd,
}

impl Period {
    /// Parses one text. A day alone is that day, from now on if it is today; a day with a word for an end, or
    /// a time, is the end.
    ///
    /// # Errors
    /// If a piece of the text is neither a day nor a time, or there is no end.
    pub fn read(text: &str, zone: Tz, now: Time) -> Result<Self, PeriodFault> {
        if text.chars().nth(LONGEST).is_some() {
            return Err(no_time(text));
        }
        let is_said = |piece: &str| begin(piece, zone, now).is_ok();
        let (from, until) = parted(text, is_said);
        let is_day = from.is_none() && !says_end(text) && day(text, zone, now, now).is_ok();
        if !is_day {
            return Self::between(from, until, zone, now);
        }
        let Self { from, until } = Self::between(until, until, zone, now)?;
        let has_begun = (from..until).contains(&now);
        Ok(Self { from: if has_begun { now } else { from }, until })
    }

    /// Parses one text for the beginning and one for the end. Without a beginning, the period begins now; a
    /// day lasts from its midnight to the next.
    ///
    /// # Errors
    /// If one of them is neither a day nor a time, or there is no end.
    pub fn between(
        from: Option<&str>,
        until: Option<&str>,
        zone: Tz,
        now: Time,
    ) -> Result<Self, PeriodFault> {
        let mut texts = from.iter().chain(&until);
        if let Some(long) = texts.find(|text| text.chars().nth(LONGEST).is_some()) {
            return Err(no_time(long));
        }
        let from = from.map_or(Ok(now), |from| begin(from, zone, now))?;
        let text = until.ok_or(PeriodFault::NoEnd)?;
        let until = end(text, zone, now, from)?;
        if until > from {
            return Ok(Self { from, until });
        }
        // The first such weekday or time after the beginning.
        let next = end(text, zone, from, from)?;
        Ok(Self { from, until: if next > from { next } else { until } })
    }
}

fn begin(text: &str, zone: Tz, now: Time) -> Result<Time, PeriodFault> {
    day(text, zone, now, now).or_else(|_| when(text, zone, now, now)).map_err(|_| no_time(text))
}

fn end(text: &str, zone: Tz, now: Time, from: Time) -> Result<Time, PeriodFault> {
    match day(text, zone, now, from) {
        Ok(midnight) => when("+1d", zone, now, midnight),
        Err(_) => when(text, zone, now, from),
    }
    .map_err(|_| no_time(text))
}

/// Returns the midnight at which a day begins, if the text is a day without a time.
fn day(text: &str, zone: Tz, now: Time, from: Time) -> Result<Time, PeriodFault> {
    if !text.contains(char::is_alphanumeric) {
        return Err(no_time(text));
    }
    let of_month = day_of_month(text);
    let date = match of_month.and_then(|day| next(day, zone, from)) {
        Some(date) => date,
        None => text.to_owned(),
    };
    when(&format!("{date} 0:00"), zone, now, from).map_err(|_| no_time(text))
}

/// Returns the next date with this day of the month.
fn next(day: u32, zone: Tz, from: Time) -> Option<String> {
    let first =
        DateTime::from_timestamp_millis(from.milliseconds())?.with_timezone(&zone).date_naive();
    let date = first.iter_days().take(TWO_MONTHS).find(|date| date.day() == day)?;
    Some(date.format("%Y-%m-%d").to_string())
}

fn no_time(text: &str) -> PeriodFault {
    PeriodFault::NoTime { said: quote(text) }
}

/// Splits a text into its beginning and its end, `None` for a missing one.
fn parted(text: &str, is_said: impl Fn(&str) -> bool) -> (Option<&str>, Option<&str>) {
    let folded = Folded::new(text);
    let is_blank = |range: Range<usize>| folded.piece(range).trim().is_empty();
    let (head, first) = head(&folded);
    for at in head..folded.len() {
        let Some((PeriodMark::To, end)) = WORDS.marks.at(&folded, at) else { continue };
        let (left, right) = (folded.piece(head..at), folded.piece(end..folded.len()));
        if is_blank(head..at) || !is_said(left) {
            continue;
        }
        if is_blank(end..folded.len()) {
            return (Some(left), None);
        }
        if is_said(right) {
            return (Some(left), Some(right));
        }
    }
    let rest = folded.piece(head..folded.len());
    match first {
        Some(PeriodMark::From) => (Some(rest), None),
        _ if rest.trim().is_empty() => (None, None),
        _ => (None, Some(rest)),
    }
}

/// True if the text has a word for a beginning or an end.
fn says_end(text: &str) -> bool {
    let folded = Folded::new(text.trim());
    let ends = |at| WORDS.marks.at(&folded, at) == Some((PeriodMark::Until, folded.len()));
    head(&folded).1.is_some() || (0..folded.len()).any(ends)
}

/// Returns the place after the leading words, and the last of them.
fn head(text: &Folded<'_>) -> (usize, Option<PeriodMark>) {
    let (mut at, mut last) = (0, None);
    loop {
        while text.char(at).is_some_and(char::is_whitespace) {
            at += 1;
        }
        match WORDS.marks.at(text, at) {
            Some((mark @ (PeriodMark::From | PeriodMark::To), end)) => {
                (at, last) = (end, Some(mark));
            }
            _ => return (at, last),
        }
    }
}

/// Returns the number of a day of the month, if the text is nothing else.
fn day_of_month(text: &str) -> Option<u32> {
    let folded = Folded::new(text.trim());
    let (number, digits) = count_at(&folded, 0)?;
    let (mark, end) = WORDS.marks.at(&folded, digits)?;
    let is_one = mark == PeriodMark::DayOfMonth && end == folded.len();
    u32::try_from(number).ok().filter(|_| is_one)
}
