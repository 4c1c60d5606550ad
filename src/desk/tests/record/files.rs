//! The letter with the files of a table that is over.

use crate::model::Desk;
use crate::record::Letter;
use crate::table::form::{Form, TableChange};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, SEED, VALUE, account, dealt, desk, form, guest, passes, rows, seal,
};
use kit::time::{span, time};
use tables::pace::Announce;
use tables::{Pace, Stage, TableCode, TableSetting, WindowNumber};

fn public() -> Form {
    let pace =
        Pace { announce: Announce::After(span(HOUR)), ..Pace::play(span(HOUR), chrono_tz::UTC) };
    Form { place: Some("terminal:square".into()), pace, ..form("toy") }
}

/// Returns the ids of the letters with files or an end, in the order of sending, and the sending times.
async fn brought(database: &Database) -> Vec<(String, i64)> {
    let question = "select letter, send_at from outbox
         where body like '%\"tells\":\"files\"%' or body like '%\"kind\":\"over\"%'
         order by send_at, letter";
    rows(database, question).await
}

#[tokio::test]
async fn they_are_brought_behind_the_end_where_it_was_played_in_public() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt(&desk, public()).await;
    assert_eq!(brought(&database).await, []);
    crate::end(&desk, &code, &account("sakura"), None, None, time(7)).await.unwrap();
    let letters = ["end-all", "end-files-all"].map(|id| (format!("{code}-{id}"), 7));
    assert_eq!(brought(&database).await, letters);
    let question = "select body from outbox where letter like '%-files-all'";
    let body: Vec<(String,)> = rows(&database, question).await;
    assert!(!body[0].0.contains(&hex::encode(SEED.0)), "they are made when they are sent");
    let letter: Letter = serde_json::from_str(&body[0].0).unwrap();
    assert!(letter.brings_files() && letter.seat.is_none());
}

/// Plays until the game is over, and returns the time of the announcement.
async fn plays(desk: &Desk, code: &TableCode) -> i64 {
    let mut now = 0;
    while let Some(due) = crate::next_due(desk).await.unwrap() {
        now = now.max(due.milliseconds());
        let sight = crate::see(desk, code, &account("sakura"), time(now)).await.unwrap();
        if sight.play.is_some_and(|play| play.number == WindowNumber::new(0)) {
            seal(desk, code, "sakura", BID, now - 1).await;
            seal(desk, code, "kaede", DRAW, now - 1).await;
        }
        passes(desk, code, now).await;
    }
    now + HOUR
}

#[tokio::test]
async fn they_are_brought_when_the_end_of_a_game_is_announced() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = dealt(&desk, public()).await;
    let announced = plays(&desk, &code).await;
    let sight = crate::see(&desk, &code, &account("sakura"), time(announced)).await.unwrap();
    assert_eq!(sight.stage, Stage::Over);
    let number = sight.play.unwrap().number;
    let ids = ["opening-all", "opening-files-all"];
    let letters = ids.map(|id| (format!("{code}-{number}-{id}"), announced));
    assert_eq!(brought(&database).await, letters);
}

#[tokio::test]
async fn none_are_brought_where_the_host_wants_none_or_nothing_was_played_or_seen() {
    for (is_public, wanted, begins) in
        [(true, false, true), (true, true, false), (false, true, true)]
    {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let form = if is_public { public() } else { form("toy") };
        let code = crate::form(&desk, form, time(0)).await.unwrap().code;
        let host = account("sakura");
        crate::change_table(
            &desk,
            &code,
            &host,
            TableChange::Set(TableSetting::Files, wanted),
            time(0),
        )
        .await
        .unwrap();
        assert_eq!(
            crate::see(&desk, &code, &host, time(0)).await.unwrap().has(TableSetting::Files),
            wanted
        );
        for name in ["sakura", "kaede"] {
            crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
        }
        if begins {
            crate::start(&desk, &code, &host, "random", time(0)).await.unwrap();
        }
        crate::end(&desk, &code, &host, None, None, time(1)).await.unwrap();
        let told = brought(&database).await;
        assert!(!told.is_empty() && told.iter().all(|(id, _)| !id.contains("files")), "{told:?}");
    }
}
