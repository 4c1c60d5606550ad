//! The rate limit of each person: actions above it are refused with a notice and cost nothing else. Each
//! process counts for itself.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use serenity::all::UserId;

use tables::time::{Span, Time};

/// The window of the limit.
const PERIOD: Span = Span::seconds(10);

/// The number of people above which those who did nothing for [`PERIOD`] are dropped.
const PEOPLE: usize = 1024;

/// The rate limiters of a process. Completions are requested with every few typed letters and have a limiter
/// of their own.
#[derive(Debug)]
pub(crate) struct RateLimiters {
    /// The maximum number of actions of a person in [`PERIOD`]; 0 for no limit.
    pub(crate) most: u32,
    /// The limiter of actions.
    pub(crate) doing: RateLimiter,
    /// The limiter of completions.
    pub(crate) typing: RateLimiter,
}

impl RateLimiters {
    /// Creates limiters that allow each person `most` actions in 10 seconds and twice as many completions; 0
    /// for no limit.
    pub(crate) fn new(most: u32) -> Self {
        Self {
            most,
            doing: RateLimiter::new(most),
            typing: RateLimiter::new(most.saturating_mul(2)),
        }
    }
}

/// The recent actions of each person.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    most: usize,
    crowd: Mutex<HashMap<UserId, VecDeque<Time>>>,
}

impl RateLimiter {
    /// Creates a limiter that allows each person `most` actions in 10 seconds; 0 for no limit.
    fn new(most: u32) -> Self {
        Self { most: usize::try_from(most).unwrap_or(usize::MAX), crowd: Mutex::default() }
    }

    /// True if a person may act now. A refused attempt does not count.
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
        // A refused attempt does not count.
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
