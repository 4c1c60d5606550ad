//! The kinds of windows: a turn of a day, a reaction that may be passed, a choice.

use std::sync::Arc;

use crate::model::Desk;
use crate::record::Event;
use crate::table::form::Form;
use crate::tests::support::{
    Database, HOUR, MINUTE, VALUE, account, desk, form, guest, happened, looks, rows, seal, see,
    verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::time;
use kit::toy::said;
use rules::WindowKind;
use tables::{CloseReason, Pace, TableCode};

/// The players, by seat.
const NAMES: [&str; 3] = ["sakura", "kaede", "ume"];

/// Deals a table of three at the time 0, with turns of a day.
pub(in crate::tests) async fn table(desk: &Desk) -> TableCode {
    let pace = Pace::read("every 1 day, no reminders", chrono_tz::UTC).unwrap();
    let code =
        crate::form(desk, Form { chairs: 3, pace, ..form("stages") }, time(0)).await.unwrap().code;
    for name in NAMES {
        crate::join(desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    crate::start(desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    code
}

/// 桜 strikes 楓 at twenty past eight, so that a reaction opens at half past.
pub(super) async fn struck(desk: &Desk, code: &TableCode) {
    seal(desk, code, "sakura", "strike.whom=P2", 8 * HOUR + 20 * MINUTE).await;
    let quarter = 8 * HOUR + 30 * MINUTE;
    assert_eq!(looks(desk, code, quarter).await, TickOutcome::Closed(CloseReason::AllSealed));
}

/// Returns the deadline of the open window, the time of its early close, and its kind.
pub(super) async fn open(database: &Database) -> (i64, Option<i64>, String) {
    let open: Vec<(i64, Option<i64>, String)> =
        rows(database, "select closes_at, settles_at, kind from windows where closed_at is null")
            .await;
    open.into_iter().next().unwrap()
}

#[tokio::test]
async fn a_reaction_closes_on_the_hour_when_all_have_answered() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    struck(&desk, &code).await;
    let opened = 8 * HOUR + 30 * MINUTE;
    assert_eq!(
        open(&database).await,
        (opened + 12 * HOUR - 30 * MINUTE, None, "reaction".to_owned())
    );
    let kind = see(&desk, &code, "ume", opened).await.play.unwrap().contest.procedure().kind;
    assert_eq!(kind, WindowKind::Reaction);
    for name in ["kaede", "ume"] {
        seal(&desk, &code, name, "react.shield=pass", opened + MINUTE).await;
    }
    // The early close is half an hour after half past eight.
    assert_eq!(looks(&desk, &code, 9 * HOUR - 1).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, 9 * HOUR).await, TickOutcome::Closed(CloseReason::AllSealed));
    let (closes, _, kind) = open(&database).await;
    assert_eq!((closes, &*kind), (15 * HOUR, "choice"));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_seal_on_a_view_of_a_reaction_keeps_its_least_time() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    struck(&desk, &code).await;
    let now = 8 * HOUR + 31 * MINUTE;
    for name in ["kaede", "ume"] {
        let sight = see(&desk, &code, name, now).await;
        let (play, seat) = (sight.play.as_ref().unwrap(), sight.seat.unwrap());
        let said = said("react.shield=pass");
        let seen = (Arc::clone(&play.ground), seat, play.contest.interview(seat, &said));
        let (account, sealed) = (account(name), DeclarationStatus::Sealed);
        let declared =
            crate::declare(&desk, &code, &account, &said, sealed, Some(seen), time(now)).await;
        declared.unwrap();
    }
    assert_eq!(open(&database).await.1, Some(9 * HOUR));
}

#[tokio::test]
async fn a_reaction_let_pass_is_no_miss() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    struck(&desk, &code).await;
    let letters = |id: &'static str| {
        let question = format!("select count(*) from outbox where letter like '%{id}%'");
        let database = &database;
        async move { rows::<(i64,)>(database, &question).await[0].0 }
    };
    // Everybody is called once, an hour after the opening: the seats that have not answered are secret.
    let opened = 8 * HOUR + 30 * MINUTE;
    seal(&desk, &code, "kaede", "react.shield=pass", opened + MINUTE).await;
    let called = opened + HOUR;
    let mut looked = Vec::new();
    for minutes in 0..12 * 60 {
        match looks(&desk, &code, opened + minutes * MINUTE).await {
            TickOutcome::Nothing => {}
            done => looked.push((opened + minutes * MINUTE, done)),
        }
    }
    assert_eq!(looked.len(), 2, "{looked:?}");
    assert_eq!(looked[0].1, TickOutcome::Reminded);
    assert!(looked[0].0 <= called, "{looked:?}");
    assert_eq!(looked[1], (20 * HOUR, TickOutcome::Closed(CloseReason::Deadline)));
    assert_eq!(letters("reminder").await, 2);
    let struck = happened(&desk, &code).await;
    assert!(struck.iter().all(|event| !matches!(event, Event::Struck { .. })));
    let misses: Vec<(i64,)> =
        rows(&database, "select misses from attendance where misses > 0").await;
    assert_eq!(misses, []);
    let kept: Vec<(i64,)> =
        rows(&database, "select number from reputation where at is not null and number = 1").await;
    assert_eq!(kept, [], "it counts for nobody");
    verify(&database, &desk).await;
}
