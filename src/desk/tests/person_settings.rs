//! Settings of a person for all of their tables: the times and the ways of calls, and the time zone.

use chrono_tz::Tz;

use crate::model::Desk;
use crate::record::{Letter, Part};
use crate::table::form::Form;
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, account, dealt, desk, form, looks, rows, seal, see,
};
use crate::tick::TickOutcome;
use crate::window::remind::Current;
use kit::time::time;
use rules::text::Lang;
use tables::calling::{CallMoments, CallWay};
use tables::{Pace, PersonSettings, Quiet, TableCode, TimeOfDay};

async fn set(desk: &Desk, name: &str, settings: PersonSettings) {
    crate::set_person(desk, &account(name), Lang::En, settings).await.unwrap();
}

/// Deals a table of 桜 and 楓 in a place of its own, at this pace.
async fn table(desk: &Desk, pace: &str) -> TableCode {
    let pace = Pace::read(pace, chrono_tz::UTC).unwrap();
    let at = Some("discord:channel:7".into());
    dealt(desk, Form { pace, place: at, ..form("toy") }).await
}

/// Returns the sending time of each letter to 楓 whose id contains `id`, and true if it calls in the thread.
async fn called(database: &Database, id: &str) -> Vec<(i64, bool)> {
    let question = format!(
        "select send_at, body from outbox where letter like '%{id}%' and address = '{}'
         order by send_at, letter",
        account("kaede")
    );
    let letters: Vec<(i64, String)> = rows(database, &question).await;
    let in_thread = |body: &str| serde_json::from_str::<Letter>(body).unwrap().in_thread;
    letters.into_iter().map(|(at, body)| (at, in_thread(&body))).collect()
}

fn of(way: CallWay, moments: CallMoments) -> PersonSettings {
    PersonSettings { way, moments, ..PersonSettings::default() }
}

fn quiet(from: i64, to: i64) -> Quiet {
    let at = |hour: i64| TimeOfDay::new(hour.try_into().unwrap(), 0).unwrap();
    Quiet { from: at(from), to: at(to) }
}

/// Looks at a table every quarter of an hour until a time.
async fn passes(desk: &Desk, code: &TableCode, until: i64) {
    let mut now = 0;
    while now <= until {
        let looked = looks(desk, code, now).await;
        assert!(matches!(looked, TickOutcome::Nothing | TickOutcome::Reminded), "{looked:?}");
        now += 15 * MINUTE;
    }
}

#[tokio::test]
async fn whoever_sets_nothing_is_called_as_their_table_has_it() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "every 12h, remind 6h 1h").await;
    passes(&desk, &code, 11 * HOUR).await;
    assert_eq!(called(&database, "reminder").await, [(6 * HOUR, false), (11 * HOUR, false)]);
    assert_eq!(called(&database, "-call").await, []);
}

#[tokio::test]
async fn they_are_called_once_and_as_the_window_opens_if_they_wish() {
    for (settings, opening, reminders) in [
        (of(CallWay::Message, CallMoments::Both), vec![(0, false)], vec![(11 * HOUR, false)]),
        (of(CallWay::Message, CallMoments::Opening), vec![(0, false)], vec![]),
        (of(CallWay::Usual, CallMoments::Deadline), vec![], vec![(11 * HOUR, false)]),
        // The post calls in the thread when the window opens.
        (of(CallWay::Thread, CallMoments::Both), vec![], vec![(11 * HOUR, true)]),
        (of(CallWay::Nothing, CallMoments::Both), vec![], vec![]),
    ] {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        set(&desk, "kaede", settings).await;
        let code = table(&desk, "every 12h, remind 6h 1h").await;
        passes(&desk, &code, 11 * HOUR).await;
        assert_eq!(called(&database, "-call").await, opening, "{settings:?}");
        assert_eq!(called(&database, "reminder").await, reminders, "{settings:?}");
    }
}

#[tokio::test]
async fn a_call_waits_for_the_end_of_quiet_hours_if_that_is_in_time() {
    for (hours, reminded) in [((10, 12), 11), ((5, 7), 11), ((10, 11), 11), ((11, 23), 11)] {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let settings = PersonSettings {
            quiet: Some(quiet(hours.0, hours.1)),
            ..of(CallWay::Message, CallMoments::Deadline)
        };
        set(&desk, "kaede", settings).await;
        let code = table(&desk, "every 12h, remind 1h").await;
        passes(&desk, &code, 11 * HOUR).await;
        assert_eq!(called(&database, "reminder").await, [(reminded * HOUR, false)], "{hours:?}");
    }
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let night = PersonSettings { quiet: Some(quiet(0, 7)), ..PersonSettings::default() };
    set(&desk, "kaede", night).await;
    let code = table(&desk, "every 12h, remind 6h").await;
    passes(&desk, &code, 6 * HOUR).await;
    assert_eq!(called(&database, "reminder").await, [(7 * HOUR, false)]);
    // The call in place of the post comes after their quiet hours, in the thread.
    assert_eq!(called(&database, "-call").await, [(7 * HOUR, true)]);
}

/// A call to a window that has been sealed or has closed is not sent.
#[tokio::test]
async fn a_call_that_is_not_true_any_more_is_not_sent() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    set(&desk, "kaede", of(CallWay::Message, CallMoments::Opening)).await;
    let code = table(&desk, "every 12h").await;
    let question = "select body from outbox where letter like '%-call-P2'";
    let bodies: Vec<(String,)> = rows(&database, question).await;
    let letter: Letter = serde_json::from_str(&bodies[0].0).unwrap();
    assert!(matches!(letter.parts[..], [Part::Opened { .. }]), "{:?}", letter.parts);
    let now = time(HOUR);
    assert_eq!(crate::as_of(&desk, &letter, now).await.unwrap(), Current::Same);
    seal(&desk, &code, "kaede", BID, HOUR).await;
    assert_eq!(crate::as_of(&desk, &letter, now).await.unwrap(), Current::Gone);
}

#[tokio::test]
async fn times_are_told_in_their_own_zone() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let zone = Some(Tz::Asia__Tokyo);
    set(&desk, "kaede", PersonSettings { zone, ..PersonSettings::default() }).await;
    let code = dealt(&desk, form("toy")).await;
    let sights = [see(&desk, &code, "kaede", 1).await, see(&desk, &code, "sakura", 1).await];
    assert_eq!(sights.each_ref().map(|sight| sight.zone), [Tz::Asia__Tokyo, Tz::UTC]);
    assert!(sights.iter().all(|sight| sight.pace.zone == Tz::UTC), "the table's is its own");
    let zones = "select body from outbox where letter like '%-opening-%' order by letter";
    let letters: Vec<(String,)> = rows(&database, zones).await;
    let zone = |body: &str| serde_json::from_str::<Letter>(body).unwrap().zone;
    let zones: Vec<Tz> = letters.iter().map(|(body,)| zone(body)).collect();
    assert_eq!(zones, [Tz::UTC, Tz::Asia__Tokyo]);
}

#[tokio::test]
async fn what_they_set_is_theirs_to_take_out_and_to_be_forgotten() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let settings = of(CallWay::Thread, CallMoments::Both);
    assert_eq!(
        crate::person_settings(&desk, &account("kaede")).await.unwrap(),
        PersonSettings::default()
    );
    set(&desk, "kaede", settings).await;
    assert_eq!(crate::person_settings(&desk, &account("kaede")).await.unwrap(), settings);
    let kept = crate::personal_data(&desk, &account("kaede"), time(1)).await.unwrap().unwrap();
    assert_eq!(kept["settings"], serde_json::json!(settings));
    crate::forget(&desk, &account("kaede"), time(2)).await.unwrap();
    assert_eq!(
        crate::person_settings(&desk, &account("kaede")).await.unwrap(),
        PersonSettings::default()
    );
    let left: Vec<(String,)> = rows(&database, "select settings from people").await;
    assert_eq!(left, [("{}".to_owned(),)]);
}
