//! Laws of every pace at every time.

use chrono::{DateTime, NaiveDateTime};
use chrono_tz::Tz;
use kit::paces::pace;
use proptest::prelude::*;
use rules::Sealing;
use tables::pace::Holidays;
use tables::time::{DAY, MINUTE, Span, Time};
use tables::{Every, ExceptedDays, Pace};

/// Returns the time on the local clock.
fn local(zone: Tz, at: Time) -> NaiveDateTime {
    let at = DateTime::from_timestamp_millis(at.milliseconds()).unwrap();
    at.with_timezone(&zone).naive_local()
}

/// Generates a time between 2010 and 2030, every second one near a clock change.
fn instant() -> impl Strategy<Value = Time> {
    let changes = [1_774_746_000_000, 1_793_494_800_000, 1_325_239_200_000, 1_791_041_400_000];
    prop_oneof![
        1_262_304_000_000..1_893_456_000_000_i64,
        (
            proptest::sample::select(changes.to_vec()),
            -2 * DAY.milliseconds()..2 * DAY.milliseconds()
        )
            .prop_map(|(change, by)| change + by),
    ]
    .prop_map(Time::from_milliseconds)
}

/// Generates a positive length below this one.
fn span(most: Span) -> impl Strategy<Value = Span> {
    (1..most.milliseconds()).prop_map(Span::from_milliseconds)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_deadline_comes_after_the_opening(pace in pace(), opens in instant()) {
        let deadline = pace.deadline(opens);
        prop_assert!(deadline > opens);
        prop_assert!(deadline >= opens + pace.least);
    }

    #[test]
    fn no_deadline_falls_on_an_excepted_day(pace in pace(), opens in instant()) {
        let deadline = pace.deadline(opens);
        let plain = Pace { except: ExceptedDays::default(), ..pace.clone() };
        if let Every::Period(_) = pace.every {
            prop_assert_eq!(deadline, plain.deadline(opens));
            return Ok(());
        }
        let day = local(pace.zone, deadline).date();
        prop_assert!(!(pace.except.holidays && Holidays::built_in().has(day)));
        prop_assert!(!pace.except.dates.iter().any(|dates| dates.has(day)));
        prop_assert!(deadline >= plain.deadline(opens));
        // If the day is not excepted, the deadline does not move.
        if pace.allows(plain.deadline(opens)) {
            prop_assert_eq!(deadline, plain.deadline(opens));
        }
    }

    /// Calendar days follow the local clock: if it is put back, a later window may close earlier. The same
    /// happens if another deadline moves to the same day and keeps its time.
    #[test]
    fn who_opens_later_closes_no_earlier(pace in pace(), one in instant(), after in span(2 * DAY)) {
        let other = one + after;
        let is_days = matches!(pace.every, Every::Days(_));
        let put_back = local(pace.zone, one) > local(pace.zone, other);
        let moves = pace.least > Span::ZERO || !pace.except.is_none();
        prop_assume!(!is_days || !(put_back || moves));
        prop_assert!(pace.deadline(one) <= pace.deadline(other));
    }

    #[test]
    fn reminders_lie_within_the_window(pace in pace(), opens in instant(), open in span(9 * DAY)) {
        let closes = opens + open;
        let reminders = pace.reminders(opens, closes);
        prop_assert!(reminders.is_sorted_by(|one, other| one < other));
        prop_assert!(reminders.iter().all(|at| opens < *at && *at < closes));
    }

    #[test]
    fn a_hidden_close_is_on_a_full_step_of_the_clock(pace in pace(), sealed in instant()) {
        let open = pace.early_close(sealed, sealed, Sealing::Open);
        let hidden = pace.early_close(sealed, sealed, Sealing::Hidden);
        prop_assert!(open >= sealed + pace.cool_down && hidden >= open);
        let step = pace.step(sealed).unwrap();
        prop_assert!(step <= 15 * MINUTE);
        prop_assert_eq!(hidden.beyond(step), Span::ZERO);
    }

    #[test]
    fn a_hidden_close_waits_for_a_tenth_of_the_window_at_most(
        period in span(DAY),
        opens in instant(),
    ) {
        let pace = Pace::play(period.max(Span::seconds(10)), Tz::UTC);
        let hidden = pace.early_close(opens, opens, Sealing::Hidden);
        prop_assert!(hidden - opens <= (pace.deadline(opens) - opens) / 10);
    }

    #[test]
    fn nothing_is_announced_before_the_close(pace in pace(), opens in instant(), open in span(DAY)) {
        let closed = opens + open;
        prop_assert!(pace.announced(opens, closed) >= closed);
    }

    #[test]
    fn what_is_kept_is_the_same(pace in pace()) {
        let kept = serde_json::to_string(&pace).unwrap();
        prop_assert_eq!(serde_json::from_str::<Pace>(&kept).unwrap(), pace);
    }

    #[test]
    fn any_text_can_be_read(text in "\\PC{0,40}") {
        let _ = Pace::read(&text, Tz::UTC);
    }

    #[test]
    fn any_words_can_be_read(words in proptest::collection::vec(
        proptest::sample::select(&["毎日", "21:00", "2h", "告知", "催促", "なし", "no", "early",
            "-", "後", "前", "ごと", "every", "静音", "月", "9pm", "午後", "99", "半", "障害",
            "Asia/Tokyo", "週2回", "締切", "冷却", "fast", "締め", "12/29", "1月3日", "休み", "祝日", "except",
            "2027-02-14", "16日"][..]), 0..8),
        onto in any::<bool>(),
    ) {
        let _ = Pace::read(&words.join(if onto { "" } else { " " }), Tz::UTC);
    }
}

#[test]
fn a_stored_pace_knows_its_keys() {
    let pace = Pace::read("月木21:30", Tz::Asia__Tokyo).unwrap();
    let mut kept = serde_json::to_value(&pace).unwrap();
    assert_eq!(kept["every"]["times"]["days"], serde_json::json!(["mon", "thu"]));
    assert_eq!(kept["every"]["times"]["times"], serde_json::json!(["21:30"]));
    kept["colour"] = "red".into();
    assert!(serde_json::from_value::<Pace>(kept).is_err());
}
