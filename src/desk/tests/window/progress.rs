//! The progress of a seat, and the close of a window by it.

use crate::model::Gm;
use crate::record::Event;
use crate::table::form::Form;
use crate::tests::support::{
    BID, Database, HOUR, MOTTO_ONLY, account, dealt, desk, draft, execute, form, happened, looks,
    progress, rows, say, seal, see, suspended, table, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use rules::Viewer;
use rules::window::Progress::{
    Draft, NothingDeclared, NothingToDeclare, SealedComplete, SealedIncomplete,
};
use tables::{CloseReason, Pace, TableCode};

#[tokio::test]
async fn the_five_are_told_apart() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    for viewer in ["sakura", "kaede", "nobody"] {
        let progress = |now| progress(&desk, &code, viewer, now);
        say(&desk, &code, "sakura", "", DeclarationStatus::Draft, 1).await.unwrap();
        assert_eq!(progress(1).await, [NothingDeclared, NothingDeclared]);
        draft(&desk, &code, "sakura", BID, 1).await;
        assert_eq!(progress(1).await, [Draft, NothingDeclared]);
        seal(&desk, &code, "sakura", MOTTO_ONLY, 1).await;
        // The contents of a seal, and its open questions, are shown to its own player alone.
        let sealed = if viewer == "sakura" { SealedIncomplete } else { SealedComplete };
        assert_eq!(progress(1).await, [sealed, NothingDeclared]);
        seal(&desk, &code, "sakura", BID, 1).await;
        assert_eq!(progress(1).await, [SealedComplete, NothingDeclared]);
    }
    // An empty declaration can be sealed, too: everything is then decided by the rules.
    seal(&desk, &code, "sakura", "", 1).await;
    assert_eq!(progress(&desk, &code, "sakura", 1).await, [SealedIncomplete, NothingDeclared]);
    suspended(&desk, &code).await;
    assert_eq!(progress(&desk, &code, "kaede", 2).await, [NothingToDeclare, NothingDeclared]);
}

#[tokio::test]
async fn who_decides_sees_how_much_is_left_open_only_where_they_look() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    seal(&desk, &code, "kaede", MOTTO_ONLY, 1).await;
    seal(&desk, &code, "sakura", "", 1).await;
    draft(&desk, &code, "sakura", BID, 1).await;
    let gm = Gm { account: account("sakura"), roles: Vec::new() };
    for (settings, seen) in [("[]", SealedComplete), ("[\"open\"]", SealedIncomplete)] {
        execute(&database, &format!("update tables set settings = '{settings}'")).await;
        let progress =
            crate::gm_view(&desk, &code, &gm, time(1)).await.unwrap().open.unwrap().progress;
        assert_eq!((progress[P1], progress[P2]), (Draft, seen));
    }
}

#[tokio::test]
async fn a_draft_counts_at_the_deadline_and_not_before() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    draft(&desk, &code, "sakura", "bid.gold=6", 1).await;
    seal(&desk, &code, "kaede", BID, 2).await;
    assert_eq!(looks(&desk, &code, 3).await, TickOutcome::Nothing);
    let reminder = HOUR - HOUR / 5;
    assert_eq!(looks(&desk, &code, reminder).await, TickOutcome::Reminded);
    assert_eq!(looks(&desk, &code, HOUR - 1).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let report = see(&desk, &code, "kaede", HOUR).await.play.unwrap().contest.report(Viewer::All);
    assert_eq!(report["gold"], serde_json::json!([10, 7]));
    assert_eq!(closed(&database, &code, 0).await, ("deadline".to_owned(), "P1".to_owned()));
    let reminders: Vec<(String,)> =
        rows(&database, "select address from outbox where letter like '%reminder%'").await;
    assert_eq!(reminders, [(account("sakura").to_string(),)], "who has sealed is not reminded");
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_draft_in_place_of_a_seal_is_waited_for_again() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    seal(&desk, &code, "sakura", BID, 1).await;
    let received = say(&desk, &code, "kaede", BID, DeclarationStatus::Sealed, 2).await.unwrap();
    assert_eq!(received.timing.settles, Some(time(2)));
    let received = say(&desk, &code, "sakura", BID, DeclarationStatus::Draft, 3).await.unwrap();
    assert_eq!(received.timing.settles, None);
    assert_eq!(looks(&desk, &code, 4).await, TickOutcome::Nothing);
    say(&desk, &code, "sakura", "", DeclarationStatus::Draft, 5).await.unwrap();
    assert_eq!(looks(&desk, &code, 6).await, TickOutcome::Nothing);
    seal(&desk, &code, "sakura", BID, 7).await;
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(7)));
    assert_eq!(looks(&desk, &code, 7).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(closed(&database, &code, 0).await, ("all-sealed".to_owned(), String::new()));
}

#[tokio::test]
async fn there_is_time_to_think_better_of_it() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace = Pace { cool_down: span(10), ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let code = dealt(&desk, Form { pace, ..form("toy") }).await;
    seal(&desk, &code, "sakura", BID, 1).await;
    seal(&desk, &code, "kaede", BID, 2).await;
    assert_eq!(looks(&desk, &code, 11).await, TickOutcome::Nothing);
    seal(&desk, &code, "sakura", "bid.gold=4", 11).await;
    assert_eq!(looks(&desk, &code, 20).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, 21).await, TickOutcome::Closed(CloseReason::AllSealed));
}

#[tokio::test]
async fn a_host_closes_a_window_that_waits_for_somebody() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    seal(&desk, &code, "kaede", BID, 1).await;
    crate::close(&desk, &code, &account("sakura"), None, time(2)).await.unwrap();
    assert_eq!(closed(&database, &code, 0).await, ("host".to_owned(), "P1".to_owned()));
    let told = happened(&desk, &code).await.into_iter().find_map(|happened| match happened {
        Event::Closed { why, awaited, .. } => Some((why, awaited)),
        _ => None,
    });
    assert_eq!(told, Some((CloseReason::GameMaster, vec![P1])));
    // Nobody has declared anything in the next window.
    assert_eq!(looks(&desk, &code, 2 + HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let waited = [P1, P2].map(|seat| seat.to_string()).join(" ");
    assert_eq!(closed(&database, &code, 1).await, ("deadline".to_owned(), waited));
}

#[tokio::test]
async fn no_window_closes_early_where_the_table_or_the_game_does_not_want_it() {
    let database = Database::fresh().await;
    let desk = crate::model::Desk::new(desk(&database).await.store().clone(), games::GAMES);
    let patient = Pace { early: false, ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let eager = Pace::play(span(HOUR), chrono_tz::UTC);
    for (pace, early, closes) in
        [(&patient, "on", false), (&eager, "off", false), (&eager, "on", true)]
    {
        let options = serde_json::json!({ "early": early });
        let code = dealt(&desk, Form { pace: pace.clone(), options, ..form("eitsuku") }).await;
        let mut timing = None;
        for name in ["sakura", "kaede"] {
            let received = say(&desk, &code, name, "", DeclarationStatus::Sealed, 1).await;
            timing = Some(received.unwrap().timing);
        }
        assert_eq!(timing.unwrap().settles, closes.then_some(1).map(time), "{early}");
        let expected =
            if closes { TickOutcome::Closed(CloseReason::AllSealed) } else { TickOutcome::Nothing };
        assert_eq!(looks(&desk, &code, 2).await, expected);
    }
}

/// Reads from a window's row the reason for its close and the seats it had waited for.
async fn closed(database: &Database, code: &TableCode, number: i64) -> (String, String) {
    let question =
        format!("select why, awaited from windows where code = '{code}' and number = {number}");
    rows(database, &question).await.remove(0)
}
