//! Messages that Discord refuses.

use serde_json::{Value, json};

use super::client::Client;
use double::Discord;

/// Asserts that a message is refused, and that its record contains only `words`.
async fn refused(body: Value, words: &str) {
    let discord = Discord::start();
    let reply = Client::of(&discord).says(body.clone()).await;
    assert_eq!((reply.status, reply.code()), (400, 50035), "{body}");
    assert!(discord.forgive(words) > 0, "{words}: {:?}", discord.violations());
}

async fn taken(body: Value) {
    let discord = Discord::start();
    let reply = Client::of(&discord).says(body.clone()).await;
    assert_eq!(reply.status, 200, "{body}: {:?}", discord.violations());
}

fn button(id: &str) -> Value {
    json!({ "type": 2, "style": 1, "label": "封をする", "custom_id": id })
}

fn row(parts: &[Value]) -> Value {
    json!({ "type": 1, "components": parts })
}

#[tokio::test]
async fn the_lengths_of_a_message() {
    taken(json!({ "content": "あ".repeat(2000) })).await;
    refused(json!({ "content": "あ".repeat(2001) }), "between 0 and 2000").await;
    let embed = |length| json!({ "description": "あ".repeat(length) });
    taken(json!({ "embeds": [embed(3000), embed(3000)] })).await;
    refused(json!({ "embeds": [embed(3000), embed(3001)] }), "6000").await;
    refused(json!({ "embeds": vec![embed(1); 11] }), "embeds").await;
    refused(json!({ "content": "1", "nonce": "1".repeat(26) }), "nonce").await;
    refused(json!({ "content": "1", "contents": "2" }), "no such field").await;
    refused(json!({ "content": "1", "flags": 64 }), "flags").await;
}

#[tokio::test]
async fn buttons_and_menus() {
    let with = |rows: Vec<Value>| json!({ "content": "1", "components": rows });
    let five: Vec<Value> = (0..5).map(|number| button(&format!("{number}"))).collect();
    taken(with(vec![row(&five)])).await;
    let six: Vec<Value> = (0..6).map(|number| button(&format!("{number}"))).collect();
    refused(with(vec![row(&six)]), "components.0").await;
    let rows = (0..6).map(|number| row(&[button(&format!("{number}"))])).collect();
    refused(with(rows), "5 or fewer").await;
    refused(with(vec![row(&[button("1"), button("1")])]), "duplicated").await;
    refused(with(vec![row(&[button(&"1".repeat(101))])]), "custom_id").await;
    let nameless = json!({ "type": 2, "style": 1, "label": "封をする" });
    refused(with(vec![row(&[nameless])]), "custom_id").await;
    let menu = |count: usize, length: usize| {
        let option = |number| json!({ "label": "あ".repeat(length), "value": format!("{number}") });
        let options: Vec<Value> = (0..count).map(option).collect();
        json!({ "type": 3, "custom_id": "menu", "options": options })
    };
    taken(with(vec![row(&[menu(25, 100)])])).await;
    refused(with(vec![row(&[menu(26, 1)])]), "options").await;
    refused(with(vec![row(&[menu(1, 101)])]), "label").await;
    refused(with(vec![row(&[menu(1, 1), button("1")])]), "one menu").await;
    let text = json!({ "type": 10, "content": "1" });
    refused(with(vec![text.clone()]), "IS_COMPONENTS_V2").await;
    taken(json!({ "flags": 1 << 15, "components": [text] })).await;
    refused(json!({ "flags": 1 << 15, "content": "1" }), "together").await;
}

#[tokio::test]
async fn a_message_made_of_components_stays_one() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let text =
        |words: &str| json!([{ "type": 17, "components": [{ "type": 10, "content": words }] }]);
    let reply = client.says(json!({ "flags": 1 << 15, "components": text("一") })).await;
    let path = format!("PATCH /channels/{}/messages/{}", client.general, reply.id());
    let changed = client.send(&path, json!({ "components": text("二") })).await;
    assert_eq!((changed.status, &changed.body["flags"]), (200, &json!(1 << 15)));
    let changed = client.send(&path, json!({ "content": "三" })).await;
    assert_eq!((changed.status, discord.forgive("together")), (400, 1));
    assert_eq!(discord.transcript(), "> #general: 一\n> edit #general: 二\n");
}

#[tokio::test]
async fn who_may_be_mentioned() {
    let allowed = |allowed: Value| json!({ "content": "1", "allowed_mentions": allowed });
    taken(allowed(json!({ "parse": [], "users": ["1"] }))).await;
    refused(allowed(json!({ "parse": ["users"], "users": ["1"] })), "exclusive").await;
    refused(allowed(json!({ "parse": ["all"] })), "allowed_mentions").await;
}

#[tokio::test]
async fn the_rules_of_commands() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let everywhere = format!("PUT /applications/{}/commands", discord.application());
    let option = |name: &str, required: bool| json!({ "type": 3, "name": name, "description": "1", "required": required });
    let good = json!({
        "name": "table", "name_localizations": { "ja": "卓" }, "description": "A table",
        "options": [option("text", true), option("more", false)],
    });
    let reply = client.send(&everywhere, json!([good])).await;
    assert_eq!((reply.status, reply.body[0]["type"].as_u64()), (200, Some(1)));
    let id = reply.body[0]["id"].clone();
    let again = client.send(&everywhere, json!([good])).await;
    assert_eq!(again.body[0]["id"], id, "a command that stays keeps its id");

    let with = |key: &str, value: Value| {
        let mut command = good.clone();
        command[key] = value;
        command
    };
    let long: Vec<Value> = (0..25)
        .map(|number| {
            json!({
                "type": 3, "name": format!("o{number}"), "description": "あ".repeat(100),
                "choices": (0..25).map(|one| json!({
                    "name": format!("{one}"), "value": format!("{one}{}", "v".repeat(20)),
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let bad = [
        (json!([with("name", json!("Table"))]), "name is invalid"),
        (json!([with("name", json!("卓 一"))]), "name is invalid"),
        (json!([with("name_localizations", json!({ "ja": "あ".repeat(33) }))]), "name"),
        (json!([with("name_localizations", json!({ "jp": "卓" }))]), "jp"),
        (json!([with("description", json!(""))]), "description"),
        (json!([with("options", json!([option("a", false), option("b", true)]))]), "placed before"),
        (json!([with("options", json!([option("a", true), option("a", true)]))]), "unique"),
        (json!([with("options", json!(long))]), "8000"),
        (json!([good, good]), "unique"),
    ];
    for (body, words) in bad {
        let reply = client.send(&everywhere, body).await;
        assert_eq!(reply.status, 400, "{words}");
        assert!(discord.forgive(words) > 0, "{words}: {:?}", discord.violations());
        discord.forgive("PUT /applications");
    }
    assert_eq!(discord.commands(), ["table"]);
}

#[tokio::test]
async fn the_specification_is_held_against_every_body() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let rows = json!([row(&[button("1")])]);
    let body = json!({ "content": "1", "components": rows, "attachments": [{ "id": 0 }] });
    let messages = format!("POST /channels/{}/messages", client.general);
    let reply = client.upload(&messages, body, &[("board.png", b"picture")]).await;
    assert_eq!(reply.status, 200, "a number for a file's number is taken");
    let reply = client.says(json!({ "content": 1 })).await;
    assert_eq!(reply.status, 400);
    assert!(discord.forgive("content") > 0);
    let reply = client.says(json!({ "content": "1", "tts": "loud" })).await;
    assert_eq!((reply.status, discord.forgive("tts")), (400, 1));
}

#[tokio::test]
async fn who_has_no_token_and_what_has_no_path() {
    let discord = Discord::start();
    let reply = Client::of(&discord).send("GET /nowhere", Value::Null).await;
    assert_eq!((reply.status, discord.forgive("404")), (404, 1));
    let stranger = Client::of(&discord).with_token("another");
    let reply = stranger.send("GET /users/@me", Value::Null).await;
    assert_eq!((reply.status, discord.forgive("401")), (401, 1));
}

#[tokio::test]
#[should_panic(expected = "between 0 and 2000")]
async fn a_test_fails_that_leaves_a_broken_rule() {
    let discord = Discord::start();
    Client::of(&discord).says(json!({ "content": "あ".repeat(2001) })).await;
}
