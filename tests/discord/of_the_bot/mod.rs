//! Tests of the program itself, with a real client, against the fake Discord.

mod absence;
mod called;
mod chips;
mod counts;
mod dashboard;
mod edits;
mod faults;
mod game;
mod gm;
mod hosting;
mod missteps;
mod names;
mod person;
mod portrait;
mod presses;
mod processes;
mod scenes;
mod secrecy;
mod secrets;
mod settings;
mod shots;
mod sides;
mod trouble;
mod votes;

use double::{Discord, Locale, Person, Place};
use kit::database::Database;
use kit::program::{Running, shimekiri};
use tables::time::{Span, Time};

/// The program, serving on Discord.
pub(super) struct Bot {
    pub(super) running: Running,
    pub(super) database: Database,
}

impl Bot {
    /// Starts the program on an empty database, and waits until it is connected.
    pub(super) async fn start(discord: &Discord) -> Self {
        Self::start_with(discord, &[]).await
    }

    /// Starts the program with further environment variables.
    pub(super) async fn start_with(discord: &Discord, set: &[(&str, &str)]) -> Self {
        let database = Database::fresh().await;
        let running = serve(discord, &database, set);
        discord.is_connected().await;
        Self { running, database }
    }

    /// Kills the program and starts it again.
    pub(super) async fn is_killed_and_starts_again(&mut self, discord: &Discord) {
        self.is_killed();
        self.starts_again(discord, &[]).await;
    }

    /// Sends the signal to stop and waits for the end. Returns the remaining output.
    pub(super) fn is_told_to_stop(&mut self) -> String {
        let id = self.running.child.id().to_string();
        let told = std::process::Command::new("kill").args(["-TERM", &id]).status();
        assert!(told.unwrap().success());
        let began = std::time::Instant::now();
        let said = self.running.rest();
        assert!(began.elapsed() < std::time::Duration::from_secs(11), "it does not stop: {said}");
        said
    }

    /// Starts the program again after its end.
    pub(super) async fn starts_again(&mut self, discord: &Discord, set: &[(&str, &str)]) {
        let (_, identified, _) = discord.connections();
        self.running = serve(discord, &self.database, set);
        discord.has_identified(identified + 1).await;
    }

    /// Starts the program again without waiting for its connection.
    pub(super) fn comes_up(&mut self, discord: &Discord, set: &[(&str, &str)]) {
        self.running = serve(discord, &self.database, set);
    }

    /// Kills the program.
    pub(super) fn is_killed(&mut self) {
        let _ = self.running.child.kill();
        self.running.child.wait().unwrap();
    }

    /// True if the program has ended.
    pub(super) fn is_dead(&mut self) -> bool {
        self.running.child.try_wait().unwrap().is_some()
    }
}

/// The variable that switches pictures off: they take long to draw, and need a font.
pub(super) const PLAIN: (&str, &str) = ("SHIMEKIRI_PICTURES_SHOW", "false");

/// The variable that sets the minimum time between redraws to the default.
pub(super) const RESTED: (&str, &str) = ("SHIMEKIRI_DISCORD_REST", "2s");

/// The environment variable with the word that all random draws of a program follow from.
pub(super) const CHANCE: &str = "SHIMEKIRI_TEST_CHANCE";

#[expect(clippy::print_stderr, reason = "what it said explains a failure")]
impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.running.child.kill();
        let _ = self.running.child.wait();
        if std::thread::panicking() {
            eprintln!("the program said: {}", self.running.rest());
        }
    }
}

fn serve(discord: &Discord, database: &Database, set: &[(&str, &str)]) -> Running {
    let mut command = shimekiri(&database.url, "serve --lang en");
    command.env("DISCORD_TOKEN", discord.token()).env("SHIMEKIRI_DISCORD_API", discord.address());
    command.env("SHIMEKIRI_HEALTH_ADDRESS", "").env("SHIMEKIRI_COURIER_RETRY", "300ms");
    // The people of the tests are faster than real ones.
    command.env("SHIMEKIRI_DISCORD_PER_PERSON", "0").env("SHIMEKIRI_DISCORD_REST", "300ms");
    command.envs(set.iter().copied());
    Running::start(command)
}

/// Returns the current time.
pub(super) fn now() -> Time {
    #[expect(clippy::disallowed_methods, reason = "the test is a person with a watch")]
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    Time::default() + Span::from(since)
}

/// Closes the open window as the host, with confirmation if needed.
pub(super) async fn closes(host: &Person) {
    let asked = host.command("table close").await;
    for button in asked.buttons() {
        host.press(&button).await;
    }
}

/// Forms a table hosted by the first person, and seats all of them. Returns its thread.
pub(super) async fn table(discord: &Discord, people: &[&Person], seats: i64) -> Place {
    table_of(discord, ["eitsuku", "えいつく"], people, seats).await
}

/// Forms such a table of the game with this key and this title.
pub(super) async fn table_of(
    discord: &Discord,
    [game, name]: [&str; 2],
    people: &[&Person],
    seats: i64,
) -> Place {
    let alice = people[0];
    let formed = alice.command("table new").with("game", game).with("seats", seats);
    let formed = formed.with("pace", "6h").await;
    assert!(formed.is_private() && formed.text().contains("<#"), "{}", formed.text());
    let thread = discord.thread(name).await;
    for person in people {
        person.goes_to(thread);
        let sits = person.press("着席する").await;
        assert!(sits.is_private(), "{}", sits.text());
    }
    thread
}

/// Creates the people of these tests.
pub(super) fn people(discord: &Discord) -> [Person; 4] {
    [
        discord.person("alice", Locale::Ja),
        discord.person("bob", Locale::En),
        discord.person("chiaki", Locale::Ja),
        discord.person("dan", Locale::En),
    ]
}
