//! The troubles that a test can cause: of requests, rate limits, the gateway, time.

use std::time::Duration;

use serde_json::json;
use serenity::all::GatewayIntents;

use super::{
    Discord,
    faults::Fault,
    limits::{Rate, Scope},
    sessions::{Gateway, Order},
};

/// A fault being planned, with its pattern of requests and the first one affected.
pub struct Plan<'a> {
    discord: &'a Discord,
    pattern: String,
    spare: usize,
    times: usize,
}

impl Plan<'_> {
    /// Sets the first request affected, counted from one from now on.
    pub fn nth(self, number: usize) -> Self {
        Self { spare: number - 1, ..self }
    }

    /// Sets the number of requests affected in a row.
    pub fn times(self, times: usize) -> Self {
        Self { times, ..self }
    }

    /// Plans an answer with this status, without any effect of the request.
    pub fn answers(self, status: u16) {
        self.plan(Fault::Status(status));
    }

    /// Plans an answer with this status, although the request takes effect.
    pub fn takes_effect_and_answers(self, status: u16) {
        self.plan(Fault::StatusAfter(status));
    }

    /// Plans a refusal with this status and Discord error code, without any effect of the request.
    pub fn gets_refused(self, status: u16, code: u32) {
        self.plan(Fault::Refused(status, code));
    }

    /// Plans an answer with 429.
    pub fn comes_too_early(self, retry_after: Duration, scope: Scope) {
        self.plan(Fault::Limited(retry_after, scope));
    }

    /// Plans a delay before the request takes effect.
    pub fn comes_late(self, time: Duration) {
        self.plan(Fault::SlowBefore(time));
    }

    /// Plans a delay of the answer; the request takes effect immediately.
    pub fn takes_effect_and_answers_late(self, time: Duration) {
        self.plan(Fault::SlowAfter(time));
    }

    /// Plans the loss of the request.
    pub fn gets_lost(self) {
        self.plan(Fault::DropBefore);
    }

    /// Plans the loss of the answer; the request takes effect.
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

    /// Clears the planned faults that have not happened.
    pub fn calms_down(&self) {
        self.shared.with(|state| state.faults.clear());
    }

    /// Limits the routes of a pattern, each channel separately.
    pub fn limits(&self, pattern: &str, count: u32, per: Duration) {
        self.shared.with(|state| state.limits.limit(pattern, count, per));
    }

    /// Limits the whole bot, except for interactions; the default is 50 requests per second.
    pub fn limits_all(&self, count: u32, per: Duration) {
        self.shared.with(|state| state.limits.limit_all(Some(Rate { count, per })));
    }

    /// Removes the limit of the whole bot.
    pub fn limits_nobody(&self) {
        self.shared.with(|state| state.limits.limit_all(None));
    }

    /// Returns the number of requests answered with 429.
    pub fn too_early(&self) -> usize {
        self.shared.look(|state| state.limits.refused())
    }

    /// Returns the number of refused requests sent before the wait of an earlier 429 was over.
    pub fn sent_while_limited(&self) -> usize {
        self.shared.look(|state| state.limits.ignored())
    }

    /// Advances the double's time: tokens and nonces expire.
    pub fn advance(&self, by: Duration) {
        self.shared.with(|state| state.advance(by));
    }

    /// Cuts the sockets of the gateway without a close frame.
    pub fn cuts_the_gateway(&self) {
        self.orders(&Order::Cut);
    }

    /// Closes the sockets of the gateway with a code.
    pub fn closes_the_gateway(&self, code: u16) {
        self.shared.with(|state| {
            // Only clients send 1000 and 1001; of the server's codes, these end a session.
            if matches!(code, 4003 | 4004 | 4007 | 4009..=4014) {
                state.gateway.sessions.iter_mut().for_each(|session| session.resumable = false);
            }
            state.order(&Order::Close(code));
        });
    }

    /// Closes the socket of the next identify with a code.
    pub fn closes_the_next_identify(&self, code: u16) {
        self.shared.with(|state| state.gateway.closes.push(code));
    }

    /// Asks the clients to reconnect (op 7).
    pub fn asks_to_reconnect(&self) {
        self.orders(&Order::Send(json!({ "op": 7, "s": null, "t": null, "d": null }).to_string()));
    }

    /// Invalidates the sessions (op 9).
    pub fn invalidates(&self, resumable: bool) {
        self.shared.with(|state| {
            state.gateway.sessions.iter_mut().for_each(|one| one.resumable &= resumable);
            let frame = json!({ "op": 9, "s": null, "t": null, "d": resumable });
            state.order(&Order::Send(frame.to_string()));
        });
    }

    /// Stops acknowledging heartbeats, or starts again.
    pub fn is_deaf_to_heartbeats(&self, deaf: bool) {
        self.shared.with(|state| state.gateway.deaf = deaf);
    }

    /// Dispatches the next event twice.
    pub fn repeats_the_next_event(&self) {
        self.shared.with(|state| state.gateway.twice += 1);
    }

    /// Holds back this many interactions, and dispatches them in reverse.
    pub fn reverses_the_next_events(&self, count: usize) {
        self.shared.with(|state| state.gateway.reversed = count);
    }

    /// Dispatches an event without required fields.
    pub fn dispatches_nonsense(&self) {
        self.shared.with(|state| {
            let nonsense = json!({ "id": "1", "type": 2, "data": { "name": "nonsense" } });
            state.dispatch("INTERACTION_CREATE", &nonsense);
        });
    }

    /// Refuses these intents.
    pub fn does_not_grant(&self, intents: GatewayIntents) {
        self.shared.with(|state| state.gateway.not_granted = intents.bits());
    }

    /// Waits until a client is connected to a session.
    pub async fn is_connected(&self) {
        let there = |gateway: &Gateway| gateway.sessions.iter().any(|one| one.socket.is_some());
        self.shared.wait("a client", |state| there(&state.gateway).then_some(())).await;
    }

    /// Waits until this many sockets were opened since the start.
    pub async fn has_opened(&self, times: usize) {
        let what = format!("socket {times}");
        self.shared.wait(&what, |state| (state.gateway.opened >= times).then_some(())).await;
    }

    /// Waits until this many identifies succeeded since the start.
    pub async fn has_identified(&self, times: usize) {
        let what = format!("identify {times}");
        self.shared.wait(&what, |state| (state.gateway.identified >= times).then_some(())).await;
    }

    /// Waits until this many sessions were resumed since the start.
    pub async fn has_resumed(&self, times: usize) {
        let what = format!("resume {times}");
        self.shared.wait(&what, |state| (state.gateway.resumed >= times).then_some(())).await;
    }

    /// Returns the numbers of opened sockets, of identifies and of resumed sessions.
    pub fn connections(&self) -> (usize, usize, usize) {
        self.shared.look(|state| {
            let gateway = &state.gateway;
            (gateway.opened, gateway.identified, gateway.resumed)
        })
    }

    /// Returns the number of frames of an op received by the gateway.
    pub fn heard(&self, op: u64) -> usize {
        self.shared.look(|state| state.gateway.heard.iter().filter(|one| **one == op).count())
    }

    fn orders(&self, order: &Order) {
        self.shared.with(|state| state.order(order));
    }
}
