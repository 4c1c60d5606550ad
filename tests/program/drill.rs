//! An operator's drill: a backup is made while tables are played, the database is lost, the backup is
//! restored, and everybody goes on.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use serde_json::Value as Json;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use tokio::sync::watch;

use desk::{Contact, Desk, Form, TickOutcome};
use games::GAMES;
use kit::database::Database;
use kit::program::shimekiri;
use rules::text::Lang;
use store::{Location, Store};
use tables::Pace;
use tables::ids::{AccountId, TableCode};
use tables::time::{HOUR, Time};

/// The number of tables in play.
const TABLES: usize = 50;

/// Runs the program. Returns its output with its complaints, and its exit code.
async fn ended(url: &str, words: String) -> (String, i32) {
    let mut command = shimekiri(url, &words);
    command.env("LANG", "C").stdin(Stdio::null());
    let ended = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let said = [ended.stdout, ended.stderr].concat();
    (String::from_utf8(said).unwrap(), ended.status.code().unwrap())
}

async fn desk(database: &Database) -> Desk {
    Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES)
}

/// Forms a table of one of the games, with one person among bot players. Returns its code and the account
/// of the person.
async fn form(desk: &Desk, number: usize) -> (TableCode, AccountId) {
    let game = GAMES[number % GAMES.len()];
    let account = AccountId::from(format!("terminal:host{number}"));
    let host = Contact {
        account: account.clone(),
        name: format!("host{number}"),
        language: Lang::En,
        address: account.as_str().into(),
    };
    let form = Form {
        game: game.key().to_owned(),
        options: Json::Null,
        chairs: *game.seats().start(),
        pace: Pace::play(HOUR, chrono_tz::UTC),
        host: host.clone(),
        place: None,
        settings: tables::TableSettings::default(),
        seed: None,
    };
    let code = desk::form(desk, form, Time::default()).await.unwrap().code;
    desk::join(desk, &code, host, None, Time::default()).await.unwrap();
    desk::start(desk, &code, &account, "random", Time::default()).await.unwrap();
    (code, account)
}

/// Resolves all tables that are due at a time. If a table stops after an outage, its host resumes it.
async fn keep_deadlines(desk: &Desk, hosts: &BTreeMap<TableCode, AccountId>, now: Time) {
    for code in desk::due(desk, now, u32::try_from(TABLES).unwrap()).await.unwrap() {
        if desk::look(desk, &code, now).await.unwrap() == TickOutcome::Waiting {
            desk::resume(desk, &code, &hosts[&code], None, now).await.unwrap();
        }
    }
}

/// Returns the number of windows of all tables.
async fn windows(database: &Database) -> i64 {
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    let question = sqlx::query_scalar("select count(*) from windows");
    question.fetch_one(&mut connection).await.unwrap()
}

/// Deletes the database. On a server, an empty one takes its place.
async fn lose(database: &Database) {
    if let Some(file) = database.url.strip_prefix("sqlite:") {
        for ending in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{file}{ending}"));
        }
        return;
    }
    let (server, name) = database.url.rsplit_once('/').unwrap();
    let server = format!("{server}/postgres");
    let mut connection = AnyConnection::connect(&server).await.unwrap();
    for statement in [format!("drop database {name}"), format!("create database {name}")] {
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
    }
}

/// True if the database holds no tables.
async fn is_empty(database: &Database) -> bool {
    if let Some(file) = database.url.strip_prefix("sqlite:") {
        return !Path::new(file).exists();
    }
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    let question = "select count(*) from pg_class where oid = to_regclass('tables')";
    let there: i64 = sqlx::query_scalar(question).fetch_one(&mut connection).await.unwrap();
    there == 0
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_copied_while_it_was_played_is_restored_and_goes_on() {
    let database = Database::fresh().await;
    let playing = desk(&database).await;
    let mut hosts = BTreeMap::new();
    for number in 0..TABLES {
        hosts.extend([form(&playing, number).await]);
    }
    let hosts = Arc::new(hosts);
    let (stop, stopped) = watch::channel(false);
    let played = tokio::spawn({
        let (desk, hosts) = (playing.clone(), Arc::clone(&hosts));
        async move {
            let mut now = Time::default();
            while !*stopped.borrow() {
                now += HOUR / 2;
                keep_deadlines(&desk, &hosts, now).await;
            }
            now
        }
    });
    let before = windows(&database).await;
    while windows(&database).await < before + i64::try_from(TABLES).unwrap() {
        tokio::task::yield_now().await;
    }
    let copy = database.folder.path().join("copy").display().to_string();
    let (said, code) = ended(&database.url, format!("backup {copy}")).await;
    assert_eq!(code, 0, "{said}");
    stop.send_replace(true);
    let now = played.await.unwrap();
    playing.store().close().await;

    // A restore does not overwrite the database, and a check of the backup needs no room.
    let (said, code) = ended(&database.url, format!("restore {copy}")).await;
    assert!(code == 2 && said.contains("holds 50 tables"), "{said}");
    lose(&database).await;
    let (said, code) = ended(&database.url, format!("restore --check {copy}")).await;
    assert!(code == 0 && said.contains("50 tables, all matching their records"), "{said}");
    assert!(is_empty(&database).await, "a check makes nothing");
    let (said, code) = ended(&database.url, format!("restore {copy}")).await;
    assert!(code == 0 && said.contains("50 tables, all matching their records"), "{said}");

    // Everybody goes on.
    let going_on = desk(&database).await;
    let before = windows(&database).await;
    for step in 1..6 {
        keep_deadlines(&going_on, &hosts, now + step * HOUR).await;
    }
    assert!(windows(&database).await > before, "no window was opened");
    let inspected = desk::inspect(&going_on).await.unwrap();
    assert_eq!((inspected.tables, inspected.faulty.len()), (TABLES, 0), "{inspected:?}");
    going_on.store().close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_with_a_table_that_was_changed_is_not_restored_unasked() {
    let database = Database::fresh().await;
    let playing = desk(&database).await;
    form(&playing, 0).await;
    form(&playing, 1).await;
    let changed =
        store::tables::codes(&mut playing.store().read().await.unwrap()).await.unwrap().remove(1);
    playing.store().close().await;
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    let change = "update journal set body = replace(body, 'joined', 'jointed') where code = $1";
    sqlx::query(change).bind(changed.clone()).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let copy = database.folder.path().join("copy").display().to_string();
    let (said, code) = ended(&database.url, format!("backup {copy}")).await;
    assert_eq!(code, 0, "{said}");
    lose(&database).await;
    for words in ["restore --check", "restore", "restore --lang ja"] {
        let (said, code) = ended(&database.url, format!("{words} {copy}")).await;
        assert_eq!(code, 1, "{said}");
        assert!(said.contains(changed.as_str()) && said.trim().lines().count() == 1, "{said}");
        assert!(is_empty(&database).await);
    }
    let (said, code) = ended(&database.url, format!("restore --despite-faults {copy}")).await;
    assert!(code == 0 && said.contains(changed.as_str()), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_restored_is_told_in_one_sentence_and_nothing_is_changed() {
    let database = Database::fresh().await;
    let empty = desk(&database).await;
    let place = |name: &str| database.folder.path().join(name).display().to_string();
    let (copy, text, cut) = (place("copy"), place("text"), place("cut"));
    let (said, code) = ended(&database.url, format!("backup {copy}")).await;
    assert_eq!(code, 0, "{said}");
    fs::write(&text, "no copy").unwrap();
    let whole = fs::read(&copy).unwrap();
    fs::write(&cut, &whole[..whole.len() / 3]).unwrap();
    let other: &[u8] = if database.is_embedded() { b"PGDMP" } else { b"SQLite format 3\0" };
    let other = [other, &[0; 64]].concat();
    let kind = place("kind");
    fs::write(&kind, other).unwrap();
    let in_use = ended(&database.url, format!("restore {copy}")).await;
    assert!(in_use.1 == 2 && in_use.0.contains("is in use"), "{}", in_use.0);
    empty.store().close().await;
    for (file, words) in [
        (text, "not a backup made by"),
        (place("nothing"), "it does not exist"),
        (kind, "the other kind"),
        (cut, "cannot be restored"),
    ] {
        for check in ["", "--check "] {
            let (said, code) = ended(&database.url, format!("restore {check}{file}")).await;
            assert!(code == 2 && said.contains(words), "{said}");
            assert_eq!(said.trim().lines().count(), 1, "{said}");
        }
    }
    // An empty database that is not in use is replaced.
    let (said, code) = ended(&database.url, format!("restore {copy}")).await;
    assert!(code == 0 && said.contains("0 tables"), "{said}");
    desk(&database).await.store().close().await;
}
