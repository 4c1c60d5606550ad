//! Declarations for the next window: each becomes a draft there, as far as it is valid.

use crate::model::{Desk, Override};
use crate::record::{Letter, Part};
use crate::table::form::Form;
use crate::tests::kit::Table;
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, VALUE, account, desk, form, guest, looks, refused, rows, seal,
    see, verify,
};
use crate::tests::window::kinds::{struck, table};
use crate::tick::TickOutcome;
use kit::time::{span, time};
use kit::toy::said;
use letters::{DeclarationRefused, Refused};
use rules::{Declaration, Seat, Viewer};
use tables::pace::Announce;
use tables::{CloseReason, Pace, TableCode};

async fn next(desk: &Desk, code: &TableCode, name: &str, text: &str, now: i64) {
    let seen = see(desk, code, name, now).await;
    crate::declare_next(desk, &seen, &account(name), &said(text), time(now)).await.unwrap();
}

async fn waits(desk: &Desk, code: &TableCode, name: &str, now: i64) -> Declaration {
    see(desk, code, name, now).await.play.unwrap().next
}

/// Returns a seat's declaration in the open window: 1 for a seal, and the answers.
async fn declared(database: &Database, seat: i64) -> Vec<(i64, String)> {
    let question = format!(
        "select sealed, answers from declarations join tables
             on tables.code = declarations.code and open_window = declarations.number
         where seat = {seat}"
    );
    rows(database, &question).await
}

/// Returns the parts about declarations that have become drafts, with the seats of their readers.
async fn tidings(database: &Database) -> Vec<(Option<Seat>, Part)> {
    let bodies: Vec<(String,)> = rows(database, "select body from outbox order by letter").await;
    let letters = bodies.iter().filter_map(|(body,)| serde_json::from_str::<Letter>(body).ok());
    let parts = letters.flat_map(|letter| {
        letter.parts.into_iter().map(move |part| (letter.seat, part)).collect::<Vec<_>>()
    });
    parts.filter(|(_, part)| matches!(part, Part::BecameDraft { .. })).collect()
}

/// Deals a table of the toy and plays the bids.
async fn toy(thread: Option<&str>) -> (Database, Desk, TableCode) {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace = Pace { reminders: Vec::new(), ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let form = Form { pace, place: thread.map(Into::into), ..form("toy") };
    let code = crate::form(&desk, form, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, 1).await;
    }
    assert_eq!(looks(&desk, &code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    (database, desk, code)
}

#[tokio::test]
async fn it_becomes_a_draft_of_the_next_window_that_asks_the_same() {
    let (database, desk, code) = toy(None).await;
    next(&desk, &code, "sakura", "act.way=draw", 2).await;
    assert_eq!(waits(&desk, &code, "sakura", 2).await, said("act.way=draw"));
    assert_eq!(declared(&database, 0).await, [], "the open window is untouched");
    // The last declaration counts.
    next(&desk, &code, "sakura", "act.way=drop", 3).await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, "act.way=draw", 4).await;
    }
    assert_eq!(looks(&desk, &code, 4).await, TickOutcome::Closed(CloseReason::AllSealed));
    let draft = r#"{"act.way":{"given":{"choice":"drop"}}}"#.to_owned();
    assert_eq!(declared(&database, 0).await, [(0, draft)]);
    assert_eq!(waits(&desk, &code, "sakura", 5).await, Declaration::default());
    let told = tidings(&database).await;
    let [(seat, Part::BecameDraft { heard, faults, superfluous })] = &*told else {
        panic!("{told:?}")
    };
    assert_eq!((*seat, heard["empty"].as_bool()), (Some(Seat::new(0)), Some(false)));
    assert!(heard["parts"].to_string().contains("drop"), "{heard}");
    assert_eq!((faults.len(), superfluous.len()), (0, 0));
    // A draft is no miss, and counts once: the window after it has no draft.
    seal(&desk, &code, "kaede", "act.way=draw", 5).await;
    assert_eq!(looks(&desk, &code, 4 + HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let missed: Vec<(i64,)> = rows(&database, "select seat from attendance where misses > 0").await;
    assert_eq!(missed, []);
    assert_eq!(declared(&database, 0).await, []);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn what_no_longer_fits_is_told_to_its_author_alone() {
    for place in [None, Some("discord:channel:1")] {
        let (database, desk, code) = toy(place).await;
        let play = see(&desk, &code, "sakura", 2).await.play.unwrap();
        let hand = &play.contest.report(Viewer::Seat(Seat::new(0)))["hands"][0];
        let dropped = format!("act.way=drop act.dropped={},{}", hand[0], hand[1]);
        next(&desk, &code, "sakura", &dropped, 2).await;
        seal(&desk, &code, "sakura", &dropped, 3).await;
        seal(&desk, &code, "kaede", "act.way=draw", 3).await;
        looks(&desk, &code, 3).await;
        let told = tidings(&database).await;
        assert_eq!(told.len(), 1, "{told:?}");
        let (seat, Part::BecameDraft { heard, faults, superfluous }) = &told[0] else {
            unreachable!()
        };
        assert_eq!((*seat, superfluous.len()), (Some(Seat::new(0)), 0));
        assert_eq!(heard["empty"], true);
        let keys: Vec<String> = faults.iter().map(|fault| fault.key.to_string()).collect();
        assert_eq!(keys, ["act.dropped"]);
        // No die may choose cards to drop that the author had named.
        assert_eq!(declared(&database, 0).await, []);
        verify(&database, &desk).await;
    }
}

#[tokio::test]
async fn it_waits_for_a_window_of_its_kind_in_which_its_seat_is_asked() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    // The turn is 桜's.
    next(&desk, &code, "kaede", "strike.whom=P3", HOUR).await;
    struck(&desk, &code).await;
    let opened = 8 * HOUR + 30 * MINUTE;
    assert_eq!(declared(&database, 1).await, []);
    assert_eq!(waits(&desk, &code, "kaede", opened).await, Declaration::default());
    for name in ["kaede", "ume"] {
        seal(&desk, &code, name, "react.shield=pass", opened + MINUTE).await;
    }
    looks(&desk, &code, 9 * HOUR).await;
    let play = see(&desk, &code, "kaede", 9 * HOUR).await.play.unwrap();
    let chooses = play.asked[0];
    let name = ["sakura", "kaede", "ume"][chooses.index()];
    seal(&desk, &code, name, "give.gold=0", 9 * HOUR + MINUTE).await;
    looks(&desk, &code, 10 * HOUR).await;
    let draft = r#"{"strike.whom":{"given":{"choice":"P3"}}}"#.to_owned();
    assert_eq!(declared(&database, 1).await, [(0, draft)]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn it_is_withdrawn_by_an_empty_one_and_lapses_with_its_person() {
    let (database, desk, code) = toy(None).await;
    next(&desk, &code, "sakura", "act.way=draw", 2).await;
    next(&desk, &code, "sakura", "", 3).await;
    next(&desk, &code, "kaede", "act.way=draw", 3).await;
    let kept = crate::personal_data(&desk, &account("kaede"), time(3)).await.unwrap().unwrap();
    assert_eq!(kept["next_declarations"].as_array().unwrap().len(), 1);
    crate::forget(&desk, &account("kaede"), time(4)).await.unwrap();
    let left: Vec<(i64,)> = rows(&database, "select seat from next_declarations").await;
    assert_eq!(left, []);
}

#[tokio::test]
async fn it_is_refused_where_no_other_window_asks_the_same() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::tests::support::table(&desk, "toy").await;
    let stranger = see(&desk, &code, "tsubaki", 1).await;
    assert_eq!(stranger.next_kind(), Err(Refused::NotSeated));
    // The preparation of the game happens only once.
    let seen = see(&desk, &code, "sakura", 1).await;
    let done = crate::declare_next(&desk, &seen, &account("sakura"), &said(BID), time(1)).await;
    assert_eq!(refused(done), DeclarationRefused::NoNext);
}

#[tokio::test]
async fn what_nobody_could_seal_in_time_waits_again_for_the_window_that_is_asked_anew() {
    let table = Table::of("toy", Announce::AtOnce).await;
    let (database, desk, code) = (&table.database, &table.desk, &table.code);
    table.bid(1).await;
    next(desk, code, "sakura", "act.way=draw", 2).await;
    table.both("act.way=draw", "act.way=draw", 3).await;
    let draft = (0, r#"{"act.way":{"given":{"choice":"draw"}}}"#.to_owned());
    assert_eq!(declared(database, 0).await, std::slice::from_ref(&draft));
    table.decide(Override::Void, 4).await;
    assert_eq!(declared(database, 0).await, [draft]);
    verify(database, desk).await;
}

/// Returns everything that a person sees of a table, and the database without their own rows.
async fn seen_by(database: &Database, desk: &Desk, code: &TableCode, name: &str) -> String {
    let play = see(desk, code, name, 3).await.play.unwrap();
    let progress: Vec<_> = play.progress.iter().map(|(_, progress)| *progress).collect();
    let question = "select letter, send_at from outbox order by letter";
    let letters: Vec<(String, i64)> = rows(database, question).await;
    let question = "select stirred, entries, look_at from tables";
    let tables: Vec<(i64, i64, i64)> = rows(database, question).await;
    let letters = letters.iter().map(|(letter, at)| (letter.replace(code.as_str(), ""), at));
    let letters: Vec<_> = letters.collect();
    format!("{progress:?} {:?} {:?} {letters:?} {tables:?}", play.timing, play.next)
}

#[tokio::test]
async fn nobody_else_sees_anything_of_it() {
    let mut seen = Vec::new();
    for declares in [false, true] {
        let (database, desk, code) = toy(Some("discord:channel:1")).await;
        if declares {
            next(&desk, &code, "sakura", "act.way=draw", 2).await;
        }
        assert_eq!(waits(&desk, &code, "sakura", 3).await.is_empty(), !declares);
        for name in ["kaede", ""] {
            seen.push(seen_by(&database, &desk, &code, name).await);
        }
    }
    let (without, with) = seen.split_at(2);
    assert_eq!(without, with);
}
