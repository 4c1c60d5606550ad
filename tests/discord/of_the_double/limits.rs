//! Rate limits.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::Client;
use double::{Discord, Scope};

#[tokio::test]
async fn a_route_is_limited_for_each_channel_and_says_so() {
    let discord = Discord::start();
    let other = discord.opens_channel("other");
    let client = Client::of(&discord);
    discord.limits("POST /channels/*/messages", 2, Duration::from_mins(1));
    let first = client.says(json!({ "content": "1" })).await;
    assert_eq!(first.header("x-ratelimit-limit"), "2");
    assert_eq!(first.header("x-ratelimit-remaining"), "1");
    assert!(first.header("x-ratelimit-reset-after").parse::<f64>().unwrap() > 50.0);
    client.says(json!({ "content": "2" })).await;
    let third = client.says(json!({ "content": "3" })).await;
    assert_eq!((third.status, third.header("x-ratelimit-scope")), (429, "user"));
    assert_eq!(third.header("x-ratelimit-bucket"), first.header("x-ratelimit-bucket"));
    assert!(third.body["retry_after"].as_f64().unwrap() > 50.0);
    assert_eq!((discord.too_early(), discord.sent_while_limited()), (1, 0));
    client.says(json!({ "content": "4" })).await;
    assert_eq!((discord.too_early(), discord.sent_while_limited()), (2, 1));
    let elsewhere = format!("POST /channels/{}/messages", other.0);
    assert_eq!(client.send(&elsewhere, json!({ "content": "5" })).await.status, 200);
}

#[tokio::test]
async fn the_bot_as_a_whole_is_limited_but_for_interactions() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    discord.limits_all(2, Duration::from_mins(1));
    for status in [200, 200, 429] {
        let reply = client.send("GET /users/@me", Value::Null).await;
        assert_eq!(reply.status, status);
    }
    let reply = client.send("GET /gateway", Value::Null).await;
    assert_eq!(
        (reply.header("x-ratelimit-scope"), &reply.body["global"]),
        ("global", &json!(true))
    );
    let late = client.send("POST /interactions/1/none/callback", json!({ "type": 6 })).await;
    assert_eq!((late.status, discord.forgive("10062")), (404, 1));
    discord.limits_nobody();
    assert_eq!(client.send("GET /users/@me", Value::Null).await.status, 200);
}

#[tokio::test]
async fn a_planned_429_has_its_scope() {
    let discord = Discord::start();
    let client = Client::of(&discord);
    let plan = discord.when("POST /channels/*/messages").nth(2);
    plan.comes_too_early(Duration::from_millis(50), Scope::Shared);
    assert_eq!(client.says(json!({ "content": "1" })).await.status, 200);
    let reply = client.says(json!({ "content": "2" })).await;
    assert_eq!((reply.status, reply.header("x-ratelimit-scope")), (429, "shared"));
    assert_eq!(client.says(json!({ "content": "2" })).await.status, 200);
}
