//! What was asked of Discord and what came of it, counted.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of an [`Api`](crate::discord::api::Api), since it was made. Whoever shows them reads them.
#[derive(Debug)]
pub struct ApiCounts {
    /// Requests that were made, each attempt once.
    pub requests: AtomicU64,
    /// Attempts that came after another for the same.
    pub retries: AtomicU64,
    /// Attempts that had no answer.
    pub unanswered: AtomicU64,
    /// Answers 429 that asked one bucket to wait.
    pub limited: AtomicU64,
    /// Answers 429 that asked for everything to wait.
    pub limited_over_all: AtomicU64,
    /// Answers by their status, from 100.
    statuses: [AtomicU64; 500],
}

impl Default for ApiCounts {
    fn default() -> Self {
        let zero = || AtomicU64::new(0);
        Self {
            requests: zero(),
            retries: zero(),
            unanswered: zero(),
            limited: zero(),
            limited_over_all: zero(),
            statuses: std::array::from_fn(|_| zero()),
        }
    }
}

impl ApiCounts {
    /// How often there was an answer of each status, those without any left out.
    pub fn statuses(&self) -> impl Iterator<Item = (u16, u64)> {
        let counts = (100..).zip(&self.statuses);
        counts
            .map(|(status, count)| (status, count.load(Ordering::Relaxed)))
            .filter(|(_, n)| *n > 0)
    }

    /// How many answers asked to wait (429).
    pub fn all_limited(&self) -> u64 {
        self.limited.load(Ordering::Relaxed) + self.limited_over_all.load(Ordering::Relaxed)
    }

    pub(super) fn count_status(&self, status: u16) {
        if let Some(count) = self.statuses.get(usize::from(status).wrapping_sub(100)) {
            add(count);
        }
    }
}

pub(super) fn add(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}
