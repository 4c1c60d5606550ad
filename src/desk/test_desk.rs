//! What happens at a table, in the order of its life, on whichever database the tests run.

use serde_json::Value as Json;

use super::{Desk, Form, Guest, Looked, NotDone, Said, Sight};
use crate::games::any::AnyGame;
use crate::games::test_toy::{HIDDEN, TOY};
use crate::letters::Refused;
use crate::rules::text::Lang;
use crate::rules::window::Progress;
use crate::rules::{Answer, Declaration, Value};
use crate::store::{Location, Store};
use crate::tables::{Pace, Stage, Why};

#[path = "../../tests/support/database.rs"]
mod database;

use database::Database;

const GAMES: &[&dyn AnyGame] = &[TOY, HIDDEN];
const HOUR: i64 = 60 * 60 * 1000;

async fn desk(database: &Database) -> Desk {
    Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES)
}

fn guest(name: &str) -> Guest {
    Guest {
        account: format!("terminal:{name}"),
        name: name.to_owned(),
        language: Lang::En,
        address: format!("terminal:{name}"),
    }
}

fn said(pairs: &[(&str, Value)]) -> Declaration {
    let mut declaration = Declaration::default();
    for (key, value) in pairs {
        declaration.set(key.parse().unwrap(), Answer::Given(value.clone()));
    }
    declaration
}

/// A table of the game for 桜 and 楓, dealt at the time 0, with windows of an hour.
async fn table(desk: &Desk, game: &str) -> String {
    let form = Form {
        game: game.to_owned(),
        options: Json::Null,
        chairs: 2,
        pace: Pace::play(HOUR, chrono_tz::UTC),
        host: guest("sakura"),
        seed: Some(([7; 32], "t".to_owned())),
    };
    let code = desk.form(form, 0).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        desk.join(&code, guest(name), Some([0; 32]), 0).await.unwrap();
    }
    desk.start(&code, "terminal:sakura", "random", None, 0).await.unwrap();
    code
}

async fn see(desk: &Desk, code: &str, name: &str, now: i64) -> Sight {
    desk.see(code, &format!("terminal:{name}"), now).await.unwrap()
}

#[tokio::test]
async fn a_seal_of_everybody_closes_a_window_early() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    let bid = said(&[("bid.gold", Value::Number(3))]);
    let filed = desk.declare(&code, "terminal:sakura", &bid, Said::Sealed, 10).await.unwrap();
    assert!(filed.receipt.is_some());
    assert_eq!(filed.timing.settles, None);
    let sight = see(&desk, &code, "kaede", 20).await;
    let play = sight.play.unwrap();
    let progress: Vec<Progress> = play.progress.iter().map(|(_, progress)| *progress).collect();
    assert_eq!(progress, [Progress::SealedComplete, Progress::NothingDeclared]);
    assert_eq!(desk.look(&code, 20).await.unwrap(), Looked::Nothing);
    desk.declare(&code, "terminal:kaede", &bid, Said::Sealed, 30).await.unwrap();
    assert_eq!(desk.look(&code, 40).await.unwrap(), Looked::Closed(Why::AllSealed));
    let sight = see(&desk, &code, "kaede", 40).await;
    assert_eq!(sight.play.as_ref().unwrap().number, 1);
    assert_eq!(desk.past(&sight, 40).await.unwrap().len(), 2);
    let late = desk.declare(&code, "terminal:kaede", &bid, Said::Sealed, 2 * HOUR).await;
    assert!(matches!(late, Err(NotDone::Refused(Refused::Closed))));
    assert_eq!(desk.look(&code, 2 * HOUR).await.unwrap(), Looked::Closed(Why::Deadline));
    desk.end(&code, "terminal:sakura", 3 * HOUR).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", 3 * HOUR).await.stage, Stage::Over);
}
