//! A deserted table is held, and its host is asked if it is to go on.

use crate::model::{Desk, Override};
use crate::record::{Event, Letter, Part};
use crate::table::form::{Form, TableChange};
use crate::tests::absence::deadline::{dealt_with, quietly, set, told};
use crate::tests::kit::{Table, decision, gm_called};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, VALUE, account, desk, draft, guest, happened, looks,
    refused, rows, say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{DeclarationRefused, Refused};
use tables::absence::{Away, Inactive};
use tables::{Absence, Announce, CloseReason, EndKind, HoldReason, Pace, TableCode, TableSetting};

const CLOSED: TickOutcome = TickOutcome::Closed(CloseReason::Deadline);

async fn table(desk: &Desk) -> TableCode {
    dealt_with(desk, Absence::default(), quietly("toy")).await
}

async fn closes(desk: &Desk, code: &TableCode) -> i64 {
    see(desk, code, "kaede", 99 * HOUR).await.play.unwrap().timing.closes.milliseconds()
}

#[tokio::test]
async fn nobody_in_two_windows_in_a_row_is_nobody_there() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    assert_eq!(looks(&desk, &code, HOUR).await, CLOSED, "once can happen");
    assert_eq!(looks(&desk, &code, 2 * HOUR).await, TickOutcome::Waiting);
    assert_eq!(see(&desk, &code, "kaede", 2 * HOUR).await.held, Some(HoldReason::Deserted));
    assert_eq!(crate::next_due(&desk).await.unwrap(), None, "no time runs");
    assert_eq!(looks(&desk, &code, 9 * HOUR).await, TickOutcome::Nothing);
    let late = say(&desk, &code, "kaede", DRAW, DeclarationStatus::Sealed, 9 * HOUR).await;
    assert_eq!(refused(late), DeclarationRefused::Waiting);
    // Everybody is notified with the window, which has no deadline.
    for seat in ["P1", "P2"] {
        let question = format!("select body from outbox where letter = '{code}-2-opening-{seat}'");
        let letter: Vec<(String,)> = rows(&database, &question).await;
        let parts = serde_json::from_str::<Letter>(&letter[0].0).unwrap().parts;
        assert!(matches!(&parts[parts.len() - 2], Part::Opening { still: true, .. }), "{parts:?}");
        let Some(Part::Event(Event::Held { why, until: None, .. })) = parts.last() else {
            panic!("{parts:?}")
        };
        assert_eq!(*why, HoldReason::Deserted);
    }
    let denied = crate::resume(&desk, &code, &account("kaede"), None, time(9 * HOUR)).await;
    assert_eq!(refused(denied), Refused::NotLeader);
    crate::resume(&desk, &code, &account("sakura"), None, time(9 * HOUR)).await.unwrap();
    assert_eq!(closes(&desk, &code).await, 10 * HOUR, "the window has its whole time");
    // The host who resumes the table was there, so the count begins again.
    assert_eq!(looks(&desk, &code, 10 * HOUR).await, CLOSED);
    assert_eq!(looks(&desk, &code, 11 * HOUR).await, TickOutcome::Waiting);
    crate::end(&desk, &code, &account("sakura"), None, None, time(11 * HOUR)).await.unwrap();
    verify(&database, &desk).await;
}

#[tokio::test]
async fn whoever_was_there_in_one_of_them_lets_it_go_on() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    for hour in 1..6 {
        let now = hour * HOUR;
        if hour % 2 == 0 {
            draft(&desk, &code, "kaede", DRAW, now - 1).await;
        }
        assert_eq!(looks(&desk, &code, now).await, CLOSED, "hour {hour}");
    }
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_host_who_closes_a_window_is_there() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk).await;
    assert_eq!(looks(&desk, &code, HOUR).await, CLOSED);
    crate::close(&desk, &code, &account("sakura"), None, time(HOUR + 1)).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", HOUR + 1).await.held, None);
    assert_eq!(looks(&desk, &code, 2 * HOUR + 1).await, CLOSED, "they were, an hour ago");
    assert_eq!(looks(&desk, &code, 3 * HOUR + 1).await, TickOutcome::Waiting);
}

#[tokio::test]
async fn whoever_is_played_for_is_there() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { inactive: Inactive::House, inactive_after: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    for hour in 1..6 {
        let looked = looks(&desk, &code, closes(&desk, &code).await).await;
        assert!(matches!(looked, TickOutcome::Closed(_)), "{hour}: {looked:?}");
    }
    // A table of bot players alone is never held, and neither is one whose seat was handed over.
    let alone = crate::form(&desk, quietly("toy"), time(0)).await.unwrap().code;
    crate::join(&desk, &alone, guest("sakura"), Some(VALUE), time(0)).await.unwrap();
    crate::start(&desk, &alone, &account("sakura"), "random", time(0)).await.unwrap();
    let house = Override::House { seat: P1, policy: "random".to_owned() };
    crate::decide(&desk, &alone, &gm_called("sakura"), decision(house), time(1)).await.unwrap();
    while let Some(due) = crate::next_due(&desk).await.unwrap().filter(|due| *due < time(90 * HOUR))
    {
        for code in crate::due(&desk, due, 9).await.unwrap() {
            assert_ne!(looks(&desk, &code, due.milliseconds()).await, TickOutcome::Waiting);
        }
    }
    assert_eq!(see(&desk, &alone, "nobody", 90 * HOUR).await.stage, tables::Stage::Over);
}

#[tokio::test]
async fn people_who_are_away_are_not_there() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { away: Away::Skip, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    for name in ["sakura", "kaede"] {
        crate::away(&desk, &account(name), time(0), time(30 * HOUR), time(0)).await.unwrap();
    }
    let mut stopped = false;
    for _ in 0..3 {
        stopped |= looks(&desk, &code, closes(&desk, &code).await).await == TickOutcome::Waiting;
    }
    assert!(stopped);
}

#[tokio::test]
async fn what_is_announced_later_is_still_announced() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let form = quietly("toy");
    let pace = Pace { announce: Announce::After(span(30 * MINUTE)), ..form.pace.clone() };
    let code = dealt_with(&desk, Absence::default(), Form { pace, ..form }).await;
    assert_eq!(looks(&desk, &code, HOUR).await, CLOSED);
    let closed = 2 * HOUR + 30 * MINUTE;
    assert_eq!(looks(&desk, &code, closed).await, TickOutcome::Waiting);
    let question = format!("select send_at from outbox where letter = '{code}-2-opening-P1'");
    assert_eq!(rows::<(i64,)>(&database, &question).await, [(closed + 30 * MINUTE,)]);
    crate::resume(&desk, &code, &account("sakura"), None, time(closed + HOUR)).await.unwrap();
    assert_eq!(closes(&desk, &code).await, closed + 2 * HOUR);
    verify(&database, &desk).await;
}

/// A table that is paused or held announces this with every window that it opens.
#[tokio::test]
async fn a_paused_table_says_so_with_every_window() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide(Override::Pause { until: time(9 * HOUR) }, 2).await;
    table.decide(Override::Void, 3).await;
    let open = table.open().await;
    for (letter, parts) in table.told(&format!("{open}-opening%")).await {
        assert!(
            parts.iter().any(|part| matches!(part, Part::Opening { still: true, .. })),
            "{letter}: {parts:?}"
        );
        let Some(Part::Event(Event::Held { why, until, .. })) = parts.last() else {
            panic!("{letter}: {parts:?}")
        };
        assert_eq!((why, *until), (&HoldReason::Pause, Some(time(9 * HOUR))), "{letter}");
    }
    assert_eq!(see(&table.desk, &table.code, "kaede", 3).await.held, Some(HoldReason::Pause));
    assert_eq!(looks(&table.desk, &table.code, 9 * HOUR).await, TickOutcome::Extended);
    verify(&table.database, &table.desk).await;
}

/// A player whose seat goes to a bot player is still sent the results, and finds the table again.
#[tokio::test]
async fn who_is_played_for_from_now_on_still_hears_how_it_goes_on() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    assert!(!crate::looks_on(desk, code, &account("ume")).await.unwrap());
    assert!(crate::looks_on(desk, code, &account("momiji")).await.unwrap(), "who decides looks on");
    seal(desk, code, "sakura", BID, 1).await;
    table.decide(Override::House { seat: P2, policy: "random".to_owned() }, 2).await;
    looks(desk, code, 3).await;
    assert_eq!(crate::newest_of(desk, &account("kaede")).await.unwrap().as_ref(), Some(code));
    assert!(crate::looks_on(desk, code, &account("kaede")).await.unwrap());
    for name in ["kaede", "momiji"] {
        let brings = |letter: &&Letter| {
            let is_result = |part: &Part| matches!(part, Part::Result { .. });
            letter.seat.is_none() && letter.parts.iter().any(is_result)
        };
        assert_eq!(table.letters_to(name, 3).await.iter().filter(brings).count(), 1, "{name}");
        let told = table.told_to(name, 3).await;
        let over = |part: &&Part| {
            matches!(part, Part::Event(Event::Overridden { what: Override::House { .. }, .. }))
        };
        assert_eq!(told.iter().filter(over).count(), 1, "{name}: once");
    }
    // A player who was sent away is sent nothing more.
    table.decide(Override::Kick { seat: P1 }, 4).await;
    let before = table.told_to("sakura", 5).await.len();
    looks(desk, code, 5).await;
    assert_eq!(table.told_to("sakura", 9 * HOUR).await.len(), before);
    verify(&table.database, desk).await;
}

/// A table that nobody begins ends by itself.
#[tokio::test]
async fn a_table_that_nobody_begins_ends() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let month = 30 * 24 * HOUR;
    let code = crate::form(&desk, quietly("toy"), time(0)).await.unwrap().code;
    crate::join(&desk, &code, guest("kaede"), Some(VALUE), time(HOUR)).await.unwrap();
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(HOUR + month)));
    assert_eq!(looks(&desk, &code, month).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, HOUR + month).await, TickOutcome::Unbegun);
    assert_eq!(crate::next_due(&desk).await.unwrap(), None);
    let over = Event::Over { how: EndKind::Cancelled, seed: hex::encode([7; 32]), reason: None };
    assert_eq!(happened(&desk, &code).await.last(), Some(&over));
    let question = format!("select body from outbox where letter = '{code}-end-P1'");
    let letter: Vec<(String,)> = rows(&database, &question).await;
    assert!(letter[0].0.contains("\"tells\":\"unbegun\""), "{}", letter[0].0);
    // A table that has begun does not end that way.
    let code = table(&desk).await;
    assert_eq!(closes(&desk, &code).await, HOUR);
    set(&desk, &code, Absence::default(), 1).await;
    let denied = crate::change_table(
        &desk,
        &code,
        &account("kaede"),
        TableChange::Set(TableSetting::Files, false),
        time(1),
    )
    .await;
    assert_eq!(refused(denied), Refused::NotLeader);
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(HOUR)));
}

/// An empty table ends after a day, and its place is notified.
#[tokio::test]
async fn a_table_without_anybody_ends_after_a_day() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let day = 24 * HOUR;
    let place = Some("terminal:place".into());
    let code = crate::form(&desk, Form { place, ..quietly("toy") }, time(0)).await.unwrap().code;
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(day)));
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), Some(VALUE), time(1)).await.unwrap();
    }
    crate::leave(&desk, &code, &account("sakura"), time(2)).await.unwrap();
    assert_eq!(crate::next_due(&desk).await.unwrap(), Some(time(1 + 30 * day)), "one is there");
    crate::leave(&desk, &code, &account("kaede"), time(3)).await.unwrap();
    assert_eq!(looks(&desk, &code, day + 2).await, TickOutcome::Nothing);
    assert_eq!(looks(&desk, &code, day + 3).await, TickOutcome::Unbegun);
    let told = told(&database, "-end-all").await;
    assert!(matches!(told[0].1[0], Part::Unbegun { empty: true }), "{told:?}");
}
