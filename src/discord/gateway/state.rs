//! How the connection to Discord is.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use desk::clock;
use tables::time::Time;

/// How the connection to Discord is, for whoever asks after the health of the house.
#[derive(Debug, Default)]
pub struct GatewayState {
    /// 0 for not connected.
    since: AtomicI64,
    /// In microseconds; 0 for unknown.
    latency: AtomicU64,
    heard: AtomicU64,
    unknown: AtomicU64,
    begun: AtomicU64,
    stuck: AtomicU64,
    under_way: AtomicUsize,
}

impl GatewayState {
    /// Since when all shards are connected; nothing while one of
    /// them is not.
    pub fn connected_since(&self) -> Option<Time> {
        let since = Some(self.since.load(Ordering::Relaxed)).filter(|since| *since != 0);
        since.map(Time::from_milliseconds)
    }

    /// The time that Discord took to answer the last heartbeat, of the slowest shard.
    pub fn latency(&self) -> Option<Duration> {
        let micros = self.latency.load(Ordering::Relaxed);
        (micros != 0).then(|| Duration::from_micros(micros))
    }

    /// How many events came, of any kind.
    pub fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }

    /// How many events came that could not be read, or that serenity does not know.
    pub fn unknown(&self) -> u64 {
        self.unknown.load(Ordering::Relaxed)
    }

    /// How often the connection was begun from nothing.
    pub fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// How many threads of this process are lost to a shard that never yields: each keeps a
    /// processor busy until the process ends.
    pub fn stuck(&self) -> u64 {
        self.stuck.load(Ordering::Relaxed)
    }

    /// The number of interactions that are being handled.
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

    /// Notes whether all shards are connected, and the latency of the slowest.
    pub(super) fn note(&self, connected: bool, latency: Option<Duration>) {
        match (connected, self.connected_since()) {
            (true, None) => self.since.store(clock::now().milliseconds(), Ordering::Relaxed),
            (false, Some(_)) => self.since.store(0, Ordering::Relaxed),
            _ => {}
        }
        let micros = latency.map_or(0, |latency| latency.as_micros().max(1));
        self.latency.store(u64::try_from(micros).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Counts an interaction as being handled until what is returned is dropped.
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
