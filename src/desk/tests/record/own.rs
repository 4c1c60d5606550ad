//! The private part of a result reaches its seat.

use serde_json::Value as Json;

use crate::record::{Event, Letter, Part};
use crate::table::form::Form;
use crate::tests::support::{
    BID, DRAW, Database, account, dealt, desk, form, happened, looks, rows, seal,
};
use crate::tick::TickOutcome;
use kit::toy::{P1, P2};
use rules::{Entry, Seat, Viewer};
use tables::CloseReason;

/// Returns the parts of the letters about a window to an address.
async fn told(database: &Database, id: &str, address: &str) -> Vec<Part> {
    let question = format!(
        "select body from outbox where letter like '%-{id}-%' and address = '{address}'
         order by letter"
    );
    let letters: Vec<(String,)> = rows(database, &question).await;
    let parts = |(body,): (String,)| serde_json::from_str::<Letter>(&body).unwrap().parts;
    letters.into_iter().flat_map(parts).collect()
}

fn own(parts: &[Part]) -> Vec<Entry<Json>> {
    let own = parts.iter().filter_map(|part| match part {
        Part::Own { entries, .. } => Some(entries.clone()),
        _ => None,
    });
    own.flatten().collect()
}

/// A seat is sent a private letter exactly if its view of a result is not the public one, with the entries
/// that the public one lacks.
#[tokio::test]
async fn a_seat_is_told_alone_what_differs_from_the_public_result_and_nothing_else() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let place = Some("discord:channel:7".into());
    let code = dealt(&desk, Form { place, ..form("toy") }).await;
    let mut letters = 0;
    for (window, said) in [(1, [BID, BID]), (2, [DRAW, "act.way=drop"]), (3, [DRAW, DRAW])] {
        for (name, text) in ["sakura", "kaede"].into_iter().zip(said) {
            seal(&desk, &code, name, text, window).await;
        }
        assert_eq!(looks(&desk, &code, window).await, TickOutcome::Closed(CloseReason::AllSealed));
        let closed = happened(&desk, &code).await.into_iter().rev().find_map(|event| match event {
            Event::Closed { entries, .. } => Some(entries),
            _ => None,
        });
        let whole = closed.unwrap();
        let sight =
            crate::see(&desk, &code, &account("nobody"), kit::time::time(window)).await.unwrap();
        let contest = &sight.play.unwrap().contest;
        let public = contest.seen(&whole, Viewer::Public);
        for (seat, name) in [(P1, "sakura"), (P2, "kaede")] as [(Seat, &str); 2] {
            let mut differs = contest.seen(&whole, Viewer::Seat(seat));
            differs.retain(|entry| !public.contains(entry));
            let alone =
                told(&database, &format!("{window}-opening-own"), account(name).as_str()).await;
            assert_eq!(own(&alone), differs, "window {window}, {name}");
            assert_eq!(alone.is_empty(), differs.is_empty(), "window {window}, {name}");
            letters += alone.len();
        }
    }
    assert!(letters > 0, "somebody draws a card");
}

/// At a table without a place, each letter has the whole view.
#[tokio::test]
async fn where_nothing_is_public_nobody_is_told_twice() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt(&desk, form("toy")).await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
    }
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    let all = rows::<(String,)>(&database, "select letter from outbox where letter like '%own%'");
    assert_eq!(all.await, []);
}
