//! The state of the connection to Discord.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use desk::clock;
use tables::time::Time;

/// The state of the connection to Discord, for health checks.
#[derive(Debug, Default)]
pub struct GatewayState {
    /// The time when all shards were connected, in milliseconds; 0 if not connected.
    since: AtomicI64,
    /// The latency in microseconds; 0 if unknown.
    latency: AtomicU64,
    heard: AtomicU64,
    unknown: AtomicU64,
    begun: AtomicU64,
    stuck: AtomicU64,
    under_way: AtomicUsize,
}

impl GatewayState {
    /// Returns the time since which all shards are connected; `None` while one is not.
    pub fn connected_since(&self) -> Option<Time> {
        let since = Some(self.since.load(Ordering::Relaxed)).filter(|since| *since != 0);
        since.map(Time::from_milliseconds)
    }

    /// Returns the latency of the last heartbeat of the slowest shard; `None` if unknown.
    pub fn latency(&self) -> Option<Duration> {
        let micros = self.latency.load(Ordering::Relaxed);
        (micros != 0).then(|| Duration::from_micros(micros))
    }

    /// Returns the number of events of any kind.
    pub fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }

    /// Returns the number of events that serenity could not parse or does not know.
    pub fn unknown(&self) -> u64 {
        self.unknown.load(Ordering::Relaxed)
    }

    /// Returns the number of connections begun.
    pub fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Returns the number of threads lost to a shard that never yields: each keeps a processor busy until the
    /// process ends.
    pub fn stuck(&self) -> u64 {
        self.stuck.load(Ordering::Relaxed)
    }

    /// Returns the number of interactions that are being handled.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    pub(super) fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_stuck(&self) {
        self.stuck.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_event(&self) {
        self.heard.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_unknown(&self) {
        self.unknown.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes if all shards are connected, and the latency of the slowest.
    pub(super) fn note(&self, connected: bool, latency: Option<Duration>) {
        match (connected, self.connected_since()) {
            (true, None) => self.since.store(clock::now().milliseconds(), Ordering::Relaxed),
            (false, Some(_)) => self.since.store(0, Ordering::Relaxed),
            _ => {}
        }
        let micros = latency.map_or(0, |latency| latency.as_micros().max(1));
        self.latency.store(u64::try_from(micros).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Counts an interaction as pending until the returned guard is dropped.
    pub(super) fn handling(self: &Arc<Self>) -> Handling {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        Handling(Arc::clone(self))
    }
}

pub(super) struct Handling(Arc<GatewayState>);

impl Drop for Handling {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}
