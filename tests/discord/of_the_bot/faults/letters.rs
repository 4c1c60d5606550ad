//! Whatever goes wrong on the way, everybody is told everything once.

use std::time::Duration;

use super::super::{Bot, people, table};
use crate::double::{Discord, Scope};

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_arrives_once_though_discord_stumbles() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start(&discord).await;
    table(&discord, &[&alice, &bob], 2).await;
    let post = || discord.when("POST /channels/*/messages");
    post().nth(1).answers(500);
    post().nth(2).takes_effect_and_answers(502);
    post().nth(3).takes_effect_and_its_answer_is_lost();
    alice.press("始める").await;
    bob.sees("の受付").await;
    bob.sees("締め切り").await;
    // It is tried for the third time after three quarters of a second at most.
    discord.quiet_for(Duration::from_millis(1500)).await;
    let transcript = bob.transcript();
    assert_eq!(
        bob.times_told("種のハッシュ"),
        1 + 1,
        "the call for players, the welcome: {transcript}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_arrives_once_though_the_program_is_killed() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let mut bot = Bot::start(&discord).await;
    table(&discord, &[&alice, &bob], 2).await;
    discord
        .when("POST /channels/*/messages")
        .nth(1)
        .takes_effect_and_answers_late(Duration::from_secs(5));
    alice.press("始める").await;
    bob.sees("席").await;
    bot.is_killed_and_starts_again(&discord).await;
    bob.sees("締め切り").await;
    discord.quiet_for(Duration::from_millis(700)).await;
    assert_eq!(bob.times_told("種のハッシュ"), 1 + 1, "{}", bob.transcript());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_thread_is_brought_back() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start(&discord).await;
    let thread = table(&discord, &[&alice, &bob], 2).await;
    discord.quiet_for(Duration::from_millis(700)).await;
    discord.archives(thread);
    let early = discord.when("PATCH /channels/*").nth(1);
    early.comes_too_early(Duration::from_millis(300), Scope::Shared);
    alice.press("始める").await;
    bob.sees("の受付").await;
}
