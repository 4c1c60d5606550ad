//! What a process counts about itself while it runs. Whoever does something counts it here, and
//! [`crate::health`] shows it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How it stands with the gateway through which events come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Gateway {
    /// This process has none.
    None,
    /// It is not connected.
    Down,
    /// It is connected.
    Up,
}

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// One more.
    pub fn one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// At least so many: somebody else has counted them.
    pub fn reach(&self, count: u64) {
        self.0.fetch_max(count, Ordering::Relaxed);
    }

    /// How many.
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

/// What a process has counted since it began.
#[derive(Debug, Default)]
pub struct Counts {
    /// Letters that arrived, by their channel.
    pub letters_sent: ByKind,
    /// Attempts at sending a letter that failed; it is tried again.
    pub letters_failed: Count,
    /// Answers that told to come back later (429).
    pub limited: Count,
    /// Dispatches that could not be understood.
    pub unknown_dispatches: Count,
    /// What people did.
    pub interactions: ByKind,
    gateway: AtomicU8,
    /// When the clock came round last, if one is at work here.
    round: Mutex<Option<Instant>>,
    stopping: AtomicBool,
}

impl Counts {
    /// Notes how it stands with the gateway.
    pub fn set_gateway(&self, gateway: Gateway) {
        self.gateway.store(gateway as u8, Ordering::Relaxed);
    }

    /// How it stands with the gateway.
    pub fn gateway(&self) -> Gateway {
        [Gateway::None, Gateway::Down, Gateway::Up]
            .into_iter()
            .find(|gateway| *gateway as u8 == self.gateway.load(Ordering::Relaxed))
            .unwrap_or(Gateway::Down)
    }

    /// Notes that the clock has come round.
    pub fn come_round(&self, at: Instant) {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    /// When the clock came round last, if it ever did.
    pub fn last_round(&self) -> Option<Instant> {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the process is about to end.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether the process is about to end.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
