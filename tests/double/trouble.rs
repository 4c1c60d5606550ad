//! What a test lets go wrong: requests, limits, the gateway, time.

use std::time::Duration;

use serde_json::json;
use serenity::all::GatewayIntents;

use super::{
    Discord,
    faults::Fault,
    limits::{Rate, Scope},
    sessions::{Gateway, Order},
};

/// A fault being planned: for which requests, and from which on.
pub struct Plan<'a> {
    discord: &'a Discord,
    pattern: String,
    spare: usize,
    times: usize,
}

impl Plan<'_> {
    /// Lets it strike the `number`th of these requests from now on, counted from one.
    pub fn nth(self, number: usize) -> Self {
        Self { spare: number - 1, ..self }
    }

    /// Lets it strike so many times in a row.
    pub fn times(self, times: usize) -> Self {
        Self { times, ..self }
    }

    /// The request has no effect and is answered with a status.
    pub fn answers(self, status: u16) {
        self.plan(Fault::Status(status));
    }

    /// The request takes effect and is answered with a status all the same.
    pub fn takes_effect_and_answers(self, status: u16) {
        self.plan(Fault::StatusAfter(status));
    }

    /// The request has no effect and is refused with a status and one of Discord's codes.
    pub fn gets_refused(self, status: u16, code: u32) {
        self.plan(Fault::Refused(status, code));
    }

    /// The request is answered with 429.
    pub fn comes_too_early(self, retry_after: Duration, scope: Scope) {
        self.plan(Fault::Limited(retry_after, scope));
    }

    /// The request lies about before it takes effect.
    pub fn comes_late(self, time: Duration) {
        self.plan(Fault::SlowBefore(time));
    }

    /// The request takes effect at once, and the answer is slow.
    pub fn takes_effect_and_answers_late(self, time: Duration) {
        self.plan(Fault::SlowAfter(time));
    }

    /// The request is lost.
    pub fn gets_lost(self) {
        self.plan(Fault::DropBefore);
    }

    /// The request takes effect, and its answer is lost.
    pub fn takes_effect_and_its_answer_is_lost(self) {
        self.plan(Fault::DropAfter);
    }

    fn plan(self, fault: Fault) {
        let Self { discord, pattern, spare, times } = self;
        discord.shared.with(|state| state.faults.plan(&pattern, spare, times, fault));
    }
}

impl Discord {
    /// Plans a fault for the next request of a pattern, such as `POST /channels/*/messages`.
    pub fn when(&self, pattern: &str) -> Plan<'_> {
        Plan { discord: self, pattern: pattern.to_owned(), spare: 0, times: 1 }
    }

    /// Forgets the faults that have not struck.
    pub fn calms_down(&self) {
        self.shared.with(|state| state.faults.clear());
    }

    /// Limits the routes of a pattern, each channel on its own.
    pub fn limits(&self, pattern: &str, count: u32, per: Duration) {
        self.shared.with(|state| state.limits.limit(pattern, count, per));
    }

    /// Limits the bot as a whole, outside of interactions; 50 a second unless said.
    pub fn limits_all(&self, count: u32, per: Duration) {
        self.shared.with(|state| state.limits.limit_all(Some(Rate { count, per })));
    }

    /// Takes the limit of the bot as a whole away.
    pub fn limits_nobody(&self) {
        self.shared.with(|state| state.limits.limit_all(None));
    }

    /// The number of requests that were answered with 429.
    pub fn too_early(&self) -> usize {
        self.shared.look(|state| state.limits.refused())
    }

    /// How many of them came although a 429 before had said to wait longer.
    pub fn sent_while_limited(&self) -> usize {
        self.shared.look(|state| state.limits.ignored())
    }

    /// Puts the time at the double forward: tokens and nonces grow old.
    pub fn advance(&self, by: Duration) {
        self.shared.with(|state| state.advance(by));
    }

    /// Cuts the sockets of the gateway without a word.
    pub fn cuts_the_gateway(&self) {
        self.orders(&Order::Cut);
    }

    /// Closes the sockets of the gateway with a code.
    pub fn closes_the_gateway(&self, code: u16) {
        self.shared.with(|state| {
            // 1000 and 1001 are the client's to send; of the server's codes, these end a session.
            if matches!(code, 4003 | 4004 | 4007 | 4009..=4014) {
                state.gateway.sessions.iter_mut().for_each(|session| session.resumable = false);
            }
            state.order(&Order::Close(code));
        });
    }

    /// Closes the next socket that says who it is with a code.
    pub fn closes_the_next_identify(&self, code: u16) {
        self.shared.with(|state| state.gateway.closes.push(code));
    }

    /// Asks the clients to connect again (op 7).
    pub fn asks_to_reconnect(&self) {
        self.orders(&Order::Send(json!({ "op": 7, "s": null, "t": null, "d": null }).to_string()));
    }

    /// Says that the sessions are invalid (op 9).
    pub fn invalidates(&self, resumable: bool) {
        self.shared.with(|state| {
            state.gateway.sessions.iter_mut().for_each(|one| one.resumable &= resumable);
            let frame = json!({ "op": 9, "s": null, "t": null, "d": resumable });
            state.order(&Order::Send(frame.to_string()));
        });
    }

    /// Leaves heartbeats without an answer, or answers them again.
    pub fn is_deaf_to_heartbeats(&self, deaf: bool) {
        self.shared.with(|state| state.gateway.deaf = deaf);
    }

    /// Dispatches the next event twice.
    pub fn repeats_the_next_event(&self) {
        self.shared.with(|state| state.gateway.twice += 1);
    }

    /// Keeps so many interactions back and dispatches them in reverse.
    pub fn reverses_the_next_events(&self, count: usize) {
        self.shared.with(|state| state.gateway.reversed = count);
    }

    /// Dispatches an event that lacks what it should have.
    pub fn dispatches_nonsense(&self) {
        self.shared.with(|state| {
            let nonsense = json!({ "id": "1", "type": 2, "data": { "name": "nonsense" } });
            state.dispatch("INTERACTION_CREATE", &nonsense);
        });
    }

    /// Does not grant these intents.
    pub fn does_not_grant(&self, intents: GatewayIntents) {
        self.shared.with(|state| state.gateway.not_granted = intents.bits());
    }

    /// Waits until a client is there and hears what is dispatched.
    pub async fn is_connected(&self) {
        let there = |gateway: &Gateway| gateway.sessions.iter().any(|one| one.socket.is_some());
        self.shared.wait("a client", |state| there(&state.gateway).then_some(())).await;
    }

    /// Waits until so many sockets were opened, since the start.
    pub async fn has_opened(&self, times: usize) {
        let what = format!("socket {times}");
        self.shared.wait(&what, |state| (state.gateway.opened >= times).then_some(())).await;
    }

    /// Waits until so many sockets have said who they are, since the start.
    pub async fn has_identified(&self, times: usize) {
        let what = format!("identify {times}");
        self.shared.wait(&what, |state| (state.gateway.identified >= times).then_some(())).await;
    }

    /// Waits until so many sessions were taken up again, since the start.
    pub async fn has_resumed(&self, times: usize) {
        let what = format!("resume {times}");
        self.shared.wait(&what, |state| (state.gateway.resumed >= times).then_some(())).await;
    }

    /// The number of sockets that were opened, said who they are, and took a session up again.
    pub fn connections(&self) -> (usize, usize, usize) {
        self.shared.look(|state| {
            let gateway = &state.gateway;
            (gateway.opened, gateway.identified, gateway.resumed)
        })
    }

    /// How many frames of an op were heard at the gateway.
    pub fn heard(&self, op: u64) -> usize {
        self.shared.look(|state| state.gateway.heard.iter().filter(|one| **one == op).count())
    }

    fn orders(&self, order: &Order) {
        self.shared.with(|state| state.order(order));
    }
}
