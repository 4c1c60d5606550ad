//! The time and the number of answers to an interaction.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, Reply};
use double::{Discord, Id, Locale, Person};

struct Played {
    discord: Discord,
    client: Client,
    alice: Person,
}

impl Played {
    async fn start() -> Self {
        let discord = Discord::start();
        let client = Client::of(&discord);
        let alice = discord.person("alice", Locale::Ja);
        let commands = format!("PUT /applications/{}/commands", discord.application());
        let text = json!({
            "type": 3, "name": "text", "description": "1", "autocomplete": true,
            "choices": [], "max_length": 5,
        });
        let hand = json!({ "name": "hand", "description": "Your hand", "options": [text] });
        let reply = client.send(&commands, json!([hand])).await;
        assert_eq!(reply.status, 200, "{:?}", reply.body);
        Self { discord, client, alice }
    }

    async fn answers(&self, interaction: Id, body: Value) -> Reply {
        let path = format!("POST /interactions/{interaction}/{}/callback", token(interaction));
        self.client.send(&path, body).await
    }

    async fn hook(&self, method: &str, interaction: Id, rest: &str, body: Value) -> Reply {
        let (application, token) = (self.discord.application(), token(interaction));
        self.client.send(&format!("{method} /webhooks/{application}/{token}{rest}"), body).await
    }
}

fn token(interaction: Id) -> String {
    format!("aW50ZXJhY3Rpb246{interaction:x}")
}

fn says(words: &str) -> Value {
    json!({ "type": 4, "data": { "content": words, "flags": 64 } })
}

#[tokio::test]
async fn it_is_answered_once_and_in_time() {
    let played = Played::start().await;
    let interaction = played.alice.command("hand").done().await;
    assert_eq!(played.hook("POST", interaction, "", json!({ "content": "1" })).await.code(), 10015);
    assert_eq!(played.discord.forgive("10015"), 1);
    assert_eq!(played.answers(interaction, says("手札")).await.status, 204);
    assert_eq!(played.answers(interaction, says("手札")).await.code(), 40060);
    assert_eq!(played.discord.forgive("40060"), 1);
    assert_eq!(played.alice.times_told("手札"), 1);

    let late = played.alice.command("hand").done().await;
    played.discord.advance(Duration::from_secs(4));
    assert_eq!(played.answers(late, says("手札")).await.code(), 10062);
    assert_eq!(played.discord.forgive("10062"), 1);
    assert_eq!(played.discord.answering_times().len(), 1);
}

#[tokio::test]
async fn what_comes_after_the_first_answer() {
    let played = Played::start().await;
    let it = played.alice.command("hand").done().await;
    assert_eq!(played.answers(it, json!({ "type": 5, "data": { "flags": 64 } })).await.status, 204);
    assert_eq!(played.discord.transcript(), "alice: /hand\n");
    let original = "/messages/@original";
    assert_eq!(played.hook("GET", it, original, Value::Null).await.body["flags"], 64 | 128);
    let first = played.hook("PATCH", it, original, json!({ "content": "手札" })).await;
    assert_eq!((first.status, &first.body["flags"]), (200, &json!(64)));
    let more = played.hook("POST", it, "", json!({ "content": "続き", "flags": 64 })).await;
    let one = format!("/messages/{}", more.id());
    played.hook("PATCH", it, &one, json!({ "content": "続きの続き" })).await;
    assert_eq!(played.hook("DELETE", it, &one, Value::Null).await.status, 204);
    assert_eq!(played.hook("GET", it, &one, Value::Null).await.code(), 10008);
    let told = "
alice: /hand
> private to alice: 手札
> private to alice: 続き
> edit private to alice: 続きの続き
> gone from private to alice: 続きの続き
";
    assert_eq!(played.alice.transcript(), told.trim_start());
    played.discord.advance(Duration::from_mins(15));
    assert_eq!(played.hook("POST", it, "", json!({ "content": "1" })).await.code(), 50027);
    assert_eq!(played.discord.forgive("50027"), 1);
}

#[tokio::test]
async fn an_answer_fits_what_was_done() {
    let played = Played::start().await;
    let command = played.alice.command("hand").done().await;
    for body in [json!({ "type": 7, "data": { "content": "1" } }), json!({ "type": 6 })] {
        assert_eq!(played.answers(command, body).await.status, 400);
        assert_eq!(played.discord.forgive("cannot be answered like that"), 1);
    }
    let field = json!({ "type": 4, "custom_id": "f", "style": 1, "label": "1" });
    let form = |title: &str, count: usize| {
        let row = |number| {
            let mut field = field.clone();
            field["custom_id"] = json!(format!("{number}"));
            json!({ "type": 1, "components": [field] })
        };
        let rows: Vec<Value> = (0..count).map(row).collect();
        json!({ "type": 9, "data": { "custom_id": "form", "title": title, "components": rows } })
    };
    for bad in [form(&"あ".repeat(46), 1), form("題", 6), form("題", 0)] {
        assert_eq!(played.answers(command, bad).await.status, 400);
        assert!(played.discord.forgive("callback") > 0);
    }
    assert_eq!(played.answers(command, form("題", 5)).await.status, 204);

    let typed = played.alice.complete("hand", "text", "あ").done().await;
    let choice = |length| json!({ "name": "あ".repeat(length), "value": "1" });
    let choices = |list: Vec<Value>| json!({ "type": 8, "data": { "choices": list } });
    for bad in [choices(vec![choice(101)]), choices(vec![choice(1); 26]), says("1")] {
        assert_eq!(played.answers(typed, bad).await.status, 400);
        assert!(played.discord.forgive("callback") > 0);
    }
    assert_eq!(played.answers(typed, choices(vec![choice(1); 25])).await.status, 204);
}

#[tokio::test]
async fn the_answer_can_be_had_with_its_message() {
    let played = Played::start().await;
    let it = played.alice.command("hand").with("text", "3B").done().await;
    let path = format!("POST /interactions/{it}/{}/callback?with_response=true", token(it));
    let reply = played.client.send(&path, says("手札")).await;
    assert_eq!(
        (reply.status, &reply.body["resource"]["message"]["content"]),
        (200, &json!("手札"))
    );
}

#[tokio::test]
async fn nobody_answers() {
    let settings = double::Settings {
        answer_within: Duration::from_millis(100),
        ..double::Settings::default()
    };
    let discord = Discord::start_with(settings);
    let client = Client::of(&discord);
    let alice = discord.person("alice", Locale::En);
    let commands = format!("POST /applications/{}/commands", discord.application());
    client.send(&commands, json!({ "name": "hand", "description": "Your hand" })).await;
    alice.command("hand").goes_unanswered().await;
}
