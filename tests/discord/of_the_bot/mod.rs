//! The program itself, with a real client, at the double.

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
        self.is_killed();
        self.starts_again(discord, &[]).await;
    }

    /// Tells it to stop and waits until it has. All it had not been heard to say before.
    pub(super) fn is_told_to_stop(&mut self) -> String {
        let id = self.running.child.id().to_string();
        let told = std::process::Command::new("kill").args(["-TERM", &id]).status();
        assert!(told.unwrap().success());
        let began = std::time::Instant::now();
        let said = self.running.rest();
        assert!(began.elapsed() < std::time::Duration::from_secs(11), "it does not stop: {said}");
        said
    }

    /// Starts it again after it has come to its end.
    pub(super) async fn starts_again(&mut self, discord: &Discord, set: &[(&str, &str)]) {
        let (_, identified, _) = discord.connections();
        self.running = serve(discord, &self.database, set);
        discord.has_identified(identified + 1).await;
    }

    /// Starts it again, though it may not live until it is there.
    pub(super) fn comes_up(&mut self, discord: &Discord, set: &[(&str, &str)]) {
        self.running = serve(discord, &self.database, set);
    }

    /// Kills it.
    pub(super) fn is_killed(&mut self) {
        let _ = self.running.child.kill();
        self.running.child.wait().unwrap();
    }

    /// True if it has come to its end.
    pub(super) fn is_dead(&mut self) -> bool {
        self.running.child.try_wait().unwrap().is_some()
    }
}

/// Leaves out the pictures: they take long to draw, and need a font.
pub(super) const PLAIN: (&str, &str) = ("SHIMEKIRI_PICTURES_SHOW", "false");

/// Lets posts rest as long as they do among people.
pub(super) const RESTED: (&str, &str) = ("SHIMEKIRI_DISCORD_REST", "2s");

/// What makes all draws of a program follow from a word, in its environment.
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
    // These people are faster than people are.
    command.env("SHIMEKIRI_DISCORD_PER_PERSON", "0").env("SHIMEKIRI_DISCORD_REST", "300ms");
    command.envs(set.iter().copied());
    Running::start(command)
}

/// The time.
pub(super) fn now() -> Time {
    #[expect(clippy::disallowed_methods, reason = "the test is a person with a watch")]
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    Time::default() + Span::from(since)
}

/// The host closes the open window, also where somebody has not sealed.
pub(super) async fn closes(host: &Person) {
    let asked = host.command("table close").await;
    for button in asked.buttons() {
        host.press(&button).await;
    }
}

/// A table of alice's at which these sit, in its thread; its windows are closed by her.
pub(super) async fn table(discord: &Discord, people: &[&Person], seats: i64) -> Place {
    table_of(discord, ["eitsuku", "えいつく"], people, seats).await
}

/// The same of the game that goes by this word and this name.
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

/// The people of these tests.
pub(super) fn people(discord: &Discord) -> [Person; 4] {
    [
        discord.person("alice", Locale::Ja),
        discord.person("bob", Locale::En),
        discord.person("chiaki", Locale::Ja),
        discord.person("dan", Locale::En),
    ]
}
