//! A person's own tables, and the tables that a person watches over.

use crate::model::Desk;
use crate::table::form::{Form, TableChange};
use crate::tests::absence::deadline::{dealt_with, quietly};
use crate::tests::support::{
    BID, Database, HOUR, account, desk, form, guest, looks, seal, see, table,
};
use crate::tick::TickOutcome;
use crate::view::dashboard::{Dashboard, Mine, Watched};
use games::GAMES;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{Letters, Reader};
use rules::text::Lang;
use tables::pace::Announce;
use tables::{Absence, CloseReason, Pace, TableCode};

async fn dashboard(desk: &Desk, name: &str, now: i64) -> Dashboard {
    crate::dashboard(desk, &account(name), None, time(now)).await.unwrap()
}

fn codes(dashboard: &Dashboard) -> Vec<&TableCode> {
    dashboard.tables.iter().map(|Watched { sight, .. }| &sight.code).collect()
}

/// Writes the dashboard as for tables of the game that has letters.
fn written(dashboard: &Dashboard, limit: usize) -> String {
    let reader = Reader::new(GAMES[0], Lang::En).with_names(["sakura", "kaede"]);
    let reader_of = |_: &crate::view::see::Sight| reader.clone();
    let letters = Letters::built_in();
    dashboard.written(&letters, reader_of, &reader, |_| None, limit).unwrap()
}

#[tokio::test]
async fn a_host_and_a_game_master_see_all_of_their_tables_the_soonest_first() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let slow = Form { pace: Pace::play(span(3 * HOUR), chrono_tz::UTC), ..form("toy") };
    let later = crate::tests::support::dealt(&desk, slow).await;
    let soon = table(&desk, "toy").await;
    let forming = crate::form(&desk, form("toy"), time(0)).await.unwrap().code;
    let seen = dashboard(&desk, "sakura", 1).await;
    assert_eq!(codes(&seen), [&soon, &later, &forming]);
    assert_eq!(codes(&dashboard(&desk, "kaede", 1).await), [""; 0], "they only play there");
    let host = account("sakura");
    crate::appoint(&desk, &later, &host, account("momiji").as_str(), true, time(0)).await.unwrap();
    assert_eq!(codes(&dashboard(&desk, "momiji", 1).await), [&later]);
    crate::end(&desk, &soon, &host, None, None, time(2)).await.unwrap();
    assert_eq!(codes(&dashboard(&desk, "sakura", 2).await), [&later, &forming]);
}

#[tokio::test]
async fn it_names_who_is_late_and_who_is_waited_for() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { grace: span(HOUR), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    let text = written(&dashboard(&desk, "sakura", 1).await, 2000);
    assert!(text.contains("\n  Not submitted: sakura"), "{text}");
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    let seen = dashboard(&desk, "sakura", HOUR).await;
    assert_eq!(seen.tables[0].presence.late, [P1]);
    let text = written(&seen, 2000);
    assert!(text.contains("Late: sakura") && !text.contains("Not submitted"), "{text}");
    crate::away(&desk, &account("kaede"), time(HOUR), time(9 * HOUR), time(HOUR)).await.unwrap();
    assert_eq!(dashboard(&desk, "sakura", HOUR).await.tables[0].presence.away, [P2]);
}

#[tokio::test]
async fn where_sealings_are_hidden_it_tells_nothing_of_them() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { grace: span(HOUR), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy-hidden")).await;
    let told = async |now: i64| {
        let mark = crate::dashboard_mark(&desk, &account("sakura"), None, time(now)).await.unwrap();
        (written(&dashboard(&desk, "sakura", now).await, 2000), mark)
    };
    let before = told(1).await;
    assert!(!before.0.contains("sealed") && !before.0.contains("kaede"), "{}", before.0);
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(told(1).await, before);
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    let text = told(HOUR).await.0;
    assert!(text.contains("grace period until") && !text.contains("sakura"), "{text}");
}

#[tokio::test]
async fn more_tables_than_fit_are_counted() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for _ in 0..5 {
        crate::form(&desk, form("toy"), time(0)).await.unwrap();
    }
    let seen = dashboard(&desk, "sakura", 1).await;
    let whole = written(&seen, 2000);
    assert_eq!(whole.matches("waiting for players").count(), 5);
    let short = written(&seen, whole.len() - 1);
    assert_eq!(short.matches("waiting for players").count(), 4);
    assert!(short.ends_with("And 1 more"), "{short}");
    assert!(written(&seen, 1).ends_with("And 5 more"));
}

#[tokio::test]
async fn its_mark_changes_with_whatever_it_shows() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let announce = Announce::After(span(HOUR));
    let pace = Pace { reminders: Vec::new(), announce, ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let thread = Some("discord:channel:1".into());
    let code = crate::form(&desk, Form { pace, place: thread, ..form("toy") }, time(0))
        .await
        .unwrap()
        .code;
    let mut marks = Vec::new();
    let mut mark = async |now: i64| {
        let mark = crate::dashboard_mark(&desk, &account("sakura"), None, time(now)).await.unwrap();
        assert!(!marks.contains(&mark), "{mark} again");
        marks.push(mark);
    };
    mark(0).await;
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), None, time(0)).await.unwrap();
        mark(0).await;
    }
    crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    mark(0).await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
        mark(1).await;
    }
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    mark(1).await;
    mark(2 * HOUR).await;
    crate::end(&desk, &code, &account("sakura"), None, None, time(2 * HOUR)).await.unwrap();
    mark(2 * HOUR).await;
}

#[tokio::test]
async fn ones_own_tables_stand_in_the_order_of_their_deadlines() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let slow = Form { pace: Pace::play(span(3 * HOUR), chrono_tz::UTC), ..form("toy") };
    let later = crate::tests::support::dealt(&desk, slow).await;
    let soon = table(&desk, "toy").await;
    let other = Form { host: guest("momiji"), ..form("toy") };
    let other = crate::form(&desk, other, time(0)).await.unwrap().code;
    crate::join(&desk, &other, guest("kaede"), None, time(0)).await.unwrap();
    let mine = async |name: &str| -> Vec<TableCode> {
        let mine = crate::mine(&desk, &account(name), time(1)).await.unwrap();
        mine.tables.into_iter().map(|Mine { sight, .. }| sight.code).collect()
    };
    assert_eq!(mine("kaede").await, [soon.clone(), later.clone(), other.clone()]);
    assert_eq!(mine("momiji").await, std::slice::from_ref(&other));
    assert_eq!(mine("tsubaki").await, [""; 0]);
    // A table where the person is a substitute is listed, too.
    crate::delegate(&desk, &later, &account("kaede"), guest("tsubaki"), time(2 * HOUR), time(1))
        .await
        .unwrap();
    assert_eq!(mine("tsubaki").await, std::slice::from_ref(&later));
    let host = account("sakura");
    crate::change_table(&desk, &later, &host, TableChange::Absence(Absence::default()), time(1))
        .await
        .unwrap();
    assert_eq!(see(&desk, &later, "tsubaki", 1).await.seat, Some(P2));
}
