//! Starting, and what a host does.

use std::process::Command;

use super::{Bot, PLAIN, people, table};
use crate::double::Discord;

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_are_told_once() {
    let discord = Discord::start();
    let mut bot = Bot::start(&discord).await;
    let told = || discord.requests("PUT /applications/*/commands").len();
    assert_eq!(told(), 1);
    bot.is_killed_and_starts_again(&discord).await;
    assert_eq!(told(), 1, "they have not changed");
    let names = discord.commands();
    assert!(names.iter().any(|name| name.contains("declare")), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_looked_at_and_left() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start(&discord).await;
    table(&discord, &[&alice, &bob], 3).await;
    alice.sees("P2:bob").await;
    let left = bob.press("離席する").await;
    assert!(left.text().contains("P2"), "{}", left.text());
    alice.sees("P2:空席").await;
    for (command, words) in [
        ("help", "/卓 新規"),
        ("table list", "参加者募集中"),
        ("rules", "えいつく"),
        ("table show", "空席"),
    ] {
        let said = alice.command(command).await;
        assert!(said.is_private() && said.text().contains(words), "{command}: {}", said.text());
    }
    let clause = alice.command("rules").with("clause", "e4.3").await;
    assert!(clause.text().contains("E4.3"), "{}", clause.text());
    let nothing = bob.command("declare").await;
    assert!(nothing.text().contains("do not sit"), "{}", nothing.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_played_in_the_channel_it_was_formed_in_if_that_is_wished() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    let formed = alice.command("table new").with("place", "here").await;
    assert!(formed.text().contains("<#"), "{}", formed.text());
    bob.sees("参加者募集").await;
    let sits = bob.press("着席する").await;
    assert!(sits.is_private(), "{}", sits.text());
    let taken = bob.command("table new").with("place", "here").await;
    assert!(taken.text().contains("Another table is here"), "{}", taken.text());
}

#[test]
fn without_a_token_it_says_what_is_missing_and_how_to_play() {
    for (lang, words) in [("ja_JP.UTF-8", "shimekiri play"), ("en_US.UTF-8", "DISCORD_TOKEN")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shimekiri"));
        command.env_remove("DISCORD_TOKEN").env_remove("DISCORD_TOKEN_FILE");
        let ended = command.env("LC_ALL", lang).env("LANG", lang).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
}
