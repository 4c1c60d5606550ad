//! The sessions of the gateway, with the events dispatched to them.

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use super::state::{State, said};

/// An order to a socket.
#[derive(Clone, Debug)]
pub enum Order {
    /// Sends a text frame.
    Send(String),
    /// Closes with a code.
    Close(u16),
    /// Cuts the connection without a close frame.
    Cut,
}

/// A session, with or without a socket.
#[derive(Debug)]
pub struct Session {
    pub id: String,
    /// The number of the shard, and the number of shards.
    pub shard: (u64, u64),
    pub intents: u64,
    pub sequence: u64,
    pub sent: Vec<(u64, String)>,
    pub socket: Option<UnboundedSender<Order>>,
    /// True if the session can be resumed.
    pub resumable: bool,
}

/// The gateway with its planned faults.
#[derive(Debug, Default)]
pub struct Gateway {
    pub sessions: Vec<Session>,
    /// The number of successful identifies.
    pub identified: usize,
    /// The number of resumed sessions.
    pub resumed: usize,
    /// The number of opened sockets.
    pub opened: usize,
    /// True if heartbeats are not acknowledged.
    pub deaf: bool,
    /// The close codes for the next identifies.
    pub closes: Vec<u16>,
    /// The number of next dispatches to send twice.
    pub twice: usize,
    /// The number of next dispatches to hold back and send in reverse.
    pub reversed: usize,
    /// The bits of the refused intents.
    pub not_granted: u64,
    /// The ops sent by clients, in order.
    pub heard: Vec<u64>,
    held: Vec<(String, Value)>,
}

const GUILDS: u64 = 1;

impl State {
    /// Dispatches an event of the guild to the sessions with its intent.
    pub fn dispatch_of_guild(&mut self, name: &str, data: &Value) {
        if !self.guild.without_bot {
            self.dispatch_where(name, data, |session| session.intents & GUILDS != 0);
        }
    }

    /// Dispatches an event to every session whose shard has its guild.
    pub fn dispatch(&mut self, name: &str, data: &Value) {
        if self.gateway.reversed > 0 {
            self.gateway.held.push((name.to_owned(), data.clone()));
            if self.gateway.held.len() < self.gateway.reversed {
                return;
            }
            self.gateway.reversed = 0;
            for (name, data) in std::mem::take(&mut self.gateway.held).into_iter().rev() {
                self.dispatch(&name, &data);
            }
            return;
        }
        let guild = data.get("guild_id").and_then(Value::as_str).map(str::to_owned);
        let place = guild.and_then(|id| id.parse::<u64>().ok()).unwrap_or(0) >> 22;
        let times = if self.gateway.twice > 0 { 2 } else { 1 };
        self.gateway.twice = self.gateway.twice.saturating_sub(1);
        for _ in 0..times {
            self.dispatch_where(name, data, |session| place % session.shard.1 == session.shard.0);
        }
    }

    fn dispatch_where(&mut self, name: &str, data: &Value, wanted: impl Fn(&Session) -> bool) {
        for session in self.gateway.sessions.iter_mut().filter(|session| wanted(session)) {
            session.dispatch(name, data);
        }
    }

    /// Opens a session, and dispatches its first events.
    pub fn open_session(
        &mut self,
        shard: (u64, u64),
        intents: u64,
        socket: UnboundedSender<Order>,
    ) -> String {
        let id = format!("session{}", self.next_id());
        let ready = json!({
            "v": 10, "user": self.bot_user(), "session_type": "normal", "session_id": id,
            "guilds": [{ "id": said(self.guild.id), "unavailable": true }],
            "resume_gateway_url": self.gateway_url(), "shard": [shard.0, shard.1],
            "application": { "id": said(self.application), "flags": 0 },
            "private_channels": [], "relationships": [], "presences": [], "_trace": [],
        });
        let created = self.guild_created();
        let mine = (self.guild.id >> 22) % shard.1 == shard.0 && !self.guild.without_bot;
        let mut session = Session {
            id: id.clone(),
            shard,
            intents,
            sequence: 0,
            sent: Vec::new(),
            socket: Some(socket),
            resumable: true,
        };
        session.dispatch("READY", &ready);
        if mine && intents & GUILDS != 0 {
            session.dispatch("GUILD_CREATE", &created);
        }
        self.gateway.sessions.push(session);
        self.gateway.identified += 1;
        id
    }

    /// Resumes a session after this sequence number. True if the session could be resumed.
    pub fn resume_session(&mut self, id: &str, heard: u64, socket: UnboundedSender<Order>) -> bool {
        let session = self.gateway.sessions.iter_mut().find(|session| session.id == id);
        let Some(session) = session.filter(|one| one.resumable && heard <= one.sequence) else {
            return false;
        };
        for (_, frame) in session.sent.iter().filter(|(number, _)| *number > heard) {
            let _ = socket.send(Order::Send(frame.clone()));
        }
        session.socket = Some(socket);
        session.dispatch("RESUMED", &json!({ "_trace": [] }));
        self.gateway.resumed += 1;
        true
    }

    /// Returns the URL of the gateway.
    pub fn gateway_url(&self) -> String {
        format!("{}/gateway", self.base.replacen("http", "ws", 1))
    }

    /// Sends an order to every socket.
    pub fn order(&mut self, order: &Order) {
        for session in &mut self.gateway.sessions {
            if let Some(socket) = &session.socket {
                let _ = socket.send(order.clone());
            }
        }
    }
}

impl Session {
    fn dispatch(&mut self, name: &str, data: &Value) {
        self.sequence += 1;
        let frame = json!({ "op": 0, "s": self.sequence, "t": name, "d": data }).to_string();
        self.sent.push((self.sequence, frame.clone()));
        if let Some(socket) = &self.socket {
            let _ = socket.send(Order::Send(frame));
        }
    }
}
