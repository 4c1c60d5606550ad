//! The counters of a running process, which [`crate::health`] shows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use strum::IntoStaticStr;

use tables::{Span, Time};

/// The state of a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum ServiceStatus {
    /// The process does not use the service.
    #[default]
    None,
    /// The service failed last.
    Down,
    /// The service works, or has not been needed yet.
    Up,
}

/// The trust in the clock of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum ClockTrust {
    #[default]
    Right,
    /// The clocks of other processes may differ from this one.
    Unsure,
    /// The clocks of other processes differ from this one.
    Wrong,
}

/// The present state of a process.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessState {
    pub sending: SendingStatus,
    /// The connection to Discord.
    pub gateway: ServiceStatus,
    pub clock: ClockTrust,
    /// The backups, which are up until one fails.
    pub backup: ServiceStatus,
    /// The time of the newest backup, `None` for never.
    pub backed_up_at: Option<Time>,
    /// The last round of the clock, `None` before the first.
    pub round: Option<Instant>,
    /// True if the last round of the clock failed.
    pub round_failed: bool,
    pub stopping: bool,
}

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Raises the number to `count`, unless it is higher already.
    pub fn reach(&self, count: u64) {
        self.0.fetch_max(count, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Numbers that only grow, one for each kind.
#[derive(Debug, Default)]
pub struct ByKind(Mutex<BTreeMap<&'static str, u64>>);

impl ByKind {
    /// Adds one to a kind, such as `command`.
    pub fn one(&self, kind: &'static str) {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kinds.entry(kind).or_default() += 1;
    }

    /// Returns the number of each kind.
    pub fn all(&self) -> BTreeMap<&'static str, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A histogram of durations.
#[derive(Debug, Default)]
pub struct Latency {
    /// The number of durations within each of [`Latency::BOUNDS`], but longer than the bound before.
    within: [AtomicU64; Latency::BOUNDS.len()],
    beyond: AtomicU64,
    /// The sum of all durations, in microseconds.
    together: AtomicU64,
}

impl Latency {
    /// The upper bounds of the histogram, in seconds. Discord waits three seconds for an acknowledgement.
    pub const BOUNDS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 10.0];

    /// Adds a duration.
    pub fn observe(&self, took: Duration) {
        let bound = Self::BOUNDS.iter().position(|bound| took.as_secs_f64() <= *bound);
        bound.map_or(&self.beyond, |at| &self.within[at]).fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.together.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns the number of durations within each bound (in seconds), their total number, and their sum.
    pub fn read(&self) -> (Vec<(f64, u64)>, u64, Duration) {
        let mut count = 0;
        let mut within = Vec::with_capacity(Self::BOUNDS.len());
        for (bound, more) in Self::BOUNDS.iter().zip(&self.within) {
            count += more.load(Ordering::Relaxed);
            within.push((*bound, count));
        }
        let all = count + self.beyond.load(Ordering::Relaxed);
        (within, all, Duration::from_micros(self.together.load(Ordering::Relaxed)))
    }
}

/// The status of sending to Discord.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendingStatus {
    /// True if sending is paused, after too many refusals.
    pub paused: bool,
    /// True if nobody can be sent direct messages.
    pub flagged: bool,
    /// The lead of this machine's clock over Discord's, negative if it is behind.
    pub clock_offset: Span,
}

/// The counters of a process since its start.
#[derive(Debug, Default)]
pub struct Counts {
    /// Letters that arrived, by channel.
    pub letters_sent: ByKind,
    /// Failed attempts at sending a letter, which is retried.
    pub letters_failed: Counter,
    /// Rate limit responses (429).
    pub limited: Counter,
    /// Refusals, whose number Discord limits (401, 403, 429).
    pub refused: Counter,
    /// Dispatches that could not be parsed.
    pub unknown_dispatches: Counter,
    /// Interactions, by kind.
    pub interactions: ByKind,
    /// The time from receiving an interaction until Discord has the acknowledgement.
    pub acknowledgements: Latency,
    /// The time to close a window, resolve it and open the next.
    pub closes: Latency,
    /// Backups that were made.
    pub backups: Counter,
    /// Backups that failed.
    pub backups_failed: Counter,
    state: Mutex<ProcessState>,
}

impl Counts {
    /// Returns the present state of the process.
    pub fn state(&self) -> ProcessState {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state of the process.
    pub fn change(&self, change: impl FnOnce(&mut ProcessState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
