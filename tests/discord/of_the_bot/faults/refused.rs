//! Refusals: retries at growing intervals, immediate retries after a mend, and reduced messages.

use std::time::Duration;

use discord::permissions;
use serenity::all::Permissions;

use super::super::{Bot, CHANCE, PLAIN, closes};
use double::{Discord, Locale, Person, Place};

const POST: &str = "POST /channels/*/messages";
const EDIT: &str = "PATCH /channels/*/messages/*";

/// A table of alice and bob during the game, in its thread.
struct Played {
    discord: Discord,
    _bot: Bot,
    alice: Person,
    bob: Person,
    thread: Place,
}

impl Played {
    async fn begins() -> Self {
        let discord = Discord::start();
        let [alice, bob] = ["alice", "bob"].map(|name| discord.person(name, Locale::En));
        let bot = Bot::start_with(&discord, &[(CHANCE, "evening"), PLAIN]).await;
        let formed = alice.command("table new").with("game", "eitsuku").with("seats", 2);
        formed.with("pace", "6h").await;
        let thread = discord.thread("").await;
        discord.is_posted_in(thread).await;
        for person in [&alice, &bob] {
            person.goes_to(thread);
            person.command("table join").await;
        }
        alice.command("table start").await;
        alice.sees("Turn 1: declare").await;
        let played = Self { discord, _bot: bot, alice, bob, thread };
        played.rests().await;
        played
    }

    async fn rests(&self) {
        self.discord.quiet_for(Duration::from_millis(700)).await;
    }

    async fn seals(&self, person: &Person) {
        person.command("declare").with("text", "3A 4B").await;
        person.command("seal").await;
    }

    /// Returns the number of refused requests of a kind.
    fn refused(&self, pattern: &str) -> usize {
        self.discord.requests(pattern).iter().filter(|one| one.status == 403).count()
    }

    /// Waits until a condition holds.
    async fn comes_true(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..400 {
            if is_so(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{what}: {}", self.discord.transcript());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_is_mended_is_tried_at_once_and_the_warning_says_so() {
    let played = Played::begins().await;
    let general = played.discord.channel("general");
    played.discord.forbids(general, Permissions::SEND_MESSAGES_IN_THREADS);
    closes(&played.alice).await;
    let warned = played.alice.sees("cannot be delivered").await;
    played.rests().await;
    let refused = played.refused(POST);
    assert!((1..=2).contains(&refused), "{refused} refusals in a moment");
    played.discord.allows(general);
    played.alice.sees("Results").await;
    let mended = played.alice.sees("Messages are delivered again").await;
    assert_eq!(mended.id, warned.id, "the very warning says so");
    assert!(played.alice.finds("cannot be delivered").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_is_unlocked_shows_what_was_sealed_meanwhile() {
    let played = Played::begins().await;
    // A bot that may manage threads can write in locked ones.
    played.discord.lets_the_bot(Permissions::from_bits_truncate(permissions::together()));
    played.discord.locks(played.thread);
    played.seals(&played.bob).await;
    played.alice.sees("cannot be delivered").await;
    played.rests().await;
    let refused = played.refused(EDIT) + played.refused("PATCH /channels/*");
    assert!((1..=3).contains(&refused), "{refused} refusals in a moment");
    played.discord.reopens(played.thread);
    played.alice.sees("✅: bob").await;
    played.alice.sees("Messages are delivered again").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_file_is_refused_goes_without_it_and_the_host_is_told_once() {
    let played = Played::begins().await;
    played.discord.forbids(played.discord.channel("general"), Permissions::ATTACH_FILES);
    let asked = played.alice.command("table end").await;
    for button in asked.buttons() {
        played.alice.press(&button).await;
    }
    played.alice.sees("is over").await;
    for words in
        ["The file of this table cannot be posted", "The page of this game cannot be posted"]
    {
        played.bob.sees(words).await;
    }
    let told = played.alice.sees("Pictures and files cannot be posted").await;
    assert!(told.text().contains("Attach Files"), "{}", told.text());
    played.rests().await;
    assert_eq!(played.alice.times_told("Pictures and files cannot be posted"), 1);
    assert_eq!(played.bob.times_told("Pictures and files cannot be posted"), 0);
    assert!(played.alice.finds("cannot be delivered").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_are_refused_give_way_to_others_and_all_behind_them_comes() {
    for code in [200_000, 240_000, 50_035] {
        let played = Played::begins().await;
        let in_thread = format!("POST /channels/{}/messages", played.thread.0);
        played.discord.when(&in_thread).gets_refused(400, code);
        closes(&played.alice).await;
        let instead = played.bob.sees("Discord did not accept the words").await;
        assert!(!instead.is_private());
        let post = played.bob.sees("window 2").await;
        assert!(!post.buttons().is_empty(), "{code}: {}", post.text());
        played.rests().await;
        assert_eq!(played.bob.times_told("Discord did not accept the words"), 1, "{code}");
        assert!(played.alice.finds("cannot be delivered").is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_post_of_the_open_window_that_somebody_deletes_is_posted_again() {
    let played = Played::begins().await;
    played.discord.wipes(played.thread);
    assert!(played.bob.finds("Turn 1: declare").is_empty());
    played.seals(&played.bob).await;
    let again = played.alice.sees("✅: bob").await;
    assert!(!again.is_private() && again.text().contains("window 1"), "{}", again.text());
    let panel = played.alice.press("Declare").on(&again).await;
    assert!(panel.is_private() && panel.text().contains("Declaration"), "{}", panel.text());
    // The next change is shown in the new post.
    played.seals(&played.alice).await;
    played.rests().await;
    let posts = played.discord.stands_in(played.thread);
    let posts = posts.iter().filter(|(_, text)| text.contains("window 1"));
    assert_eq!(posts.count(), 1, "{}", played.discord.shows(played.thread));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_post_that_was_changed_too_often_rests_and_keeps_no_other() {
    let played = Played::begins().await;
    played.discord.when(EDIT).times(40).gets_refused(429, 30046);
    played.seals(&played.bob).await;
    let tried = |played: &Played| {
        played.discord.requests(EDIT).iter().filter(|one| one.status == 429).count()
    };
    played.comes_true("it is tried", |played| tried(played) > 0).await;
    played.rests().await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(tried(&played), 1, "it is not asked again within minutes");
    played.discord.calms_down();
    closes(&played.alice).await;
    played.bob.sees("window 2").await;
}
