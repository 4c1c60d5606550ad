//! One of the two worlds: a fake Discord, a program, and its database.

use std::process::Command;
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, AssertSqlSafe, Connection, FromRow, query, query_as};
use tables::ids::{TableCode, WindowNumber};
use tokio::sync::Mutex;

use crate::of_the_bot::now;
use double::{Discord, Person};
use kit::database::Database;
use kit::program::Running;

/// The timeout of all letters and posts.
const PATIENCE: Duration = Duration::from_mins(2);

/// The state of a table at the opening of a window.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) code: TableCode,
    pub(super) window: WindowNumber,
    pub(super) state: String,
    pub(super) hash: String,
}

/// Replaces the states of tables.
pub(super) async fn exchange(database: &Database, standings: impl Iterator<Item = &Standing>) {
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    for Standing { code, window, state, hash } in standings {
        let put =
            query("update snapshots set state = $3, hash = $4 where code = $1 and number = $2");
        let put = put.bind(code.clone()).bind(i64::from(window.get()));
        let put = put.bind(state.clone()).bind(hash.clone());
        let done = put.execute(&mut connection).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{code}");
    }
    connection.close().await.unwrap();
}

/// A window with its deadline and its early close.
#[derive(Debug, PartialEq, Eq, FromRow)]
pub(super) struct WindowTimes {
    number: i64,
    pub(super) kind: String,
    asked: String,
    closes_at: i64,
    settles_at: Option<i64>,
    why: Option<String>,
}

/// One of the two worlds.
pub(super) struct World {
    pub(super) discord: Discord,
    /// A person who plays nowhere.
    pub(super) onlooker: Person,
    running: Running,
    connection: Mutex<AnyConnection>,
    _database: Database,
}

impl World {
    /// Starts the program on a database, with or without pictures; its random draws follow from `word`.
    pub(super) async fn start(
        discord: Discord,
        database: Database,
        onlooker: &Person,
        program: impl FnOnce(&str) -> Command,
        word: &str,
        drawn: bool,
    ) -> Self {
        let mut command = program(&database.url);
        command.env("DISCORD_TOKEN", discord.token());
        command.env("SHIMEKIRI_DISCORD_API", discord.address());
        command.env("SHIMEKIRI_HEALTH_ADDRESS", "").env("SHIMEKIRI_TEST_CHANCE", word);
        command.env("SHIMEKIRI_PICTURES_SHOW", drawn.to_string());
        command.env("SHIMEKIRI_DISCORD_PER_PERSON", "0").env("SHIMEKIRI_DISCORD_REST", "300ms");
        let running = Running::start(command);
        discord.is_connected().await;
        let connection = AnyConnection::connect(&database.url).await.unwrap();
        let (onlooker, connection) = (discord.also(onlooker), Mutex::new(connection));
        Self { discord, onlooker, running, connection, _database: database }
    }

    /// Moves all times back by full hours, as if the hours had passed: the program uses the machine's clock.
    pub(super) async fn lets_hours_pass(&self, hours: i64) {
        self.settles().await;
        let by = hours * 3_600_000;
        let mut connection = self.connection.lock().await;
        for statement in [
            format!(
                "update windows set opens_at = opens_at - {by}, closes_at = closes_at - {by},
                     settles_at = settles_at - {by}, reminded_at = reminded_at - {by}"
            ),
            format!("update tables set look_at = look_at - {by}, touched = touched + 1"),
        ] {
            query(AssertSqlSafe(statement)).execute(&mut *connection).await.unwrap();
        }
        drop(connection);
        self.settles().await;
    }

    /// Returns the times of a table's windows.
    pub(super) async fn times(&self, code: &TableCode) -> Vec<WindowTimes> {
        let question = "select number, kind, asked, closes_at, settles_at, why from windows
             where code = $1 order by number";
        let mut connection = self.connection.lock().await;
        query_as(question).bind(code.clone()).fetch_all(&mut *connection).await.unwrap()
    }

    /// Waits until every letter has arrived and every post is up to date.
    pub(super) async fn settles(&self) {
        let until = Instant::now() + PATIENCE;
        let question = "select (select count(*) from outbox where sent_at is null)
             + (select count(*) from tables where shown < stirred or post is null)
             + (select count(*) from past_posts)
             + (select count(*) from tables where look_at <= $1)";
        loop {
            let mut connection = self.connection.lock().await;
            let left = query_as(question).bind(now().milliseconds());
            let left: (i64,) = left.fetch_one(&mut *connection).await.unwrap();
            drop(connection);
            if left == (0,) {
                return;
            }
            assert!(Instant::now() < until, "{} things stay to be told", left.0);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[expect(clippy::print_stderr, reason = "what it said explains a failure")]
impl Drop for World {
    fn drop(&mut self) {
        let _ = self.running.child.kill();
        let _ = self.running.child.wait();
        if std::thread::panicking() {
            eprintln!("the program said: {}", self.running.rest());
        }
    }
}
