//! The reasons why a window is still open, and why the last one has closed.

use crate::model::{Desk, Override};
use crate::record::Letter;
use crate::table::form::Form;
use crate::tests::kit::{decision, gm_called};
use crate::tests::support::{
    BID, Database, HOUR, MINUTE, account, dealt, desk, form, looks, rows, seal, see, table,
};
use crate::tick::TickOutcome;
use games::GAMES;
use kit::time::time;
use letters::{Letters, Moment, Reader, WhyClosed};
use rules::Round;
use rules::text::Lang;
use tables::{CloseReason, Pace, TableCode};

/// Deals a table of a game that has letters, at this pace.
async fn in_words(database: &Database, game: &str, pace: &str) -> (Desk, TableCode) {
    let desk = Desk::new(desk(database).await.store().clone(), GAMES);
    let pace = Pace::read(pace, chrono_tz::UTC).unwrap();
    let chairs = if game == "the_gang" { 3 } else { 2 };
    let code = dealt(&desk, Form { chairs, pace, ..form(game) }).await;
    (desk, code)
}

async fn why_open(desk: &Desk, code: &TableCode, lang: Lang, now: i64) -> String {
    let sight = see(desk, code, "nobody", now).await;
    let reader: Reader = sight.reader(lang).in_plain_text();
    sight.why_open(&Letters::built_in(), &reader, time(now)).unwrap()
}

#[tokio::test]
async fn it_says_for_whom_it_waits_where_that_is_told() {
    let database = Database::fresh().await;
    let (desk, code) = in_words(&database, "eitsuku", "every 2h").await;
    seal(&desk, &code, "sakura", "", MINUTE).await;
    let told = why_open(&desk, &code, Lang::En, 2 * MINUTE).await;
    assert!(told.contains("Not submitted: kaede"), "{told}");
    assert!(!told.contains("sakura"), "{told}");
    assert!(told.contains("it would close at once"), "{told}");
    assert!(told.contains("Deadline: "), "{told}");
    let told = why_open(&desk, &code, Lang::Ja, 2 * MINUTE).await;
    assert!(told.contains("未提出：kaede"), "{told}");
    assert!(told.contains("今そろえば、すぐに締め切ります。"), "{told}");
}

#[tokio::test]
async fn it_names_nobody_where_that_is_hidden() {
    let database = Database::fresh().await;
    let (desk, code) = in_words(&database, "the_gang", "every 2h").await;
    let before = why_open(&desk, &code, Lang::En, 2 * MINUTE).await;
    assert!(before.contains("nobody sees who has yet to submit"), "{before}");
    assert!(before.contains("set times"), "a full step of the clock: {before}");
    assert!(!before.contains("sakura") && !before.contains("kaede"), "{before}");
    let asked = see(&desk, &code, "sakura", 2 * MINUTE).await.play.unwrap().asked;
    assert!(!asked.is_empty());
    seal(&desk, &code, "sakura", "", 2 * MINUTE).await;
    assert_eq!(why_open(&desk, &code, Lang::En, 2 * MINUTE).await, before);
}

#[tokio::test]
async fn it_says_what_keeps_it_open() {
    for (pace, english) in [
        ("every 2h, cool 10m", "(time to think again)"),
        ("every 12h, quiet 0:00-7:00", "(quiet hours)"),
        ("every 2h, no early close", "It does not close before its deadline."),
        ("daily 21:00, except 1/1-1/3", "(after excepted days)"),
    ] {
        let database = Database::fresh().await;
        let (desk, code) = in_words(&database, "eitsuku", pace).await;
        let told = why_open(&desk, &code, Lang::En, 2 * MINUTE).await;
        assert!(told.contains(english), "{pace}: {told}");
    }
    let database = Database::fresh().await;
    let (desk, code) = in_words(&database, "eitsuku", "every 2h, cool 10m").await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, "", MINUTE).await;
    }
    let told = why_open(&desk, &code, Lang::En, 2 * MINUTE).await;
    assert!(told.contains("All are done: it closes on"), "{told}");
}

#[tokio::test]
async fn it_says_that_the_table_is_paused_or_locked() {
    let database = Database::fresh().await;
    let (desk, code) = in_words(&database, "eitsuku", "every 2h").await;
    let decide = async |what: Override, now: i64| {
        crate::decide(&desk, &code, &gm_called("sakura"), decision(what), time(now)).await.unwrap();
    };
    decide(Override::Lock { stops: false }, MINUTE).await;
    let told = why_open(&desk, &code, Lang::En, 2 * MINUTE).await;
    assert!(told.contains("locked this table") && told.contains("Deadline: "), "{told}");
    decide(Override::Unlock, 3 * MINUTE).await;
    decide(Override::Lock { stops: true }, 4 * MINUTE).await;
    let told = why_open(&desk, &code, Lang::En, 5 * MINUTE).await;
    assert!(told.contains("stopped its clock") && !told.contains("Deadline: "), "{told}");
}

async fn last_close(desk: &Desk, code: &TableCode, now: i64) -> WhyClosed {
    let sight = see(desk, code, "nobody", now).await;
    crate::last_close(desk, &sight, time(now)).await.unwrap().unwrap()
}

#[tokio::test]
async fn why_the_last_window_closed_is_kept() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    let sight = see(&desk, &code, "nobody", 1).await;
    assert_eq!(crate::last_close(&desk, &sight, time(1)).await.unwrap(), None);
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, MINUTE).await;
    }
    assert_eq!(looks(&desk, &code, MINUTE).await, TickOutcome::Closed(CloseReason::AllSealed));
    let sealed = WhyClosed {
        window: Round::DEAL,
        closed: Moment::at(time(MINUTE), sight.zone),
        why: CloseReason::AllSealed,
        openly: false,
        awaited: Vec::new(),
    };
    assert_eq!(last_close(&desk, &code, MINUTE).await, sealed);
    let close = decision(Override::Close);
    crate::decide(&desk, &code, &gm_called("sakura"), close, time(2 * MINUTE)).await.unwrap();
    let last = last_close(&desk, &code, 2 * MINUTE).await;
    assert_eq!(
        (last.why, last.closed, last.awaited.len()),
        (CloseReason::GameMaster, Moment::at(time(2 * MINUTE), sight.zone), 2)
    );
}

/// The letter with a result gives the reason for the close in one line.
#[tokio::test]
async fn a_result_says_why_its_window_closed() {
    let database = Database::fresh().await;
    let (desk, code) = in_words(&database, "eitsuku", "every 2h").await;
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, "", MINUTE).await;
    }
    assert_eq!(looks(&desk, &code, MINUTE).await, TickOutcome::Closed(CloseReason::AllSealed));
    let question = format!(
        "select body from outbox where letter like '%-1-opening-%' and address = '{}'",
        account("kaede")
    );
    let letters: Vec<(String,)> = rows(&database, &question).await;
    let letter: Letter = serde_json::from_str(&letters[0].0).unwrap();
    let text = letter.write(&Letters::built_in(), GAMES).unwrap();
    assert_eq!(text.matches("Closed: all have sealed\n").count(), 1, "{text}");
    assert_eq!(
        looks(&desk, &code, MINUTE + 2 * HOUR).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
}
