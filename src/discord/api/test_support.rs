//! A small fake Discord on loopback that answers by a script.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::Response;
use serde_json::{Value, json};
use serenity::model::id::ChannelId;
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::api::{ApiSettings, PostedMessage};
use crate::{Api, BotToken, SendError};

pub(super) const TOKEN: &str = "bot.secret.token";
pub(super) const INTERACTION_TOKEN: &str = "aW50ZXJhY3Rpb24";

/// A request that was received.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) what: String,
    pub(super) kind: String,
    pub(super) body: String,
    pub(super) at: Instant,
}

/// A response to a request.
#[derive(Debug)]
pub(super) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
    delay: Duration,
}

pub(super) fn reply(status: u16, body: &Value) -> Reply {
    let headers = vec![("content-type", "application/json".to_owned())];
    Reply { status, headers, body: body.to_string(), delay: Duration::ZERO }
}

/// Returns the response to a posted message.
pub(super) fn posted() -> Reply {
    reply(200, &json!({ "id": "1", "channel_id": "1" }))
}

/// Returns a response 429.
pub(super) fn limited(scope: &str, after: Duration) -> Reply {
    let after = after.as_secs_f64();
    let body = json!({ "message": "", "retry_after": after, "global": scope == "global" });
    reply(429, &body).header("x-ratelimit-scope", &scope)
}

impl Reply {
    pub(super) fn header(mut self, name: &'static str, value: &impl ToString) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }

    pub(super) fn bucket(self, name: &str, limit: u32, left: u32, ends: Duration) -> Self {
        self.header("x-ratelimit-bucket", &name)
            .header("x-ratelimit-limit", &limit)
            .header("x-ratelimit-remaining", &left)
            .header("x-ratelimit-reset-after", &ends.as_secs_f64())
    }

    pub(super) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }
}

pub(super) struct Double {
    pub(super) api: Api,
    seen: Arc<Mutex<Vec<Seen>>>,
}

pub(super) fn settings() -> ApiSettings {
    ApiSettings {
        patience: Duration::from_secs(2),
        pause: Duration::from_millis(20),
        timeout: Duration::from_millis(400),
        ..ApiSettings::default()
    }
}

/// Starts a fake Discord that answers each request by the script, given the number of earlier requests.
pub(super) async fn double(
    settings: ApiSettings,
    script: impl Fn(&str, usize) -> Reply + Send + Sync + 'static,
) -> Double {
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let (list, script) = (Arc::clone(&seen), Arc::new(script));
    let answer = move |request: Request| {
        let (list, script) = (Arc::clone(&list), Arc::clone(&script));
        async move {
            let path = request.uri().path().trim_start_matches("/api/v10");
            let what = format!("{} {path}", request.method());
            assert_eq!(request.headers()["authorization"], format!("Bot {TOKEN}"));
            let kind = request.headers().get("content-type");
            let kind = kind.map_or(String::new(), |kind| kind.to_str().unwrap().to_owned());
            let at = Instant::now();
            let body = to_bytes(request.into_body(), usize::MAX).await.unwrap();
            let body = String::from_utf8_lossy(&body).into_owned();
            let number = {
                let mut list = list.lock().unwrap();
                list.push(Seen { what: what.clone(), kind, body, at });
                list.len() - 1
            };
            let reply = script(&what, number);
            tokio::time::sleep(reply.delay).await;
            let mut response = Response::builder().status(reply.status);
            for (name, value) in reply.headers {
                response = response.header(name, value);
            }
            response.body(Body::from(reply.body)).unwrap()
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(answer);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let token = BotToken::parse(TOKEN, "test").unwrap();
    Double { api: Api::with_settings(&base, &token, settings).unwrap(), seen }
}

impl Double {
    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Posts a message that may be retried.
    pub(super) async fn post(&self, channel: u64, text: &str) -> Result<PostedMessage, SendError> {
        let message = json!({ "content": text, "nonce": text, "enforce_nonce": true });
        self.api.post(ChannelId::new(channel), &message, Vec::new()).await
    }
}
