//! Lost connections, and the sessions after them.

use std::{future::IntoFuture, time::Duration};

use serenity::all::GatewayIntents;

use super::bot::Bot;
use double::{Discord, Locale, Settings};

#[tokio::test]
async fn a_cut_session_is_taken_up_again_and_what_was_missed_is_told() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::Ja);
    let bot = Bot::start(&discord).await;
    alice.command("declare").with("text", "1").await;

    discord.cuts_the_gateway();
    let answer = alice.command("declare").with("text", "2").await;
    assert!(answer.text().starts_with('2'));
    discord.has_resumed(1).await;

    discord.asks_to_reconnect();
    discord.has_resumed(2).await;
    discord.closes_the_gateway(4000);
    discord.has_resumed(3).await;
    alice.command("declare").with("text", "3").await;
    assert_eq!(discord.connections(), (4, 1, 3));
    assert_eq!((bot.met.interactions(), bot.met.unknown()), (3, 0));
}

/// The library waits five seconds before it identifies again, so these cases run concurrently.
#[tokio::test]
async fn a_session_is_begun_after_another() {
    tokio::join!(a_session_is_invalid(), a_heartbeat_has_no_answer(), there_are_two_shards());
}

async fn a_session_is_invalid() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::Ja);
    let _bot = Bot::start(&discord).await;
    discord.invalidates(false);
    discord.has_identified(2).await;
    alice.command("declare").with("text", "1").await;
}

async fn there_are_two_shards() {
    let discord = Discord::start_with(Settings { shards: 2, ..Settings::default() });
    let alice = discord.person("alice", Locale::Ja);
    let bot = Bot::start_in_shards(&discord).await;
    discord.has_identified(2).await;
    alice.command("declare").with("text", "1").await;
    assert_eq!((bot.met.guilds(), bot.met.interactions()), (1, 1), "one of them has the guild");
}

async fn a_heartbeat_has_no_answer() {
    let heartbeat = Duration::from_millis(300);
    let discord = Discord::start_with(Settings { heartbeat, ..Settings::default() });
    let alice = discord.person("alice", Locale::Ja);
    let _bot = Bot::start(&discord).await;
    discord.is_deaf_to_heartbeats(true);
    discord.has_opened(2).await;
    assert!(discord.heard(1) > 0);
    discord.is_deaf_to_heartbeats(false);
    // Events before the library has identified again are lost.
    discord.has_identified(2).await;
    alice.command("declare").with("text", "1").await;
}

#[tokio::test]
async fn a_token_that_is_not_ours_ends_the_client() {
    let discord = Discord::start();
    discord.closes_the_next_identify(4004);
    let bot = Bot::start_alone(&discord, GatewayIntents::GUILDS).await;
    assert!(bot.ends().await.to_lowercase().contains("authentication"));
}

#[tokio::test]
async fn an_intent_that_was_not_granted_ends_the_client() {
    let discord = Discord::start();
    discord.does_not_grant(GatewayIntents::GUILD_MEMBERS);
    let bot = Bot::start_alone(&discord, GatewayIntents::GUILD_MEMBERS).await;
    assert!(bot.ends().await.to_lowercase().contains("intents"));
}

#[tokio::test]
async fn events_come_twice_in_another_order_and_unreadable() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::Ja);
    let bot = Bot::start(&discord).await;
    alice.command("declare").with("text", "0").await;

    discord.repeats_the_next_event();
    alice.command("declare").with("text", "1").await;
    discord.quiet_for(Duration::from_millis(200)).await;
    assert_eq!(bot.met.interactions(), 3);
    assert_eq!(discord.forgive("40060"), 1);

    discord.reverses_the_next_events(2);
    let (one, other) = tokio::join!(
        alice.command("declare").with("text", "2").into_future(),
        alice.command("declare").with("text", "3").into_future()
    );
    assert!(one.text().starts_with('2') && other.text().starts_with('3'));

    discord.dispatches_nonsense();
    alice.command("declare").with("text", "4").await;
    assert_eq!(bot.met.unknown(), 1);
}
