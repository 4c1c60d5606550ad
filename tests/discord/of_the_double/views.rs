//! The messages that each person can see.

use std::time::Duration;

use serde_json::{Value, json};
use serenity::all::Permissions;

use super::client::Client;
use double::{Discord, Locale};

/// Returns the bytes that bob receives while cards are sent to alice, after this many other channels.
async fn dealt(hand: &str, before: usize) -> (Vec<u8>, Vec<u8>) {
    let discord = Discord::start();
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
    let discord = Discord::start();
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
    let discord = Discord::start();
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

#[tokio::test]
async fn a_command_is_typed_where_it_is_allowed() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let (alice, host) = (discord.person("alice", Locale::Ja), discord.owner("host", Locale::Ja));
    let bob = discord.person("bob", Locale::Ja);
    bob.may(Permissions::MANAGE_GUILD);
    let commands = format!("POST /applications/{}/commands", discord.application());
    let setup = json!({
        "name": "setup", "description": "Setup", "contexts": [0],
        "default_member_permissions": Permissions::MANAGE_GUILD.bits().to_string(),
    });
    client.send(&commands, setup).await;
    let my = json!({ "name": "my", "description": "My tables", "contexts": [0, 1] });
    client.send(&commands, my).await;
    assert!(alice.command("setup").can_be_done().is_err());
    assert!(host.command("setup").can_be_done().is_ok());
    assert!(bob.command("setup").can_be_done().is_ok());
    let private = bob.goes_to_the_bot();
    assert!(bob.command("setup").can_be_done().is_err());
    assert!(bob.command("my").can_be_done().is_ok());
    assert!(alice.command("my").in_channel(private).can_be_done().is_err(), "it is bob's");
    bob.goes_to(discord.channel("general"));
    assert!(bob.command("setup").can_be_done().is_ok());
    assert!(bob.press("封をする").can_be_done().is_err());
}

#[tokio::test]
async fn requests_are_kept_with_what_they_said_and_when() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    client.says(json!({ "content": "1" })).await;
    discord.advance(Duration::from_mins(1));
    client.says(json!({ "content": "2" })).await;
    let said = discord.requests("POST /channels/*/messages");
    assert_eq!(said.iter().map(|one| &one.body["content"]).collect::<Vec<_>>(), ["1", "2"]);
    assert!(said[1].at >= said[0].at + Duration::from_mins(1));
    assert_eq!(discord.requests("* /channels/**").len(), 2);
    assert_eq!(discord.requests("GET /channels/**").len(), 0);
}
