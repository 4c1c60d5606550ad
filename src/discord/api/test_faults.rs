//! Faults of the connection and of responses, over real sockets.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};
use serenity::http::Route;
use serenity::model::id::{ApplicationId, ChannelId, InteractionId, UserId};

use crate::api::test_support::{
    Double, INTERACTION_TOKEN, TOKEN, double, limited, posted, reply, settings,
};
use crate::api::{Attachment, Refusal};
use crate::{Api, BotToken, SendError};

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

async fn respond(double: &Double) -> Result<(), SendError> {
    let response = json!({ "type": 4, "data": { "content": "x" } });
    double.api.respond(InteractionId::new(5), INTERACTION_TOKEN, &response, Vec::new()).await
}

async fn follow_up(double: &Double) -> Result<(), SendError> {
    let (app, message) = (ApplicationId::new(3), json!({ "content": "x" }));
    double.api.follow_up(app, INTERACTION_TOKEN, &message, Vec::new()).await.map(drop)
}

#[tokio::test]
async fn a_conversation_is_asked_for_once() {
    let double = double(settings(), |_, _| reply(200, &json!({ "id": "7" }))).await;
    for user in [1, 2, 1, 1] {
        let conversation = double.api.direct(UserId::new(user)).await.unwrap();
        assert_eq!(conversation, ChannelId::new(7));
    }
    assert_eq!(double.seen().len(), 2, "one for each of them");
}

#[tokio::test]
async fn a_message_with_a_nonce_is_sent_again_after_two_502() {
    let double =
        double(settings(), |_, number| if number < 2 { reply(502, &json!(0)) } else { posted() })
            .await;
    double.post(1, "a").await.unwrap();
    assert_eq!(double.seen().len(), 3);
    assert_eq!(double.api.counts().retries.get(), 2);
}

#[tokio::test]
async fn a_message_without_a_nonce_is_sent_once() {
    let double = double(settings(), |_, _| reply(502, &json!(0))).await;
    let message = json!({ "content": "x", "nonce": "1" });
    let unsent = double.api.post(ChannelId::new(1), &message, Vec::new()).await.unwrap_err();
    assert!(matches!(unsent, SendError::Unreachable { .. }), "{unsent}");
    assert!(follow_up(&double).await.is_err());
    assert_eq!(double.seen().len(), 2);
}

#[tokio::test]
async fn attempts_come_to_an_end() {
    let double = double(settings(), |_, _| reply(503, &json!(0))).await;
    let unsent = double.post(1, "a").await.unwrap_err();
    let what = "POST channels/:id/messages: 503".to_owned();
    assert_eq!(unsent, SendError::Unreachable { what });
    assert_eq!(double.seen().len(), 4);
}

#[tokio::test]
async fn a_question_whose_answer_was_lost_is_asked_again() {
    let double = double(settings(), |_, number| match number {
        0 => reply(200, &json!({ "id": "1" })).after(millis(5000)),
        _ => reply(200, &json!({ "id": "1" })),
    })
    .await;
    let user: Value = double.api.get(Route::UserMe).await.unwrap();
    assert_eq!(user["id"], "1");
    assert_eq!(double.seen().len(), 2);
    assert_eq!(double.api.counts().unanswered.get(), 1);
}

#[tokio::test]
async fn nobody_at_the_other_end_is_told_as_such() {
    let token = BotToken::parse(TOKEN, "test").unwrap();
    let api = Api::with_settings("http://127.0.0.1:9", &token, settings()).unwrap();
    let unsent = api.get::<Value>(Route::UserMe).await.unwrap_err();
    assert!(matches!(unsent, SendError::Unreachable { .. }), "{unsent}");
    assert!(!unsent.to_string().contains("127.0.0.1:9/"), "{unsent}");
}

#[tokio::test]
async fn after_a_401_nothing_is_sent() {
    let double =
        double(settings(), |_, _| reply(401, &json!({ "message": "401", "code": 0 }))).await;
    assert_eq!(double.post(1, "a").await.unwrap_err(), SendError::Unauthorized);
    assert_eq!(double.post(2, "b").await.unwrap_err(), SendError::Unauthorized);
    assert!(double.api.is_unauthorized());
    assert_eq!(double.seen().len(), 1);
}

#[tokio::test]
async fn a_401_to_an_old_interaction_is_that_interactions() {
    let old = json!({ "message": "Invalid Webhook Token", "code": 50027 });
    let double =
        double(
            settings(),
            move |what, _| {
                if what.contains("webhooks") { reply(401, &old) } else { posted() }
            },
        )
        .await;
    let unsent = follow_up(&double).await.unwrap_err();
    assert!(matches!(unsent, SendError::Refused { status: 401, code: 50027, .. }), "{unsent}");
    double.post(1, "a").await.unwrap();
}

#[tokio::test]
async fn an_answer_that_was_taken_but_lost_on_the_way_back_counts() {
    let acknowledged = json!({ "message": "already", "code": 40060 });
    let double = double(settings(), move |_, number| match number {
        0 => reply(200, &json!({})).after(millis(5000)),
        _ => reply(400, &acknowledged),
    })
    .await;
    respond(&double).await.unwrap();
    assert!(respond(&double).await.unwrap_err().is(Refusal::AlreadyAcknowledged));
}

#[tokio::test]
async fn an_answer_to_an_interaction_is_given_up_in_time() {
    let settings = crate::api::ApiSettings { callback: millis(300), ..settings() };
    let double = double(settings, |_, _| limited("user", millis(1500))).await;
    let began = tokio::time::Instant::now();
    let unsent = respond(&double).await.unwrap_err();
    assert!(matches!(unsent, SendError::Unreachable { .. }), "{unsent}");
    assert!(began.elapsed() < millis(1400));
}

#[tokio::test]
async fn files_go_along_with_what_is_said_about_them() {
    let double = double(settings(), |_, _| posted()).await;
    let message = json!({ "content": "board", "attachments": [{ "id": "0" }, { "id": "1" }] });
    let file = |name: &str| Attachment {
        name: name.to_owned(),
        kind: "image/png",
        bytes: name.as_bytes().to_vec(),
    };
    let files = vec![file("one.png"), file("two.png")];
    double.api.post(ChannelId::new(1), &message, files).await.unwrap();
    let seen = double.seen().remove(0);
    assert!(seen.kind.starts_with("multipart/form-data; boundary="), "{}", seen.kind);
    for part in ["payload_json", "files[0]", "files[1]"] {
        assert!(seen.body.contains(&format!("name=\"{part}\"")), "{part}");
    }
    assert!(seen.body.contains("\"content\":\"board\""));
}

#[tokio::test]
async fn no_token_is_in_what_goes_wrong() {
    let double = double(settings(), |_, number| match number {
        0 => reply(502, &json!(0)),
        1 => reply(400, &json!({ "message": "no", "code": 50035 })),
        2 => reply(200, &json!("no message")),
        3 => limited("user", millis(90_000)),
        _ => posted().after(millis(5000)),
    })
    .await;
    assert!(!format!("{:?}", double.api).contains("secret"));
    let mut shown = String::new();
    let mut kinds = Vec::new();
    for _ in 0..4 {
        let unsent = follow_up(&double).await.unwrap_err();
        write!(shown, "{unsent} {unsent:?}").unwrap();
        kinds.push(std::mem::discriminant(&unsent));
    }
    let unsent = double.post(1, "a").await.unwrap_err();
    write!(shown, "{unsent} {unsent:?}").unwrap();
    kinds.dedup();
    assert_eq!(kinds.len(), 4, "each goes wrong in its own way");
    for secret in [INTERACTION_TOKEN, TOKEN, "secret", "http://"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}
