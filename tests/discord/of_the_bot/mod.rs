//! The program itself, with a real client, at the double.

mod faults;
mod game;
mod hosting;
mod person;
mod portrait;
mod secrecy;

use crate::database::Database;
use crate::double::{Discord, Locale, Person, Place};
use crate::program::{Running, shimekiri};

/// The program, serving on Discord.
pub(super) struct Bot {
    pub(super) running: Running,
    pub(super) database: Database,
}

impl Bot {
    /// Starts it on an empty database; it is there when this returns.
    pub(super) async fn start(discord: &Discord) -> Self {
        Self::start_with(discord, &[]).await
    }

    /// The same, with more in its environment.
    pub(super) async fn start_with(discord: &Discord, set: &[(&str, &str)]) -> Self {
        let database = Database::fresh().await;
        let running = serve(discord, &database, set);
        discord.is_connected().await;
        Self { running, database }
    }

    /// Kills it and starts it again.
    pub(super) async fn is_killed_and_starts_again(&mut self, discord: &Discord) {
        self.running.child.kill().unwrap();
        self.running.child.wait().unwrap();
        self.running = serve(discord, &self.database, &[]);
        discord.is_connected().await;
    }
}

/// What makes all draws of a program follow from a word, in its environment.
pub(super) const CHANCE: &str = "SHIMEKIRI_TEST_CHANCE";

#[expect(clippy::print_stderr, reason = "what it said explains a failure")]
impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.running.child.kill();
        if std::thread::panicking() {
            eprintln!("the program said: {}", self.running.rest());
        }
    }
}

fn serve(discord: &Discord, database: &Database, set: &[(&str, &str)]) -> Running {
    let mut command = shimekiri(&database.url, "serve --lang en");
    command.env("DISCORD_TOKEN", discord.token()).env("SHIMEKIRI_DISCORD_API", discord.address());
    command.env("SHIMEKIRI_HEALTH_ADDRESS", "").env("SHIMEKIRI_COURIER_RETRY", "300ms");
    // These people are faster than people are.
    command.env("SHIMEKIRI_DISCORD_PER_PERSON", "0").envs(set.iter().copied());
    Running::start(command)
}

/// A table of alice's at which these sit, in its thread; its windows are closed by her.
pub(super) async fn table(discord: &Discord, people: &[&Person], seats: i64) -> Place {
    let alice = people[0];
    let formed = alice.command("table new").with("game", "eitsuku").with("seats", seats);
    let formed = formed.with("pace", "6h").await;
    assert!(formed.is_private() && formed.text().contains("<#"), "{}", formed.text());
    let thread = discord.thread("えいつく").await;
    for person in people {
        person.goes_to(thread);
        let sits = person.press("着席する").await;
        assert!(sits.is_private(), "{}", sits.text());
    }
    thread
}

/// The people of these tests.
pub(super) fn people(discord: &Discord) -> [Person; 4] {
    [
        discord.person("alice", Locale::Ja),
        discord.person("bob", Locale::En),
        discord.person("chiaki", Locale::Ja),
        discord.person("dan", Locale::En),
    ]
}
