//! Rate limits: a bucket for each route and major parameter, and one for the whole bot.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use super::route::{Pattern, Route};

/// A rate limit.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// The number of requests.
    pub count: u32,
    /// The period of the limit.
    pub per: Duration,
}

/// The scope of a rate limit, as in `X-RateLimit-Scope`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The bucket of the route.
    User,
    /// The whole bot.
    Global,
    /// The channel, for all of its users.
    Shared,
}

impl Scope {
    /// Returns the word in the header.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Global => "global",
            Self::Shared => "shared",
        }
    }
}

/// A refusal of a request that exceeds a rate limit.
#[derive(Clone, Copy, Debug)]
pub struct TooEarly {
    /// The time to wait.
    pub retry_after: Duration,
    /// The scope of the limit.
    pub scope: Scope,
}

#[derive(Debug)]
struct Window {
    since: Instant,
    used: u32,
}

impl Window {
    fn left(&mut self, rate: Rate, now: Instant) -> Duration {
        if now.duration_since(self.since) >= rate.per {
            (self.since, self.used) = (now, 0);
        }
        rate.per.saturating_sub(now.duration_since(self.since))
    }
}

/// The rate limits, with the requests counted so far.
#[derive(Debug)]
pub struct Limits {
    everywhere: Rate,
    global: Option<Rate>,
    routes: Vec<(Pattern, Rate)>,
    windows: HashMap<String, Window>,
    told: HashMap<String, Instant>,
    refused: usize,
    ignored: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let second = Duration::from_secs(1);
        Self {
            everywhere: Rate { count: 200, per: second },
            global: Some(Rate { count: 50, per: second }),
            routes: Vec::new(),
            windows: HashMap::new(),
            told: HashMap::new(),
            refused: 0,
            ignored: 0,
        }
    }
}

impl Limits {
    /// Limits the routes of a pattern, each channel separately.
    pub fn limit(&mut self, pattern: &str, count: u32, per: Duration) {
        self.routes.insert(0, (Pattern::new(pattern), Rate { count, per }));
    }

    /// Limits the whole bot; `None` removes the limit.
    pub fn limit_all(&mut self, rate: Option<Rate>) {
        self.global = rate;
    }

    /// Returns the number of requests answered with 429.
    pub fn refused(&self) -> usize {
        self.refused
    }

    /// Returns the number of refused requests sent before the wait of an earlier 429 was over.
    pub fn ignored(&self) -> usize {
        self.ignored
    }

    /// Counts a request, and returns the headers of its answer and the refusal if it exceeds a limit.
    pub fn admit(
        &mut self,
        route: &Route,
        now: Instant,
    ) -> (Vec<(&'static str, String)>, Option<TooEarly>) {
        let global = self.global.filter(|_| !route.is_of_an_interaction());
        if let Some(rate) = global
            && let Err(wait) = self.take("", rate, now)
        {
            return (Vec::new(), Some(self.refuse("", wait, Scope::Global, now)));
        }
        let rate = self.routes.iter().find(|(pattern, _)| pattern.matches(route));
        let rate = rate.map_or(self.everywhere, |(_, rate)| *rate);
        let bucket = route.bucket();
        let taken = self.take(&bucket, rate, now);
        let remaining = taken.map_or(0, |(remaining, _)| remaining);
        let wait = taken.map_or_else(|wait| wait, |(_, wait)| wait);
        let headers = vec![
            ("x-ratelimit-limit", rate.count.to_string()),
            ("x-ratelimit-remaining", remaining.to_string()),
            ("x-ratelimit-reset-after", format!("{:.3}", wait.as_secs_f64())),
            ("x-ratelimit-bucket", bucket_name(route.template())),
        ];
        let early = taken.is_err().then(|| self.refuse(&bucket, wait, Scope::User, now));
        (headers, early)
    }

    /// Records a refusal with its wait.
    pub fn refuse(&mut self, bucket: &str, wait: Duration, scope: Scope, now: Instant) -> TooEarly {
        self.refused += 1;
        self.ignored += usize::from(self.told.get(bucket).is_some_and(|until| now < *until));
        self.told.insert(bucket.to_owned(), now + wait);
        TooEarly { retry_after: wait, scope }
    }

    fn take(
        &mut self,
        bucket: &str,
        rate: Rate,
        now: Instant,
    ) -> Result<(u32, Duration), Duration> {
        let window = self.windows.entry(bucket.to_owned());
        let window = window.or_insert(Window { since: now, used: 0 });
        let wait = window.left(rate, now);
        if window.used >= rate.count {
            return Err(wait);
        }
        window.used += 1;
        Ok((rate.count - window.used, wait))
    }
}

/// Returns an opaque name for a bucket, like Discord's: equal only for equal buckets.
fn bucket_name(template: &str) -> String {
    let sum = template.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{sum:016x}")
}
