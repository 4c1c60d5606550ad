//! How much one person can do at once: whoever is faster is told so, and costs nothing else. Each
//! process keeps count for itself.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use serenity::all::UserId;

use tables::time::{Span, Time};

/// The time over which it is counted.
const PERIOD: Span = Span::seconds(10);

/// Beyond so many people, those who did nothing for [`PERIOD`] are forgotten.
const PEOPLE: usize = 1024;

/// The limiters of a process. Completions are asked for with every few letters that somebody types,
/// and have one of their own.
#[derive(Debug)]
pub(crate) struct RateLimiters {
    /// How much can be done.
    pub(crate) most: u32,
    /// For what is done.
    pub(crate) doing: RateLimiter,
    /// For what is being typed.
    pub(crate) typing: RateLimiter,
}

impl RateLimiters {
    /// Limiters that let each person act so often in 10 seconds, and ask for completions twice as
    /// often; 0 for as often as they like.
    pub(crate) fn new(most: u32) -> Self {
        Self {
            most,
            doing: RateLimiter::new(most),
            typing: RateLimiter::new(most.saturating_mul(2)),
        }
    }
}

/// Counts how often each person acts.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    most: usize,
    crowd: Mutex<HashMap<UserId, VecDeque<Time>>>,
}

impl RateLimiter {
    /// Lets each person act so often in 10 seconds; 0 for as often as they like.
    fn new(most: u32) -> Self {
        Self { most: usize::try_from(most).unwrap_or(usize::MAX), crowd: Mutex::default() }
    }

    /// True if somebody may act now. An attempt that is refused does not count.
    pub(crate) fn admits(&self, who: UserId, now: Time) -> bool {
        if self.most == 0 {
            return true;
        }
        let is_recent = |at: &Time| (now - PERIOD..=now).contains(at);
        let mut crowd = self.crowd.lock().unwrap_or_else(PoisonError::into_inner);
        if crowd.len() >= PEOPLE {
            crowd.retain(|_, times| times.back().is_some_and(is_recent));
        }
        let times = crowd.entry(who).or_default();
        times.retain(is_recent);
        let admitted = times.len() < self.most;
        if admitted {
            times.push_back(now);
        }
        admitted
    }
}

#[cfg(test)]
mod tests {
    use crate::bot::rate_limiter::*;
    use kit::time::time;

    #[test]
    fn who_is_too_fast_waits_and_nobody_else() {
        let rate_limiter = RateLimiter::new(3);
        let (one, other) = (UserId::new(1), UserId::new(2));
        let admitted = |who, times: &[i64]| {
            times.iter().map(|now| rate_limiter.admits(who, time(*now))).collect::<Vec<_>>()
        };
        assert_eq!(admitted(one, &[0, 1, 2, 3, 4]), [true, true, true, false, false]);
        assert_eq!(admitted(other, &[4]), [true]);
        // What was refused does not count.
        assert_eq!(admitted(one, &[10_000, 10_001, 10_002, 10_003]), [false, true, true, true]);
        assert_eq!(admitted(one, &[10_004, 20_001, 20_002]), [false, false, true]);
    }

    #[test]
    fn without_a_limit_everything_goes() {
        let rate_limiter = RateLimiter::new(0);
        assert!((0..1000).all(|_| rate_limiter.admits(UserId::new(1), time(0))));
    }

    #[test]
    fn those_who_have_gone_are_left_out() {
        let rate_limiter = RateLimiter::new(1);
        let crowd = i64::try_from(PEOPLE).unwrap() * 3;
        for at in 0..crowd {
            let who = UserId::new(u64::try_from(at).unwrap() + 1);
            assert!(rate_limiter.admits(who, time(at * 100)));
        }
        assert!(rate_limiter.crowd.lock().unwrap().len() <= PEOPLE);
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out() {
        let rate_limiter = RateLimiter::new(1);
        assert!(rate_limiter.admits(UserId::new(1), time(50_000)));
        assert!(rate_limiter.admits(UserId::new(1), time(1000)));
    }
}
