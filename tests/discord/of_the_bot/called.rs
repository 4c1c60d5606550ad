//! Pings in the thread for people who take no direct messages: the pinged person can read the letter there,
//! again and again, and nobody else can.

use std::time::Duration;

use sqlx::{AnyConnection, Connection, query_as};

use super::{Bot, CHANCE, PLAIN, closes};
use double::{Discord, Locale, Person, Place};

/// The texts of a ping, of its button, and of the ping after it was read.
struct Words {
    locale: Locale,
    open: &'static str,
    own: &'static str,
    begin: &'static str,
    first: &'static str,
    call: &'static str,
    show: &'static str,
    read: &'static str,
    none: &'static str,
}

const WORDS: [Words; 2] = [
    Words {
        locale: Locale::Ja,
        open: "手札は全員に公開する",
        own: "の結果のうち、あなただけに見える部分",
        begin: "始める",
        first: "第1回受付",
        call: "お知らせがあります",
        show: "お知らせを見る",
        read: "お知らせは済みました",
        none: "あなた宛てのお知らせはありません",
    },
    Words {
        locale: Locale::En,
        open: "Hands are open to everyone",
        own: "what only you can see of the result",
        begin: "Start",
        first: "window 1",
        call: "You have a message",
        show: "Show the message",
        read: "has been dealt with",
        none: "There is no message for you here",
    },
];

/// A table hosted by alice and played by bob, who takes no direct messages, and carol.
struct Scene {
    discord: Discord,
    bot: Bot,
    people: [Person; 3],
    thread: Place,
}

impl Scene {
    /// Starts a table with open hands, where the only private letters are about decisions.
    async fn plays(words: &Words) -> Self {
        Self::begins(words, true).await
    }

    async fn begins(words: &Words, open: bool) -> Self {
        let discord = Discord::start();
        let people = ["alice", "bob", "carol"].map(|name| discord.person(name, words.locale));
        let bot = Bot::start_with(&discord, &[(CHANCE, "hand 1018"), PLAIN]).await;
        let alice = &people[0];
        let formed = alice.command("table new").with("seats", 2).with("pace", "6h");
        formed.with("sit", "no").await;
        if open {
            alice.choose(&[words.open]).await;
        }
        let thread = discord.thread("").await;
        discord.is_posted_in(thread).await;
        for person in &people {
            person.goes_to(thread);
        }
        for person in &people[1..] {
            person.command("table join").await;
        }
        people[1].closes_dms(true);
        alice.press(words.begin).await;
        people[1].sees("`/").await;
        let scene = Self { discord, bot, people, thread };
        scene.rests().await;
        if scene.people[0].finds(words.first).is_empty() {
            // The player who threw a six is asked first.
            closes(&scene.people[0]).await;
            scene.people[0].sees(words.first).await;
            scene.rests().await;
        }
        scene
    }

    async fn rests(&self) {
        self.discord.quiet_for(Duration::from_millis(700)).await;
    }

    /// Makes a decision about bob's turn that only the people concerned are notified of.
    async fn decides_quietly(&self, what: &str, reason: &str) {
        let alice = &self.people[0];
        let shown = alice.command(what).with("seat", "bob").await;
        let quiet = shown.buttons().pop().unwrap_or_else(|| panic!("{}", shown.text()));
        let form = alice.press(&quiet).on(&shown).await;
        alice.submit(&form, &[("0", reason)]).await;
    }

    /// Returns the number of stored letters to a person.
    async fn letters_of(&self, person: &Person) -> i64 {
        sqlx::any::install_default_drivers();
        let mut database = AnyConnection::connect(&self.bot.database.url).await.unwrap();
        let question = "select count(*) from outbox where address = $1";
        let question = query_as::<_, (i64,)>(question);
        let address = format!("discord:user:{}", person.id());
        question.bind(address).fetch_one(&mut database).await.unwrap().0
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_called_reads_the_very_letter_and_nobody_else_does() {
    for words in &WORDS {
        let mut scene = Scene::plays(words).await;
        let [alice, bob, carol] = scene.people.clone();
        scene.decides_quietly("gm turn skip", "they are ill").await;
        let call = bob.sees(words.call).await;
        assert!(!call.is_private() && !call.text().contains("they are ill"), "{}", call.text());
        let other = carol.press(words.show).on(&call).await;
        assert!(other.is_private() && other.text().contains(words.none), "{}", other.text());
        let told = bob.press(words.show).on(&call).await;
        assert!(told.is_private() && told.text().contains("they are ill"), "{}", told.text());
        // The first line names the table and its thread.
        let about = told.text().lines().next().unwrap_or_default().to_owned();
        let thread = format!("<#{}>", scene.thread.0);
        assert!(about.contains(&thread), "{about}: {}", told.text());
        let read = bob.sees(words.read).await;
        assert_eq!(read.id, call.id, "the call is taken back");
        assert!(bob.finds(words.call).is_empty(), "{}", scene.discord.transcript());
        // The state survives a restart.
        scene.bot.is_killed();
        scene.bot.starts_again(&scene.discord, &[(CHANCE, "hand 1018"), PLAIN]).await;
        for _ in 0..2 {
            let again = bob.press(words.show).on(&read).await;
            assert!(again.text().contains("they are ill"), "{}", again.text());
            let other = alice.press(words.show).on(&read).await;
            assert!(other.text().contains(words.none), "{}", other.text());
        }
        let public = scene.discord.shows(scene.thread);
        assert!(!public.contains("they are ill"), "{public}");
    }
}

/// 20026: Discord has flagged the bot; 50278: no server in common; 40003: too many new conversations, which
/// is no fault of the person's.
#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_be_written_to_for_whatever_reason_is_called_and_the_host_told_who() {
    const TOLD: &str = "cannot be sent direct messages";
    let words = &WORDS[1];
    for (code, is_told) in [(20026, true), (50278, true), (40003, false)] {
        let scene = Scene::plays(words).await;
        let [alice, bob, carol] = &scene.people;
        bob.closes_dms(false);
        scene.discord.when("POST /users/@me/channels").gets_refused(403, code);
        scene.decides_quietly("gm turn skip", "they are ill").await;
        let call = bob.sees(words.call).await;
        let told = bob.press(words.show).on(&call).await;
        assert!(told.is_private() && told.text().contains("they are ill"), "{}", told.text());
        if is_told {
            let named = alice.sees(TOLD).await;
            assert!(named.text().contains("@bob"), "{code}: {}", named.text());
        }
        scene.rests().await;
        assert_eq!(alice.times_told(TOLD), usize::from(is_told), "{code}");
        assert_eq!(carol.times_told(TOLD), 0, "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_waits_is_read_at_once_and_nothing_of_it_outlives_its_reader() {
    let words = &WORDS[1];
    let scene = Scene::plays(words).await;
    let [_, bob, _] = scene.people.clone();
    let decided = [("gm turn skip", "the first reason"), ("gm turn unskip", "the second reason")];
    for (what, reason) in decided {
        scene.decides_quietly(what, reason).await;
        scene.rests().await;
    }
    let calls = bob.finds(words.call);
    assert_eq!(calls.len(), 2, "{}", scene.discord.transcript());
    let told = bob.press(words.show).on(&calls[1]).await;
    let (first, second) = (told.text().find("the first"), told.text().find("the second"));
    assert!(first.is_some() && first < second, "{}", told.text());
    bob.sees(words.read).await;
    scene.rests().await;
    assert!(bob.finds(words.call).is_empty(), "{}", scene.discord.transcript());
    let left = bob.finds(words.read);
    assert_eq!(left.len(), 2);
    // Each ping shows its own letter again.
    let again = bob.press(words.show).on(&left[0]).await;
    assert!(!again.text().contains("the second"), "{}", again.text());
    let asked = bob.command("data erase").await;
    bob.press("Erase").on(&asked).await;
    scene.rests().await;
    assert!(bob.finds(words.read).is_empty(), "{}", scene.discord.transcript());
    assert_eq!(scene.letters_of(&bob).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_of_a_result_is_somebodys_own_reaches_them_alone() {
    for words in &WORDS {
        let scene = Scene::begins(words, false).await;
        let [alice, bob, carol] = &scene.people;
        let call = bob.sees(words.call).await;
        let told = bob.press(words.show).on(&call).await;
        assert!(told.is_private() && told.text().contains(words.own), "{}", told.text());
        // A person who takes direct messages gets them, with their own cards and no others.
        let written = carol.sees(words.own).await;
        assert!(!written.text().contains("bob"), "{}", written.text());
        assert!(written.text().contains("carol"), "{}", written.text());
        assert_eq!(alice.finds(words.own).len(), 0, "she sits nowhere");
        assert!(!scene.discord.shows(scene.thread).contains(words.own));
    }
}
