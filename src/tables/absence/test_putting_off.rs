//! How far windows are put off.

use chrono::{TimeZone, Utc};
use chrono_tz::{Europe::Berlin, UTC};

use super::{MOST_PUT_OFF, PutOff, put_off};
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
