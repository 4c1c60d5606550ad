//! One of the two worlds: a double, a program at it, and its database.

use std::time::{Duration, Instant};

use sqlx::{AnyConnection, Connection, query_as};
use tokio::sync::Mutex;

use crate::database::Database;
use crate::double::{Discord, Person};
use crate::program::{Running, shimekiri};

/// How long it may take until there is nothing more to tell.
const PATIENCE: Duration = Duration::from_mins(2);

/// A world.
pub(super) struct World {
    pub(super) discord: Discord,
    /// Who sits nowhere.
    pub(super) onlooker: Person,
    running: Running,
    connection: Mutex<AnyConnection>,
    _database: Database,
}

impl World {
    /// Starts the program there, with or without pictures; its draws follow from a word.
    pub(super) async fn start(
        discord: Discord,
        database: Database,
        onlooker: &Person,
        word: &str,
        drawn: bool,
    ) -> Self {
        let mut command = shimekiri(&database.url, "serve --lang en");
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

    /// Waits until every letter has arrived and every post shows how its table stands.
    pub(super) async fn settles(&self) {
        let until = Instant::now() + PATIENCE;
        let question = "select (select count(*) from outbox where sent_at is null)
             + (select count(*) from tables where shown < stirred or post is null)
             + (select count(*) from past_posts)";
        loop {
            let mut connection = self.connection.lock().await;
            let left: (i64,) = query_as(question).fetch_one(&mut *connection).await.unwrap();
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
