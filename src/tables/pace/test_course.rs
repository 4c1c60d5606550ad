//! Deadlines, announcements and reminders with and without clock changes.

use chrono::DateTime;
use chrono_tz::Tz;

use crate::time::{DAY, HOUR, MINUTE, Span, Time};
use crate::{Announce, Every, Pace, Quiet, Tick, TimeOfDay, Weekdays};
use rules::{Sealing, WindowKind};

fn at(instant: &str) -> Time {
    let at = DateTime::parse_from_rfc3339(instant).unwrap();
    Time::from_milliseconds(at.timestamp_millis())
}

/// Returns an instant as the zone's clock shows it.
fn shown(zone: Tz, at: Time) -> String {
    let local = DateTime::from_timestamp_millis(at.milliseconds()).unwrap().with_timezone(&zone);
    local.format("%Y-%m-%dT%H:%M%:z").to_string()
}

fn time(text: &str) -> TimeOfDay {
    text.parse().unwrap()
}

fn daily(times: &[&str], zone: Tz) -> Pace {
    let times = times.iter().copied().map(time).collect();
    Pace { least: Span::ZERO, ..Pace::new(Every::Times { times, days: Weekdays::DAILY }, zone) }
}

fn quiet(from: &str, to: &str, pace: Pace) -> Pace {
    Pace { quiet: Some(Quiet { from: time(from), to: time(to) }), ..pace }
}

#[track_caller]
fn assert_deadline(pace: &Pace, opens: &str, closes: &str) {
    assert_eq!(shown(pace.zone, pace.deadline(at(opens))), closes, "{pace:?}");
}

const BERLIN: Tz = Tz::Europe__Berlin;
const NEW_YORK: Tz = Tz::America__New_York;
const LORD_HOWE: Tz = Tz::Australia__Lord_Howe;
const TOKYO: Tz = Tz::Asia__Tokyo;
const APIA: Tz = Tz::Pacific__Apia;

#[test]
fn a_time_that_the_clock_leaves_out_is_the_end_of_the_gap() {
    for (zone, left_out, opens, closes) in [
        (BERLIN, "2:30", "2026-03-28T12:00:00+01:00", "2026-03-29T03:00+02:00"),
        (BERLIN, "2:00", "2026-03-28T12:00:00+01:00", "2026-03-29T03:00+02:00"),
        (NEW_YORK, "2:30", "2026-03-07T12:00:00-05:00", "2026-03-08T03:00-04:00"),
        (LORD_HOWE, "2:15", "2026-10-03T12:00:00+10:30", "2026-10-04T02:30+11:00"),
    ] {
        assert_deadline(&daily(&[left_out], zone), opens, closes);
        // Calendar days meet the same gap.
        let days = Pace::new(Every::Days(1), zone);
        let opens = at(opens) - at("2026-01-01T12:00:00Z").beyond(DAY);
        let opens = opens + time(left_out).since_midnight();
        assert_eq!(shown(zone, days.deadline(opens)), closes);
    }
}

#[test]
fn of_a_time_that_comes_twice_it_is_the_earlier() {
    for (zone, twice, opens, closes, between, next) in [
        (
            BERLIN,
            "2:30",
            "2026-10-24T12:00:00+02:00",
            "2026-10-25T02:30+02:00",
            "2026-10-25T02:45:00+02:00",
            "2026-10-26T02:30+01:00",
        ),
        (
            NEW_YORK,
            "1:30",
            "2026-10-31T12:00:00-04:00",
            "2026-11-01T01:30-04:00",
            "2026-11-01T01:00:00-05:00",
            "2026-11-02T01:30-05:00",
        ),
        (
            LORD_HOWE,
            "1:45",
            "2026-04-04T12:00:00+11:00",
            "2026-04-05T01:45+11:00",
            "2026-04-05T01:35:00+10:30",
            "2026-04-06T01:45+10:30",
        ),
    ] {
        let pace = daily(&[twice], zone);
        assert_deadline(&pace, opens, closes);
        // The second occurrence of the local time is not a deadline.
        assert_deadline(&pace, between, next);
    }
}

#[test]
fn calendar_days_keep_the_clock_and_periods_keep_the_hours() {
    for (zone, opens, day_later, hours_later) in [
        (BERLIN, "2026-03-28T21:00:00+01:00", "2026-03-29T21:00+02:00", "2026-03-29T22:00+02:00"),
        (BERLIN, "2026-10-24T21:00:00+02:00", "2026-10-25T21:00+01:00", "2026-10-25T20:00+01:00"),
        (NEW_YORK, "2026-03-07T21:00:00-05:00", "2026-03-08T21:00-04:00", "2026-03-08T22:00-04:00"),
        (NEW_YORK, "2026-10-31T21:00:00-04:00", "2026-11-01T21:00-05:00", "2026-11-01T20:00-05:00"),
        (
            LORD_HOWE,
            "2026-10-03T21:00:00+10:30",
            "2026-10-04T21:00+11:00",
            "2026-10-04T21:30+11:00",
        ),
        (
            LORD_HOWE,
            "2026-04-04T21:00:00+11:00",
            "2026-04-05T21:00+10:30",
            "2026-04-05T20:30+10:30",
        ),
        (TOKYO, "2026-03-28T21:00:00+09:00", "2026-03-29T21:00+09:00", "2026-03-29T21:00+09:00"),
    ] {
        assert_deadline(&Pace::new(Every::Days(1), zone), opens, day_later);
        assert_deadline(&Pace::play(DAY, zone), opens, hours_later);
        assert_deadline(&daily(&["21:00"], zone), opens, day_later);
    }
}

#[test]
fn quiet_hours_are_the_clocks() {
    for (zone, opens, closes) in [
        (BERLIN, "2026-03-28T23:30:00+01:00", "2026-03-29T07:00+02:00"),
        (BERLIN, "2026-10-24T23:30:00+02:00", "2026-10-25T07:00+01:00"),
        (NEW_YORK, "2026-03-07T23:30:00-05:00", "2026-03-08T07:00-04:00"),
        (NEW_YORK, "2026-10-31T23:30:00-04:00", "2026-11-01T07:00-05:00"),
        (LORD_HOWE, "2026-10-03T23:30:00+10:30", "2026-10-04T07:00+11:00"),
        (LORD_HOWE, "2026-04-04T23:30:00+11:00", "2026-04-05T07:00+10:30"),
        (TOKYO, "2026-04-04T23:30:00+09:00", "2026-04-05T07:00+09:00"),
    ] {
        let pace = quiet("23:00", "7:00", Pace::play(HOUR, zone));
        assert_deadline(&pace, opens, closes);
    }
    // Quiet hours end when the clock skips their end, and begin again when it is put back.
    let gap = quiet("23:00", "2:30", Pace::play(HOUR, BERLIN));
    assert_deadline(&gap, "2026-03-29T00:30:00+01:00", "2026-03-29T03:00+02:00");
    let fold = quiet("23:00", "2:30", Pace::play(HOUR, BERLIN));
    assert_deadline(&fold, "2026-10-25T00:45:00+02:00", "2026-10-25T02:30+02:00");
    assert_deadline(&fold, "2026-10-25T02:10:00+02:00", "2026-10-25T02:30+01:00");
    // The clock also defines their beginning.
    let mut pace = quiet("23:00", "7:00", daily(&["7:00"], BERLIN));
    pace.reminders = vec![HOUR];
    let closes = at("2026-03-29T07:00:00+02:00");
    let reminders = pace.reminders(at("2026-03-28T12:00:00+01:00"), closes);
    assert_eq!(reminders, [at("2026-03-28T23:00:00+01:00")]);
}

#[test]
fn a_stated_time_is_kept_in_quiet_hours() {
    let pace = quiet("23:00", "7:00", daily(&["23:30"], TOKYO));
    assert_deadline(&pace, "2026-04-04T12:00:00+09:00", "2026-04-04T23:30+09:00");
    let closed = at("2026-04-04T23:30:00+09:00");
    let opened = closed - 6 * HOUR;
    assert_eq!(shown(TOKYO, pace.announced(opened, closed)), "2026-04-05T07:00+09:00");
    let stated = Pace { announce: Announce::At(time("0:00")), ..pace };
    assert_eq!(shown(TOKYO, stated.announced(opened, closed)), "2026-04-05T00:00+09:00");
}

#[test]
fn a_day_that_samoa_never_had_is_passed_over() {
    let opens = "2011-12-29T21:00:00-10:00";
    assert_deadline(&Pace::new(Every::Days(1), APIA), opens, "2011-12-31T00:00+14:00");
    assert_deadline(&Pace::new(Every::Days(2), APIA), opens, "2011-12-31T21:00+14:00");
    assert_deadline(&daily(&["21:00"], APIA), opens, "2011-12-31T00:00+14:00");
    let least = Pace { least: 6 * HOUR, ..daily(&["21:00"], APIA) };
    assert_deadline(&least, opens, "2011-12-31T21:00+14:00");
    let night = quiet("23:00", "7:00", Pace::play(3 * HOUR - MINUTE, APIA));
    assert_deadline(&night, opens, "2011-12-31T07:00+14:00");
}

#[test]
fn the_next_time_on_one_of_the_days() {
    let read = |text| Pace::read(text, TOKYO).unwrap();
    // 2026-11-21 is a Saturday.
    assert_deadline(&read("平日 22:00"), "2026-11-21T12:00:00+09:00", "2026-11-23T22:00+09:00");
    assert_deadline(&read("月木 21:30"), "2026-11-23T21:30:00+09:00", "2026-11-26T21:30+09:00");
    assert_deadline(
        &read("毎日 12:00 21:00"),
        "2026-11-21T12:00:00+09:00",
        "2026-11-21T21:00+09:00",
    );
    // A deadline that is too near is passed over.
    assert_deadline(&read("毎日 21:00"), "2026-11-21T15:00:01+09:00", "2026-11-22T21:00+09:00");
    assert_deadline(&read("毎日 21:00"), "2026-11-21T15:00:00+09:00", "2026-11-21T21:00+09:00");
    assert_deadline(&read("日 21:00"), "2026-11-22T21:00:00+09:00", "2026-11-29T21:00+09:00");
    assert_deadline(
        &read("1日ごと 最低30時間"),
        "2026-11-21T12:00:00+09:00",
        "2026-11-23T12:00+09:00",
    );
}

#[test]
fn a_result_is_announced_as_long_after_an_early_close() {
    let pace = Pace::read("毎日21:00締切 22:00告知", TOKYO).unwrap();
    let deadline = at("2026-11-21T21:00:00+09:00");
    let opened = deadline - 20 * HOUR;
    assert_eq!(pace.announced(opened, deadline), deadline + HOUR);
    assert_eq!(pace.announced(opened, deadline - 3 * HOUR), deadline - 2 * HOUR);
    let after = Pace { announce: Announce::After(30 * MINUTE), ..pace };
    assert_eq!(after.announced(opened, deadline), deadline + 30 * MINUTE);
}

#[test]
fn a_deadline_that_is_put_off_takes_the_announcement_along() {
    let read = |text| Pace::read(text, TOKYO).unwrap();
    for (pace, closes, announced) in [
        ("毎日21:00締切 22:00告知", "21T22:30", "21T23:30"),
        ("毎日21:00締切 22:00告知", "21T21:30", "21T22:00"),
        ("毎日21:00締切 22:00告知", "21T22:00", "21T22:00"),
        // Put off by a whole day, to the deadline of the pace itself.
        ("毎日21:00締切 22:00告知", "22T21:00", "22T22:00"),
        // Brought forward, or closed early.
        ("毎日21:00締切 22:00告知", "21T18:00", "21T19:00"),
        // The announcement stays on the next morning.
        ("毎日21:00締切 9:00告知", "21T22:30", "22T09:00"),
        // Nobody is called in quiet hours, unless the pace gives the time of day.
        ("毎日21:00締切 22:00告知 静音23:00-7:00", "21T22:30", "22T07:00"),
    ] {
        let at = |moment: &str| at(&format!("2026-11-{moment}:00+09:00"));
        let found = read(pace).announced(at("20T21:00"), at(closes));
        assert_eq!(found, at(announced), "{pace}, put off to {closes}: {}", shown(TOKYO, found));
    }
    // A period with one announcement a day: an early close does not move it to the next day.
    let period = read("2h announce 22:00");
    let at = |moment: &str| at(&format!("2026-11-{moment}:00+09:00"));
    assert_eq!(period.announced(at("21T20:30"), at("21T22:30")), at("22T22:00"));
    assert_eq!(period.announced(at("21T20:30"), at("21T21:00")), at("21T22:00"));
}

#[test]
fn an_early_close_waits_for_the_end_of_quiet_hours_and_for_a_step_of_the_clock() {
    let pace = Pace::read("2時間ごと 冷却10分 静音23:00-7:10", TOKYO).unwrap();
    let close =
        |sealed: &str, sealing| shown(TOKYO, pace.early_close(at(sealed), at(sealed), sealing));
    let (open, hidden) = (Sealing::Open, Sealing::Hidden);
    assert_eq!(close("2026-11-21T12:01:00+09:00", open), "2026-11-21T12:11+09:00");
    assert_eq!(close("2026-11-21T12:01:00+09:00", hidden), "2026-11-21T12:20+09:00");
    assert_eq!(close("2026-11-21T12:10:00+09:00", hidden), "2026-11-21T12:20+09:00");
    assert_eq!(close("2026-11-21T22:49:00+09:00", open), "2026-11-21T22:59+09:00");
    assert_eq!(close("2026-11-21T22:49:00+09:00", hidden), "2026-11-22T07:15+09:00");
    assert_eq!(close("2026-11-21T22:55:00+09:00", open), "2026-11-22T07:10+09:00");
    for (pace, step) in [
        ("毎日21:00", 15 * MINUTE),
        ("150分ごと", 15 * MINUTE),
        ("2時間ごと", 10 * MINUTE),
        ("1時間ごと", 5 * MINUTE),
        ("10分ごと", MINUTE),
        ("2分ごと", Span::seconds(10)),
        ("10秒ごと", Span::seconds(1)),
    ] {
        let pace = Pace::read(pace, TOKYO).unwrap();
        assert_eq!(pace.step(at("2026-11-21T12:01:00+09:00")), Some(step), "{pace:?}");
    }
}

#[test]
fn reminders_keep_to_the_window_and_out_of_quiet_hours() {
    let pace = Pace::read("3日ごと 催促1日 6時間 1時間 静音23:00-7:00", TOKYO).unwrap();
    let closes = at("2026-11-24T08:00:00+09:00");
    let reminders = |opens: &str| -> Vec<String> {
        let all = pace.reminders(at(opens), closes);
        all.into_iter().map(|at| shown(TOKYO, at)).collect()
    };
    // Six hours before is at night, which ends an hour before: one reminder is enough.
    let both = ["2026-11-23T08:00+09:00", "2026-11-24T07:00+09:00"];
    assert_eq!(reminders("2026-11-21T08:00:00+09:00"), both);
    assert_eq!(reminders("2026-11-23T08:00:00+09:00"), both[1..]);
    // A window that opens and closes within the quiet hours has no reminder.
    let night = Pace::read("2時間ごと 催促1時間 静音23:00-7:00", TOKYO).unwrap();
    let opens = at("2026-11-24T00:00:00+09:00");
    assert!(night.reminders(opens, opens + 2 * HOUR).is_empty());
}

/// A turn may take a day; a reaction closes on the full hour, after half an hour at the soonest and twelve
/// hours at the latest.
#[test]
fn a_reaction_closes_on_full_hours() {
    let at = |moment: &str| at(&format!("2026-11-{moment}:00+09:00"));
    let pace = Pace::read("毎日21:00 反応12時間毎正時最低30分 選択6時間随時", TOKYO).unwrap();
    let reaction = pace.clone().of(WindowKind::Reaction);
    assert_eq!(reaction.deadline(at("21T14:20")), at("22T02:00"));
    assert_eq!(reaction.deadline(at("21T14:00")), at("22T02:00"));
    let close = |sealed: &str| reaction.early_close(at("21T14:20"), at(sealed), Sealing::Hidden);
    assert_eq!(close("21T14:21"), at("21T15:00"));
    assert_eq!(close("21T15:00"), at("21T15:00"));
    assert_eq!(close("21T15:01"), at("21T16:00"));
    // Half an hour after 14:40 is ten past three.
    assert_eq!(
        reaction.early_close(at("21T14:40"), at("21T14:41"), Sealing::Hidden),
        at("21T16:00")
    );
    // Open sealings have nothing to hide, as those of a person who plays alone.
    assert_eq!(reaction.early_close(at("21T14:20"), at("21T14:21"), Sealing::Open), at("21T14:21"));
    // The players of an optional window are called once.
    assert_eq!(reaction.reminders(at("21T14:00"), at("22T02:00")), [at("21T15:00")]);
    assert_eq!(reaction.last_call(at("21T14:00"), at("22T02:00")), None);
    let choice = pace.clone().of(WindowKind::Choice);
    assert_eq!(choice.deadline(at("21T14:20")), at("21T20:20"));
    assert_eq!(choice.early_close(at("21T14:20"), at("21T14:21"), Sealing::Open), at("21T14:21"));
    assert_eq!(pace.clone().of(WindowKind::Turn), pace);
    assert_eq!(pace.clone().of(WindowKind::Setup), pace);
}

#[test]
fn a_kind_of_which_nothing_is_said_is_shorter_than_a_turn_of_days() {
    let of = |pace: &str, kind| {
        let pace = Pace::read(pace, TOKYO).unwrap();
        pace.kind(kind).map(|of_kind| (of_kind.length, of_kind.least, of_kind.tick))
    };
    let (reaction, choice) = (WindowKind::Reaction, WindowKind::Choice);
    assert_eq!(of("daily 21:00", reaction), Some((12 * HOUR, 30 * MINUTE, Tick::Hourly)));
    assert_eq!(of("3日ごと", choice), Some((6 * HOUR, Span::ZERO, Tick::Hourly)));
    assert_eq!(of("every 2h", reaction), Some((2 * HOUR, 30 * MINUTE, Tick::Any)));
    assert_eq!(of("every 8m", reaction), Some((8 * MINUTE, 2 * MINUTE, Tick::Any)));
    assert_eq!(of("daily 21:00", WindowKind::Setup), None);
    // Turns are announced at 22:00, but reactions do not wait for that time.
    let pace = Pace::read("daily 21:00 announce 22:00", TOKYO).unwrap();
    assert_eq!(pace.of(reaction).announce, Announce::AtOnce);
}

#[test]
fn the_ends_of_time_are_no_panic() {
    for text in ["毎日21:00 静音23:00-7:00", "3日ごと 静音23:00-7:00", "2h 静音23:00-7:00"]
    {
        let pace = Pace::read(text, APIA).unwrap();
        for opens in [Time::BEGINNING, Time::BEGINNING + DAY, Time::END - DAY, Time::END] {
            let _ = pace.early_close(opens, opens, Sealing::Hidden);
            let _ = pace.reminders(opens, pace.deadline(opens));
            let _ = pace.announced(opens, pace.deadline(opens));
        }
    }
}

#[test]
fn a_deadline_on_an_excepted_day_moves_to_the_next_that_is_none() {
    for (text, opens, closes) in [
        // 23 November is a holiday, a Monday.
        ("daily 21:00 except holidays", "2026-11-23T00:00:00Z", "2026-11-24T21:00+09:00"),
        ("mon thu 21:00 except holidays", "2026-11-22T00:00:00Z", "2026-11-26T21:00+09:00"),
        ("毎日21:00 12/29から1/3は休み", "2026-12-28T13:00:00Z", "2027-01-04T21:00+09:00"),
        ("毎日21:00 12/29-1/3は休み", "2031-12-28T13:00:00Z", "2032-01-04T21:00+09:00"),
        ("daily 21:00 except 2026-12-29 to 1/3", "2027-12-28T13:00:00Z", "2027-12-29T21:00+09:00"),
        // From 21 to 23 September 2026: two holidays and the day between them.
        ("every 3 days except holidays", "2026-09-18T12:00:00Z", "2026-09-24T21:00+09:00"),
        // Quiet hours move the deadline to the holiday, and the holiday moves it on.
        ("1日ごと 夜休み22:00-7:00 休み11/3", "2026-11-01T14:00:00Z", "2026-11-04T07:00+09:00"),
        // The holidays of 2028 are not known yet: a window closes on the first of January.
        ("daily 21:00 except holidays", "2027-12-31T13:00:00Z", "2028-01-01T21:00+09:00"),
        // A period of hours never moves.
        ("24h except holidays", "2026-11-22T12:00:00Z", "2026-11-23T21:00+09:00"),
    ] {
        let pace = Pace::read(text, TOKYO).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        assert_eq!(shown(TOKYO, pace.deadline(at(opens))), closes, "{text}");
    }
    // The day is that of the table's zone: in Tokyo it is the 24th already.
    let berlin = Pace::read("daily 21:00 except 11/23", BERLIN).unwrap();
    assert_deadline(&berlin, "2026-11-23T08:00:00Z", "2026-11-24T21:00+01:00");
}

#[test]
fn an_excepted_day_moves_nothing_but_deadlines() {
    let pace = Pace::read("daily 21:00 announced 22:00 except 11/23", TOKYO).unwrap();
    let (opens, sealed) = (at("2026-11-22T12:30:00Z"), at("2026-11-23T03:00:00Z"));
    assert_eq!(pace.early_close(opens, sealed, Sealing::Open), sealed);
    assert_eq!(shown(TOKYO, pace.announced(opens, sealed)), "2026-11-23T13:00+09:00");
    assert_eq!(shown(TOKYO, pace.extended(sealed, HOUR)), "2026-11-23T13:00+09:00");
    let reaction = Pace::read("daily 21:00 reactions 12h except 11/23", TOKYO).unwrap();
    let reaction = reaction.of(WindowKind::Reaction);
    assert_eq!(shown(TOKYO, reaction.deadline(sealed)), "2026-11-24T00:00+09:00");
    let within_the_day = at("2026-11-22T22:00:00Z");
    assert_eq!(shown(TOKYO, reaction.deadline(within_the_day)), "2026-11-23T19:00+09:00");
}
