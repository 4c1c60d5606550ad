//! Obstacles that keep letters from arriving: the host is told once, with the remedy.

use std::time::Duration;

use serenity::all::Permissions;

use super::scenes::assert_told;
use super::settings::masked;
use super::{Bot, CHANCE, PLAIN};
use double::{Discord, Locale, Person, Place};

async fn rest(discord: &Discord) {
    discord.quiet_for(Duration::from_millis(500)).await;
}

/// Forms a table that waits for its start, and returns its thread.
async fn forming(discord: &Discord, host: &Person) -> Place {
    host.command("table new").with("seats", 2).await;
    let thread = discord.thread("").await;
    host.goes_to(thread);
    host.command("table join").await;
    host.sees("`/").await;
    rest(discord).await;
    thread
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_is_told_once_what_the_bot_may_not_do() {
    for (locale, words) in [(Locale::Ja, "届いていません"), (Locale::En, "cannot be delivered")]
    {
        let discord = Discord::start();
        let (host, guest) = (discord.person("alice", locale), discord.person("bob", Locale::En));
        let _bot = Bot::start_with(&discord, &[(CHANCE, "forbidden"), PLAIN]).await;
        forming(&discord, &host).await;
        discord.forbids(discord.channel("general"), Permissions::SEND_MESSAGES_IN_THREADS);
        host.command("table start").await;
        let told = host.sees(words).await;
        assert!(!told.is_private(), "it is a direct message");
        assert_told("trouble_forbidden", locale, &masked(told.text()));
        host.command("table list").await;
        rest(&discord).await;
        assert_eq!(host.times_told(words), 1, "{}", host.transcript());
        assert_eq!(guest.times_told(words), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_who_takes_no_letters_is_told_when_they_next_do_something() {
    for (locale, words) in [(Locale::Ja, "届いていません"), (Locale::En, "cannot be delivered")]
    {
        let discord = Discord::start();
        let (host, guest) = (discord.person("alice", locale), discord.person("bob", Locale::En));
        let _bot = Bot::start_with(&discord, &[(CHANCE, "gone"), PLAIN]).await;
        let thread = forming(&discord, &host).await;
        host.closes_dms(true);
        discord.deletes(thread);
        host.goes_to(discord.channel("general"));
        host.command("table start").await;
        // The letter about the obstacle is refused as well.
        while discord.requests("POST /users/*/channels").is_empty() {
            rest(&discord).await;
        }
        rest(&discord).await;
        // The host is told at the next command, even if letters are still being tried.
        host.command("table list").await;
        let told = host.sees(words).await;
        assert!(told.is_private());
        assert_told("trouble_gone", locale, &masked(told.text()));
        host.command("table list").await;
        rest(&discord).await;
        assert_eq!(host.times_told(words), 1, "{}", host.transcript());
        assert_eq!(guest.times_told(words), 0);
    }
}

/// Deletes the thread of a running table; its people are in the channel above. Returns the table's code.
async fn orphaned(discord: &Discord, host: &Person, guest: &Person) -> String {
    let thread = forming(discord, host).await;
    guest.goes_to(thread);
    guest.command("table join").await;
    let general = discord.channel("general");
    discord.deletes(thread);
    for person in [host, guest] {
        person.goes_to(general);
    }
    // The next letters have no place to go.
    host.command("table start").await;
    let told = host.sees("/table move table:").await;
    let code = told.text().split("/table move table:").nth(1).unwrap();
    code[..5].to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_gives_a_table_another_thread_and_what_it_is_owed_comes_there() {
    let discord = Discord::start();
    let (host, guest) = (discord.person("alice", Locale::En), discord.person("bob", Locale::En));
    let mut bot = Bot::start_with(&discord, &[(CHANCE, "orphan"), PLAIN]).await;
    let code = orphaned(&discord, &host, &guest).await;
    // The state survives a restart.
    bot.is_killed();
    bot.starts_again(&discord, &[(CHANCE, "orphan"), PLAIN]).await;
    let refused = guest.command("table move").with("table", code.as_str()).await;
    assert!(refused.text().contains("Only the host and the GMs"), "{}", refused.text());
    let unknown = host.command("table move").with("table", "ZZZZZ").await;
    assert!(unknown.text().contains("ZZZZZ"), "{}", unknown.text());
    let moved = host.command("table move").with("table", code.to_lowercase()).await;
    assert!(moved.text().contains(&format!("Table {code} continues in <#")), "{}", moved.text());
    let thread = discord.thread("").await;
    guest.goes_to(thread);
    guest.sees("Welcome to").await;
    guest.sees(", table ").await;
    rest(&discord).await;
    let shown = discord.shows(thread);
    for words in ["This table continues here", "Welcome to", ", table "] {
        assert_eq!(shown.matches(words).count(), 1, "{words}: {shown}");
    }
    assert!(shown.starts_with("> ◆ This table continues here"), "{shown}");
    let hand = guest.command("hand").await;
    assert!(hand.is_private() && hand.text().contains("Hand"), "{}", hand.text());
    // The table goes on: a letter arrives at the new place, and nobody is warned.
    host.goes_to(thread);
    super::closes(&host).await;
    guest.sees("Results").await;
    assert_eq!(host.times_told("cannot be delivered"), 1, "{}", host.transcript());
    discord.forgive("10003");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_moves_says_where_it_was_where_it_is() {
    for (locale, words) in [(Locale::Ja, "で続けます"), (Locale::En, "continues in")] {
        let discord = Discord::start();
        let (host, guest) = (discord.person("alice", locale), discord.person("bob", locale));
        let _bot = Bot::start_with(&discord, &[(CHANCE, "moves"), PLAIN]).await;
        let before = forming(&discord, &host).await;
        guest.goes_to(before);
        let general = discord.channel("general");
        host.goes_to(general);
        let side = discord.opens_channel("side");
        host.command("table move").in_channel(side).with("place", "here").await;
        let left = guest.sees(words).await;
        assert!(left.buttons().is_empty(), "{}", left.text());
        rest(&discord).await;
        let told = format!("{}\n---\n{}", discord.shows(before), discord.shows(side));
        assert_told("trouble_moved", locale, &masked(&told));
        let again = host.command("table move").in_channel(side).with("place", "here").await;
        let nothing = ["変更がない", "change nothing"];
        assert!(nothing.iter().any(|words| again.text().contains(words)), "{}", again.text());
        assert_eq!(discord.shows(side).matches("`/").count(), 1);
        host.goes_to(side);
        host.command("table end").await;
    }
}
