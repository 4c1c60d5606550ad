//! Planned faults of the fake Discord.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Client;
use double::{Discord, Locale};

const SAYING: &str = "POST /channels/*/messages";

#[tokio::test]
async fn a_status_comes_with_or_without_an_effect() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::En);
    let client = Client::of(&discord);
    discord.when(SAYING).times(2).answers(502);
    discord.when(SAYING).nth(3).takes_effect_and_answers(500);
    for (words, status) in [("one", 502), ("two", 502), ("three", 500), ("four", 200)] {
        assert_eq!(client.says(json!({ "content": words })).await.status, status);
    }
    let told = ["one", "two", "three", "four"].map(|words| alice.times_told(words));
    assert_eq!(told, [0, 0, 1, 1]);
    let statuses: Vec<u16> = discord.requests(SAYING).iter().map(|one| one.status).collect();
    assert_eq!(statuses, [502, 502, 200, 200]);
}

#[tokio::test]
async fn a_lost_answer_is_found_again_by_its_nonce() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::En);
    let client = Client::of(&discord);
    discord.when(SAYING).gets_lost();
    discord.when(SAYING).nth(2).takes_effect_and_its_answer_is_lost();
    let letter = json!({ "content": "a letter", "nonce": "7", "enforce_nonce": true });
    let saying = format!("POST /channels/{}/messages", client.general);
    assert!(client.tries(&saying, letter.clone()).await.is_err());
    assert_eq!(alice.times_told("a letter"), 0);
    assert!(client.tries(&saying, letter.clone()).await.is_err());
    assert_eq!(alice.times_told("a letter"), 1);
    let again = client.says(letter.clone()).await;
    assert_eq!((again.status, alice.times_told("a letter")), (200, 1));
    discord.advance(Duration::from_mins(6));
    let later = client.says(letter).await;
    assert_ne!(later.id(), again.id(), "a nonce is remembered for some minutes");
}

#[tokio::test]
async fn an_answer_comes_late() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    discord.when("GET /users/@me").comes_late(Duration::from_millis(80));
    discord.when("GET /gateway").takes_effect_and_answers_late(Duration::from_millis(80));
    let before = Instant::now();
    client.send("GET /users/@me", Value::Null).await;
    client.send("GET /gateway", Value::Null).await;
    assert!(before.elapsed() >= Duration::from_millis(160));
    discord.when("GET /nowhere").answers(500);
    discord.calms_down();
}

#[tokio::test]
#[should_panic(expected = "never struck")]
async fn a_test_fails_whose_fault_never_struck() {
    let discord = Discord::start();
    discord.when(SAYING).answers(500);
}
