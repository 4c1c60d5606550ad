//! The counters of a running process, which [`crate::health`] shows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tables::{Span, Time};

/// The status of the gateway for incoming events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GatewayStatus {
    /// This process has no gateway.
    None,
    /// The gateway is not connected.
    Down,
    /// The gateway is connected.
    Up,
}

/// The trust in the clock of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ClockTrust {
    Right,
    /// The clocks of other processes may differ from this one.
    Unsure,
    /// The clocks of other processes differ from this one.
    Wrong,
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

/// The status of the regular backups of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Backups {
    /// No backups are made here.
    None,
    /// The last backup succeeded, or none has been due yet.
    Up,
    /// The last backup failed.
    Down,
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
    sending: Mutex<SendingStatus>,
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
    backup: AtomicU8,
    /// The time of the newest backup in milliseconds, 0 for never.
    backed_up_at: AtomicI64,
    gateway: AtomicU8,
    /// The last round of the clock, `None` before the first.
    round: Mutex<Option<Instant>>,
    /// True if the last round of the clock failed.
    round_failed: AtomicBool,
    stopping: AtomicBool,
    clock: AtomicU8,
}

impl Counts {
    /// Sets the status of the gateway.
    pub fn set_gateway(&self, gateway: GatewayStatus) {
        self.gateway.store(gateway as u8, Ordering::Relaxed);
    }

    /// Returns the status of the gateway.
    pub fn gateway(&self) -> GatewayStatus {
        [GatewayStatus::None, GatewayStatus::Down, GatewayStatus::Up]
            .into_iter()
            .find(|gateway| *gateway as u8 == self.gateway.load(Ordering::Relaxed))
            .unwrap_or(GatewayStatus::Down)
    }

    /// Sets the status of sending.
    pub fn set_sending(&self, sending: SendingStatus) {
        *self.sending.lock().unwrap_or_else(PoisonError::into_inner) = sending;
    }

    /// Returns the status of sending.
    pub fn sending(&self) -> SendingStatus {
        *self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a round of the clock.
    pub fn come_round(&self, at: Instant) {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    /// Notes if the last round of the clock failed.
    pub fn round_failed(&self, failed: bool) {
        self.round_failed.store(failed, Ordering::Relaxed);
    }

    /// True if the last round of the clock failed.
    pub fn is_round_failed(&self) -> bool {
        self.round_failed.load(Ordering::Relaxed)
    }

    /// Returns the last round of the clock, `None` before the first.
    pub fn last_round(&self) -> Option<Instant> {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the trust in the clock of this process.
    pub fn set_clock(&self, trust: ClockTrust) {
        self.clock.store(trust as u8, Ordering::Relaxed);
    }

    /// Returns the trust in the clock of this process.
    pub fn clock(&self) -> ClockTrust {
        [ClockTrust::Right, ClockTrust::Unsure, ClockTrust::Wrong]
            .into_iter()
            .find(|trust| *trust as u8 == self.clock.load(Ordering::Relaxed))
            .unwrap_or(ClockTrust::Wrong)
    }

    /// Sets the status of the backups.
    pub fn set_backups(&self, backups: Backups) {
        self.backup.store(backups as u8, Ordering::Relaxed);
    }

    /// Returns the status of the backups.
    pub fn backups_stand(&self) -> Backups {
        [Backups::None, Backups::Up, Backups::Down]
            .into_iter()
            .find(|backups| *backups as u8 == self.backup.load(Ordering::Relaxed))
            .unwrap_or(Backups::Down)
    }

    /// Sets the time of the newest backup.
    pub fn backed_up(&self, at: Time) {
        self.backed_up_at.store(at.milliseconds(), Ordering::Relaxed);
    }

    /// Returns the time of the newest backup, `None` if there is none.
    pub fn last_backup(&self) -> Option<Time> {
        let at = Some(self.backed_up_at.load(Ordering::Relaxed)).filter(|at| *at > 0);
        at.map(Time::from_milliseconds)
    }

    /// Notes that the process is about to end.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// True if the process is about to end.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
