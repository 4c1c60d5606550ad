//! Standing orders: carried out in windows that may be passed, and in the gaps of a declaration.

use crate::model::Desk;
use crate::tests::support::{
    Database, HOUR, MINUTE, account, desk, execute, looks, refused, rows, seal, see, verify,
};
use crate::tests::window::kinds::{open, struck, table};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::time;
use kit::toy::said;
use letters::{DeclarationRefused, Refused};
use rules::{Answer, Declaration, Key, Outcome, Seat, Viewer};
use tables::{CloseReason, TableCode};

/// The opening of the reaction to the strike of twenty past eight.
const OPENED: i64 = 8 * HOUR + 30 * MINUTE;

async fn orders(desk: &Desk, code: &TableCode, name: &str, text: &str, now: i64) {
    crate::give_orders(desk, code, &account(name), &said(text), time(now)).await.unwrap();
}

/// Returns the declarations in a window by standing orders: the seat, 1 for a seal, and the answers.
async fn declared(database: &Database, number: u32) -> Vec<(i64, i64, String)> {
    let question = format!(
        "select seat, sealed, answers from declarations where number = {number} order by seat"
    );
    rows(database, &question).await
}

/// Deals a table at which 桜 strikes 楓, with these standing orders given before.
async fn struck_with(database: &Database, ordered: &[(&str, &str)]) -> (Desk, TableCode) {
    let desk = desk(database).await;
    let code = table(&desk).await;
    for (name, text) in ordered {
        orders(&desk, &code, name, text, HOUR).await;
    }
    struck(&desk, &code).await;
    (desk, code)
}

#[tokio::test]
async fn orders_are_taken_until_the_end_is_announced() {
    const ANNOUNCED: i64 = 2 * HOUR;
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    let over = "update tables set stage = 'over'";
    let last = format!("update windows set opens_at = {ANNOUNCED}, closes_at = {ANNOUNCED}");
    for statement in [over, &last] {
        execute(&database, statement).await;
    }
    let text = "react.shield=pass";
    orders(&desk, &code, "kaede", text, ANNOUNCED - 1).await;
    let late =
        crate::give_orders(&desk, &code, &account("kaede"), &said(text), time(ANNOUNCED)).await;
    assert_eq!(refused(late), Refused::Over);
}

#[tokio::test]
async fn what_orders_answer_is_sealed_at_the_opening() {
    let database = Database::fresh().await;
    let (desk, code) = struck_with(&database, &[("kaede", "react.shield=pass")]).await;
    let ordered = r#"{"react.shield":{"ordered":{"choice":"pass"}}}"#;
    assert_eq!(declared(&database, 1).await, [(1, 1, ordered.to_owned())]);
    // The window waits for the other seat: an early close does not show who had orders.
    assert_eq!(looks(&desk, &code, OPENED + 29 * MINUTE).await, TickOutcome::Nothing);
    seal(&desk, &code, "ume", "react.shield=pass", OPENED + MINUTE).await;
    assert_eq!(looks(&desk, &code, 9 * HOUR - 1).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, 9 * HOUR).await, TickOutcome::Closed(CloseReason::AllSealed));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn where_all_have_ordered_it_closes_after_its_least_time_on_the_hour() {
    let database = Database::fresh().await;
    let pass = "react.shield=pass";
    let (desk, code) = struck_with(&database, &[("kaede", pass), ("ume", pass)]).await;
    let (closes, settles, _) = open(&database).await;
    assert_eq!((closes, settles), (20 * HOUR, Some(9 * HOUR)));
    // Nobody sees if others have declared anything.
    let play = see(&desk, &code, "sakura", OPENED).await.play.unwrap();
    assert_eq!(play.timing.settles, None);
    assert_eq!(looks(&desk, &code, 9 * HOUR - 1).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, 9 * HOUR).await, TickOutcome::Closed(CloseReason::AllSealed));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn an_open_window_keeps_the_orders_that_it_was_opened_with() {
    let database = Database::fresh().await;
    let (desk, code) = struck_with(&database, &[("kaede", "react.shield=pass")]).await;
    let before = declared(&database, 1).await;
    orders(&desk, &code, "kaede", "react.shield=use", OPENED + MINUTE).await;
    orders(&desk, &code, "ume", "react.shield=use", OPENED + MINUTE).await;
    assert_eq!(declared(&database, 1).await, before);
    // Later orders do not fill the declarations of this window either.
    let (name, text) = (account("ume"), Declaration::default());
    let sealed = DeclarationStatus::Sealed;
    let received =
        crate::declare(&desk, &code, &name, &text, sealed, None, time(OPENED + 2 * MINUTE)).await;
    assert!(received.unwrap().interview.asked.iter().all(|asked| asked.answer.is_none()));
    let shown = crate::orders(&desk, &code, &name, time(OPENED + 2 * MINUTE)).await.unwrap();
    assert_eq!(shown.orders, said("react.shield=use"));
    // The new orders count from the next window on.
    looks(&desk, &code, 9 * HOUR).await;
    let kept: Vec<(i64,)> = rows(&database, "select since from orders order by seat, since").await;
    assert_eq!(kept, [(1,), (2,), (2,)]);
}

#[tokio::test]
async fn in_a_turn_orders_fill_what_is_left_out_and_nothing_for_who_sends_nothing() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    let own =
        crate::give_orders(&desk, &code, &account("kaede"), &said("strike.whom=P2,P3"), time(1))
            .await;
    assert_eq!(refused(own), DeclarationRefused::Faulty);
    for (name, text) in [("sakura", "strike.whom=P2,P3"), ("kaede", "strike.whom=P3,P1")] {
        orders(&desk, &code, name, text, HOUR).await;
    }
    // The first window was open already.
    seal(&desk, &code, "sakura", "strike.whom=P3", 2 * HOUR).await;
    looks(&desk, &code, 2 * HOUR + 15 * MINUTE).await;
    let mut now = 3 * HOUR;
    // The reaction and the choice pass.
    for name in ["kaede", "ume"] {
        seal(&desk, &code, name, "react.shield=pass", now).await;
    }
    now = 4 * HOUR;
    assert_eq!(looks(&desk, &code, now).await, TickOutcome::Closed(CloseReason::AllSealed));
    seal(&desk, &code, "ume", "give.gold=1", now + HOUR).await;
    looks(&desk, &code, now + 2 * HOUR).await;
    now += 3 * HOUR;
    // In 楓's turn, the order answers an empty seal with its first target that can be struck.
    let play = see(&desk, &code, "kaede", now).await.play.unwrap();
    assert_eq!(play.asked, [Seat::new(1)]);
    let none = Declaration::default();
    let sealed = DeclarationStatus::Sealed;
    let received =
        crate::declare(&desk, &code, &account("kaede"), &none, sealed, None, time(now)).await;
    let received = received.unwrap();
    let answer = &received.interview.asked[0].answer;
    assert!(matches!(answer, Some(Answer::Ordered(_))), "{answer:?}");
    looks(&desk, &code, now + HOUR).await;
    let seen = see(&desk, &code, "kaede", now + HOUR).await;
    let past = crate::past(&desk, &seen, time(now + HOUR)).await.unwrap();
    let entries = &past.last().unwrap().entries;
    let ruled = |entries: &[rules::Entry<serde_json::Value>]| {
        entries.iter().any(|entry| match &entry.item {
            rules::Item::Ruling(ruling) => {
                ruling.outcome == Outcome::Ordered && ruling.key == Some(Key::new("strike", "whom"))
            }
            rules::Item::Event(_) => false,
        })
    };
    assert!(ruled(entries));
    // The order is shown to nobody else.
    let seen = see(&desk, &code, "sakura", now + HOUR).await;
    assert_eq!(seen.viewer(), Viewer::Seat(Seat::new(0)));
    let past = crate::past(&desk, &seen, time(now + HOUR)).await.unwrap();
    assert!(!ruled(&past.last().unwrap().entries));
    verify(&database, &desk).await;
}

#[tokio::test]
async fn orders_are_those_of_who_sits_there() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    let stranger =
        crate::give_orders(&desk, &code, &account("tsubaki"), &said(""), time(HOUR)).await;
    assert_eq!(refused(stranger), Refused::NotSeated);
    orders(&desk, &code, "kaede", "react.shield=pass", HOUR).await;
    orders(&desk, &code, "ume", "react.shield=pass", HOUR).await;
    let kept = crate::personal_data(&desk, &account("kaede"), time(HOUR)).await.unwrap().unwrap();
    assert_eq!(kept["orders"].as_array().unwrap().len(), 1);
    crate::forget(&desk, &account("kaede"), time(2 * HOUR)).await.unwrap();
    struck(&desk, &code).await;
    let seats: Vec<i64> = declared(&database, 1).await.iter().map(|(seat, ..)| *seat).collect();
    assert!(
        !seats.is_empty() && rows::<(i64,)>(&database, "select seat from orders").await == [(2,)]
    );
}
