//! A small fake gateway on loopback, with serenity's real client.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::{any, get};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::gateway::{Api, Heard};
use crate::{BotToken, Gateway, GatewayRefusal, GatewayState};

/// The fake gateway's behaviour after the bot has identified itself.
#[derive(Clone, Copy)]
enum Then {
    Serve,
    /// Serves, and does not answer a close frame.
    ServeRudely,
    Close(Option<u16>),
    /// Closes once the bot is connected.
    CloseLater(u16),
}

#[derive(Clone)]
struct Double {
    base: String,
    then: Then,
    identified: Arc<AtomicUsize>,
}

async fn double(then: Then) -> Double {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let double = Double { base: format!("http://{address}"), then, identified: Arc::default() };
    let url = format!("ws://{address}/gateway");
    let starts = json!({
        "total": 1000, "remaining": 1000, "reset_after": 1000, "max_concurrency": 1,
    });
    let bot = json!({ "url": url, "shards": 1, "session_start_limit": starts });
    let router = Router::new()
        .route("/api/v10/gateway/bot", get(move || async { Json(bot) }))
        .route("/gateway", any(open))
        .with_state(double.clone());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    double
}

async fn open(State(double): State<Double>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(|socket| serve(double, socket))
}

async fn say(socket: &mut WebSocket, what: &Value) {
    let _ = socket.send(Message::text(what.to_string())).await;
}

async fn close(socket: &mut WebSocket, code: Option<u16>) {
    let frame = code.map(|code| CloseFrame { code, reason: "".into() });
    let _ = socket.send(Message::Close(frame)).await;
}

async fn serve(double: Double, mut socket: WebSocket) {
    say(&mut socket, &json!({ "op": 10, "d": { "heartbeat_interval": 41250 } })).await;
    while let Some(Ok(message)) = socket.recv().await {
        let Message::Text(text) = message else {
            if matches!(double.then, Then::ServeRudely) {
                sleep(Duration::from_mins(1)).await;
            }
            continue;
        };
        let payload: Value = serde_json::from_str(&text).unwrap();
        match payload["op"].as_u64() {
            Some(1) => say(&mut socket, &json!({ "op": 11 })).await,
            Some(2) => {
                double.identified.fetch_add(1, Ordering::Relaxed);
                if let Then::Close(code) = double.then {
                    return close(&mut socket, code).await;
                }
                say(&mut socket, &dispatch(1, "READY", &ready())).await;
                say(&mut socket, &dispatch(2, "INTERACTION_CREATE", &json!({}))).await;
                say(&mut socket, &dispatch(3, "INTERACTION_CREATE", &command("panic"))).await;
                say(&mut socket, &dispatch(4, "INTERACTION_CREATE", &command("help"))).await;
                if let Then::CloseLater(code) = double.then {
                    return close(&mut socket, Some(code)).await;
                }
            }
            _ => {}
        }
    }
}

fn dispatch(number: u32, name: &str, what: &Value) -> Value {
    json!({ "op": 0, "s": number, "t": name, "d": what })
}

fn user() -> Value {
    json!({
        "id": "3", "username": "bot", "discriminator": "0000", "avatar": null, "bot": true,
        "mfa_enabled": false, "verified": true,
    })
}

fn ready() -> Value {
    json!({
        "v": 10, "user": user(), "guilds": [], "session_id": "s", "shard": [0, 1],
        "resume_gateway_url": "ws://127.0.0.1:9", "application": { "id": "3", "flags": 0 },
    })
}

fn command(name: &str) -> Value {
    json!({
        "id": "5", "application_id": "3", "type": 2, "token": "aW50", "version": 1,
        "channel_id": "7", "user": user(), "locale": "ja", "entitlements": [],
        "attachment_size_limit": 10_485_760, "app_permissions": "0", "context": 1,
        "authorizing_integration_owners": {},
        "data": { "id": "9", "name": name, "type": 1 },
    })
}

/// A running gateway, and the events that it forwarded.
struct Running {
    task: JoinHandle<Result<(), GatewayRefusal>>,
    state: Arc<GatewayState>,
    names: mpsc::UnboundedReceiver<String>,
    stop: watch::Sender<bool>,
}

fn run(base: &str) -> Running {
    let token = BotToken::parse("bot.secret.token", "test").unwrap();
    let gateway = Gateway::new(Api::new(base, &token).unwrap());
    let state = gateway.state();
    let (send, names) = mpsc::unbounded_channel();
    let (stop, stopped) = watch::channel(false);
    let handler = move |heard: Heard| {
        let name = match heard {
            Heard::Interaction(interaction) => interaction.as_command().unwrap().data.name.clone(),
            Heard::Changed(changed) => format!("{changed:?}"),
        };
        assert_ne!(name, "panic");
        let send = send.clone();
        async move { send.send(name).unwrap() }
    };
    let task = tokio::spawn(gateway.run(handler, stopped));
    Running { task, state, names, stop }
}

impl Running {
    async fn end(self, within: u64) -> Result<(), GatewayRefusal> {
        timeout(Duration::from_secs(within), self.task).await.unwrap().unwrap()
    }

    async fn connected(&self) {
        let connected = async {
            while self.state.connected_since().is_none() {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(20), connected).await.unwrap();
    }
}

#[tokio::test]
async fn an_interaction_is_handed_over_and_what_cannot_be_read_is_counted() {
    let double = double(Then::Serve).await;
    let mut running = run(&double.base);
    let name = timeout(Duration::from_secs(20), running.names.recv()).await.unwrap();
    assert_eq!(name.as_deref(), Some("help"));
    running.connected().await;
    assert_eq!(running.state.unknown.get(), 1);
    running.stop.send_replace(true);
    let state = Arc::clone(&running.state);
    assert_eq!(running.end(10).await, Ok(()));
    assert_eq!((state.connected_since(), state.under_way(), state.begun.get()), (None, 0, 1));
}

#[tokio::test]
async fn a_farewell_that_is_not_answered_is_not_waited_for() {
    let double = double(Then::ServeRudely).await;
    let running = run(&double.base);
    running.connected().await;
    running.stop.send_replace(true);
    assert_eq!(running.end(10).await, Ok(()));
}

#[tokio::test]
async fn what_a_person_must_mend_ends_it() {
    for (code, ended) in [
        (4004, GatewayRefusal::Token),
        (4013, GatewayRefusal::InvalidIntents),
        (4014, GatewayRefusal::DisallowedIntents),
    ] {
        let double = double(Then::Close(Some(code))).await;
        assert_eq!(run(&double.base).end(20).await, Err(ended));
    }
}

async fn does_not_spin(then: Then) {
    let double = double(then).await;
    let running = run(&double.base);
    let began = Instant::now();
    while running.state.begun.get() < 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "it is never begun anew");
        sleep(Duration::from_millis(20)).await;
    }
    let before = double.identified.load(Ordering::Relaxed);
    sleep(Duration::from_secs(2)).await;
    assert!(double.identified.load(Ordering::Relaxed) - before < 5);
    assert_eq!(running.state.stuck.get(), 0);
    running.stop.send_replace(true);
    assert_eq!(running.end(10).await, Ok(()));
}

/// Without the watch, serenity would read from the closed connection until a heartbeat fails.
#[tokio::test]
async fn a_close_that_serenity_spins_after_does_not_spin() {
    tokio::join!(
        does_not_spin(Then::Close(Some(4003))),
        does_not_spin(Then::Close(Some(4010))),
        does_not_spin(Then::Close(Some(4011))),
        does_not_spin(Then::Close(None)),
        does_not_spin(Then::CloseLater(4011)),
    );
}

#[tokio::test]
async fn nobody_at_the_other_end_is_waited_for_until_it_is_told_to_stop() {
    let running = run("http://127.0.0.1:9");
    sleep(Duration::from_millis(500)).await;
    running.stop.send_replace(true);
    assert_eq!(running.end(10).await, Ok(()));
}
