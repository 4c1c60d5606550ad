//! The gateway's end of a socket.

use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Shared, sessions::Order, wire::Scissors};

/// The bits of all known intents.
const KNOWN_INTENTS: u64 = ((1 << 17) - 1) | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

/// Serves one client until either side ends the connection.
pub(crate) async fn talk(shared: Arc<Shared>, scissors: Scissors, mut socket: WebSocket) {
    let (orders, mut to_do) = unbounded_channel();
    let interval = shared.with(|state| {
        state.gateway.opened += 1;
        state.settings.heartbeat
    });
    let interval = u64::try_from(interval.as_millis()).unwrap();
    say(
        &orders,
        &json!({ "op": 10, "s": null, "t": null, "d": { "heartbeat_interval": interval } }),
    );
    let mut client = Client { shared, session: None, orders };
    client.converse(&mut socket, &mut to_do, &scissors).await;
    client.leave();
}

fn say(orders: &UnboundedSender<Order>, frame: &Value) {
    let _ = orders.send(Order::Send(frame.to_string()));
}

struct Client {
    shared: Arc<Shared>,
    session: Option<String>,
    orders: UnboundedSender<Order>,
}

impl Client {
    async fn converse(
        &mut self,
        socket: &mut WebSocket,
        to_do: &mut UnboundedReceiver<Order>,
        scissors: &Scissors,
    ) {
        loop {
            tokio::select! {
                order = to_do.recv() => match order {
                    Some(Order::Send(frame)) => {
                        if socket.send(Message::Text(frame.into())).await.is_err() {
                            return;
                        }
                    }
                    Some(Order::Close(code)) => {
                        let frame = CloseFrame { code, reason: "".into() };
                        let _ = socket.send(Message::Close(Some(frame))).await;
                        return;
                    }
                    Some(Order::Cut) | None => return scissors.cut(),
                },
                frame = socket.recv() => match frame {
                    Some(Ok(Message::Text(text))) => self.hear(text.as_str()),
                    Some(Ok(Message::Binary(_))) => self.close(4002),
                    Some(Ok(Message::Close(frame))) => return self.is_left(frame.as_ref()),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return,
                },
            }
        }
    }

    fn close(&self, code: u16) {
        let _ = self.orders.send(Order::Close(code));
    }

    fn hear(&mut self, text: &str) {
        let Ok(said) = serde_json::from_str::<Value>(text) else { return self.close(4002) };
        if text.len() > 4096 {
            return self.close(4002);
        }
        let op = said["op"].as_u64().unwrap_or(u64::MAX);
        let deaf = self.shared.with(|state| {
            state.gateway.heard.push(op);
            state.gateway.deaf
        });
        match op {
            1 if deaf => {}
            1 => say(&self.orders, &json!({ "op": 11, "s": null, "t": null, "d": null })),
            2 if self.session.is_some() => self.close(4005),
            2 => self.identify(&said["d"]),
            6 => self.resume(&said["d"]),
            3 | 4 | 8 if self.session.is_none() => self.close(4003),
            3 | 4 | 8 => {}
            _ => self.close(4001),
        }
    }

    fn knows(&self, data: &Value) -> bool {
        let token = data["token"].as_str().unwrap_or_default();
        let token = token.strip_prefix("Bot ").unwrap_or(token);
        self.shared.with(|state| state.token == token)
    }

    fn identify(&mut self, data: &Value) {
        if !self.knows(data) {
            return self.close(4004);
        }
        let shard = match &data["shard"] {
            Value::Null => Some((0, 1)),
            shard => shard[0].as_u64().zip(shard[1].as_u64()).filter(|(one, of)| one < of),
        };
        let Some(shard) = shard else { return self.close(4010) };
        let intents = data["intents"].as_u64().unwrap_or(u64::MAX);
        if intents & !KNOWN_INTENTS != 0 {
            return self.close(4013);
        }
        let orders = self.orders.clone();
        let opened = self.shared.with(|state| {
            if !state.gateway.closes.is_empty() {
                return Err(state.gateway.closes.remove(0));
            }
            if intents & state.gateway.not_granted != 0 {
                return Err(4014);
            }
            Ok(state.open_session(shard, intents, orders))
        });
        match opened {
            Ok(session) => self.session = Some(session),
            Err(code) => self.close(code),
        }
    }

    fn resume(&mut self, data: &Value) {
        if !self.knows(data) {
            return self.close(4004);
        }
        let id = data["session_id"].as_str().unwrap_or_default();
        let heard = data["seq"].as_u64().unwrap_or_default();
        let orders = self.orders.clone();
        if self.shared.with(|state| state.resume_session(id, heard, orders)) {
            self.session = Some(id.to_owned());
        } else {
            say(&self.orders, &json!({ "op": 9, "s": null, "t": null, "d": false }));
        }
    }

    /// Ends the session if the client closed the connection for good.
    fn is_left(&mut self, frame: Option<&CloseFrame>) {
        let for_good = frame.is_none_or(|frame| matches!(frame.code, 1000 | 1001));
        let Some(id) = self.session.clone().filter(|_| for_good) else { return };
        self.shared.with(|state| state.gateway.sessions.retain(|session| session.id != id));
    }

    fn leave(&self) {
        let Some(id) = &self.session else { return };
        self.shared.with(|state| {
            let ours = |socket: &UnboundedSender<Order>| socket.same_channel(&self.orders);
            let session = state.gateway.sessions.iter_mut().find(|session| session.id == *id);
            if let Some(session) = session
                && session.socket.as_ref().is_some_and(ours)
            {
                session.socket = None;
            }
        });
    }
}
