//! Secrets must not appear in the log at any level.

use sqlx::{AnyConnection, Connection, query_as};

use super::{Bot, people, table};
use double::Discord;

/// Words of a declaration that a log might contain or escape.
const WORDS: [&str; 3] = ["himitsu-no-serifu", "撮影所の秘密", "secret-of-the-form"];

/// The prefix of interaction tokens on the fake Discord.
const INTERACTION: &str = "aW50ZXJhY3Rpb246";

/// The most verbose log level, with the libraries that print most.
const TALKATIVE: &str = "trace,serenity::gateway=trace,serenity::http=trace,\
    serenity::gateway::ws=trace,serenity::gateway::shard=trace,serenity::client::dispatch=trace,\
    tungstenite::protocol=trace,tungstenite::handshake=trace,tokio_tungstenite::compat=trace,\
    reqwest::connect=trace,hyper_util::client=trace,hyper::proto=trace,sqlx::query=trace";

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_stands_in_the_most_talkative_log() {
    let discord = Discord::start();
    let people @ [alice, bob, ..] = &people(&discord);
    let set = [("SHIMEKIRI_LOG_LEVEL", TALKATIVE), ("RUST_LOG", "trace"), ("RUST_BACKTRACE", "1")];
    let mut bot = Bot::start_with(&discord, &set).await;
    table(&discord, &[&people[0], &people[1]], 2).await;
    alice.press("始める").await;
    alice.sees("[宣言する]").await;
    if alice.finds("ターン1：宣言の受付").is_empty() {
        super::closes(alice).await;
    }
    alice.sees("ターン1：宣言の受付").await;

    let line = format!("3A 4B 5A 「{}」", WORDS[0]);
    alice.complete("declare", "text", &line).await;
    alice.command("declare").with("text", line).await;
    let form = alice.press("文章で入力").await;
    let typed = format!("3A\n4B\n5A 「{}」", WORDS[1]);
    discord.when("PATCH /webhooks/*/*/messages/@original").answers(500);
    alice.submit(&form, &[("宣言", &typed)]).await;
    discord.when("POST /interactions/*/*/callback").takes_effect_and_its_answer_is_lost();
    alice.press("提出（封をする）").await;
    discord.forgive("40060");
    bob.command("declare").with("text", format!("3A 4A 5A \"{}\"", WORDS[2])).await;
    bob.command("hand").await;

    sqlx::any::install_default_drivers();
    let mut database = AnyConnection::connect(&bot.database.url).await.unwrap();
    // The seed of a table is secret until its end, and a salt until its window has closed.
    let drawn = "select seed, coalesce(min(declarations.salt), seed), value from tables
        join seats on seats.code = tables.code and seats.person is not null
        left join declarations on declarations.code = tables.code group by seed, value";
    let drawn = query_as::<_, (String, String, String)>(drawn);
    let drawn = drawn.fetch_all(&mut database).await.unwrap();
    assert!(drawn.len() > 1 && drawn[0].0 != drawn[0].1, "{} rows", drawn.len());

    // Libraries tend to log malformed events and lost connections.
    discord.dispatches_nonsense();
    discord.cuts_the_gateway();
    discord.has_resumed(1).await;
    alice.command("hand").await;
    discord.closes_the_gateway(4004);
    let said = bot.running.hear("Discord rejects this bot") + &bot.is_told_to_stop();
    assert!(said.contains("DEBUG"), "this is not talkative: {said}");

    let (id, secret) =
        discord.token().split_once('.').map(|(id, rest)| (id.to_owned(), rest.to_owned())).unwrap();
    let tokens = [discord.token(), secret, INTERACTION.to_owned()];
    assert!(!said.contains(&format!("{id}.")), "the token");
    let drawn = drawn.into_iter().flat_map(|(seed, salt, value)| [seed, salt, value]);
    let words = WORDS.into_iter().map(str::to_owned);
    for secret in tokens.into_iter().chain(words).chain(drawn) {
        assert!(!secret.is_empty());
        let at = said.find(&secret);
        let line = at.map(|at| said[..at].lines().last().unwrap_or_default().to_owned());
        assert_eq!(line, None, "{secret} stands in the log");
    }
}
