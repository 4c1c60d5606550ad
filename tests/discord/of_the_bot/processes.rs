//! Two processes on one database: both receive events, keep deadlines and carry letters, and one of them is
//! killed meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::future::IntoFuture;
use std::time::{Duration, Instant};

use desk::Event;
use futures_util::{StreamExt, future::join_all, stream};
use sqlx::{AnyConnection, Connection, query, query_as};

use double::{Discord, Locale, Person, Place, Settings};
use kit::database::Database;
use kit::program::{Running, shimekiri};

const TABLES: usize = 12;

/// The number of concurrent tasks.
const AT_ONCE: usize = 6;

/// The timeout of all letters and posts.
const PATIENCE: Duration = Duration::from_mins(1);

/// A table and its two people, the host first.
struct Table {
    place: Place,
    people: [Person; 2],
}

/// A program that is killed when it is dropped.
struct Serving(Running);

impl Serving {
    /// Starts the program without pictures, which take too long in a debug build.
    fn start(discord: &Discord, database: &Database) -> Self {
        let mut command = shimekiri(&database.url, "serve --lang en");
        command.env("DISCORD_TOKEN", discord.token());
        command.env("SHIMEKIRI_DISCORD_API", discord.address());
        command.env("SHIMEKIRI_HEALTH_ADDRESS", "").env("SHIMEKIRI_PICTURES_SHOW", "false");
        command.env("SHIMEKIRI_COURIER_RETRY", "300ms").env("SHIMEKIRI_DISCORD_REST", "300ms");
        Self(Running::start(command))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.child.kill();
        let _ = self.0.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_do_everything_once_and_one_of_them_is_killed() {
    let settings = Settings { patience: PATIENCE, ..Settings::default() };
    let discord = Discord::start_with(settings);
    let database = Database::fresh().await;
    let (first, _second) =
        (Serving::start(&discord, &database), Serving::start(&discord, &database));
    discord.has_identified(2).await;
    // A lost response to an acknowledgement leaves its winner in doubt.
    let callbacks = || discord.when("POST /interactions/*/*/callback");
    callbacks().nth(3).times(9).answers(500);
    callbacks().nth(40).times(9).takes_effect_and_its_answer_is_lost();
    let tables = (0..TABLES).map(|number| begin(&discord, number));
    let tables: Vec<Table> = stream::iter(tables).buffer_unordered(AT_ONCE).collect().await;
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    everything_is_told(&mut connection).await;

    let declared = tables.iter().map(declare);
    stream::iter(declared).buffer_unordered(AT_ONCE).collect::<()>().await;
    everything_is_told(&mut connection).await;
    let said = || discord.requests("POST /channels/*/messages").len();
    let before = said();
    all_close_at_once(&mut connection).await;
    while said() < before + TABLES {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    drop(first);
    // The remaining process answers immediately.
    join_all(tables.iter().map(|table| table.people[1].command("hand").into_future())).await;
    everything_is_told(&mut connection).await;

    let (journal, letters) = records(&mut connection).await;
    assert_eq!(journal.len(), TABLES, "every table was formed once");
    for (code, windows) in &journal {
        assert_eq!(windows, &[0], "{code}: each window was resolved once");
    }
    let mut messages = BTreeSet::new();
    for table in &tables {
        let own = table.people.iter().map(Person::goes_to_the_bot);
        for place in own.chain([table.place]) {
            let stands = discord.stands_in(place);
            let texts: BTreeSet<&String> = stands.iter().map(|(_, text)| text).collect();
            assert_eq!(texts.len(), stands.len(), "said twice: {stands:#?}");
            messages.extend(stands.iter().map(|(id, _)| id.to_string()));
        }
    }
    let is_public = |(letter, _): &(&String, &Option<String>)| letter.ends_with("-all");
    let public = letters.iter().filter(is_public).count();
    assert_eq!(public, 3 * TABLES, "a call for players, and two windows each");
    // A table that has begun no longer calls for players.
    let has_come = |(letter, message): &(&String, &Option<String>)| match message {
        Some(message) => messages.contains(message),
        None => letter.contains("-forming-"),
    };
    let lost: Vec<_> = letters.iter().filter(|told| !has_come(told)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    // Discord refuses one of two acknowledgements.
    assert!(discord.forgive("40060") > TABLES, "both have heard");
}

/// Forms a table and seats two people.
async fn begin(discord: &Discord, number: usize) -> Table {
    let person = |who: &str| discord.person(&format!("{who}{number}"), Locale::Ja);
    let people = [person("host"), person("guest")];
    let formed = people[0].command("table new").with("game", "eitsuku").with("seats", 2);
    let formed = formed.with("pace", "6h, last call 0m").await;
    let text = formed.text();
    let thread = text.split(['#', '>']).find_map(|part| part.parse().ok());
    let place = Place(thread.unwrap_or_else(|| panic!("{text}")));
    for person in &people {
        person.goes_to(place);
        person.command("table join").await;
    }
    people[0].command("table start").await;
    Table { place, people }
}

/// Declares for both players, and seals for one.
async fn declare(table: &Table) {
    for person in &table.people {
        person.command("declare").with("text", "3A").await;
    }
    table.people[0].command("seal").await;
}

/// Sets the deadline of every open window to one time.
async fn all_close_at_once(connection: &mut AnyConnection) {
    let at = crate::of_the_bot::now().milliseconds() + 500;
    for statement in [
        "update windows set closes_at = $1 where closed_at is null",
        "update tables set look_at = $1 where stage = 'playing'",
    ] {
        while query(statement).bind(at).execute(&mut *connection).await.is_err() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
}

/// Waits until nothing is due, every letter has arrived and every post is up to date.
async fn everything_is_told(connection: &mut AnyConnection) {
    let until = Instant::now() + PATIENCE;
    let question = "select (select count(*) from outbox where sent_at is null)
         + (select count(*) from tables where look_at <= $1 or shown < stirred)
         + (select count(*) from past_posts)";
    loop {
        let left = query_as::<_, (i64,)>(question)
            .bind(crate::of_the_bot::now().milliseconds())
            .fetch_one(&mut *connection)
            .await;
        match left.unwrap() {
            (0,) => return,
            (left,) => {
                assert!(Instant::now() < until, "{left} things stay to be told");
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns the closed windows by table, and the messages of letters by letter.
async fn records(
    connection: &mut AnyConnection,
) -> (BTreeMap<String, Vec<u32>>, BTreeMap<String, Option<String>>) {
    let rows = query_as::<_, (String, String)>("select code, body from journal order by entry");
    let mut journal = BTreeMap::<_, Vec<u32>>::new();
    for (code, body) in rows.fetch_all(&mut *connection).await.unwrap() {
        let windows = journal.entry(code).or_default();
        if let Event::Closed { number, .. } = serde_json::from_str(&body).unwrap() {
            windows.push(number.get());
        }
    }
    let letters = query_as::<_, (String, Option<String>)>("select letter, arrived from outbox");
    (journal, letters.fetch_all(connection).await.unwrap().into_iter().collect())
}
