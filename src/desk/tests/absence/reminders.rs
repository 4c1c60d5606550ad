//! Reminders of a deadline: to the seats that miss something, up to date, and not too often.

use crate::model::Desk;
use crate::record::{Letter, Part};
use crate::table::form::Form;
use crate::tests::absence::deadline::{dealt_with, told};
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, MOTTO_ONLY, account, desk, draft, form, looks, say, seal,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use crate::window::remind::Current;
use kit::time::{span, time};
use letters::SealProgress;
use tables::absence::{Deed, Inactive};
use tables::pace::{Quiet, TimeOfDay};
use tables::{Absence, LastCall, Pace, TableCode};

const REMINDED: i64 = HOUR - HOUR / 5;

/// Returns the letters whose ids contain `id`.
async fn letters(database: &Database, id: &str) -> Vec<Letter> {
    let question = format!("select body from outbox where letter like '%{id}%' order by letter");
    let bodies: Vec<(String,)> = crate::tests::support::rows(database, &question).await;
    bodies.iter().map(|(body,)| serde_json::from_str(body).unwrap()).collect()
}

/// Returns the content of each reminder: the progress of its reader, their open questions, and their fate.
fn said(letters: &[Letter]) -> Vec<(SealProgress, Vec<String>, Option<Deed>)> {
    let said = |letter: &Letter| match &letter.parts[0] {
        Part::Reminder { progress, open, fate, .. } => {
            let open = open.as_array().unwrap().iter();
            (*progress, open.map(|one| one["key"].as_str().unwrap().to_owned()).collect(), *fate)
        }
        other => panic!("{other:?}"),
    };
    letters.iter().map(said).collect()
}

async fn table(desk: &Desk, absence: Absence, game: &str) -> TableCode {
    dealt_with(desk, absence, form(game)).await
}

#[tokio::test]
async fn whoever_misses_something_is_told_what_and_what_becomes_of_it() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, Absence { grace: span(MINUTE), ..Absence::default() }, "toy").await;
    draft(&desk, &code, "kaede", MOTTO_ONLY, 1).await;
    assert_eq!(looks(&desk, &code, REMINDED).await, TickOutcome::Reminded);
    let open = vec!["bid.gold".to_owned()];
    let reminders = letters(&database, "reminder").await;
    let nothing = (SealProgress::Nothing, open.clone(), Some(Deed::Grace));
    assert_eq!(said(&reminders), [nothing, (SealProgress::Draft, open, None)]);
    let text = reminders[0]
        .write(&crate::tests::support::letters_with_toys(), crate::tests::support::GAMES)
        .unwrap();
    assert!(text.contains("You can still seal for a while"), "{text}");
}

#[tokio::test]
async fn nobody_is_called_who_misses_nothing_or_is_not_there() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let absence = Absence { inactive: Inactive::House, ..Absence::default() };
    let code = table(&desk, absence, "toy").await;
    seal(&desk, &code, "kaede", MOTTO_ONLY, 1).await;
    crate::away(&desk, &account("sakura"), time(1), time(9 * HOUR), time(1)).await.unwrap();
    looks(&desk, &code, REMINDED).await;
    assert_eq!(letters(&database, "reminder").await, []);
}

#[tokio::test]
async fn a_reminder_that_is_not_true_any_more_is_not_sent() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, Absence::default(), "toy").await;
    assert_eq!(looks(&desk, &code, REMINDED).await, TickOutcome::Reminded);
    let [own, other]: [Letter; 2] = letters(&database, "reminder").await.try_into().unwrap();
    let now = REMINDED + MINUTE;
    draft(&desk, &code, "sakura", BID, now).await;
    let Current::Reworded(sent) = crate::as_of(&desk, &own, time(now)).await.unwrap() else {
        panic!("somebody has begun since");
    };
    assert_eq!(said(std::slice::from_ref(&sent)), [(SealProgress::Draft, Vec::new(), None)]);
    let left = |letter: &Letter| match &letter.parts[0] {
        Part::Reminder { left, .. } => *left,
        _ => span(0),
    };
    assert_eq!([left(&own), left(&sent)], [HOUR - REMINDED, HOUR - now].map(span));
    seal(&desk, &code, "sakura", BID, now).await;
    assert_eq!(crate::as_of(&desk, &own, time(now)).await.unwrap(), Current::Gone);
    assert_ne!(crate::as_of(&desk, &other, time(now)).await.unwrap(), Current::Gone);
    assert_eq!(
        crate::as_of(&desk, &other, time(HOUR)).await.unwrap(),
        Current::Gone,
        "the deadline has come"
    );
    let opening = letters(&database, "-0-opening-P1").await.remove(0);
    assert_eq!(crate::as_of(&desk, &opening, time(now)).await.unwrap(), Current::Same);
}

#[tokio::test]
async fn the_last_one_is_told_so_once() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, Absence::default(), "toy").await;
    seal(&desk, &code, "kaede", BID, 1).await;
    draft(&desk, &code, "kaede", BID, 2).await;
    seal(&desk, &code, "kaede", BID, 3).await;
    let last = told(&database, "-0-last-").await;
    let is_last = |part: &Part| matches!(part, Part::Reminder { last: true, .. });
    assert!(
        last.len() == 1 && last[0].0 == "terminal:sakura" && is_last(&last[0].1[0]),
        "{last:?}"
    );
    let letter = letters(&database, "-0-last-").await.remove(0);
    assert_ne!(crate::as_of(&desk, &letter, time(4)).await.unwrap(), Current::Gone);
    draft(&desk, &code, "kaede", BID, 5).await;
    let by_then = crate::as_of(&desk, &letter, time(5)).await.unwrap();
    assert_eq!(by_then, Current::Gone, "they are not the last any more");
}

#[tokio::test]
async fn where_a_time_of_grace_begins_one_letter_tells_of_it() {
    for sealed in [MINUTE, 50 * MINUTE] {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let absence = Absence { grace: span(30 * MINUTE), ..Absence::default() };
        let pace = Pace::play(span(HOUR), chrono_tz::UTC);
        let code = dealt_with(&desk, absence, Form { pace, ..form("toy") }).await;
        for now in 0..120 {
            if now * MINUTE == sealed {
                seal(&desk, &code, "kaede", BID, sealed).await;
            }
            looks(&desk, &code, now * MINUTE).await;
        }
        let question = format!(
            "select letter from outbox where address = 'terminal:sakura'
             and send_at >= {HOUR} and send_at < {HOUR} + {HOUR} / 6"
        );
        let told: Vec<(String,)> = crate::tests::support::rows(&database, &question).await;
        assert!(told.len() == 1 && told[0].0.contains("-grace-"), "{told:?}");
    }
}

/// A seat that is the last one a moment after the opening has missed nothing yet.
#[tokio::test]
async fn nobody_is_the_last_one_right_after_the_opening() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for (last_call, sealed, called) in [
        (LastCall::Supposed, MINUTE, Some(HOUR / 8)),
        (LastCall::Supposed, 20 * MINUTE, Some(20 * MINUTE)),
        (LastCall::After(span(30 * MINUTE)), MINUTE, Some(30 * MINUTE)),
        (LastCall::After(span(0)), MINUTE, Some(MINUTE)),
        (LastCall::After(span(2 * HOUR)), MINUTE, None),
        (LastCall::Never, MINUTE, None),
    ] {
        let pace = Pace { last_call, ..Pace::play(span(HOUR), chrono_tz::UTC) };
        let code = dealt_with(&desk, Absence::default(), Form { pace, ..form("toy") }).await;
        seal(&desk, &code, "kaede", BID, sealed).await;
        let question = format!("select send_at from outbox where letter like '{code}-0-last-%'");
        let sent: Vec<(i64,)> = crate::tests::support::rows(&database, &question).await;
        let called: Vec<(i64,)> = called.into_iter().map(|at| (at,)).collect();
        assert_eq!(sent, called, "{last_call:?}");
    }
}

#[tokio::test]
async fn nobody_is_told_that_they_are_the_last_where_it_is_hidden_who_has_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, Absence::default(), "toy-hidden").await;
    seal(&desk, &code, "kaede", BID, 1).await;
    assert_eq!(letters(&database, "-last").await, []);
}

#[tokio::test]
async fn a_second_reminder_comes_only_if_the_first_is_long_ago() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let reminders = vec![12 * MINUTE, 10 * MINUTE, 5 * MINUTE];
    let pace = Pace {
        reminders: reminders.into_iter().map(span).collect(),
        ..Pace::play(span(HOUR), chrono_tz::UTC)
    };
    let code = dealt_with(&desk, Absence::default(), Form { pace, ..form("toy") }).await;
    let mut reminded = Vec::new();
    for minute in 0..60 {
        if looks(&desk, &code, minute * MINUTE).await == TickOutcome::Reminded {
            reminded.push(minute);
        }
    }
    assert_eq!(reminded, [48, 55]);
}

#[tokio::test]
async fn nobody_is_called_in_quiet_hours() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let time = |hour| TimeOfDay::new(hour, 0).unwrap();
    let quiet = Some(Quiet { from: time(0), to: time(7) });
    let pace = Pace { quiet, ..Pace::play(span(24 * HOUR), chrono_tz::UTC) };
    let code = dealt_with(&desk, Absence::default(), Form { pace, ..form("toy") }).await;
    say(&desk, &code, "kaede", BID, DeclarationStatus::Sealed, HOUR).await.unwrap();
    let question = "select send_at from outbox where letter like '%-last-%'";
    let sent: Vec<(i64,)> = crate::tests::support::rows(&database, question).await;
    assert_eq!(sent, [(7 * HOUR,)]);
}
