//! Lines with a pace, and lines without one.

use chrono_tz::Tz;

use crate::time::{HOUR, MINUTE, Span};
use crate::{
    Announce, CalendarDate, Dates, Every, ExceptedDays, KindPace, LastCall, OutageRule, Pace,
    PaceFault, Quiet, Tick, TimeOfDay, Weekdays,
};
use rules::WindowKind;

#[track_caller]
fn read(text: &str) -> Pace {
    Pace::read(text, Tz::UTC).unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
}

fn fault(text: &str) -> PaceFault {
    Pace::read(text, Tz::UTC).expect_err(text)
}

fn time(text: &str) -> TimeOfDay {
    text.parse().unwrap()
}

fn times(times: &[&str], days: Weekdays) -> Pace {
    let times = times.iter().copied().map(time).collect();
    Pace::new(Every::Times { times, days }, Tz::UTC)
}

#[test]
fn a_rhythm_in_whichever_words() {
    let twice = || times(&["21:00"], Weekdays::TWICE);
    for (texts, pace) in [
        (
            &[
                "daily 21:00",
                "毎日21:00",
                "毎日 21時",
                "２１：００",
                "毎日 21:00〆",
                "every day at 9pm",
                "毎日午後9時に締切",
                "Daily, 9:00 PM",
                "DAILY 21:00 deadline",
                "毎晩",
                "毎晩9時",
                "every night at 9:00",
                "毎晩21時",
            ][..],
            times(&["21:00"], Weekdays::DAILY),
        ),
        (
            &["weekdays 22:00", "平日 22時", "月〜金 22:00", "mon-fri 22:00", "Mon to Fri 22:00"],
            times(&["22:00"], Weekdays::WEEKDAYS),
        ),
        (
            &[
                "twice a week",
                "週2回",
                "週２回 月木",
                "mon thu 21:00",
                "月・木",
                "月木 21:00締切",
                "毎週 月曜と木曜の21時",
                "Monday & Thursday, 21:00",
                "月/木 21:00",
            ],
            twice(),
        ),
        (
            &[
                "once a week",
                "weekly",
                "weekly sun 21:00",
                "every week",
                "週1回",
                "毎週日曜21:00",
                "毎週",
                "sun 21:00",
            ],
            times(&["21:00"], Weekdays::ONCE),
        ),
        (&["weekly sat 9:00", "週1回 土 9:00", "once a week sat 9:00"], {
            times(&["9:00"], Weekdays::one(chrono::Weekday::Sat))
        }),
        (
            &["2h last call 30m", "2h, last call after 30m", "2時間ごと 最後の一人30分後"],
            Pace { last_call: LastCall::After(30 * MINUTE), ..Pace::play(2 * HOUR, Tz::UTC) },
        ),
        (
            &["2h no last call", "2時間ごと 最後の一人なし"],
            Pace { last_call: LastCall::Never, ..Pace::play(2 * HOUR, Tz::UTC) },
        ),
        (&["週2回 22:30", "22時半 木月"], times(&["22:30"], Weekdays::TWICE)),
        (
            &["毎日 12:00 21:00", "21:00 12:00", "毎日12:00・21:00締切"],
            times(&["12:00", "21:00"], Weekdays::DAILY),
        ),
        (
            &[
                "fast 2h",
                "fast",
                "2時間ごと",
                "２時間ごと",
                "every 2 hours",
                "2h",
                "120分毎",
                "2時間",
            ],
            Pace::play(2 * HOUR, Tz::UTC),
        ),
        (&["live 2m", "live", "2分間隔"], Pace::play(2 * MINUTE, Tz::UTC)),
        (&["1時間半ごと", "every 1h30m", "90 min"], Pace::play(90 * MINUTE, Tz::UTC)),
        (&["every 3 days", "3日ごと", "3d"], Pace::new(Every::Days(3), Tz::UTC)),
        (&["every 2 weeks", "2週間ごと", "14日ごと"], Pace::new(Every::Days(14), Tz::UTC)),
        (&["24時間ごと"], Pace::play(24 * HOUR, Tz::UTC)),
    ] {
        for text in texts {
            assert_eq!(read(text), pace, "{text}");
        }
    }
}

#[test]
fn everything_else_in_whichever_order() {
    let daily = times(&["21:00"], Weekdays::DAILY);
    let at_ten = Pace { announce: Announce::At(time("22:00")), ..daily.clone() };
    for text in [
        "毎日21:00締切 22:00告知",
        "22:00告知 21:00締切 毎日",
        "22:00 告知 21:00 締切 毎日",
        "毎日 21:00 告知 22:00",
        "告知22:00 毎日21:00締切",
        "daily 21:00 announce 22:00",
        "daily, deadline 21:00, announced at 22:00",
        "daily 21:00 締切 22時告知",
    ] {
        assert_eq!(read(text), at_ten, "{text}");
    }
    let tokyo = Pace { zone: Tz::Asia__Tokyo, ..at_ten };
    assert_eq!(read("毎日21:00締切 22:00告知 Asia/Tokyo"), tokyo);
    assert_eq!(read("asia/tokyo、毎日21:00締切、22:00告知"), tokyo);
    assert_eq!(read("JST 毎日21:00締切 22:00告知"), tokyo);

    let later = Pace { announce: Announce::After(30 * MINUTE), ..daily.clone() };
    for text in [
        "毎日21:00 告知30分後",
        "毎日21:00 30分後に告知",
        "daily 21:00 announce after 30m",
        "announced 30 min later, daily 21:00",
    ] {
        assert_eq!(read(text), later, "{text}");
    }
    assert_eq!(read("毎日 即時告知"), daily);
    assert_eq!(read("daily, announce at once"), daily);

    let late = Pace { early: false, ..daily.clone() };
    for text in ["毎日 早締めなし", "早締めなし毎日", "daily no early", "no early close, daily"]
    {
        assert_eq!(read(text), late, "{text}");
    }
    let cool = Pace { cool_down: 10 * MINUTE, ..Pace::play(2 * HOUR, Tz::UTC) };
    for text in [
        "2時間ごと 冷却10分",
        "冷却10分 2時間ごと",
        "cool 10m fast 2h",
        "10分冷却 2時間ごと",
        "2h cool down 10 min",
    ] {
        assert_eq!(read(text), cool, "{text}");
    }
    let twice = Pace { reminders: vec![6 * HOUR, HOUR], ..daily.clone() };
    for text in [
        "毎日 催促6時間前 1時間前",
        "毎日 催促1時間前・6時間前",
        "daily remind 6h 1h",
        "6時間前と1時間前に催促 毎日",
        "remind 6h and 1h before, daily",
    ] {
        assert_eq!(read(text), twice, "{text}");
    }
    let never = Pace { reminders: Vec::new(), ..daily.clone() };
    for text in ["毎日 催促なし", "daily no reminders", "催促なし 毎日"] {
        assert_eq!(read(text), never, "{text}");
    }
    let hours = Quiet { from: time("23:00"), to: time("7:00") };
    let quiet = Pace { quiet: Some(hours), ..daily.clone() };
    for text in [
        "毎日 静音23:00-7:00",
        "daily quiet 23:00-7:00",
        "静音 23時〜7時 毎日",
        "毎日 静音23時から7時まで",
        "quiet 11pm to 7am daily",
        "23:00-7:00静音 毎日",
    ] {
        assert_eq!(read(text), quiet, "{text}");
    }
    let least = Pace { least: 8 * HOUR, ..daily.clone() };
    for text in ["毎日 最低8時間", "daily at least 8h", "最低8時間 21:00"] {
        assert_eq!(read(text), least, "{text}");
    }
    for (texts, outage) in [
        (["毎日 障害 延長", "daily outage extend"], OutageRule::Extend),
        (["毎日 障害 遅延", "daily outage late"], OutageRule::Late),
        (["毎日 障害時は待機", "outage wait daily"], OutageRule::Wait),
    ] {
        for text in texts {
            assert_eq!(read(text), Pace { outage, ..daily.clone() }, "{text}");
        }
    }
}

#[test]
fn windows_of_other_kinds_than_turns() {
    let reaction = |length, least, tick| {
        let kinds = [(WindowKind::Reaction, KindPace { length, least, tick })].into();
        Pace { kinds, ..times(&["21:00"], Weekdays::DAILY) }
    };
    let at = |at: &[&str]| Tick::Times(at.iter().copied().map(time).collect());
    for (texts, pace) in [
        (
            ["daily 21:00, reactions 8h hourly", "毎日21:00 反応8時間毎正時", "反応8時間 毎日21時"],
            reaction(8 * HOUR, 30 * MINUTE, Tick::Hourly),
        ),
        (
            [
                "daily 21:00, reactions 12h at 9:00 and 21:00, at least 1h",
                "反応12時間9:00・21:00最低1時間 毎日21:00",
                "reactions 12h 21:00 9:00 at least 1h daily 21:00",
            ],
            reaction(12 * HOUR, HOUR, at(&["9:00", "21:00"])),
        ),
        (
            ["reactions at any time, daily 21:00", "毎日21:00 反応 随時", "反応随時 毎日"],
            reaction(12 * HOUR, 30 * MINUTE, Tick::Any),
        ),
    ] {
        for text in texts {
            assert_eq!(read(text), pace, "{text}");
        }
    }
    // Settings equal to the defaults are not stored.
    let supposed = read("daily 21:00, reactions 12h hourly, choices 6h");
    assert_eq!(supposed, times(&["21:00"], Weekdays::DAILY));
    let all = read("daily 21:00, setup 2 days, choices 3h at any time");
    let kinds: Vec<WindowKind> = all.kinds.keys().copied().collect();
    assert_eq!(kinds, [WindowKind::Setup, WindowKind::Choice]);
    let quoted = |quoted: &str| quoted.to_owned();
    for (text, expected) in [
        ("daily 21:00 reactions", PaceFault::Incomplete { said: quoted("reactions") }),
        ("毎日21:00 選択2時間 選択3時間", PaceFault::Twice { said: quoted("選択") }),
        (
            "daily reactions 5s",
            PaceFault::TooShort { said: Span::seconds(5), least: Span::seconds(10) },
        ),
        ("daily reactions 1h at least 2h", PaceFault::TooLong { said: 2 * HOUR, most: HOUR }),
        ("reactions 12h hourly", PaceFault::NoRhythm),
    ] {
        assert_eq!(fault(text), expected, "{text}");
    }
}

/// The hours of a night are after its midnight: those of Saturday night are on Sunday.
#[test]
fn the_hours_of_a_night_lie_where_the_night_lies() {
    let daily = |time: &str| times(&[time], Weekdays::DAILY);
    for (texts, time) in [
        (
            &["毎晩0時", "毎夜12:00", "nightly 0:00", "毎晩24時", "daily 24:00", "12:00 nightly"][..],
            "0:00",
        ),
        (&["毎日 真夜中", "daily midnight", "毎日深夜0時", "12 midnight", "午前0時"], "0:00"),
        (&["毎晩12時半", "nightly 12:30", "every night at 0:30", "24:30"], "0:30"),
        (&["毎晩1時", "nightly 1:00", "毎日深夜1時", "25:00", "毎日夜の1時", "深夜25時"], "1:00"),
        (&["毎晩締切4時", "毎日夜中の4時", "28:00", "4:00 at night"], "4:00"),
        (&["深夜5時", "29:00", "朝5時", "5:00 in the morning"], "5:00"),
        (&["毎晩5時", "夕方5時", "nightly 5:00", "5:00 every night"], "17:00"),
        (&["毎晩11時", "夜の11時", "深夜11時", "11pm", "11:00 in the evening"], "23:00"),
        (&["正午", "毎日正午", "daily noon", "12 noon", "昼12時", "12pm", "毎日12時"], "12:00"),
        (&["昼1時", "午後1時", "1:00 in the afternoon"], "13:00"),
    ] {
        for text in texts {
            assert_eq!(read(text), daily(time), "{text}");
        }
    }
    assert_eq!(read("毎晩9時と12時"), times(&["0:00", "21:00"], Weekdays::DAILY));
    assert_eq!(read("daily noon 21:00"), times(&["12:00", "21:00"], Weekdays::DAILY));
    let days = |day: chrono::Weekday| Weekdays::one(day);
    for text in ["土曜25時", "sat 25:00", "土曜の深夜1時", "毎週土曜 深夜1時", "日曜1時"]
    {
        assert_eq!(read(text), times(&["1:00"], days(chrono::Weekday::Sun)), "{text}");
    }
    assert_eq!(read("週1回 24:00"), times(&["0:00"], days(chrono::Weekday::Mon)));
    let nights = Weekdays::from_to(chrono::Weekday::Tue, chrono::Weekday::Sat);
    assert_eq!(read("weekdays at midnight"), times(&["0:00"], nights));
    assert_eq!(read("毎日24:00 土日は休み"), times(&["0:00"], nights));
    let announced = Announce::At(time("0:00"));
    assert_eq!(read("毎晩9時 24:00告知"), Pace { announce: announced, ..daily("21:00") });
    let quiet = Some(Quiet { from: time("23:00"), to: time("0:00") });
    assert_eq!(read("毎日 夜休み23:00〜24:00"), Pace { quiet, ..daily("21:00") });
}

#[test]
fn a_line_that_says_no_pace() {
    let quoted = |quoted: &str| quoted.to_owned();
    for (text, expected) in [
        ("", PaceFault::NoRhythm),
        ("早締めなし Asia/Tokyo", PaceFault::NoRhythm),
        ("毎日 30:00", PaceFault::TimeOutOfRange { said: quoted("30:00") }),
        ("毎日 ２１：６０", PaceFault::TimeOutOfRange { said: quoted("２１：６０") }),
        ("毎日 31時", PaceFault::TimeOutOfRange { said: quoted("31時") }),
        ("夕方12時", PaceFault::TimeOutOfRange { said: quoted("12時") }),
        ("sat 21:00 25:00", PaceFault::OfNextDay { said: quoted("25:00") }),
        ("毎日 夜", PaceFault::Incomplete { said: quoted("夜") }),
        ("daily 13pm", PaceFault::TimeOutOfRange { said: quoted("13pm") }),
        ("毎日 21:00 21:00", PaceFault::Twice { said: quoted("21:00") }),
        ("毎日 21:00 2時間ごと", PaceFault::Twice { said: quoted("毎日") }),
        ("2時間ごと 3日ごと", PaceFault::Twice { said: quoted("3日") }),
        ("毎日 早締め no early", PaceFault::Twice { said: quoted("early") }),
        ("毎日 Asia/Tokyo UTC", PaceFault::Twice { said: quoted("UTC") }),
        ("週2回 月水金", PaceFault::Twice { said: quoted("週2回") }),
        ("毎日 静音", PaceFault::Incomplete { said: quoted("静音") }),
        ("毎日 cool", PaceFault::Incomplete { said: quoted("cool") }),
        ("毎日 なし", PaceFault::Incomplete { said: quoted("なし") }),
        ("毎日 12:00-21:00", PaceFault::Incomplete { said: quoted("12:00-21:00") }),
        ("毎日 30分後", PaceFault::Incomplete { said: quoted("30分後") }),
        ("9s", PaceFault::TooShort { said: Span::seconds(9), least: Span::seconds(10) }),
        ("every 0 days", PaceFault::TooShort { said: Span::ZERO, least: Span::seconds(10) }),
        ("61日ごと", PaceFault::TooLong { said: 61 * 24 * HOUR, most: 60 * 24 * HOUR }),
        ("毎日 冷却61日", PaceFault::TooLong { said: 61 * 24 * HOUR, most: 60 * 24 * HOUR }),
        ("2h remind 3h", PaceFault::ReminderTooLong { said: 3 * HOUR, window: 2 * HOUR }),
        ("毎日 静音 7:00-7:00", PaceFault::NoQuietHours { said: quoted("7:00-7:00") }),
        ("毎日 21", PaceFault::Unknown { said: quoted("21"), nearest: Vec::new() }),
    ] {
        assert_eq!(fault(text), expected, "{text}");
    }
    assert!(matches!(fault("99999999999999999999h"), PaceFault::TooLong { .. }));
}

#[test]
fn what_nobody_knows_has_its_nearest() {
    let unknown = |text: &str| match fault(text) {
        PaceFault::Unknown { said: quoted, nearest }
        | PaceFault::UnknownZone { said: quoted, nearest } => (quoted, nearest),
        other => panic!("{text}: {other:?}"),
    };
    for (text, input, near) in [
        ("毎日21:00締切 Asia/Tokio", "Asia/Tokio", "Asia/Tokyo"),
        ("daily 21:00 Europa/Berlin", "Europa/Berlin", "Europe/Berlin"),
        ("daily 21:00 berlin", "berlin", "Europe/Berlin"),
        ("dialy 21:00", "dialy", "daily"),
        ("毎月21:00 催足なし", "催足", "催促"),
        ("毎日 ｱﾅｳﾝｽ", "ｱﾅｳﾝｽ", ""),
        ("2h outage banana", "banana", "wait"),
        ("2時間ごと 障害バナナ", "バナナ", "遅延"),
    ] {
        let Err(PaceFault::Incomplete { .. }) = Pace::read(text, Tz::UTC) else {
            let (piece, nearest) = unknown(text);
            assert_eq!(piece, input, "{text}");
            assert!(near.is_empty() || nearest.iter().any(|word| word == near), "{nearest:?}");
            continue;
        };
        panic!("{text}");
    }
}

#[test]
fn what_is_another_word_has_no_nearest() {
    for text in ["banana", "daily 21:00 banana"] {
        let nothing = PaceFault::Unknown { said: "banana".to_owned(), nearest: Vec::new() };
        assert_eq!(fault(text), nothing);
    }
}

#[test]
fn days_on_which_nothing_closes() {
    let date = |year, month, day| CalendarDate { year, month, day };
    let every_year = Dates { from: date(None, 12, 29), to: date(None, 1, 3) };
    let once = Dates { from: date(Some(2026), 12, 29), to: date(Some(2027), 1, 3) };
    let summer = Dates { from: date(None, 8, 13), to: date(None, 8, 16) };
    let day = Dates { from: date(None, 2, 14), to: date(None, 2, 14) };
    let except = |holidays, dates: &[Dates]| Pace {
        except: ExceptedDays { holidays, weekdays: None, dates: dates.to_vec() },
        ..times(&["21:00"], Weekdays::DAILY)
    };
    for (texts, pace) in [
        (
            &[
                "daily 21:00 except holidays",
                "毎日21:00 祝日は休み",
                "祝日休み 毎日21:00",
                "毎日21:00、休みは祝日",
                "daily 21:00 not on public holidays",
                "daily 21:00, no holidays",
                "毎日21:00 祝日を除く",
                "祝日を除く毎日21:00",
                "毎日21:00、祝日は除外",
            ][..],
            except(true, &[]),
        ),
        (
            &[
                "daily 21:00 except 12/29-1/3",
                "daily except 12/29 to 1/3 21:00",
                "毎日21:00 12/29-1/3は休み",
                "毎日21:00 12月29日から1月3日まで休み",
                "毎日 １２／２９〜１／３休み",
            ],
            except(false, &[every_year]),
        ),
        (
            &[
                "daily 21:00 except 2026-12-29 to 2027-01-03",
                "daily 21:00 except 2026/12/29-1/3",
                "毎日21:00 2026年12月29日〜2027年1月3日は休み",
                "毎日21:00 12/29〜2027/1/3は休み",
            ],
            except(false, &[once]),
        ),
        (
            &[
                "daily 21:00 except holidays, 8/13-16 and 2/14",
                "毎日21:00 祝日と8月13日〜16日と2月14日は休み",
                "毎日21:00 祝日は休み 8/13-8/16・2/14休み",
                "8/13-16、2/14、祝日は休み、毎日21:00",
            ],
            except(true, &[summer, day]),
        ),
        (&["毎日21:00 休みなし", "daily 21:00 no except"], except(false, &[])),
    ] {
        for text in texts {
            assert_eq!(read(text), pace, "{text}");
        }
    }
    let without_sunday = Weekdays::DAILY.without(Weekdays::ONCE).unwrap();
    for text in [
        "毎日21:00 日曜は休み",
        "日曜休み 毎日21:00",
        "daily except sun 21:00",
        "21:00 except Sundays",
    ] {
        assert_eq!(read(text), times(&["21:00"], without_sunday), "{text}");
    }
    for text in ["毎日21:00 日曜と祝日は休み", "daily 21:00 except sundays and holidays"]
    {
        assert_eq!(
            read(text).except,
            ExceptedDays { holidays: true, ..Default::default() },
            "{text}"
        );
        assert_eq!(read(text).every, times(&["21:00"], without_sunday).every, "{text}");
    }
    for text in [
        "every 3 days except sun and holidays",
        "3日ごと 日曜と祝日は休み",
        "日曜・祝日以外、3日ごと",
        "every 3 days, no sundays, no holidays",
    ] {
        let except = ExceptedDays {
            holidays: true,
            weekdays: Some(Weekdays::ONCE),
            ..ExceptedDays::default()
        };
        assert_eq!(read(text), Pace { except, ..read("every 3 days") }, "{text}");
    }
    assert_eq!(
        read("祝日を除く平日22:00"),
        Pace { except: except(true, &[]).except, ..times(&["22:00"], Weekdays::WEEKDAYS) }
    );
    for text in ["月木21:00 祝日は休み", "週2回 祝日は休み", "mon thu except holidays"]
    {
        assert_eq!(read(text).every, times(&["21:00"], Weekdays::TWICE).every, "{text}");
    }
}

#[test]
fn days_that_cannot_be_excepted() {
    let written = |fault: PaceFault| match fault {
        PaceFault::EndsBeforeItBegins { said: quoted } => format!("reversed {quoted}"),
        PaceFault::CloseOrNot { said: quoted } => format!("unclear {quoted}"),
        PaceFault::NoDayLeft { most } => format!("none in {most}"),
        PaceFault::Incomplete { said: quoted } => format!("incomplete {quoted}"),
        PaceFault::Twice { said: quoted } => format!("twice {quoted}"),
        PaceFault::NoSuchDay { said: quoted } => format!("no day {quoted}"),
        other => format!("{other:?}"),
    };
    for (text, expected) in [
        ("daily except 2027/1/3-2026/12/29", "reversed 2027/1/3-2026/12/29"),
        ("月木 祝日は休み", "unclear 月"),
        ("土日・祝日は休み 22:00", "unclear 土"),
        ("daily except 1/1-12/31", "none in 60"),
        ("daily except 6/1-7/15, 7/16-8/10", "none in 60"),
        ("daily except 2027/6/1-7/15, 7/16-8/10", "none in 60"),
        ("sat 9:00 except sat", "none in 60"),
        ("daily 21:00 except", "incomplete except"),
        ("daily 21:00 holidays", "incomplete holidays"),
        ("daily 21:00 12/29", "incomplete 12/29"),
        ("6時間ごと 日曜は休み", "twice 日曜"),
        ("every 3 days except mon-sat sun", "none in 60"),
        ("毎日 除く", "incomplete 除く"),
        ("daily except holidays, except holidays", "twice holidays"),
        ("daily except 1/1 1/1", "twice 1/1"),
        ("daily except 2/30", "no day 2/30"),
        ("2/30は休み", "no day 2/30"),
        ("毎日21:00 2月30日は休み", "no day 2月30日"),
        ("daily except 2027-02-29", "no day 2027-02-29"),
    ] {
        assert_eq!(written(fault(text)), expected, "{text}");
    }
    // Fifty-nine days are allowed, and the year of a date counts.
    read("daily except 6/1-7/29");
    read("daily except 2027/6/1-7/15, 2028/7/16-8/10");
    // Mondays are left between them.
    read("mon 21:00 except 6/1-7/10");
}
