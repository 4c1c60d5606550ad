//! What each person could see.

use serde_json::{Value, json};

use super::client::Client;
use crate::double::{Discord, Locale};

/// What bob gets while somebody deals these cards to alice, after so many other ids were given.
async fn dealt(hand: &str, before: usize) -> (Vec<u8>, Vec<u8>) {
    let discord = Discord::start().await;
    let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::Ja));
    let client = Client::of(&discord);
    for number in 0..before {
        discord.opens_channel(&format!("{number}"));
    }
    let words = format!("<@{}> <t:1700000000:R> まで", alice.id());
    let posted = client.says(json!({ "content": words })).await.id();
    let with = json!({ "recipient_id": alice.id().to_string() });
    let private = client.send("POST /users/@me/channels", with).await.id();
    client.send(&format!("POST /channels/{private}/messages"), json!({ "content": hand })).await;
    let path = format!("PATCH /channels/{}/messages/{posted}", client.general);
    client.upload(&path, json!({ "content": "締切" }), &[("board.png", b"picture")]).await;
    (alice.bytes(), bob.bytes())
}

#[tokio::test]
async fn nobody_gets_a_byte_of_what_is_anothers() {
    let (alice, bob) = dealt("役者5", 0).await;
    let (alice_of_another, bob_of_another) = dealt("演出家3", 3).await;
    assert_eq!(String::from_utf8(bob), String::from_utf8(bob_of_another));
    assert_ne!(alice, alice_of_another);
    assert!(String::from_utf8(alice).unwrap().contains("picture"));
}

#[tokio::test]
async fn a_ping_reaches_whom_the_sender_allows() {
    let discord = Discord::start().await;
    let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::Ja));
    let client = Client::of(&discord);
    let words = format!("<@{}> <@{}> @everyone", alice.id(), bob.id());
    client.says(json!({ "content": words, "allowed_mentions": { "parse": [] } })).await;
    let one = json!({ "parse": [], "users": [alice.id().to_string()] });
    client.says(json!({ "content": words, "allowed_mentions": one })).await;
    client.says(json!({ "content": words })).await;
    let told = "
> #general: @alice @bob @everyone
> #general (pings alice): @alice @bob @everyone
> #general (pings alice, bob): @alice @bob @everyone
";
    assert_eq!(discord.transcript(), told.trim_start());
}

#[tokio::test]
async fn a_file_can_be_fetched_where_the_message_says() {
    let discord = Discord::start().await;
    let client = Client::of(&discord);
    let body = json!({ "attachments": [{ "id": "0", "description": "盤の絵" }] });
    let saying = format!("POST /channels/{}/messages", client.general);
    let reply = client.upload(&saying, body, &[("board.png", b"picture")]).await;
    let file = &reply.body["attachments"][0];
    assert_eq!((&file["filename"], &file["description"]), (&json!("board.png"), &json!("盤の絵")));
    let bytes = reqwest::get(file["url"].as_str().unwrap()).await.unwrap().bytes().await.unwrap();
    assert_eq!(&bytes[..], b"picture");
    let path = format!("PATCH /channels/{}/messages/{}", client.general, reply.id());
    let kept = client.send(&path, json!({ "content": "1", "attachments": [] })).await;
    assert_eq!(kept.body["attachments"], Value::Array(Vec::new()));
}
