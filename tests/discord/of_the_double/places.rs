//! Channels, threads, direct conversations, and the bot's permissions in them.

use serde_json::{Value, json};
use serenity::all::Permissions;

use super::client::Client;
use double::{Discord, Locale, Place};

async fn thread(client: &Client, private: bool) -> Place {
    let opening = format!("POST /channels/{}/threads", client.general);
    let kind = if private { 12 } else { 11 };
    let reply = client.send(&opening, json!({ "name": "卓", "type": kind })).await;
    assert_eq!((reply.status, &reply.body["type"]), (201, &json!(kind)));
    Place(reply.id())
}

async fn says_in(client: &Client, place: Place, words: &str) -> (u16, u64) {
    let saying = format!("POST /channels/{}/messages", place.0);
    let reply = client.send(&saying, json!({ "content": words })).await;
    (reply.status, reply.code())
}

#[tokio::test]
async fn what_is_not_there_or_not_allowed() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    assert_eq!(says_in(&client, Place(1), "1").await, (404, 10003));
    let missing = format!("GET /channels/{}/messages/1", client.general);
    assert_eq!(client.send(&missing, Value::Null).await.code(), 10008);
    let general = discord.channel("general");
    discord.forbids(general, Permissions::SEND_MESSAGES);
    assert_eq!(says_in(&client, general, "1").await, (403, 50013));
    discord.forbids(general, Permissions::VIEW_CHANNEL);
    assert_eq!(says_in(&client, general, "1").await, (403, 50001));
    discord.allows(general);
    assert_eq!(says_in(&client, general, "1").await.0, 200);
    discord.deletes(general);
    assert_eq!(says_in(&client, general, "1").await, (404, 10003));
    let other = discord.opens_channel("other");
    discord.lets_the_bot(Permissions::empty());
    assert_eq!(says_in(&client, other, "1").await.0, 200, "everybody may");
    discord.throws_the_bot_out();
    assert_eq!(says_in(&client, other, "1").await, (403, 50001));
}

#[tokio::test]
async fn a_thread_is_archived_and_locked() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let thread = thread(&client, false).await;
    discord.archives(thread);
    assert_eq!(says_in(&client, thread, "1").await, (400, 50083));
    let changing = format!("PATCH /channels/{}", thread.0);
    assert_eq!(client.send(&changing, json!({ "name": "席" })).await.code(), 50083);
    assert_eq!(client.send(&changing, json!({ "archived": false })).await.status, 200);
    assert_eq!(says_in(&client, thread, "1").await.0, 200);

    discord.locks(thread);
    discord.lets_the_bot(Permissions::empty());
    assert_eq!(client.send(&changing, json!({ "archived": false })).await.code(), 50013);
    discord.reopens(thread);
    assert_eq!(says_in(&client, thread, "2").await.0, 200);
    discord.locks(thread);
    assert_eq!(says_in(&client, thread, "3").await.1, 50083);
}

#[tokio::test]
async fn a_private_thread_is_seen_by_its_members() {
    let discord = Discord::start();
    let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::Ja));
    let client = Client::of(&discord);
    let thread = thread(&client, true).await;
    let member = format!("/channels/{}/thread-members/{}", thread.0, alice.id());
    assert_eq!(client.send(&format!("PUT {member}"), Value::Null).await.status, 204);
    says_in(&client, thread, "まだ内緒").await;
    assert_eq!((alice.times_told("内緒"), bob.times_told("内緒")), (1, 0));
    says_in(&client, thread, &format!("<@{}> どうぞ", bob.id())).await;
    assert_eq!(bob.finds("内緒").len(), 1, "who is named comes in");
    assert_eq!(client.send(&format!("DELETE {member}"), Value::Null).await.status, 204);
    assert!(alice.finds("内緒").is_empty());
    let listing = format!("GET /channels/{}/thread-members", thread.0);
    assert_eq!(client.send(&listing, Value::Null).await.body.as_array().unwrap().len(), 2);
    let open = format!("GET /guilds/{}/threads/active", discord.guild());
    assert_eq!(client.send(&open, Value::Null).await.body["threads"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_message_has_one_thread() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let message = client.says(json!({ "content": "卓" })).await.id();
    let opening = format!("POST /channels/{}/messages/{message}/threads", client.general);
    assert_eq!(client.send(&opening, json!({ "name": "卓" })).await.id(), message);
    assert_eq!(client.send(&opening, json!({ "name": "卓" })).await.code(), 160_004);
}

#[tokio::test]
async fn messages_are_listed_edited_and_deleted() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let mut ids = Vec::new();
    for number in 0..4 {
        ids.push(client.says(json!({ "content": format!("{number}") })).await.id());
    }
    let listing = |query: String| format!("GET /channels/{}/messages?{query}", client.general);
    let texts = |body: &Value| {
        let texts = body.as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap());
        texts.collect::<String>()
    };
    let newest = client.send(&listing("limit=2".to_owned()), Value::Null).await;
    assert_eq!(texts(&newest.body), "32");
    let after = client.send(&listing(format!("after={}&limit=2", ids[0])), Value::Null).await;
    assert_eq!(texts(&after.body), "21");
    let before = client.send(&listing(format!("before={}", ids[2])), Value::Null).await;
    assert_eq!(texts(&before.body), "10");
    let one = format!("/channels/{}/messages/{}", client.general, ids[0]);
    let edited = client.send(&format!("PATCH {one}"), json!({ "content": "9" })).await;
    assert_eq!(edited.body["content"], "9");
    assert_eq!(client.send(&format!("DELETE {one}"), Value::Null).await.status, 204);
    assert_eq!(client.send(&format!("GET {one}"), Value::Null).await.code(), 10008);
}

#[tokio::test]
async fn a_private_conversation_can_be_closed() {
    let discord = Discord::start();
    let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::Ja));
    let client = Client::of(&discord);
    let with = json!({ "recipient_id": alice.id().to_string() });
    let reply = client.send("POST /users/@me/channels", with).await;
    let place = Place(reply.id());
    assert_eq!(says_in(&client, place, "手札は").await.0, 200);
    assert_eq!((alice.times_told("手札"), bob.times_told("手札")), (1, 0));
    alice.closes_dms(true);
    assert_eq!(says_in(&client, place, "手札は").await, (403, 50007));
    alice.closes_dms(false);
    alice.leaves();
    assert_eq!(says_in(&client, place, "手札は").await, (403, 50007));
    let nobody = client.send("POST /users/@me/channels", json!({ "recipient_id": "1" })).await;
    assert_eq!(nobody.code(), 50033);
}
