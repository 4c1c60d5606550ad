//! A point in time, as a person types it: `22:00`, `11/24 22:00`, `明日の21時`, `+2h`; and
//! a zone or quiet hours alone.

use chrono::Datelike as _;
use chrono_tz::Tz;

use crate::pace::calendar::{LocalTime, instant, local};
use crate::pace::scan::Counted;
use crate::pace::{Day, Length, PaceWord, SaidTime, Scan, TokenKind};
use crate::time::{DAY, Span, Time};
use crate::vocabulary::quote;
use crate::{CalendarDate, PaceFault, Quiet, Weekdays};

/// The number of days after which a past date without a year means the next year.
const LONG_AGO: i64 = 183;

/// The longest time from now.
const FURTHEST: Span = Span::days(366);

/// Parses a point in time, in this zone unless the text gives one. A time of day is the next of its kind
/// after `now`; a length of time is added to `from`, in calendar days if it has days. A time in the past is
/// allowed.
///
/// # Errors
/// If the text has no time, or one further than a year from now.
pub fn when(text: &str, zone: Tz, now: Time, from: Time) -> Result<Time, PaceFault> {
    let text = text.trim();
    let nothing = || PaceFault::Incomplete { said: text.chars().take(60).collect() };
    if is_negative(text) {
        return Err(nothing());
    }
    let sums = text.strip_prefix(['+', '＋']);
    let scan = Scan::new(sums.unwrap_or(text))?;
    let mut parts = MomentParts::default();
    for token in &scan.tokens {
        parts.take(token.kind).ok_or_else(nothing)?;
    }
    if sums.is_some() && parts.length.is_none() {
        return Err(nothing());
    }
    let at = parts.at(zone, now, from).ok_or_else(nothing)?;
    let most = FURTHEST;
    if at - now > most { Err(PaceFault::TooLong { said: at - now, most }) } else { Ok(at) }
}

/// True if a minus comes before a number: nothing can be put off to an earlier time. Within a date a minus
/// comes between two numbers.
fn is_negative(text: &str) -> bool {
    let mut before = None;
    text.chars().any(|c| {
        let is_first = before.is_none_or(|before: char| !before.is_alphanumeric());
        before = Some(c);
        is_first && matches!(c, '-' | '－' | '−' | '‐' | '–')
    })
}

/// The parts of a point in time.
#[derive(Default)]
struct MomentParts {
    date: Option<CalendarDate>,
    /// The number of days from today.
    days: Option<u8>,
    weekdays: Option<Weekdays>,
    time: Option<SaidTime>,
    length: Option<Length>,
    zone: Option<Tz>,
}

impl MomentParts {
    /// Takes a token, `None` if it does not fit or its part is set already.
    fn take(&mut self, kind: TokenKind) -> Option<()> {
        fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
            place.replace(value).is_none().then_some(())
        }
        match kind {
            TokenKind::Time(time) => put(&mut self.time, time),
            TokenKind::Length(length, Counted::Plain | Counted::After) => {
                put(&mut self.length, length)
            }
            TokenKind::Dates(dates) => put(&mut self.date, dates.alone()?),
            TokenKind::Days(days) if days.count() == 1 => put(&mut self.weekdays, days),
            TokenKind::Zone(zone) => put(&mut self.zone, zone),
            TokenKind::Word(PaceWord::Today) => put(&mut self.days, 0),
            TokenKind::Word(PaceWord::Tomorrow) => put(&mut self.days, 1),
            // 22時に延長, closes 22:00
            TokenKind::Word(PaceWord::Deadline | PaceWord::Extend) => Some(()),
            _ => None,
        }
    }

    fn at(&self, zone: Tz, now: Time, from: Time) -> Option<Time> {
        let zone = self.zone.unwrap_or(zone);
        let named = usize::from(self.date.is_some())
            + usize::from(self.days.is_some())
            + usize::from(self.weekdays.is_some());
        if let Some(length) = self.length {
            let alone = named == 0 && self.time.is_none();
            return alone.then(|| later(zone, from, length));
        }
        let SaidTime { time, next_day } = self.time?;
        let today = local(zone, now).day();
        let on = |day: Day| {
            let day = day.later(next_day.into());
            instant(zone, LocalTime::of(day, time.since_midnight()))
        };
        match (self.date, self.days, self.weekdays) {
            (Some(date), None, None) => Some(on(day_of(date, today)?)),
            (None, Some(days), None) => Some(on(today.later(days.into()))),
            (None, None, weekdays) => {
                let fits = |day: &Day| weekdays.is_none_or(|days| days.has(day.weekday()));
                (-1..9).map(|days| today.later(days)).filter(fits).map(on).find(|at| *at > now)
            }
            _ => None,
        }
    }
}

/// Returns the time this much later, with days of the calendar.
fn later(zone: Tz, from: Time, length: Length) -> Time {
    let days = local(zone, from) + DAY * length.days;
    let from = if length.days == 0 { from } else { instant(zone, days) };
    from + length.rest
}

/// Returns the day of a date; without a year, the nearest one that is not long ago.
fn day_of(date: CalendarDate, today: Day) -> Option<Day> {
    let of = |year| date.in_year(year).map(Day::of);
    if let Some(year) = date.year {
        return of(year);
    }
    let this = today.date()?.year();
    let near = |day: &Day| (-LONG_AGO..LONG_AGO).contains(&day.after(today));
    let years = [this, this + 1, this - 1].into_iter().filter_map(of);
    years.clone().find(near).or_else(|| years.min_by_key(|day| day.after(today).abs()))
}

/// Parses a zone, by its name or a word for it.
pub fn read_zone(text: &str) -> Result<Tz, PaceFault> {
    let nearest = match Scan::new(text) {
        Ok(scan) => match only(&scan) {
            Some(TokenKind::Zone(zone)) => return Ok(zone),
            _ => Vec::new(),
        },
        Err(PaceFault::Unknown { nearest, .. } | PaceFault::UnknownZone { nearest, .. }) => nearest,
        Err(_) => Vec::new(),
    };
    let is_zone = |word: &String| word.parse::<Tz>().is_ok();
    let nearest = nearest.into_iter().filter(is_zone).collect();
    Err(PaceFault::UnknownZone { said: quote(text), nearest })
}

/// Parses local quiet hours.
pub fn read_quiet(text: &str) -> Result<Quiet, PaceFault> {
    match only(&Scan::new(text)?) {
        Some(TokenKind::Hours(quiet)) if quiet.from == quiet.to => {
            Err(PaceFault::NoQuietHours { said: quote(text) })
        }
        Some(TokenKind::Hours(quiet)) => Ok(quiet),
        _ => Err(PaceFault::Incomplete { said: quote(text) }),
    }
}

/// Returns the only piece of a text, `None` if it has more.
fn only(scan: &Scan<'_>) -> Option<TokenKind> {
    match scan.tokens.as_slice() {
        [token] => Some(token.kind),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Asia::Tokyo;
    use chrono_tz::Europe::Berlin;
    use proptest::prelude::*;

    use super::*;
    use crate::time::{HOUR, MINUTE, time};

    /// Sat 21 Nov 2026, 21:00 in Tokyo.
    const NOW: Time = Time::from_milliseconds(1_795_262_400_000);

    fn at(text: &str) -> Result<Time, PaceFault> {
        when(text, Tokyo, NOW, NOW + 3 * HOUR)
    }

    /// Returns the number of minutes after now.
    fn minutes(text: &str) -> i64 {
        (at(text).unwrap() - NOW) / MINUTE
    }

    #[test]
    fn the_next_time_of_day_is_meant() {
        assert_eq!(minutes("22:00"), 60);
        assert_eq!(minutes("until 22:00"), 60);
        assert_eq!(minutes("22時まで"), 60);
        assert_eq!(minutes("２２：３０"), 90);
        assert_eq!(minutes("21:00"), 24 * 60);
        assert_eq!(minutes("9pm"), 24 * 60);
        assert_eq!(minutes("22:00 Europe/Berlin"), 9 * 60);
        for text in ["24:00", "midnight", "真夜中", "0時", "深夜0時", "夜12時", "today 24:00"]
        {
            assert_eq!(minutes(text), 3 * 60, "{text}");
        }
        assert_eq!(minutes("noon"), 15 * 60);
    }

    #[test]
    fn the_hours_of_a_night_are_of_the_next_day() {
        for text in ["25:00", "今日の25時", "11/21 25:00", "土曜25時", "深夜1時", "11/22 1:00"]
        {
            assert_eq!(minutes(text), 4 * 60, "{text}");
        }
        // Half an hour past midnight, the night of Saturday is not over.
        let late = NOW + 3 * HOUR + 30 * MINUTE;
        for text in ["25:00", "土曜25時", "深夜1時", "1:00"] {
            assert_eq!(when(text, Tokyo, late, late).unwrap() - late, 30 * MINUTE, "{text}");
        }
    }

    #[test]
    fn a_day_can_be_said() {
        for text in [
            "11/24 22:00",
            "2026-11-24 22:00",
            "2026/11/24 22:00",
            "11月24日22時",
            "11月24日 22:00",
            "tue 22:00",
            "火曜 22時",
        ] {
            assert_eq!(minutes(text), 60 + 3 * 24 * 60, "{text}");
        }
        assert_eq!(minutes("明日の22時"), 25 * 60);
        assert_eq!(minutes("tomorrow 22:00"), 25 * 60);
        assert_eq!(minutes("today 20:00"), -60, "a time that has passed is no fault");
        assert_eq!(minutes("11/20 22:00"), 60 - 24 * 60);
        assert_eq!(minutes("1/3 21:00"), 43 * 24 * 60, "of the next year");
    }

    #[test]
    fn a_length_is_counted_from_where_it_is_said() {
        for text in ["+2h", "2h", "2時間", "by 2h", "＋２時間", "120m", "2h later"] {
            assert_eq!(minutes(text), 5 * 60, "{text}");
        }
        assert_eq!(minutes("+1d2h"), 29 * 60);
        // The clock is put back in the night to 25 October 2026: a day has 25 hours.
        let eve = Time::from_milliseconds(1_792_843_200_000);
        assert_eq!(when("+1d", Berlin, eve, eve).unwrap() - eve, 25 * HOUR);
        assert_eq!(when("+24h", Berlin, eve, eve).unwrap() - eve, 24 * HOUR);
    }

    #[test]
    fn what_is_no_time_is_told() {
        for text in [
            "",
            "+",
            "soon",
            "30:00",
            "22:00 23:00",
            "11/24",
            "13/40 22:00",
            "+22:00",
            "mon tue 9:00",
            "11/24 +2h",
            "9999d",
            "-3h",
            "－３時間",
            "by -3h",
            "+-3h",
            "−3h",
        ] {
            assert!(at(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in ".{0,40}", now in -1_000_000_000_000_i64..4_000_000_000_000) {
            let _ = when(&text, Tokyo, time(now), time(now));
        }

        #[test]
        fn any_digits_can_be_read(text in "[0-9+/:月日年 h-]{0,24}") {
            let _ = at(&text);
        }
    }
}
