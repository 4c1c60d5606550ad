//! Discord's rate limits, as its responses tell them.
//!
//! Requests with one [`RateLimitKey`] go one after another, in their order of arrival. Their limit is that of
//! a *bucket*, which several keys of one channel may share; Discord names the bucket in its responses. A
//! global limit applies over all buckets, except to responses to interactions.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::HeaderMap;
use tokio::sync::{Mutex as Turns, Notify};
use tokio::time::{Instant, sleep_until};

/// Settings of the requests to Discord.
#[derive(Clone, Copy, Debug)]
pub struct ApiSettings {
    /// The longest wait in place for a limit. A longer one is `SendError::Later`.
    pub patience: Duration,
    /// The maximum number of attempts of a request without a response or with a server error.
    pub attempts: u32,
    /// The wait before the second attempt. It doubles with each attempt, and up to half of it is added at
    /// random.
    pub pause: Duration,
    /// The timeout of a response.
    pub timeout: Duration,
    /// The timeout of the first response to an interaction, retries included. Discord gives 3 s from when it
    /// sent the interaction.
    pub callback: Duration,
    /// The maximum number of requests in a second.
    pub per_second: usize,
    /// The minimum time between two requests, so that a burst does not saturate the processor.
    pub apart: Duration,
    /// The number of responses 401, 403 or 429 in ten minutes that stops all requests until the ten minutes
    /// are over: Discord blocks an address for 10,000.
    pub most_refused: u32,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(5),
            attempts: 4,
            pause: Duration::from_millis(250),
            timeout: Duration::from_secs(15),
            callback: Duration::from_millis(2700),
            per_second: 50,
            apart: Duration::from_millis(4),
            most_refused: 8_000,
        }
    }
}

/// The window of the global limit. Discord's is one second; the rest allows for requests that travel at
/// different speeds.
const WINDOW: Duration = Duration::from_millis(1040);

/// The window over which responses 401, 403 and 429 are counted.
const INVALID_WINDOW: Duration = Duration::from_mins(10);

/// The number of keys that are stored before unused ones are dropped.
const LINES: usize = 1024;

/// The rate limits of one token.
pub(super) struct ApiLimits {
    known: Mutex<KnownBuckets>,
    overall: Overall,
    invalid: Mutex<Option<(Instant, u32)>>,
    /// The end of the pause after too many refusals; `None` if there was none.
    paused: Mutex<Option<Instant>>,
    /// The number of refusals in ten minutes that starts a pause until the ten minutes are over.
    most_refused: u32,
    /// The longest wait in place for a bucket.
    patience: Duration,
}

#[derive(Default)]
struct KnownBuckets {
    /// Discord's names of the buckets, by route.
    names: HashMap<String, String>,
    lines: HashMap<RateLimitKey, Arc<Turns<()>>>,
    /// The buckets, by Discord's name or, while that is unknown, the route, and by [`RateLimitKey::major`].
    buckets: HashMap<(String, String), Arc<Bucket>>,
}

impl ApiLimits {
    pub(super) fn new(settings: &ApiSettings) -> Self {
        let ApiSettings { per_second, apart, patience, most_refused, .. } = *settings;
        let overall = Overall { per_second: per_second.max(1), apart, ..Overall::default() };
        let (invalid, paused) = (Mutex::default(), Mutex::default());
        Self { known: Mutex::default(), overall, invalid, paused, most_refused, patience }
    }

    /// Returns the queue of the requests with a key.
    pub(super) fn turns(&self, rate_limit_key: &RateLimitKey) -> Arc<Turns<()>> {
        let mut known = locked(&self.known);
        if known.lines.len() >= LINES {
            known.forget();
        }
        Arc::clone(known.lines.entry(rate_limit_key.clone()).or_default())
    }

    /// Waits until a request with this key may go.
    /// Returns the required wait as the error if it is too long to wait in place.
    pub(super) async fn enter(&self, rate_limit_key: &RateLimitKey) -> Result<Pass, Duration> {
        let bucket = locked(&self.known).bucket(rate_limit_key);
        let pass = bucket.enter(self.patience).await?;
        if !rate_limit_key.interaction {
            self.overall.enter(self.patience).await?;
        }
        Ok(pass)
    }

    /// Updates the bucket of a key from the headers of a response.
    pub(super) fn learn(&self, rate_limit_key: &RateLimitKey, pass: &Pass, headers: &HeaderMap) {
        let Some(bucket_headers) = BucketHeaders::read(headers) else { return };
        let mut known = locked(&self.known);
        if let Some(name) = text(headers, "x-ratelimit-bucket") {
            known.names.insert(rate_limit_key.route.clone(), name.to_owned());
        }
        let bucket = known.bucket(rate_limit_key);
        drop(known);
        let own = Arc::ptr_eq(&bucket, &pass.bucket);
        locked(&bucket.state).learn(&bucket_headers, own, Instant::now());
        bucket.changed.notify_one();
    }

    /// Closes the bucket of a key for this time.
    pub(super) fn rest(&self, rate_limit_key: &RateLimitKey, pause: Duration) {
        let bucket = locked(&self.known).bucket(rate_limit_key);
        locked(&bucket.state).rests = Some(Instant::now() + pause);
    }

    /// Stops all requests for this time, except responses to interactions.
    pub(super) fn rest_all(&self, pause: Duration) {
        self.overall.rest(pause);
    }

    /// Counts a response 401, 403 or 429, for too many of which Discord blocks an address.
    pub(super) fn count_invalid(&self) {
        let now = Instant::now();
        let mut invalid = locked(&self.invalid);
        let (since, count) =
            invalid.filter(|(since, _)| now < *since + INVALID_WINDOW).unwrap_or((now, 0));
        *invalid = Some((since, count + 1));
        if count + 1 >= self.most_refused {
            let until = since + INVALID_WINDOW;
            self.rest_all(until - now);
            if locked(&self.paused).replace(until) != Some(until) {
                tracing::error!(
                    refused = count + 1,
                    pause = ?(until - now),
                    "Discord has refused so much that it would soon shut this address out; nothing \
                     is sent but answers to what people do"
                );
            }
        }
    }

    /// True if nothing is sent after too many refusals.
    pub(super) fn is_paused(&self) -> bool {
        locked(&self.paused).is_some_and(|until| Instant::now() < until)
    }

    /// True if refused requests are not retried for now, after many refusals.
    pub(super) fn is_refused_often(&self) -> bool {
        let now = Instant::now();
        let invalid = *locked(&self.invalid);
        // The other half is for requests that were not refused before.
        let spared = self.most_refused / 2;
        invalid.is_some_and(|(since, count)| now < since + INVALID_WINDOW && count >= spared)
    }
}

impl KnownBuckets {
    fn bucket(&mut self, rate_limit_key: &RateLimitKey) -> Arc<Bucket> {
        let name = self.names.get(&rate_limit_key.route).unwrap_or(&rate_limit_key.route).clone();
        Arc::clone(self.buckets.entry((name, rate_limit_key.major.clone())).or_default())
    }

    /// Drops the keys and buckets that no request uses and that set no limit any more.
    fn forget(&mut self) {
        let now = Instant::now();
        self.lines.retain(|_, turns| Arc::strong_count(turns) > 1);
        self.buckets.retain(|_, bucket| {
            Arc::strong_count(bucket) > 1 || locked(&bucket.state).says_something(now)
        });
    }
}

/// The rate limit headers of a response.
struct BucketHeaders {
    limit: u32,
    left: u32,
    ends: Duration,
}

impl BucketHeaders {
    fn read(headers: &HeaderMap) -> Option<Self> {
        Some(Self {
            limit: text(headers, "x-ratelimit-limit")?.parse().ok()?,
            left: text(headers, "x-ratelimit-remaining")?.parse().ok()?,
            ends: seconds(text(headers, "x-ratelimit-reset-after")?)?,
        })
    }
}

/// Returns a header as text; `None` if it is absent or not text.
pub(super) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Parses Discord's decimal seconds.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

#[derive(Default)]
struct Bucket {
    /// The queue of the requests that wait for the bucket to be refilled.
    turns: Turns<()>,
    state: Mutex<BucketState>,
    /// Notified after each response.
    changed: Notify,
}

#[derive(Default)]
struct BucketState {
    /// The number of requests per period; `None` before the first response.
    limit: Option<u32>,
    left: u32,
    /// The end of the current period; `None` before the first response.
    ends: Option<Instant>,
    /// The number of requests without a response yet.
    under_way: u32,
    /// The end of the wait that Discord asked for; `None` if there was none.
    rests: Option<Instant>,
}

enum May {
    Go,
    WaitUntil(Instant),
    WaitForAnAnswer,
}

impl BucketState {
    fn ask(&mut self, now: Instant) -> May {
        if let Some(until) = self.rests.filter(|until| now < *until) {
            return May::WaitUntil(until);
        }
        if let Some(limit) = self.limit {
            if self.ends.is_some_and(|ends| ends <= now) {
                (self.left, self.ends) = (limit.saturating_sub(self.under_way), None);
            }
            match (self.left, self.ends) {
                (0, Some(ends)) => return May::WaitUntil(ends),
                (0, None) if self.under_way > 0 => return May::WaitForAnAnswer,
                (left, _) => self.left = left.saturating_sub(1),
            }
        }
        self.under_way += 1;
        May::Go
    }

    /// Updates the bucket from a response. Other pending requests may not be counted by Discord yet; `own` is
    /// true if the answered request is among the pending ones.
    fn learn(&mut self, headers: &BucketHeaders, own: bool, now: Instant) {
        let others = self.under_way.saturating_sub(u32::from(own));
        let left = headers.left.saturating_sub(others);
        // Responses overtake one another: within a period, the remaining number never grows.
        let same = self.limit.is_some() && self.ends.is_some_and(|ends| now < ends);
        self.left = if same { left.min(self.left) } else { left };
        self.limit = Some(headers.limit);
        self.ends = Some(now + headers.ends);
    }

    fn says_something(&self, now: Instant) -> bool {
        [self.ends, self.rests].into_iter().flatten().any(|until| now < until)
    }
}

impl Bucket {
    async fn enter(self: Arc<Self>, patience: Duration) -> Result<Pass, Duration> {
        let turn = self.turns.lock().await;
        loop {
            let now = Instant::now();
            let may = locked(&self.state).ask(now);
            match may {
                May::Go => break,
                May::WaitUntil(until) if until - now > patience => return Err(until - now),
                May::WaitUntil(until) => tokio::select! {
                    () = sleep_until(until) => {}
                    () = self.changed.notified() => {}
                },
                May::WaitForAnAnswer => self.changed.notified().await,
            }
        }
        drop(turn);
        Ok(Pass { bucket: self })
    }
}

/// The permission of a request to go, held until it was answered or given up.
pub(super) struct Pass {
    bucket: Arc<Bucket>,
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut state = locked(&self.bucket.state);
        state.under_way = state.under_way.saturating_sub(1);
        drop(state);
        self.bucket.changed.notify_one();
    }
}

/// The global limit over all buckets.
#[derive(Default)]
struct Overall {
    per_second: usize,
    apart: Duration,
    /// The times of the latest requests. The lock is held by the request that may go next.
    went: Turns<VecDeque<Instant>>,
    rests: Mutex<Option<Instant>>,
}

impl Overall {
    async fn enter(&self, patience: Duration) -> Result<(), Duration> {
        let mut went = self.went.lock().await;
        loop {
            let now = Instant::now();
            let rests = *locked(&self.rests);
            if let Some(rest) = rests.map(|until| until.saturating_duration_since(now))
                && rest > patience
            {
                return Err(rest);
            }
            let full = went.len() >= self.per_second;
            let free = if full { went.front().map(|first| *first + WINDOW) } else { None };
            let apart = went.back().map(|last| *last + self.apart);
            match [rests, free, apart].into_iter().flatten().max() {
                Some(at) if now < at => sleep_until(at).await,
                _ => break,
            }
        }
        if went.len() >= self.per_second {
            went.pop_front();
        }
        went.push_back(Instant::now());
        Ok(())
    }

    fn rest(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut rests = locked(&self.rests);
        *rests = (*rests).max(Some(until));
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic never leaves the data half-written.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The key of a request's rate limit.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct RateLimitKey {
    /// The method and the path without ids and tokens: for limits, and for the log.
    pub(super) route: String,
    /// The part of the path that Discord counts by besides the route: the channel, the server, or the webhook
    /// with its token. It may contain a secret and is never shown.
    pub(super) major: String,
    /// True if the request responds to an interaction, which the global limit excludes.
    pub(super) interaction: bool,
}

impl RateLimitKey {
    /// Derives the key of a request from its method and its path after `/api/v10`.
    pub(super) fn of(method: &str, path: &str) -> Self {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let tokens = match parts.first() {
            Some(&("webhooks" | "interactions")) => parts.len() > 2,
            _ => false,
        };
        let major = match parts.first() {
            Some(&("webhooks" | "interactions")) if tokens => format!("{}/{}", parts[1], parts[2]),
            Some(&("channels" | "guilds" | "webhooks")) if parts.len() > 1 => parts[1].to_owned(),
            _ => String::new(),
        };
        let mut route = method.to_owned();
        for (at, part) in parts.iter().enumerate() {
            let id = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let shown = if tokens && at == 2 {
                ":token"
            } else if id {
                ":id"
            } else {
                part
            };
            route.push(if at == 0 { ' ' } else { '/' });
            route.push_str(shown);
        }
        Self { route, major, interaction: tokens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_route_and_what_it_is_about() {
        for (method, path, route, major, interaction) in [
            ("POST", "/channels/12/messages", "POST channels/:id/messages", "12", false),
            ("PATCH", "/channels/12/messages/7", "PATCH channels/:id/messages/:id", "12", false),
            ("GET", "/guilds/5/members/9", "GET guilds/:id/members/:id", "5", false),
            ("GET", "/users/@me", "GET users/@me", "", false),
            ("PUT", "/applications/3/commands", "PUT applications/:id/commands", "", false),
            (
                "POST",
                "/interactions/8/aW50/callback",
                "POST interactions/:id/:token/callback",
                "8/aW50",
                true,
            ),
            ("POST", "/webhooks/3/aW50", "POST webhooks/:id/:token", "3/aW50", true),
            (
                "PATCH",
                "/webhooks/3/aW50/messages/@original",
                "PATCH webhooks/:id/:token/messages/@original",
                "3/aW50",
                true,
            ),
        ] {
            let rate_limit_key = RateLimitKey::of(method, path);
            assert_eq!(
                (rate_limit_key.route.as_str(), rate_limit_key.major.as_str()),
                (route, major)
            );
            assert_eq!(rate_limit_key.interaction, interaction, "{path}");
        }
    }
}
