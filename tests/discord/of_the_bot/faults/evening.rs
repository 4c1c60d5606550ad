//! An evening at one table, window after window, with all messages that people see.

use std::time::{Duration, Instant};

use sqlx::{AnyConnection, Connection, query, query_as};

use super::super::{Bot, CHANCE};
use double::{Discord, Locale, Person, Place, Settings};

/// The timeout of a window's letters.
const PATIENCE: Duration = Duration::from_secs(40);

/// The duration of a window, in milliseconds.
const SIX_HOURS: i64 = 6 * 3_600_000;

/// The progress of a window's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Progress {
    /// The window is open.
    Open,
    /// The window is closed, and its letters are queued.
    Closed,
    /// Sending was attempted.
    Tried,
    /// All letters are marked as sent.
    Sent,
}

/// An evening at one table. The visible messages follow from the declarations alone.
pub(super) struct Evening {
    pub(super) bot: Bot,
    pub(super) discord: Discord,
    pub(super) alice: Person,
    pub(super) bob: Person,
    pub(super) thread: Place,
    database: AnyConnection,
    windows: i64,
    reminders: i64,
}

impl Evening {
    /// Starts a game of two people.
    pub(super) async fn begins() -> Self {
        Self::begins_with(Settings::default(), &[]).await
    }

    /// Starts a game with other settings of the fake Discord, and further environment variables of the
    /// program.
    pub(super) async fn begins_with(settings: Settings, set: &[(&str, &str)]) -> Self {
        let discord = Discord::start_with(settings);
        let [alice, bob] = ["alice", "bob"].map(|name| discord.person(name, Locale::Ja));
        let bot = Bot::start_with(&discord, &[&[(CHANCE, "evening")], set].concat()).await;
        let formed = alice.command("table new").with("game", "eitsuku").with("seats", 2);
        formed.with("pace", "6h 催促1時間前").await;
        let thread = discord.thread("えいつく").await;
        discord.is_posted_in(thread).await;
        for person in [&alice, &bob] {
            person.goes_to(thread);
            person.command("table join").await;
        }
        alice.command("table start").await;
        sqlx::any::install_default_drivers();
        let database = AnyConnection::connect(&bot.database.url).await.unwrap();
        let mut evening =
            Self { bot, discord, alice, bob, thread, database, windows: 0, reminders: 0 };
        evening.settles().await;
        evening
    }

    /// Declares for both players.
    pub(super) async fn declare(&self) {
        self.alice.command("declare").with("text", "3A 4B").await;
        self.bob.command("declare").with("text", "3A 4A 役者").await;
    }

    /// Closes the window as the host.
    pub(super) async fn closes(&mut self) {
        self.windows += 1;
        crate::of_the_bot::closes(&self.alice).await;
    }

    /// Moves the deadline to half an hour from now, so that both players are reminded privately.
    pub(super) async fn is_brought_near(&mut self) {
        self.reminders += 2;
        self.brings(Duration::from_secs(30 * 60 + 30)).await;
    }

    /// Moves the deadline to now.
    pub(super) async fn runs_out(&mut self) {
        self.windows += 1;
        self.brings(Duration::ZERO).await;
    }

    async fn brings(&mut self, deadline: Duration) {
        let now = crate::of_the_bot::now().milliseconds();
        let closes = now + i64::try_from(deadline.as_millis()).unwrap();
        let windows = query(
            "update windows set opens_at = $1, closes_at = $2, reminded_at = 0
             where closed_at is null",
        );
        let windows = windows.bind(closes - SIX_HOURS).bind(closes);
        windows.execute(&mut self.database).await.unwrap();
        let tables = query("update tables set look_at = $1");
        tables.bind(now).execute(&mut self.database).await.unwrap();
    }

    /// Waits until all letters are sent and all posts are up to date.
    pub(super) async fn settles(&mut self) {
        let began = Instant::now();
        while !(self.discord.faults_left().is_empty() && self.is_told().await) {
            let seen = || self.discord.transcript();
            let left = self.discord.faults_left();
            assert!(began.elapsed() < PATIENCE, "never told whole: {left:?} {}", seen());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// True if all letters are sent and all posts are up to date.
    pub(super) async fn is_told(&mut self) -> bool {
        let left = "select (select count(*) from outbox where sent_at is null)
            + (select count(*) from tables where shown < stirred or open_window < $1)
            + (select count(*) from past_posts)
            + (select count(*) from outbox join tables on code = follows
                where outbox.shown < touched)
            + $2 - (select count(*) from outbox where letter like '%-reminder-%')";
        let left = query_as::<_, (i64,)>(left).bind(self.windows).bind(self.reminders);
        left.fetch_one(&mut self.database).await.unwrap().0 == 0
    }

    /// Moves earlier attempts back by a minute, so that none counts as pending.
    pub(super) async fn waits(&mut self) {
        let attempts = "update outbox set attempted_at = attempted_at - 60000, wait_until = null
             where sent_at is null";
        let attempts = query(attempts);
        attempts.execute(&mut self.database).await.unwrap();
    }

    /// Returns the progress of the last window's letters.
    pub(super) async fn progress(&mut self) -> Progress {
        let letters = "select open_window, count(letter), count(attempted_at), count(sent_at)
            from tables left join outbox on letter like code || '-' || $1 || '-%' group by code";
        let letters = query_as::<_, (i64, i64, i64, i64)>(letters).bind(self.windows.to_string());
        let (open, all, tried, sent) = letters.fetch_one(&mut self.database).await.unwrap();
        match () {
            () if open < self.windows => Progress::Open,
            () if sent == all => Progress::Sent,
            () if tried > 0 => Progress::Tried,
            () => Progress::Closed,
        }
    }

    /// Returns all messages that people have seen.
    pub(super) fn seen(&self) -> String {
        self.discord.seen()
    }
}

/// Asserts that the messages seen with a fault equal those seen without it.
#[track_caller]
pub(super) fn assert_same(troubled: &str, calm: &str, trouble: &str) {
    let differ = troubled.lines().zip(calm.lines()).position(|(one, other)| one != other);
    let at = differ.unwrap_or_else(|| troubled.lines().count().min(calm.lines().count()));
    let around = |text: &str| {
        let lines = text.lines().skip(at.saturating_sub(5)).take(12);
        lines.collect::<Vec<_>>().join("\n")
    };
    let (one, other) = (around(troubled), around(calm));
    assert!(troubled == calm, "{trouble}: from line {at}\n{one}\n— and without it:\n{other}");
}
