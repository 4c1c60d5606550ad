//! Deadlines with a missing player: an extension, a grace period, or the rule of the game.

use crate::model::Desk;
use crate::record::{Event, Letter, Part};
use crate::table::form::{Form, TableChange};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, MOTTO_ONLY, VALUE, account, desk, draft, form, guest,
    happened, looks, passes, refused, rows, say, seal, see, suspended, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{DeclarationRefused, Refused};
use rules::Seat;
use store::absences;
use tables::absence::{Condition, Deed};
use tables::pace::OutageRule;
use tables::{Absence, CloseReason, Pace, TableCode, WindowNumber};

/// Returns a form with windows of an hour, without reminders that would be due as well.
pub(crate) fn quietly(game: &str) -> Form {
    let reminders = Vec::new();
    Form { pace: Pace { reminders, ..Pace::play(span(HOUR), chrono_tz::UTC) }, ..form(game) }
}

/// Deals a table with these absence settings, with 桜 and 楓, at the time 0.
pub(crate) async fn dealt_with(desk: &Desk, absence: Absence, form: Form) -> TableCode {
    let code = crate::form(desk, form, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    set(desk, &code, absence, 0).await;
    crate::start(desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    code
}

pub(crate) async fn set(desk: &Desk, code: &TableCode, absence: Absence, now: i64) {
    let host = account("sakura");
    crate::change_table(desk, code, &host, TableChange::Absence(absence), time(now)).await.unwrap();
}

/// Returns the addresses and parts of the letters whose ids contain `id`, in order.
pub(crate) async fn told(database: &Database, id: &str) -> Vec<(String, Vec<Part>)> {
    let question =
        format!("select address, body from outbox where letter like '%{id}%' order by letter");
    let letters: Vec<(String, String)> = rows(database, &question).await;
    let parts = |body: &str| serde_json::from_str::<Letter>(body).unwrap().parts;
    letters.into_iter().map(|(address, body)| (address, parts(&body))).collect()
}

/// Returns the strikes of the last window that struck.
pub(crate) async fn struck(
    desk: &Desk,
    code: &TableCode,
) -> Vec<(Seat, Condition, Deed, u32, bool)> {
    let last = happened(desk, code).await.into_iter().rev().find_map(|happened| match happened {
        Event::Struck { struck, .. } => Some(struck),
        _ => None,
    });
    let struck = last.unwrap_or_default().into_iter();
    struck.map(|one| (one.seat, one.condition, one.deed, one.misses, one.inactive)).collect()
}

/// The parts that the truth table names exist.
#[test]
fn what_comes_of_a_seat_is_told_in_a_part_of_a_letter() {
    let parts = ["grace", "put-off", "struck", "held", "extended"].map(|kind| ("event", kind));
    for (tells, word) in parts.into_iter().chain([("result", "")]) {
        let part = serde_json::json!({ "tells": tells, "kind": word });
        let part = serde_json::from_value::<Part>(part);
        let fault = part.unwrap_err().to_string();
        assert!(fault.contains("missing field"), "{word}: {fault}");
    }
}

/// A player who takes a seat has missed nothing, and has no substitute.
#[tokio::test]
async fn whoever_takes_a_seat_begins_anew() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    for hour in 1..3 {
        assert_eq!(
            passes(&desk, &code, hour * HOUR).await,
            TickOutcome::Closed(CloseReason::Deadline)
        );
    }
    let momiji = guest("momiji");
    crate::delegate(&desk, &code, &account("sakura"), momiji, time(9 * HOUR), time(2 * HOUR))
        .await
        .unwrap();
    let swap = format!(
        "update seats set person = (select host from tables where code = '{code}')
         where code = '{code}' and seat = 1"
    );
    crate::tests::support::execute(&database, &swap).await;
    let presences =
        absences::presences(&mut desk.store().read().await.unwrap(), &code).await.unwrap();
    assert_eq!((presences[1].misses, presences[1].inactive_at), (0, None));
    let empty = format!("update seats set person = null where code = '{code}' and seat = 0");
    crate::tests::support::execute(&database, &empty).await;
    assert_eq!(see(&desk, &code, "momiji", 2 * HOUR).await.seat, None);
}

async fn closes(desk: &Desk, code: &TableCode, now: i64) -> i64 {
    see(desk, code, "kaede", now).await.play.unwrap().timing.closes.milliseconds()
}

/// Returns the number of deadline extensions spent and of misses in a row, by seat.
async fn attendance(database: &Database) -> Vec<(i64, i64, i64)> {
    rows(database, "select seat, put_off, misses from attendance order by seat").await
}

#[tokio::test]
async fn a_window_is_put_off_once_for_whoever_has_one_to_spare() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { allowance: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    assert_eq!(closes(&desk, &code, HOUR).await, 2 * HOUR);
    let put_off = Event::PutOff {
        number: WindowNumber::FIRST,
        missing: vec![P1],
        away: Vec::new(),
        closes: time(2 * HOUR),
    };
    let part = Part::Event(put_off.clone());
    let everybody = ["sakura", "kaede"].map(|name| (account(name).to_string(), vec![part.clone()]));
    assert_eq!(told(&database, "put-off").await, everybody, "why, and for whom");
    let last = happened(&desk, &code).await.pop();
    assert_eq!(last, Some(put_off));
    // A player who was in time can still reconsider.
    seal(&desk, &code, "kaede", "bid.gold=4", HOUR + 1).await;
    assert_eq!(looks(&desk, &code, 2 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let missed = (P1, Condition::NothingSent, Deed::ByDefault, 1, false);
    assert_eq!(struck(&desk, &code).await, [missed]);
    // Now 楓 is missing as well, and still has an allowance; 桜 has none.
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::MoreTime);
    assert_eq!(attendance(&database).await, [(0, 1, 1), (1, 1, 0)]);
    seal(&desk, &code, "kaede", DRAW, 3 * HOUR + 1).await;
    assert_eq!(looks(&desk, &code, 4 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let missed = (P1, Condition::NothingSent, Deed::Skipped, 2, true);
    assert_eq!(struck(&desk, &code).await, [missed]);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn in_the_time_of_grace_only_those_who_are_late_may_seal() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { grace: span(30 * MINUTE), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    let until = HOUR + 30 * MINUTE;
    let (number, late, openly, step) = (WindowNumber::FIRST, vec![P1], false, None);
    let grace = Event::Grace { number, late, openly, step, until: time(until) };
    let letters = ["sakura", "kaede"]
        .map(|name| (account(name).to_string(), vec![Part::Event(grace.clone())]));
    assert_eq!(told(&database, "grace").await, letters);
    for (text, said) in [
        ("bid.gold=6", DeclarationStatus::Sealed),
        ("bid.gold=6", DeclarationStatus::Draft),
        ("", DeclarationStatus::Draft),
    ] {
        let said = say(&desk, &code, "kaede", text, said, HOUR + 1).await;
        assert_eq!(refused(said), DeclarationRefused::Frozen);
    }
    draft(&desk, &code, "sakura", BID, HOUR + 2).await;
    assert_eq!(looks(&desk, &code, HOUR + 3).await, TickOutcome::Nothing);
    let received =
        say(&desk, &code, "sakura", BID, DeclarationStatus::Sealed, HOUR + 4).await.unwrap();
    assert_eq!(
        received.timing.settles,
        Some(time(HOUR + 4)),
        "the window closes as soon as they have"
    );
    assert_eq!(looks(&desk, &code, HOUR + 4).await, TickOutcome::Closed(CloseReason::Deadline));
    assert_eq!(struck(&desk, &code).await, [], "late is not missed");
    assert_eq!(attendance(&database).await, []);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn after_allowance_and_grace_the_rule_of_the_game_strikes() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { allowance: 1, grace: span(10 * MINUTE), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    assert_eq!(looks(&desk, &code, 2 * HOUR).await, TickOutcome::MoreTime);
    assert_eq!(looks(&desk, &code, 2 * HOUR + 10 * MINUTE - 1).await, TickOutcome::Nothing);
    let closed = 2 * HOUR + 10 * MINUTE;
    assert_eq!(looks(&desk, &code, closed).await, TickOutcome::Closed(CloseReason::Deadline));
    // The opening shows the player the outcome, and how many more windows they may miss.
    let opening = told(&database, "-1-opening-P1").await.remove(0).1;
    let own = |part: &Part| matches!(part, Part::Event(Event::Struck { struck, .. }) if struck[0].misses == 1);
    assert!(opening.iter().any(own), "{opening:?}");
    verify(&database, &desk).await;
}

#[tokio::test]
async fn an_incomplete_declaration_treated_as_none() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence =
        Absence { allowance: 4, grace: span(HOUR), inactive_after: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    draft(&desk, &code, "sakura", MOTTO_ONLY, 1).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    assert_eq!(struck(&desk, &code).await, []);
    let play = see(&desk, &code, "kaede", HOUR).await.play.unwrap();
    let report = play.contest.report(rules::Viewer::Public);
    assert_eq!(report["motto"][0], "hi", "what it says counts");
}

#[tokio::test]
async fn a_deliberately_empty_one_reported_as_missing() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence =
        Absence { allowance: 4, grace: span(HOUR), inactive_after: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    seal(&desk, &code, "sakura", "", 1).await;
    assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Nothing, "only 楓 is waited for");
    seal(&desk, &code, "kaede", "", 3).await;
    assert_eq!(looks(&desk, &code, 3).await, TickOutcome::Closed(CloseReason::AllSealed));
    let awaited = happened(&desk, &code).await.into_iter().find_map(|happened| match happened {
        Event::Closed { awaited, .. } => Some(awaited),
        _ => None,
    });
    assert_eq!((awaited, struck(&desk, &code).await), (Some(Vec::new()), Vec::new()));
}

#[tokio::test]
async fn default_actions_counted_as_absence() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { inactive_after: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    for now in 1..=3 {
        for name in ["sakura", "kaede"] {
            if see(&desk, &code, name, now).await.play.unwrap().asked.len() == 2 {
                seal(&desk, &code, name, "", now).await;
            }
        }
        looks(&desk, &code, now).await;
    }
    assert_eq!(struck(&desk, &code).await, []);
    assert_eq!(attendance(&database).await, []);
}

#[tokio::test]
async fn a_seat_with_nothing_to_declare_using_up_an_extension() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { allowance: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    suspended(&desk, &code).await;
    let closes = closes(&desk, &code, 2).await;
    assert_eq!(looks(&desk, &code, closes).await, TickOutcome::MoreTime);
    assert_eq!(attendance(&database).await, [(1, 1, 0)], "only 楓 is asked");
    assert_eq!(
        looks(&desk, &code, closes + HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    assert_eq!(attendance(&database).await, [(1, 1, 1)]);
}

#[tokio::test]
async fn the_affected_person_not_being_told() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { allowance: 1, grace: span(MINUTE), ..Absence::default() };
    let place = Some("terminal:hall".into());
    let code = dealt_with(&desk, absence, Form { place, ..quietly("toy") }).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    for now in [HOUR, 2 * HOUR, 2 * HOUR + MINUTE] {
        assert_ne!(looks(&desk, &code, now).await, TickOutcome::Nothing);
    }
    let addresses = |letters: Vec<(String, Vec<Part>)>| {
        letters.into_iter().map(|(address, _)| address).collect::<Vec<_>>()
    };
    for id in ["put-off", "grace"] {
        let hall_and_own = ["terminal:sakura", "terminal:hall"];
        assert_eq!(addresses(told(&database, id).await), hall_and_own, "{id}");
    }
    assert_eq!(addresses(told(&database, "struck").await), ["terminal:sakura"]);
}

#[tokio::test]
async fn where_it_is_hidden_who_has_sealed_nobody_is_named_but_to_themselves() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { allowance: 1, grace: span(MINUTE), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy-hidden")).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    for now in [HOUR, 2 * HOUR, 2 * HOUR + MINUTE] {
        assert_ne!(looks(&desk, &code, now).await, TickOutcome::Nothing);
    }
    let named = async |id: &str| -> Vec<usize> {
        let letters = told(&database, id).await.into_iter();
        let count = |part: &Part| match part {
            Part::Event(Event::PutOff { missing, .. }) => missing.len(),
            Part::Event(Event::Grace { late, .. }) => late.len(),
            Part::Event(Event::Struck { struck, .. }) => struck.len(),
            _ => 0,
        };
        letters.map(|(_, parts)| parts.iter().map(count).sum()).collect()
    };
    for id in ["put-off", "grace", "-1-opening"] {
        assert_eq!(named(id).await, [1, 0], "{id}");
    }
    for (_, parts) in told(&database, "grace").await {
        assert!(
            matches!(&parts[..], [Part::Event(Event::Grace { step: Some(_), .. })]),
            "{parts:?}"
        );
    }
}

#[tokio::test]
async fn a_scheduled_resolution_dropped_after_downtime() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { allowance: 4, grace: span(MINUTE), ..Absence::default() };
    let late = |form: Form| Form { pace: Pace { outage: OutageRule::Late, ..form.pace }, ..form };
    let code = dealt_with(&desk, absence, late(quietly("toy"))).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    crate::beat(&desk, "a", time(HOUR / 2), span(HOUR)).await.unwrap();
    crate::beat(&desk, "a", time(3 * HOUR), span(HOUR)).await.unwrap();
    assert_eq!(crate::due(&desk, time(3 * HOUR), 9).await.unwrap(), std::slice::from_ref(&code));
    assert_eq!(looks(&desk, &code, 3 * HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    // Nobody could declare, so this is no miss.
    let missed = (P1, Condition::NothingSent, Deed::ByDefault, 0, false);
    assert_eq!(struck(&desk, &code).await, [missed]);
    assert_eq!(attendance(&database).await, []);
    verify(&database, &desk).await;
}

#[tokio::test]
async fn an_outage_in_the_time_of_grace_takes_it_from_nobody() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { grace: span(30 * MINUTE), ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::MoreTime);
    crate::beat(&desk, "a", time(HOUR + MINUTE), span(HOUR)).await.unwrap();
    crate::beat(&desk, "a", time(4 * HOUR), span(HOUR)).await.unwrap();
    assert_eq!(looks(&desk, &code, 4 * HOUR).await, TickOutcome::Extended);
    assert_eq!(closes(&desk, &code, 4 * HOUR).await, 4 * HOUR + 29 * MINUTE);
    let said = say(&desk, &code, "kaede", BID, DeclarationStatus::Sealed, 4 * HOUR).await;
    assert_eq!(refused(said), DeclarationRefused::Frozen);
    seal(&desk, &code, "sakura", BID, 4 * HOUR + 1).await;
    assert_eq!(looks(&desk, &code, 4 * HOUR + 1).await, TickOutcome::Closed(CloseReason::Deadline));
}

#[tokio::test]
async fn a_window_closed_by_its_host_is_missed_by_nobody() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { allowance: 4, inactive_after: 1, ..Absence::default() };
    let code = dealt_with(&desk, absence, quietly("toy")).await;
    crate::close(&desk, &code, &account("sakura"), None, time(2)).await.unwrap();
    let by_default = |seat| (seat, Condition::NothingSent, Deed::ByDefault, 0, false);
    assert_eq!(struck(&desk, &code).await, [by_default(P1), by_default(P2)]);
    assert_eq!(attendance(&database).await, []);
}

#[tokio::test]
async fn what_the_host_sets_in_the_game_counts_from_the_next_window_on() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt_with(&desk, Absence::default(), quietly("toy")).await;
    let absence = Absence { allowance: 1, ..Absence::default() };
    let change = TableChange::Absence(absence);
    let settled =
        crate::change_table(&desk, &code, &account("kaede"), change.clone(), time(1)).await;
    assert_eq!(refused(settled), Refused::NotLeader);
    set(&desk, &code, absence, 1).await;
    assert_eq!(see(&desk, &code, "kaede", 1).await.absence, absence);
    assert_eq!(told(&database, "absence").await.len(), 2);
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    assert_eq!(looks(&desk, &code, 2 * HOUR).await, TickOutcome::MoreTime);
    crate::end(&desk, &code, &account("sakura"), None, None, time(3 * HOUR)).await.unwrap();
    let settled =
        crate::change_table(&desk, &code, &account("sakura"), change, time(3 * HOUR)).await;
    assert_eq!(refused(settled), Refused::Over);
    verify(&database, &desk).await;
}
