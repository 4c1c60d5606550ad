//! Lines of absence settings, and their parse.

use crate::Absence;
use crate::absence::{AbsenceFault, Away, Inactive, Minimum};
use crate::time::span;

const HOUR: i64 = 60 * 60 * 1000;

fn all() -> Absence {
    Absence {
        allowance: 1,
        grace: span(2 * HOUR),
        inactive_after: 2,
        inactive: Inactive::House,
        away: Away::Extend,
        minimum: None,
    }
}

fn joining(missed: u8, of: u8) -> Absence {
    Absence { minimum: Some(Minimum { missed, of }), ..Absence::default() }
}

#[test]
fn both_languages_say_the_same() {
    for line in [
        "allowance 1, grace 2h, inactive after 2: house, away: extend",
        "Away EXTEND; inactive house after 2 misses in a row; grace 120 min; allowance 1 window",
        "猶予1回 遅刻2時間 不在2回で代打 留守は延長",
        "猶予１回、遅刻１時間６０分、不在続けて２回→代打、離席中は延長",
        "extensions 1, grace period 2h, inactive after 2: bot, on vacation: extend",
        "延長1回 遅刻受付2時間 連続無宣言2回でBot 留守は延長",
        "留守は延長、連続無宣言２回ならボット、遅刻の受付は２時間、延長は１回まで",
        "猶予1回 猶予2時間 連続無宣言2回でBot 留守は延長",
    ] {
        assert_eq!(Absence::read(line, &Absence::default()), Ok(all()), "{line}");
    }
}

#[test]
fn what_is_not_said_is_supposed() {
    assert_eq!(Absence::read("", &Absence::default()), Ok(Absence::default()));
    let lines = [
        ("grace 1h30m", Absence { grace: span(HOUR + HOUR / 2), ..Absence::default() }),
        ("inactive never", Absence { inactive_after: 0, ..Absence::default() }),
        ("不在なし", Absence { inactive_after: 0, ..Absence::default() }),
        ("allowance none, grace none", Absence::default()),
        ("猶予2時間", Absence { grace: span(2 * HOUR), ..Absence::default() }),
        ("延長3回", Absence { allowance: 3, ..Absence::default() }),
        ("延長なし、遅刻受付なし", Absence::default()),
        ("留守は延長 延長2回", Absence { away: Away::Extend, allowance: 2, ..Absence::default() }),
        ("連続無宣言3回で待たない", Absence { inactive_after: 3, ..Absence::default() }),
        ("参加は直近10回で無宣言2回まで", joining(2, 10)),
        ("離席は代理人", Absence { away: Away::Substitute, ..Absence::default() }),
        ("不在3回で1回休み", Absence { inactive_after: 3, ..Absence::default() }),
        ("join 2", joining(2, 10)),
        ("join: missed at most 2 of the last 10", joining(2, 10)),
        ("join: at most 10 missed of their last 100", joining(10, 100)),
        ("参加は直近10回で欠席2回まで", joining(2, 10)),
        ("参加は欠席0回、直近100回中", joining(0, 100)),
        ("join none, allowance none", Absence::default()),
    ];
    for (line, absence) in lines {
        assert_eq!(Absence::read(line, &Absence::default()), Ok(absence), "{line}");
    }
}

#[test]
fn whatever_is_wrong_is_quoted() {
    let quoted = |quoted: &str| quoted.to_owned();
    let lines = [
        (
            "grase 2h",
            AbsenceFault::Unknown { said: quoted("grase"), nearest: Some(quoted("grace")) },
        ),
        ("ペンギン", AbsenceFault::Unknown { said: quoted("ペンギン"), nearest: None }),
        ("allowance, grace 2h", AbsenceFault::Incomplete { said: quoted("allowance") }),
        ("猶予2時間 遅刻受付1時間", AbsenceFault::Twice { said: quoted("1時間") }),
        ("延長", AbsenceFault::Unfitting { said: quoted("延長") }),
        ("猶予1回 遅刻", AbsenceFault::Incomplete { said: quoted("遅刻") }),
        ("grace 2", AbsenceFault::Unfitting { said: quoted("2") }),
        ("2h", AbsenceFault::Unfitting { said: quoted("2h") }),
        ("inactive: extend", AbsenceFault::Unfitting { said: quoted("extend") }),
        ("away never", AbsenceFault::Unfitting { said: quoted("never") }),
        ("allowance 1 allowance 2", AbsenceFault::Twice { said: quoted("2") }),
        ("allowance 5", AbsenceFault::TooMany { said: 5, most: 4 }),
        ("不在100000000000000000000回", AbsenceFault::TooMany { said: i64::MAX, most: 9 }),
        ("join", AbsenceFault::Incomplete { said: quoted("join") }),
        ("join 2 of 20", AbsenceFault::Unfitting { said: quoted("20") }),
        ("join 2 of 10 of 10", AbsenceFault::Twice { said: quoted("10") }),
        ("join none, join 2", AbsenceFault::Twice { said: quoted("2") }),
        ("join 12", AbsenceFault::TooMany { said: 12, most: 9 }),
        ("join 10 of 10", AbsenceFault::TooMany { said: 10, most: 9 }),
        ("join house", AbsenceFault::Unfitting { said: quoted("house") }),
        ("grace 8d", AbsenceFault::TooLong { said: span(192 * HOUR), most: span(168 * HOUR) }),
    ];
    for (line, fault) in lines {
        assert_eq!(Absence::read(line, &Absence::default()), Err(fault), "{line}");
    }
}
