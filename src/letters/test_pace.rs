//! Tests of the pace in words: short for a simple pace, and parsed back to the same pace.

use chrono_tz::Tz;
use kit::paces::pace;
use proptest::prelude::*;

use crate::{Letters, Reader};
use games::GAMES;
use rules::text::Lang;
use tables::Pace;

#[test]
fn what_is_written_reads_as_the_same() {
    let letters = Letters::built_in();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(300));
    let law = runner.run(&pace(), |pace| {
        for lang in Lang::ALL {
            let line = letters.pace_line(&Reader::new(GAMES[0], lang), &pace).unwrap();
            let read = Pace::read(&line, Tz::Antarctica__Troll);
            prop_assert_eq!(read.as_ref(), Ok(&pace), "{}", line);
        }
        Ok(())
    });
    law.unwrap();
}

/// The words for an hour in each part of the day.
const PARTS_OF_DAY: [&[&str]; 8] = [
    &["毎日H時", "daily H:00", "H時", "H:00"],
    &["午前H時", "毎日 午前H:00", "H:00 am", "Ham"],
    &["午後H時", "毎日 午後H:00", "H:00 pm", "Hpm"],
    &["朝H時", "早朝H:00", "H:00 in the morning"],
    &["昼H時", "お昼のH時", "H:00 in the afternoon"],
    &["夕方H時", "夕方のH:00", "H:00 in the evening"],
    &[
        "毎晩H時",
        "毎夜H:00",
        "毎晩締切H時",
        "nightly H:00",
        "every night at H:00",
        "夜H時",
        "H:00 at night",
    ],
    &["深夜H時", "夜中のH時", "late night H:00", "H:00 late at night"],
];

#[test]
fn each_hour_of_each_part_of_a_day_is_read_in_one_way_and_its_echo_as_the_same() {
    let letters = Letters::built_in();
    for (part, words) in PARTS_OF_DAY.iter().enumerate() {
        let mut read_hours = 0;
        for hour in 0..=30 {
            let written = |word: &&str| word.replace('H', &hour.to_string());
            let read = |word: &&str| Pace::read(&written(word), Tz::Asia__Tokyo).ok();
            let pace = read(&words[0]);
            for word in *words {
                assert_eq!(read(word), pace, "{}", written(word));
            }
            let Some(pace) = pace else { continue };
            read_hours += 1;
            for lang in Lang::ALL {
                let echo = letters.pace_line(&Reader::new(GAMES[0], lang), &pace).unwrap();
                assert_eq!(Pace::read(&echo, Tz::UTC), Ok(pace.clone()), "{}", written(&words[0]));
            }
        }
        assert_eq!(read_hours, [30, 13, 13, 12, 11, 22, 30, 25][part], "{}", words[0]);
    }
}

#[test]
fn a_simple_pace_is_short() {
    let letters = Letters::built_in();
    let write = |text: &str, lang| {
        let pace = Pace::read(text, Tz::Asia__Tokyo).unwrap();
        letters.pace_line(&Reader::new(GAMES[0], lang), &pace).unwrap()
    };
    for (text, ja, en) in [
        (
            "daily 21:00 announce 22:00",
            "毎日21:00締切 22:00告知 Asia/Tokyo",
            "daily 21:00, announced 22:00, Asia/Tokyo",
        ),
        ("twice a week", "月木21:00締切 Asia/Tokyo", "Mon Thu 21:00, Asia/Tokyo"),
        ("fast", "2時間ごと Asia/Tokyo", "every 2h, Asia/Tokyo"),
        ("3d", "3日ごと Asia/Tokyo", "every 3 days, Asia/Tokyo"),
        (
            "平日12:00 21:00 America/New_York 告知30分後 早締めなし 最低8時間 催促6h 1h 静音23:00-7:00 障害待機",
            "平日12:00・21:00締切 30分後告知 早締めなし 最低8時間 リマインド6時間前・1時間前 \
             夜休み23:00-7:00 障害待機 America/New_York",
            "weekdays 12:00 21:00, announced 30m later, no early close, at least 8h, \
             reminders 6h 1h, quiet 23:00-7:00, outage wait, America/New_York",
        ),
        (
            "毎日 催促なし",
            "毎日21:00締切 リマインドなし Asia/Tokyo",
            "daily 21:00, no reminders, Asia/Tokyo",
        ),
    ] {
        assert_eq!(write(text, Lang::Ja), ja);
        assert_eq!(write(text, Lang::En), en);
    }
}

/// Checks that a sentence names the announcement on the next day and the excepted days.
#[test]
fn what_comes_on_another_day_is_told() {
    let letters = Letters::built_in();
    let tell = |text: &str, lang| {
        let pace = Pace::read(text, Tz::Asia__Tokyo).unwrap();
        letters.pace(&Reader::new(GAMES[0], lang), &pace).unwrap()
    };
    for (text, ja, en) in [
        ("daily 21:00 announce 20:00", "、翌日の20:00に告知", ", announced at 20:00 the next day"),
        ("daily 21:00 announce 22:00", "、22:00に告知", ", announced at 22:00 ("),
        (
            "daily 12:00 21:00 announce 20:00",
            "、20:00（締め切りが後なら翌日）に告知",
            ", announced at 20:00 (the next day, if that has passed)",
        ),
        (
            "every 3 days except sun",
            "3日ごとに締め切り、日曜は締め切りなし",
            ", no deadline on Sun (",
        ),
        (
            "3日ごと 土日と12/29-1/3は休み",
            "、土・日曜と12/29-1/3は締め切りなし",
            ", no deadline on Sat or Sun or 12/29-1/3 (",
        ),
    ] {
        assert!(tell(text, Lang::Ja).contains(ja), "{}", tell(text, Lang::Ja));
        assert!(tell(text, Lang::En).contains(en), "{}", tell(text, Lang::En));
    }
}
