//! The limits on putting windows off.

use chrono::{TimeZone, Utc};
use chrono_tz::{Europe::Berlin, UTC};

use super::{LEAST_ROOM, MOST_PUT_OFF, PutOff, put_off, room};
use crate::time::{HOUR, Span, Time};
use crate::{Every, Pace, TimeOfDay, Weekdays};

/// Returns the time this many hours after 1970.
fn hour(count: i64) -> Time {
    Time::default() + HOUR * count
}

fn daily(hour: u32) -> Every {
    let times = vec![TimeOfDay::new(hour, 0).unwrap()];
    Every::Times { times, days: Weekdays::DAILY }
}

#[test]
fn a_window_is_put_off_by_its_length() {
    let pace = Pace::play(HOUR, UTC);
    let once = PutOff { closes: hour(2), times: 1 };
    assert_eq!(put_off(&pace, hour(1), 0, hour(1), hour(1)), Some(once));
    // A late call does not put the window off to a past time.
    let late = PutOff { closes: hour(3), times: 2 };
    assert_eq!(put_off(&pace, hour(1), 0, hour(1), hour(2) + Span::INSTANT), Some(late));
}

#[test]
fn somebody_who_is_away_is_waited_for_until_they_are_back_and_no_longer() {
    let pace = Pace::play(HOUR, UTC);
    let back = PutOff { closes: hour(3), times: 2 };
    assert_eq!(put_off(&pace, hour(1), 0, hour(2), hour(1)), Some(back));
    let capped = PutOff { closes: hour(4), times: MOST_PUT_OFF };
    assert_eq!(put_off(&pace, hour(1), 0, hour(100), hour(1)), Some(capped));
}

#[test]
fn extension_pressed_six_times() {
    let pace = Pace::play(HOUR, UTC);
    let (mut closes, mut times) = (hour(1), 0);
    for _ in 0..6 {
        if let Some(put) = put_off(&pace, closes, times, closes, closes) {
            (closes, times) = (put.closes, put.times);
        }
    }
    assert_eq!((closes, times), (hour((1 + MOST_PUT_OFF).into()), MOST_PUT_OFF));
}

#[test]
fn an_hour_lost_at_a_clock_change() {
    let pace = Pace::new(daily(21), Berlin);
    let at = |month, day| {
        let local = Berlin.with_ymd_and_hms(2026, month, day, 21, 0, 0).unwrap();
        Time::from_milliseconds(local.with_timezone(&Utc).timestamp_millis())
    };
    // The night to the 29th of March has an hour less, that to the 25th of October an hour more.
    for ((month, day), hours) in [((3, 28), 23), ((10, 24), 25), ((7, 1), 24)] {
        let put = put_off(&pace, at(month, day), 0, hour(0), hour(0)).unwrap();
        assert_eq!(put.closes, at(month, day + 1));
        assert_eq!(put.closes - at(month, day), hours * HOUR);
    }
}

#[test]
fn a_window_is_put_off_on_demand_by_two_lengths_or_a_day() {
    let daily = Pace { every: daily(21), ..Pace::play(HOUR, Berlin) };
    // The clock is changed in the night after the 24th of October 2026.
    let at = |day: u32| {
        let local = Berlin.with_ymd_and_hms(2026, 10, day, 21, 0, 0).unwrap();
        Time::from_milliseconds(local.timestamp_millis())
    };
    assert_eq!(room(&daily, at(24), Span::ZERO), at(26) - at(24));
    assert_eq!(room(&daily, at(25), at(25) - at(24)), at(26) - at(25));
    assert_eq!(room(&daily, at(26), at(26) - at(24)), Span::ZERO);
    assert_eq!(room(&daily, at(27), at(27) - at(24)), Span::ZERO, "never less than nothing");
    let short = Pace::play(HOUR, UTC);
    assert_eq!(room(&short, hour(1), Span::ZERO), LEAST_ROOM);
    assert_eq!(room(&short, hour(3), 2 * HOUR), LEAST_ROOM - 2 * HOUR);
    // A window brought forward can be put off to its former close, and by the usual limit beyond it.
    assert_eq!(room(&short, hour(1), -1 * HOUR), LEAST_ROOM + HOUR);
}
