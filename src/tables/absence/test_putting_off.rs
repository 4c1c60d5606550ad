//! How far windows are put off.

use chrono::{TimeZone, Utc};
use chrono_tz::{Europe::Berlin, UTC};

use super::{LEAST_ROOM, MOST_PUT_OFF, PutOff, put_off, room};
use crate::tables::{Every, Pace, TimeOfDay, Weekdays};

const HOUR: i64 = 60 * 60 * 1000;

fn daily(hour: u32) -> Every {
    let times = vec![TimeOfDay::new(hour, 0).unwrap()];
    Every::Times { times, days: Weekdays::DAILY }
}

#[test]
fn a_window_is_put_off_by_its_length() {
    let pace = Pace::play(HOUR, UTC);
    let once = PutOff { closes: 2 * HOUR, times: 1 };
    assert_eq!(put_off(&pace, HOUR, 0, HOUR, HOUR), Some(once));
    // Whoever looks late does not put it off to what has passed.
    let late = PutOff { closes: 3 * HOUR, times: 2 };
    assert_eq!(put_off(&pace, HOUR, 0, HOUR, 2 * HOUR + 1), Some(late));
}

#[test]
fn somebody_who_is_away_is_waited_for_until_they_are_back_and_no_longer() {
    let pace = Pace::play(HOUR, UTC);
    let back = PutOff { closes: 3 * HOUR, times: 2 };
    assert_eq!(put_off(&pace, HOUR, 0, 2 * HOUR, HOUR), Some(back));
    let capped = PutOff { closes: 4 * HOUR, times: MOST_PUT_OFF };
    assert_eq!(put_off(&pace, HOUR, 0, 100 * HOUR, HOUR), Some(capped));
}

#[test]
fn extension_pressed_six_times() {
    let pace = Pace::play(HOUR, UTC);
    let (mut closes, mut times) = (HOUR, 0);
    for _ in 0..6 {
        if let Some(put) = put_off(&pace, closes, times, closes, closes) {
            (closes, times) = (put.closes, put.times);
        }
    }
    assert_eq!((closes, times), (HOUR + MOST_PUT_OFF * HOUR, MOST_PUT_OFF));
}

#[test]
fn an_hour_lost_at_a_clock_change() {
    let pace = Pace::new(daily(21), Berlin);
    let at = |month, day| {
        let local = Berlin.with_ymd_and_hms(2026, month, day, 21, 0, 0).unwrap();
        local.with_timezone(&Utc).timestamp_millis()
    };
    // The night to the 29th of March has an hour less, that to the 25th of October an hour more.
    for ((month, day), hours) in [((3, 28), 23), ((10, 24), 25), ((7, 1), 24)] {
        let put = put_off(&pace, at(month, day), 0, 0, 0).unwrap();
        assert_eq!(put.closes, at(month, day + 1));
        assert_eq!(put.closes - at(month, day), hours * HOUR);
    }
}

#[test]
fn a_window_is_put_off_on_demand_by_two_lengths_or_a_day() {
    let daily = Pace { every: daily(21), ..Pace::play(HOUR, Berlin) };
    // The clock is changed in the night after the 24th of October 2026.
    let at =
        |day: u32| Berlin.with_ymd_and_hms(2026, 10, day, 21, 0, 0).unwrap().timestamp_millis();
    assert_eq!(room(&daily, at(24), 0), at(26) - at(24));
    assert_eq!(room(&daily, at(25), at(25) - at(24)), at(26) - at(25));
    assert_eq!(room(&daily, at(26), at(26) - at(24)), 0);
    assert_eq!(room(&daily, at(27), at(27) - at(24)), 0, "never less than nothing");
    let short = Pace::play(HOUR, UTC);
    assert_eq!(room(&short, HOUR, 0), LEAST_ROOM);
    assert_eq!(room(&short, 3 * HOUR, 2 * HOUR), LEAST_ROOM - 2 * HOUR);
    // Whoever has brought it forward can put it off to where it was, and as far as ever.
    assert_eq!(room(&short, HOUR, -HOUR), LEAST_ROOM + HOUR);
}
