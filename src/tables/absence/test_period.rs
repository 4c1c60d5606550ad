//! Periods, as people type them.

use chrono_tz::Asia::Tokyo;
use chrono_tz::Europe::Berlin;
use proptest::prelude::*;

use super::{Period, PeriodFault};
use crate::time::{DAY, HOUR, Time, time};

/// Sat 21 Nov 2026, 21:00 in Tokyo, and the midnight before it.
const NOW: Time = Time::from_milliseconds(1_795_262_400_000);
const TODAY: Time = Time::from_milliseconds(1_795_186_800_000);

/// Returns the ends of a period in days after the midnight before now.
fn days(text: &str) -> (i64, i64) {
    let Period { from, until } = Period::read(text, Tokyo, NOW).unwrap();
    for at in [from, until] {
        assert_eq!(at.beyond(DAY), TODAY.beyond(DAY), "{text}");
    }
    ((from - TODAY) / DAY, (until - TODAY) / DAY)
}

/// Returns the ends of a period in hours after now.
fn hours(text: &str) -> (i64, i64) {
    let Period { from, until } = Period::read(text, Tokyo, NOW).unwrap();
    ((from - NOW) / HOUR, (until - NOW) / HOUR)
}

#[test]
fn days_are_meant_whole_and_the_last_with_them() {
    for text in [
        "11/24-11/30",
        "11/24 - 11/30",
        "１１／２４～１１／３０",
        "11/24〜11/30",
        "11/24 to 11/30",
        "from 11/24 until 11/30",
        "2026-11-24-2026-11-30",
        "2026-11-24 to 2026-11-30",
        "11月24日から11月30日まで",
        "11月24日から30日まで",
        "24日〜30日",
    ] {
        assert_eq!(days(text), (3, 10), "{text}");
    }
    assert_eq!(days("tomorrow to 11/24"), (1, 4));
    assert_eq!(days("明日から火曜まで"), (1, 4));
    assert_eq!(days("11/24-11/24"), (3, 4));
    let Period { from, until } = Period::read("until tomorrow", Tokyo, NOW).unwrap();
    assert_eq!((from, until - TODAY), (NOW, 2 * DAY), "until then");
    assert_eq!(days("mon-fri"), (2, 7));
    assert_eq!(days("fri-mon"), (6, 10), "the Monday that comes then");
    assert_eq!(days("12/30 to 1/3"), (39, 44), "over the end of the year");
}

/// A player who names a distant day is not away from now on.
#[test]
fn a_day_alone_is_that_day() {
    for text in ["tomorrow", "明日", " Tomorrow "] {
        assert_eq!(days(text), (1, 2), "{text}");
    }
    for text in ["11/24", "11月24日", "24日", "火曜", "tue", "2026-11-24"] {
        assert_eq!(days(text), (3, 4), "{text}");
    }
    assert_eq!(days("1/1"), (41, 42), "of the next year");
    for text in ["today", "今日", "11/21"] {
        let Period { from, until } = Period::read(text, Tokyo, NOW).unwrap();
        assert_eq!((from, until - TODAY), (NOW, DAY), "{text}: what is left of it");
    }
    assert_eq!(days("11/20"), (-1, 0), "which is over, and refused as such");
}

#[test]
fn it_begins_now_where_only_an_end_is_said() {
    for text in ["until 11/24", "till 11/24", "11月24日まで", "24日まで", "火曜まで"] {
        let Period { from, until } = Period::read(text, Tokyo, NOW).unwrap();
        assert_eq!((from, (until - TODAY) / DAY), (NOW, 4), "{text}");
    }
    assert_eq!(hours("23:00"), (0, 2));
    assert_eq!(hours("+3d"), (0, 72));
    assert_eq!(hours("2時間"), (0, 2));
    assert_eq!(hours("22:00-6:00"), (1, 9));
    assert_eq!(hours("23:00 to 22:00"), (2, 25), "in the evening after");
    assert_eq!(hours("11/22 21:00 - 2d"), (24, 72), "counted from its beginning");
}

#[test]
fn a_day_of_the_calendar_is_no_24_hours() {
    // The clock is put back in the night to 25 October 2026: that day has 25 hours.
    let eve = Time::from_milliseconds(1_792_843_200_000);
    let Period { from, until } = Period::read("10/25-10/25", Berlin, eve).unwrap();
    assert_eq!(until - from, 25 * HOUR);
}

#[test]
fn what_says_none_is_told() {
    let read = |text| Period::read(text, Tokyo, NOW).unwrap_err();
    let no_time = |quoted: &str| PeriodFault::NoTime { said: quoted.to_owned() };
    assert_eq!(read("soon"), no_time("soon"));
    assert_eq!(read("11/24-soon"), no_time("11/24-soon"));
    assert_eq!(read("13/40"), no_time("13/40"));
    for text in ["", "  ", "from 11/24", "11/24から", "11/24〜"] {
        assert_eq!(read(text), PeriodFault::NoEnd, "{text}");
    }
    let between = Period::between(Some("11/24"), None, Tokyo, NOW);
    assert_eq!(between, Err(PeriodFault::NoEnd));
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in ".{0,40}", now in -1_000_000_000_000_i64..4_000_000_000_000) {
        let _ = Period::read(&text, Tokyo, time(now));
    }

    #[test]
    fn any_digits_can_be_read(text in "[0-9+/:月日年から〜 h-]{0,24}") {
        let _ = Period::read(&text, Tokyo, NOW);
    }
}
