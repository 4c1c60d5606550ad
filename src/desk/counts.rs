//! What a process counts about itself while it runs. Whoever does something counts it here, and
//! [`crate::health`] shows it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tables::time::{Span, Time};

/// How it stands with the gateway through which events come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GatewayStatus {
    /// This process has none.
    None,
    /// It is not connected.
    Down,
    /// It is connected.
    Up,
}

/// What is to be thought of the clock of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ClockTrust {
    Right,
    /// It is not known yet if others go on at another time.
    Unsure,
    /// Others go on at another time.
    Wrong,
}

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// At least so many: somebody else has counted them.
    pub fn reach(&self, count: u64) {
        self.0.fetch_max(count, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Numbers that only grow, one for each kind of what is counted.
#[derive(Debug, Default)]
pub struct ByKind(Mutex<BTreeMap<&'static str, u64>>);

impl ByKind {
    /// One more of this kind, such as `command`.
    pub fn one(&self, kind: &'static str) {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kinds.entry(kind).or_default() += 1;
    }

    /// How many of each kind.
    pub fn all(&self) -> BTreeMap<&'static str, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// How long something takes, counted by how long at most.
#[derive(Debug, Default)]
pub struct Latency {
    /// How many took no longer than each of [`Latency::BOUNDS`], but longer than the one before.
    within: [AtomicU64; Latency::BOUNDS.len()],
    beyond: AtomicU64,
    /// How long all of them took together, in microseconds.
    together: AtomicU64,
}

impl Latency {
    /// The bounds by which they are counted, in seconds: Discord waits for an acknowledgement for
    /// three.
    pub const BOUNDS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 10.0];

    /// Something took so long.
    pub fn observe(&self, took: Duration) {
        let bound = Self::BOUNDS.iter().position(|bound| took.as_secs_f64() <= *bound);
        bound.map_or(&self.beyond, |at| &self.within[at]).fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.together.fetch_add(micros, Ordering::Relaxed);
    }

    /// How many took no longer than each bound, how many there were, and how long they took
    /// together.
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

/// How it stands with the copies of the database that are made from time to time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Backups {
    /// None are made here.
    None,
    /// The last one could be made, or none has been due yet.
    Up,
    /// The last one could not be made.
    Down,
}

/// The state of sending to where people are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendingStatus {
    /// True if nothing is sent, as too much was refused.
    pub paused: bool,
    /// True if nobody can be written to directly.
    pub flagged: bool,
    /// The lead of this machine's clock over the one there; negative if it is behind.
    pub clock_offset: Span,
}

/// What a process has counted since it began.
#[derive(Debug, Default)]
pub struct Counts {
    /// Letters that arrived, by their channel.
    pub letters_sent: ByKind,
    /// Attempts at sending a letter that failed; it is tried again.
    pub letters_failed: Counter,
    /// Answers that told to come back later (429).
    pub limited: Counter,
    /// Answers that refused something, of which only so many are taken (401, 403, 429).
    pub refused: Counter,
    sending: Mutex<SendingStatus>,
    /// Dispatches that could not be understood.
    pub unknown_dispatches: Counter,
    /// What people did.
    pub interactions: ByKind,
    /// How long it took from hearing of what somebody did until Discord knew that it was heard.
    pub acknowledgements: Latency,
    /// How long it took to close a window, resolve it and open the next.
    pub closes: Latency,
    /// Copies of the database that were made.
    pub backups: Counter,
    /// Copies of the database that could not be made.
    pub backups_failed: Counter,
    backup: AtomicU8,
    /// When the newest copy was made; 0 for never.
    backed_up_at: AtomicI64,
    gateway: AtomicU8,
    /// When the clock came round last, if one is at work here.
    round: Mutex<Option<Instant>>,
    /// True if the database would not have it, that round.
    round_failed: AtomicBool,
    stopping: AtomicBool,
    clock: AtomicU8,
}

impl Counts {
    /// Notes how it stands with the gateway.
    pub fn set_gateway(&self, gateway: GatewayStatus) {
        self.gateway.store(gateway as u8, Ordering::Relaxed);
    }

    /// How it stands with the gateway.
    pub fn gateway(&self) -> GatewayStatus {
        [GatewayStatus::None, GatewayStatus::Down, GatewayStatus::Up]
            .into_iter()
            .find(|gateway| *gateway as u8 == self.gateway.load(Ordering::Relaxed))
            .unwrap_or(GatewayStatus::Down)
    }

    /// Notes the state of sending.
    pub fn set_sending(&self, sending: SendingStatus) {
        *self.sending.lock().unwrap_or_else(PoisonError::into_inner) = sending;
    }

    /// Returns the state of sending.
    pub fn sending(&self) -> SendingStatus {
        *self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the clock has come round.
    pub fn come_round(&self, at: Instant) {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    /// Notes whether the clock could do what it came round for.
    pub fn round_failed(&self, failed: bool) {
        self.round_failed.store(failed, Ordering::Relaxed);
    }

    /// True if the database keeps the clock from what it comes round for.
    pub fn is_round_failed(&self) -> bool {
        self.round_failed.load(Ordering::Relaxed)
    }

    /// When the clock came round last, if it ever did.
    pub fn last_round(&self) -> Option<Instant> {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what is to be thought of the clock of this process.
    pub fn set_clock(&self, trust: ClockTrust) {
        self.clock.store(trust as u8, Ordering::Relaxed);
    }

    /// What is to be thought of the clock of this process.
    pub fn clock(&self) -> ClockTrust {
        [ClockTrust::Right, ClockTrust::Unsure, ClockTrust::Wrong]
            .into_iter()
            .find(|trust| *trust as u8 == self.clock.load(Ordering::Relaxed))
            .unwrap_or(ClockTrust::Wrong)
    }

    /// Notes how it stands with the copies of the database.
    pub fn set_backups(&self, backups: Backups) {
        self.backup.store(backups as u8, Ordering::Relaxed);
    }

    /// How it stands with the copies of the database.
    pub fn backups_stand(&self) -> Backups {
        [Backups::None, Backups::Up, Backups::Down]
            .into_iter()
            .find(|backups| *backups as u8 == self.backup.load(Ordering::Relaxed))
            .unwrap_or(Backups::Down)
    }

    /// Notes when the newest copy of the database was made.
    pub fn backed_up(&self, at: Time) {
        self.backed_up_at.store(at.milliseconds(), Ordering::Relaxed);
    }

    /// When the newest copy of the database was made, if ever.
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
