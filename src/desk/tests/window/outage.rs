//! Outages, in which no process keeps the deadlines: nothing is lost.

use crate::model::{Desk, Gm, Override};
use crate::overrides::read::reader::OverrideRequest;
use crate::record::{Event, Letter, Part};
use crate::table::form::Form;
use crate::tests::kit::Table;
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, account, dealt, desk, draft, form, happened, looks, refused, rows,
    say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use letters::{DeclarationRefused, OverrideRefused, Refused};
use store::OutageRow;
use tables::pace::{Announce, OutageRule};
use tables::{CloseReason, HoldReason, OverrideNumber, Pace, TableCode, WindowNumber};

const SILENCE: i64 = 20 * MINUTE;

/// The last heartbeat before the deadline, which is at an hour, and the first after it.
const LAST: i64 = 45 * MINUTE;
const NEXT: i64 = 90 * MINUTE;

/// Deals a table with this outage rule at which 楓 has sealed, 桜 has drafted, and the deadline fell in an
/// outage.
async fn missed(desk: &Desk, outage: OutageRule) -> TableCode {
    let code = dealt(desk, form_with(outage)).await;
    seal(desk, &code, "kaede", BID, 1).await;
    draft(desk, &code, "sakura", "bid.gold=6", 2).await;
    for at in [0, 15 * MINUTE, 30 * MINUTE, LAST] {
        assert_eq!(crate::beat(desk, "a", time(at), span(SILENCE)).await.unwrap(), None);
    }
    let outage = OutageRow { began_at: time(LAST), ended_at: time(NEXT) };
    assert_eq!(crate::beat(desk, "a", time(NEXT), span(SILENCE)).await.unwrap(), Some(outage));
    code
}

fn form_with(outage: OutageRule) -> Form {
    // A reminder would be due as well.
    let reminders = Vec::new();
    Form {
        pace: Pace { reminders, outage, ..Pace::play(span(HOUR), chrono_tz::UTC) },
        ..form("toy")
    }
}

/// Returns the first part of each letter whose id contains `id`.
async fn told(database: &Database, id: &str) -> Vec<Part> {
    let question = format!("select body from outbox where letter like '%{id}%' order by letter");
    let bodies: Vec<(String,)> = rows(database, &question).await;
    let letters = bodies.iter().map(|(body,)| serde_json::from_str::<Letter>(body).unwrap());
    letters.map(|letter| letter.parts[0].clone()).collect()
}

/// Checks that both declarations counted.
async fn has_counted(desk: &Desk, code: &TableCode, now: i64) {
    let play = see(desk, code, "sakura", now).await.play.unwrap();
    let report = play.contest.report(rules::Viewer::Public);
    assert_eq!((play.number, &report["gold"]), (WindowNumber::new(1), &serde_json::json!([10, 7])));
}

#[tokio::test]
async fn a_table_can_close_late() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed(&desk, OutageRule::Late).await;
    assert_eq!(looks(&desk, &code, NEXT).await, TickOutcome::Closed(CloseReason::Deadline));
    has_counted(&desk, &code, NEXT).await;
    let late = Part::Late { closed: time(HOUR) };
    assert_eq!(told(&database, "-1-opening-").await, [late.clone(), late]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_deadline_can_be_put_off() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed(&desk, OutageRule::Extend).await;
    assert_eq!(looks(&desk, &code, NEXT).await, TickOutcome::Extended);
    let closes = HOUR + (NEXT - LAST);
    let timing = see(&desk, &code, "sakura", NEXT).await.play.unwrap().timing;
    assert_eq!(timing.closes, time(closes));
    let (number, closes, outage, paused) =
        (WindowNumber::FIRST, time(closes), span(NEXT - LAST), false);
    let before = time(HOUR);
    let extended =
        Part::Event(Event::Extended { number, closes, outage, paused, locked: false, before });
    let closes = closes.milliseconds();
    assert_eq!(told(&database, "-0-extended-").await, [extended.clone(), extended]);
    assert_eq!(looks(&desk, &code, closes - 1).await, TickOutcome::Nothing);
    draft(&desk, &code, "sakura", "bid.gold=6", closes - 1).await;
    assert_eq!(looks(&desk, &code, closes).await, TickOutcome::Closed(CloseReason::Deadline));
    has_counted(&desk, &code, closes).await;
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_table_can_wait_for_its_host_who_lets_it_go_on() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed(&desk, OutageRule::Wait).await;
    assert_eq!(looks(&desk, &code, NEXT).await, TickOutcome::Waiting);
    assert!(see(&desk, &code, "kaede", NEXT).await.held == Some(HoldReason::Outage));
    let waiting = Part::Event(Event::Held {
        number: WindowNumber::FIRST,
        why: HoldReason::Outage,
        until: None,
    });
    assert_eq!(told(&database, "-0-held-").await, [waiting.clone(), waiting]);
    assert_eq!(crate::next_due(&desk).await.unwrap(), None);
    assert_eq!(looks(&desk, &code, 9 * HOUR).await, TickOutcome::Nothing);
    let declared = say(&desk, &code, "sakura", BID, DeclarationStatus::Sealed, NEXT).await;
    assert_eq!(refused(declared), DeclarationRefused::Waiting);
    assert_eq!(
        refused(crate::resume(&desk, &code, &account("kaede"), None, time(NEXT)).await),
        Refused::NotLeader
    );

    let resumed = 100 * MINUTE;
    crate::resume(&desk, &code, &account("sakura"), None, time(resumed)).await.unwrap();
    let sight = see(&desk, &code, "kaede", resumed).await;
    let closes = HOUR + (resumed - LAST);
    assert_eq!((sight.held, sight.play.unwrap().timing.closes), (None, time(closes)));
    let resume = Event::decided(
        OverrideNumber::FIRST,
        Some(WindowNumber::FIRST),
        Override::Resume,
        String::new(),
    );
    let (number, outage, paused) = (WindowNumber::FIRST, span(resumed - LAST), false);
    let (closes_at, before) = (time(closes), time(HOUR));
    let extended =
        Event::Extended { number, closes: closes_at, outage, paused, locked: false, before };
    assert!(happened(&desk, &code).await.ends_with(&[extended, resume]));
    assert_eq!(
        refused(crate::resume(&desk, &code, &account("sakura"), None, time(resumed)).await),
        OverrideRefused::NotHeld
    );
    draft(&desk, &code, "sakura", "bid.gold=6", closes - 1).await;
    assert_eq!(looks(&desk, &code, closes).await, TickOutcome::Closed(CloseReason::Deadline));
    has_counted(&desk, &code, closes).await;
    verify(&database, &desk).await;
}

#[tokio::test]
async fn a_table_that_waits_can_be_closed_by_its_host() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed(&desk, OutageRule::Wait).await;
    assert_eq!(looks(&desk, &code, NEXT).await, TickOutcome::Waiting);
    crate::close(&desk, &code, &account("sakura"), None, time(NEXT)).await.unwrap();
    assert!(see(&desk, &code, "kaede", NEXT).await.held.is_none());
    has_counted(&desk, &code, NEXT).await;
    verify(&database, &desk).await;
}

#[tokio::test]
async fn whoever_had_all_sealed_is_not_put_off() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed(&desk, OutageRule::Extend).await;
    seal(&desk, &code, "sakura", "bid.gold=6", 3).await;
    assert_eq!(looks(&desk, &code, NEXT).await, TickOutcome::Closed(CloseReason::AllSealed));
    has_counted(&desk, &code, NEXT).await;
}

#[tokio::test]
async fn a_short_silence_is_no_outage() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt(&desk, form_with(OutageRule::Extend)).await;
    for at in [0, SILENCE, 2 * SILENCE, HOUR - 1, HOUR - 1 + SILENCE] {
        assert_eq!(crate::beat(&desk, "a", time(at), span(SILENCE)).await.unwrap(), None);
    }
    assert_eq!(
        looks(&desk, &code, HOUR - 1 + SILENCE).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
}

#[tokio::test]
async fn a_sign_of_life_from_the_future_is_none() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    // The clock of another process is nine hours ahead until it is set right.
    assert_eq!(crate::beat(&desk, "b", time(9 * HOUR), span(SILENCE)).await.unwrap(), None);
    let code = missed(&desk, OutageRule::Extend).await;
    assert_eq!(looks(&desk, &code, NEXT).await, TickOutcome::Extended);
}

#[tokio::test]
async fn what_a_wrong_clock_took_for_an_outage_is_none() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt(&desk, form_with(OutageRule::Extend)).await;
    assert_eq!(crate::beat(&desk, "a", time(0), span(SILENCE)).await.unwrap(), None);
    let outage = OutageRow { began_at: time(0), ended_at: time(9 * HOUR) };
    assert_eq!(crate::beat(&desk, "b", time(9 * HOUR), span(SILENCE)).await.unwrap(), Some(outage));
    for at in [15, 30, 45, 60] {
        assert_eq!(crate::beat(&desk, "a", time(at * MINUTE), span(SILENCE)).await.unwrap(), None);
    }
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
}

#[tokio::test]
async fn a_clock_that_is_a_little_ahead_is_heard() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for at in [0, SILENCE, 2 * SILENCE] {
        assert_eq!(crate::beat(&desk, "b", time(at), span(SILENCE)).await.unwrap(), None);
    }
    // Another process has a clock that is a second behind.
    assert_eq!(
        crate::beat(&desk, "a", time(2 * SILENCE - 1000), span(SILENCE)).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn a_process_that_has_ended_is_no_witness_but_its_silence_is_an_outage() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    crate::beat(&desk, "a", time(0), span(SILENCE)).await.unwrap();
    let beats = async || crate::tick::other_clocks(&desk, "b").await.unwrap().beats;
    assert_eq!(beats().await, [("a".to_owned(), time(0))]);
    crate::tick::end(&desk, "a", time(1)).await.unwrap();
    assert_eq!(beats().await, []);
    let outage = OutageRow { began_at: time(0), ended_at: time(HOUR) };
    assert_eq!(crate::beat(&desk, "b", time(HOUR), span(SILENCE)).await.unwrap(), Some(outage));
}

#[tokio::test]
async fn while_another_process_is_there_it_is_no_outage() {
    let database = Database::fresh().await;
    let (here, there) = (desk(&database).await, desk(&database).await);
    let code = dealt(&here, form_with(OutageRule::Extend)).await;
    assert_eq!(crate::beat(&here, "a", time(0), span(SILENCE)).await.unwrap(), None);
    for at in [0, SILENCE, 2 * SILENCE, HOUR] {
        assert_eq!(crate::beat(&there, "b", time(at), span(SILENCE)).await.unwrap(), None);
    }
    assert_eq!(crate::beat(&here, "a", time(HOUR + 1), span(SILENCE)).await.unwrap(), None);
    assert_eq!(looks(&here, &code, HOUR + 1).await, TickOutcome::Closed(CloseReason::Deadline));
    // Then both processes are silent, and a third one comes.
    let outage = OutageRow { began_at: time(HOUR + 1), ended_at: time(3 * HOUR) };
    assert_eq!(
        crate::beat(&there, "c", time(3 * HOUR), span(SILENCE)).await.unwrap(),
        Some(outage)
    );
    assert_eq!(crate::beat(&there, "b", time(3 * HOUR), span(SILENCE)).await.unwrap(), None);
    assert_eq!(looks(&there, &code, 3 * HOUR).await, TickOutcome::Extended);
}

#[tokio::test]
async fn a_window_that_opened_in_an_outage_has_its_whole_time() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let mut form = form_with(OutageRule::Extend);
    form.pace.announce = Announce::After(span(30 * MINUTE));
    let code = dealt(&desk, form).await;
    assert_eq!(crate::beat(&desk, "a", time(HOUR), span(SILENCE)).await.unwrap(), None);
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    assert!(crate::beat(&desk, "a", time(3 * HOUR), span(SILENCE)).await.unwrap().is_some());
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::Extended);
    let timing = see(&desk, &code, "sakura", 3 * HOUR).await.play.unwrap().timing;
    assert_eq!((timing.opens, timing.closes), (time(HOUR + 30 * MINUTE), time(4 * HOUR)));
}

/// A process whose clock is a second behind still writes later times than those written before.
#[tokio::test]
async fn letters_come_in_the_order_in_which_things_were_written() {
    let table = Table::new().await;
    for (words, now) in [("one", 5000), ("two", 4000)] {
        table.decide(Override::Rule { words: words.to_owned() }, now).await;
    }
    let question =
        "select letter from outbox where letter like '%-override-%' order by send_at desc, letter";
    let letters: Vec<(String,)> = rows(&table.database, question).await;
    assert!(letters[0].0.contains("-override-1"), "{letters:?}");
    let told =
        rows::<(i64,)>(&table.database, "select at from journal order by entry desc limit 2");
    assert_eq!(told.await, [(5001,), (5000,)]);
}

/// If clocks differ by more, nobody can tell which one is right.
#[tokio::test]
async fn a_clock_that_was_hours_ahead_delays_nobody_elses_letters() {
    let table = Table::new().await;
    for (words, now) in [("one", 9 * HOUR), ("two", 4000)] {
        table.decide(Override::Rule { words: words.to_owned() }, now).await;
    }
    let told =
        rows::<(i64,)>(&table.database, "select at from journal order by entry desc limit 1");
    assert_eq!(told.await, [(4000,)]);
}

/// An extension after a false outage is undone in one step.
#[tokio::test]
async fn a_deadline_that_was_put_off_is_put_back() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = missed(&desk, OutageRule::Extend).await;
    assert_eq!(looks(&desk, &code, NEXT).await, TickOutcome::Extended);
    let host = Gm { account: "terminal:sakura".into(), roles: Vec::new() };
    let gm_view = crate::gm_view(&desk, &code, &host, time(NEXT)).await.unwrap();
    for said in ["extend back", "延長 元", "延長 元の締め切り"] {
        let read = OverrideRequest::read(said, &gm_view, time(NEXT)).unwrap();
        assert_eq!(read.what, Override::Extend { closes: time(HOUR) }, "{said}");
    }
}
