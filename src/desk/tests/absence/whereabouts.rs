//! The absences of people, as announced and as shown to everybody.

use crate::absence::away::Whereabouts;
use crate::model::Desk;
use crate::table::form::TableChange;
use crate::tests::absence::deadline::{dealt_with, quietly};
use crate::tests::support::{BID, Database, HOUR, account, desk, guest, looks, refused, seal, see};
use crate::tick::TickOutcome;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{Moment, Presence, Refused};
use store::{AwayRow, absences};
use tables::absence::Away;
use tables::{Absence, TableCode, TableSetting};

fn gone_at_once() -> Absence {
    Absence { allowance: 1, grace: span(HOUR), inactive_after: 1, ..Absence::default() }
}

async fn shown(desk: &Desk, code: &TableCode, now: i64) -> Presence {
    see(desk, code, "", now).await.presence()
}

#[tokio::test]
async fn everybody_is_shown_who_is_late_gone_and_there_again() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, gone_at_once(), quietly("toy")).await;
    assert_eq!(shown(&desk, &code, 0).await, Presence::default());
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    let put_off = Presence { put_off: 1, ..Presence::default() };
    assert_eq!(shown(&desk, &code, HOUR).await, put_off);
    assert_eq!(looks(&desk, &code, 2 * HOUR).await, TickOutcome::MoreTime);
    let late = Presence { grace: true, late: vec![P1], ..put_off };
    assert_eq!(shown(&desk, &code, 2 * HOUR).await, late);
    looks(&desk, &code, 3 * HOUR).await;
    let gone = Presence { inactive: vec![P1], ..Presence::default() };
    let seen = shown(&desk, &code, 3 * HOUR).await;
    assert_eq!(seen, gone);
    assert!(!seen.waits_for(P1) && seen.waits_for(P2));
    crate::back_everywhere(&desk, &account("sakura"), time(3 * HOUR + 1)).await.unwrap();
    assert_eq!(shown(&desk, &code, 3 * HOUR + 1).await, Presence::default());
}

#[tokio::test]
async fn where_it_is_not_told_who_has_sealed_nobody_is_shown_to_be_gone() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let form = quietly("toy");
    let code = crate::form(&desk, form, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), None, time(0)).await.unwrap();
    }
    let host = account("sakura");
    for change in
        [TableChange::Absence(gone_at_once()), TableChange::Set(TableSetting::CountOnly, true)]
    {
        crate::change_table(&desk, &code, &host, change, time(0)).await.unwrap();
    }
    crate::start(&desk, &code, &host, "random", time(0)).await.unwrap();
    seal(&desk, &code, "kaede", BID, 1).await;
    for hour in 1..3 {
        assert_eq!(looks(&desk, &code, hour * HOUR).await, TickOutcome::MoreTime);
    }
    let late = Presence { put_off: 1, grace: true, ..Presence::default() };
    assert_eq!(shown(&desk, &code, 2 * HOUR).await, late);
    looks(&desk, &code, 3 * HOUR).await;
    assert_eq!(shown(&desk, &code, 3 * HOUR).await, Presence::default());
}

#[tokio::test]
async fn who_is_away_or_stood_in_for_is_shown_to_be() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    crate::away(&desk, &account("sakura"), time(1), time(3 * HOUR), time(1)).await.unwrap();
    let away = Presence { away: vec![P1], ..Presence::default() };
    assert_eq!(shown(&desk, &code, 1).await, away);
    crate::delegate(&desk, &code, &account("sakura"), guest("momiji"), time(2 * HOUR), time(2))
        .await
        .unwrap();
    let stood_in = Presence { stood_in: vec![P1], ..Presence::default() };
    assert_eq!(shown(&desk, &code, 2).await, stood_in);
    let theirs = async |name: &str, now: i64| -> Vec<TableCode> {
        absences::stood_in_at(&mut desk.store().read().await.unwrap(), &account(name), time(now))
            .await
            .unwrap()
    };
    assert_eq!(theirs("momiji", 2).await, [code.as_str()]);
    assert_eq!(theirs("momiji", 2 * HOUR).await, [""; 0]);
    assert_eq!(theirs("sakura", 2).await, [""; 0]);
}

#[tokio::test]
async fn somebody_sees_when_they_are_away_and_what_it_means() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code =
        dealt_with(&desk, Absence { away: Away::Extend, ..Absence::default() }, quietly("toy"))
            .await;
    let (sakura, momiji) = (account("sakura"), account("momiji"));
    let tables = vec![(code.clone(), Away::Extend)];
    let there = Whereabouts { away: None, tables: tables.clone() };
    assert_eq!(crate::whereabouts(&desk, &sakura, time(1)).await.unwrap(), there);
    assert_eq!(crate::whereabouts(&desk, &momiji, time(1)).await.unwrap(), Whereabouts::default());
    crate::away(&desk, &sakura, time(HOUR), time(2 * HOUR), time(1)).await.unwrap();
    let row = AwayRow { from_at: time(HOUR), until_at: time(2 * HOUR) };
    let away = Whereabouts { away: Some(row), tables };
    assert_eq!(crate::whereabouts(&desk, &sakura, time(1)).await.unwrap(), away);
    assert_eq!(
        crate::whereabouts(&desk, &sakura, time(2 * HOUR)).await.unwrap(),
        there,
        "it is over"
    );
    // At a table the player is back; an absence announced for later stays.
    crate::back_at(&desk, &code, &sakura, time(2)).await.unwrap();
    assert_eq!(crate::away_of(&desk, &sakura).await.unwrap(), Some(row));
    crate::back_at(&desk, &code, &sakura, time(HOUR)).await.unwrap();
    assert_eq!(crate::away_of(&desk, &sakura).await.unwrap(), None);
    crate::away(&desk, &sakura, time(2 * HOUR), time(3 * HOUR), time(HOUR)).await.unwrap();
    crate::back_everywhere(&desk, &sakura, time(HOUR + 1)).await.unwrap();
    assert_eq!(crate::away_of(&desk, &sakura).await.unwrap(), None);
    assert_eq!(refused(crate::back_everywhere(&desk, &momiji, time(1)).await), Refused::NotSeated);
}

/// The last day of an absence is shown as its end, not the day after.
#[test]
fn a_stretch_of_days_ends_with_the_last_minute_of_its_last_day() {
    let zone = chrono_tz::Asia::Tokyo;
    // 1 December, 0:00 in Tokyo.
    let midnight = 1_796_050_800_000;
    let told = [midnight, midnight + 60_000].map(|at| Moment::end_at(time(at), zone));
    let told = told.map(|moment| (moment.month, moment.day, moment.clock));
    assert_eq!(told, [(11, 30, "23:59".to_owned()), (12, 1, "00:01".to_owned())]);
}
