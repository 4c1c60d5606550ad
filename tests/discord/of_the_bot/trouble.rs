//! What keeps letters from arriving: its host is told once, with what to do.

use std::time::Duration;

use serenity::all::Permissions;

use super::{Bot, people, table};
use crate::double::Discord;

async fn rest(discord: &Discord) {
    discord.quiet_for(Duration::from_millis(500)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_is_told_once_what_the_bot_may_not_do() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::rehearses(&discord, "forbidden").await;
    table(&discord, &[&alice, &bob], 2).await;
    rest(&discord).await;
    discord.forbids(discord.channel("general"), Permissions::SEND_MESSAGES_IN_THREADS);
    alice.press("始める").await;
    let told = alice.sees("権限を与えて下さい").await;
    assert!(told.text().contains("スレッドでメッセージを送信"), "{}", told.text());
    rest(&discord).await;
    alice.command("table list").await;
    rest(&discord).await;
    assert_eq!(alice.times_told("お知らせが届いていません"), 1, "{}", alice.transcript());
    assert_eq!(bob.times_told("do not arrive"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_who_takes_no_letters_is_told_when_they_next_do_something() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::rehearses(&discord, "closed").await;
    let thread = table(&discord, &[&alice, &bob], 2).await;
    rest(&discord).await;
    alice.closes_dms(true);
    discord.deletes(thread);
    alice.goes_to(discord.channel("general"));
    alice.command("table start").await;
    // The letter that would tell of it is tried, and refused.
    while discord.requests("POST /users/*/channels").is_empty() {
        rest(&discord).await;
    }
    rest(&discord).await;
    assert_eq!(alice.times_told("届いていません"), 0);
    alice.command("table list").await;
    let told = alice.sees("届いていません").await;
    assert!(told.is_private() && told.text().contains("もう無い"), "{}", told.text());
    alice.command("table list").await;
    rest(&discord).await;
    assert_eq!(alice.times_told("届いていません"), 1, "{}", alice.transcript());
    assert_eq!(bob.times_told("do not arrive"), 0);
}
