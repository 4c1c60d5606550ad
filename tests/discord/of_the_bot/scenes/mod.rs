//! Scenes: people's actions with all answers, in both languages.

mod checked;
mod look;
mod panel;
mod receipts;
mod refusals;
mod text;

use std::fmt::Write;
use std::time::Duration;

use insta::Settings;
use rules::text::Lang;
use sqlx::{AnyConnection, Connection, query};

use super::{Bot, CHANCE, PLAIN};
use double::{Discord, Locale, Person, Place, Seen};
use kit::phone::rows;
pub(super) use panel::above_controls;

/// A scene at one table, with draws that follow from a word.
pub(super) struct Scene {
    bot: Bot,
    pub(super) discord: Discord,
    /// The host.
    pub(super) alice: Person,
    /// Another player.
    pub(super) bob: Person,
    /// A person who does not play.
    pub(super) carol: Person,
    locale: Locale,
}

/// The languages of scenes.
pub(super) const LOCALES: [Locale; 2] = [Locale::Ja, Locale::En];

/// Plays a scene in both languages concurrently: most of it is waiting.
pub(super) async fn in_both(scene: impl AsyncFn(Locale)) {
    tokio::join!(scene(LOCALES[0]), scene(LOCALES[1]));
}

impl Scene {
    /// Sets a scene up with people of one language and a bot.
    pub(super) async fn set(locale: Locale, chance: &str) -> Self {
        Self::set_with(locale, &[(CHANCE, chance)]).await
    }

    /// Sets a scene up with further environment variables of the bot.
    pub(super) async fn set_with(locale: Locale, set: &[(&str, &str)]) -> Self {
        let discord = Discord::start();
        let [alice, bob, carol] =
            ["alice", "bob", "carol"].map(|name| discord.person(name, locale));
        sqlx::any::install_default_drivers();
        let bot = Bot::start_with(&discord, &[&[PLAIN], set].concat()).await;
        Self { bot, discord, alice, bob, carol, locale }
    }

    /// Returns the language of the scene.
    pub(super) fn locale(&self) -> Locale {
        self.locale
    }

    /// Kills the program and starts it again.
    pub(super) async fn starts_again(&mut self) {
        self.starts_again_with(&[]).await;
    }

    /// Kills the program and starts it again with further environment variables.
    pub(super) async fn starts_again_with(&mut self, set: &[(&str, &str)]) {
        self.bot.is_killed();
        let set = [&[(CHANCE, "again"), PLAIN], set].concat();
        self.bot.starts_again(&self.discord, &set).await;
    }

    /// Returns the result of a query for a count.
    pub(super) async fn count(&self, question: &'static str) -> i64 {
        let mut database = AnyConnection::connect(&self.bot.database.url).await.unwrap();
        let counted = sqlx::query_as::<_, (i64,)>(question).fetch_one(&mut database).await;
        counted.unwrap().0
    }

    /// Blocks writers of the database for this time.
    pub(super) async fn keeps_writers_waiting(&self, long: Duration) {
        let mut database = AnyConnection::connect(&self.bot.database.url).await.unwrap();
        let mut writing = database.begin().await.unwrap();
        query("update tables set touched = touched").execute(&mut *writing).await.unwrap();
        tokio::time::sleep(long).await;
        writing.rollback().await.unwrap();
    }

    /// Waits until a query for a count returns `wanted`.
    pub(super) async fn comes_to(&self, question: &'static str, wanted: i64) {
        for _ in 0..300 {
            if self.count(question).await == wanted {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{question} is not {wanted}: {}", self.discord.transcript());
    }

    /// Taps a button twice, `apart` from each other, and asserts that the deed was done once and the second
    /// answer says so. Afterwards the query `deeds` counts `count`.
    pub(super) async fn taps_twice(
        &self,
        (person, button, seen): (&Person, &str, &Seen),
        apart: Duration,
        (deeds, count): (&'static str, i64),
    ) {
        const ALREADY: [&str; 2] = ["That is done already", "もう実行済みです"];
        let tap = async |after| {
            tokio::time::sleep(after).await;
            person.press(button).on(seen).acknowledged().await
        };
        let told = |words: &str| person.transcript().matches(words).count();
        let already = ALREADY.map(told);
        tokio::join!(tap(Duration::ZERO), tap(apart));
        self.is_still().await;
        let transcript = person.transcript();
        assert_eq!(self.count(deeds).await, count, "{button}, {apart:?}: {transcript}");
        let before: usize = already.iter().sum();
        let after: usize = ALREADY.map(told).iter().sum();
        assert_eq!(after, before + 1, "{button}, {apart:?}: {transcript}");
        assert_eq!(told("The window has closed"), 0, "{button}, {apart:?}: {transcript}");
    }

    /// Returns the text in the language of the scene.
    pub(super) fn say<'a>(&self, ja: &'a str, en: &'a str) -> &'a str {
        if self.locale == Locale::Ja { ja } else { en }
    }

    /// Returns the number of rows of a letter on a phone.
    pub(super) fn rows(&self, letter: &str) -> usize {
        rows(letter, if self.locale == Locale::Ja { Lang::Ja } else { Lang::En })
    }

    /// Forms a table of alice and bob among bot players; all three people are in its thread.
    pub(super) async fn table(&self, seats: i64) -> Place {
        self.table_by("6h", seats).await
    }

    /// Forms such a table with another pace.
    pub(super) async fn table_by(&self, pace: &str, seats: i64) -> Place {
        let formed = self.alice.command("table new").with("game", "eitsuku").with("seats", seats);
        formed.with("pace", pace).await;
        let thread = self.discord.thread(self.say("えいつく", "Eitsuku")).await;
        self.discord.is_posted_in(thread).await;
        for person in [&self.alice, &self.bob, &self.carol] {
            person.goes_to(thread);
        }
        self.alice.command("table join").await;
        self.bob.command("table join").await;
        thread
    }

    /// Starts a scene at a table up to its first turn.
    pub(super) async fn playing(locale: Locale, chance: &str, seats: i64) -> Self {
        Self::playing_with(locale, &[(CHANCE, chance)], seats).await
    }

    /// Starts such a scene with further environment variables of the bot.
    pub(super) async fn playing_with(locale: Locale, set: &[(&str, &str)], seats: i64) -> Self {
        let scene = Self::set_with(locale, set).await;
        scene.table(seats).await;
        scene.begins().await;
        scene
    }

    /// Starts the game, and waits for its first turn.
    pub(super) async fn begins(&self) {
        self.alice.command("table start").await;
        let turn = self.say("ターン1：宣言の受付", "Turn 1: declare");
        let declare = self.say("宣言する", "Declare");
        self.alice.sees(&format!("[{declare}]")).await;
        if self.asks_somebody_first().await {
            crate::of_the_bot::closes(&self.alice).await;
        }
        self.alice.sees(turn).await;
    }

    /// True if the deal waits for a person. If it waits only for bot players, it goes on by itself.
    async fn asks_somebody_first(&self) -> bool {
        let mut database = AnyConnection::connect(&self.bot.database.url).await.unwrap();
        let deal = "select asked, said from windows where number = 0";
        let (asked, said): (String, String) =
            sqlx::query_as(deal).fetch_one(&mut database).await.unwrap();
        let people = "select seat from seats where person is not null";
        let people: Vec<(i64,)> = sqlx::query_as(people).fetch_all(&mut database).await.unwrap();
        let is_asked = |seat: i64| asked.split(' ').any(|name| name == format!("P{}", seat + 1));
        said.contains("\"suspended\":true") && people.into_iter().any(|(seat,)| is_asked(seat))
    }

    /// Closes the open window as the host, and waits for the results.
    pub(super) async fn closes(&self) {
        let results =
            || self.alice.finds(self.say("●各フェイズ行動結果", "● Results phase by phase")).len();
        let before = results();
        crate::of_the_bot::closes(&self.alice).await;
        let mut looks = 0;
        while results() == before {
            looks += 1;
            assert!(looks < 200, "nothing follows the close: {}", self.discord.transcript());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Moves the deadline of the open window into an outage a minute ago.
    pub(super) async fn misses_a_deadline(&self) {
        let mut database = AnyConnection::connect(&self.bot.database.url).await.unwrap();
        #[expect(clippy::disallowed_methods, reason = "the program's clock shows the same")]
        let now = chrono::Utc::now().timestamp_millis();
        for (statement, one, other) in [
            ("insert into outages values ($1, $2)", now - 120_000, now - 1_000),
            ("update windows set opens_at = $1, closes_at = $2", now - 600_000, now - 60_000),
            ("update tables set look_at = $1, touched = touched + $2", now, 1),
        ] {
            let done = query(statement).bind(one).bind(other).execute(&mut database).await;
            done.unwrap();
        }
    }

    /// Moves the deadline of the open window to this many milliseconds from now.
    pub(super) async fn is_due_in(&self, left: i64) {
        let mut database = AnyConnection::connect(&self.bot.database.url).await.unwrap();
        let now = super::now().milliseconds();
        for (statement, one, other) in [
            (
                "update windows set opens_at = $1, closes_at = $2 where exists (select 1 from tables
                 where tables.code = windows.code and open_window = windows.number)",
                now - 20_000_000,
                now + left,
            ),
            ("update tables set look_at = $1, touched = touched + $2", now, 1),
        ] {
            let done = query(statement).bind(one).bind(other).execute(&mut database).await;
            done.unwrap();
        }
    }

    /// Waits until every post is up to date, and nothing has changed for a while.
    pub(super) async fn is_still(&self) {
        let stale = "select (select count(*) from past_posts)
             + (select count(*) from tables where post is not null and shown < stirred)";
        loop {
            self.comes_to(stale, 0).await;
            self.discord.quiet_for(Duration::from_millis(700)).await;
            // A post whose window has closed meanwhile may rest before its redraw.
            if self.count(stale).await == 0 {
                return;
            }
        }
    }

    /// Compares the dialogue with the transcript of this name.
    #[track_caller]
    pub(super) fn is_told(&self, name: &str) {
        self.tells(name, &self.discord.dialogue());
    }

    /// Compares a text with the transcript of this name.
    #[track_caller]
    pub(super) fn tells(&self, name: &str, text: &str) {
        assert_told(name, self.locale, text);
    }
}

/// The folder of the transcripts.
const TRANSCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/discord/snapshots");

/// Compares a Japanese text with the transcript of this name. An English text must have the structure of that
/// transcript; its words are compared letter by letter in `tests/messages`.
#[track_caller]
pub(super) fn assert_told(name: &str, locale: Locale, text: &str) {
    if locale == Locale::Ja {
        return assert_text(name, text);
    }
    let kept = std::fs::read_to_string(format!("{TRANSCRIPTS}/{name}.snap")).unwrap_or_default();
    let japanese = kept.splitn(3, "---\n").nth(2).unwrap_or_default();
    assert_eq!(structure(text), structure(japanese), "{name}, in English and in Japanese:\n{text}");
}

/// Returns the marked lines of a text in any language: the mark, with the number of buttons and of fields of
/// a form.
fn structure(text: &str) -> String {
    const MARKS: [&str; 9] = ["-#", "#", "・", "◆", "●", "◇", "※", "!", "["];
    let mut structure = String::new();
    for line in text.lines() {
        // A long text is several posts to the same person.
        let line = line.trim_start_matches(['>', '−', '+', ' ', '\u{3000}']);
        let line = match line.split_once(": ") {
            Some((to, line)) if to.starts_with("private to") => line,
            _ => line,
        };
        let line = line.replace("- ", "・").replace('〔', "[");
        let Some(mark) = MARKS.iter().find(|mark| line.starts_with(**mark)) else { continue };
        let (buttons, fields) = (line.matches("] [").count(), line.matches('‹').count());
        writeln!(structure, "{mark} {buttons} {fields}").unwrap();
    }
    structure
}

/// Compares a text with the transcript of this name, which is in one language.
#[track_caller]
pub(super) fn assert_text(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(TRANSCRIPTS);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // Dates differ from day to day.
    settings.add_filter(r"\w{3} \d+ \w{3}, \d+:\d+(:\d+)? JST", "[moment]");
    settings.add_filter(r"\d+月\d+日\(.\)\d+:\d+(:\d+)? JST", "[moment]");
    settings.bind(|| insta::assert_snapshot!(name, text));
}
