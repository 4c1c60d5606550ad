//! The HTTP client of Discord's API, with its counters.
//!
//! serenity builds the requests. They are sent here, since serenity hides the headers of a response, which
//! tell the rate limits.
//!
//! The offset between this machine's clock and Discord's, by the `Date` of its responses. Deadlines follow
//! this clock, and people's Discord clients show theirs.

pub(crate) mod calls;
mod fault;
mod limits;
#[cfg(test)]
mod test_faults;
#[cfg(test)]
mod test_limits;
#[cfg(test)]
mod test_support;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::DateTime;
use reqwest::header::{CONTENT_LENGTH, HeaderMap};
use reqwest::multipart::Form;
use reqwest::{Client, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serenity::http::{LightMethod, Request, Route};
use serenity::model::id::{ChannelId, MessageId, UserId};

use crate::BotToken;
pub(crate) use crate::api::fault::Result;
use crate::api::limits::{ApiLimits, Pass, RateLimitKey};

pub use crate::api::limits::ApiSettings;
use desk::clock;
use desk::counts::Counter;
use tables::time::{Span, Time};

pub use crate::api::fault::{Refusal, SendError};

/// The base URL of Discord.
pub const DISCORD: &str = "https://discord.com";

/// Discord's code for a message that is older than an hour and was edited too often.
const OLD_MESSAGE: u32 = 30046;

/// The wait before such an edit is retried if Discord names none.
const OLD_MESSAGE_RESTS: Duration = Duration::from_mins(10);

/// A base URL that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct ApiSetupError {
    why: String,
}

/// The client of Discord's API. Clones share one state.
#[derive(Clone)]
pub struct Api(Arc<Wire>);

struct Wire {
    client: Client,
    base: String,
    token: BotToken,
    settings: ApiSettings,
    limits: ApiLimits,
    counts: ApiCounts,
    /// The cache of direct conversations. A user's conversation never changes.
    direct: Mutex<HashMap<UserId, ChannelId>>,
    /// True if Discord has refused the token.
    unauthorized: AtomicBool,
    /// True if Discord blocks the bot's direct messages.
    flagged: AtomicBool,
    clock: ClockOffset,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api").field("base", &self.0.base).finish_non_exhaustive()
    }
}

/// Counters of the requests of an [`Api`] since it was created, for health checks and metrics.
#[derive(Debug, Default)]
pub struct ApiCounts {
    /// Attempts that repeat an earlier one.
    pub retries: Counter,
    /// Attempts without a response.
    pub unanswered: Counter,
    /// Responses 429 of one bucket.
    pub limited: Counter,
    /// Responses 429 of the global limit.
    pub limited_over_all: Counter,
    /// Responses 401, 403 and 429, which Discord limits.
    pub refused: Counter,
}

/// The policy for a request whose outcome is in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RepeatIfDoubtful {
    /// The request is repeated: doing it twice is the same.
    Yes,
    /// The request is repeated only if it surely was not done.
    No,
}

/// A request with its body, its rate limit and its retry policy.
struct ApiCall<'a> {
    request: Request<'a>,
    /// The payload and the files; `None` if there are no files.
    form: Option<(String, Vec<Attachment>)>,
    rate_limit_key: RateLimitKey,
    again: RepeatIfDoubtful,
}

impl<'a> ApiCall<'a> {
    fn new(method: LightMethod, route: Route<'a>) -> Self {
        Self::of(Request::new(route, method))
    }

    /// Wraps a request that is repeated in doubt unless it is a POST, since all other methods are idempotent.
    fn of(request: Request<'a>) -> Self {
        let method = *request.method_ref();
        let again = if matches!(method, LightMethod::Post) {
            RepeatIfDoubtful::No
        } else {
            RepeatIfDoubtful::Yes
        };
        let path = request.route_ref().path();
        let path = path.split_once("/api/v10").map_or("", |(_, path)| path);
        let rate_limit_key = RateLimitKey::of(method.reqwest_method().as_str(), path);
        Self { request, form: None, rate_limit_key, again }
    }

    fn again(self, again: RepeatIfDoubtful) -> Self {
        Self { again, ..self }
    }

    /// Sets the body to JSON.
    fn with(mut self, body: &impl Serialize) -> Result<Self> {
        let Ok(body) = serde_json::to_vec(body) else { return Err(self.unwritten()) };
        self.request = self.request.body(Some(body));
        Ok(self)
    }

    /// Sets the body to a message and its files. Returns true as well if Discord posts the message only once,
    /// however often it is sent.
    fn with_message(
        mut self,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<(Self, bool)> {
        let Ok(message) = serde_json::to_value(message) else { return Err(self.unwritten()) };
        let once = message["enforce_nonce"] == true && !message["nonce"].is_null();
        if files.is_empty() {
            return Ok((self.with(&message)?, once));
        }
        self.form = Some((message.to_string(), files));
        Ok((self, once))
    }

    fn unwritten(&self) -> SendError {
        SendError::Unwritten { what: self.rate_limit_key.route.clone() }
    }
}

/// A response of Discord.
struct ApiResponse {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// A failure without a response. The text never contains a URL.
struct NoResponse {
    why: String,
    /// True if the request surely never reached Discord.
    unsent: bool,
}

impl From<reqwest::Error> for NoResponse {
    fn from(error: reqwest::Error) -> Self {
        let unsent = error.is_connect();
        let error = error.without_url();
        let mut why = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(deeper) = source {
            why = format!("{why}: {deeper}");
            source = deeper.source();
        }
        Self { why, unsent }
    }
}

impl Api {
    /// Creates a client with this base URL, such as [`DISCORD`], and this token.
    pub fn new(base: &str, token: &BotToken) -> Result<Self, ApiSetupError> {
        Self::with_settings(base, token, ApiSettings::default())
    }

    /// Creates a client with these settings.
    pub fn with_settings(
        base: &str,
        token: &BotToken,
        settings: ApiSettings,
    ) -> Result<Self, ApiSetupError> {
        let url =
            reqwest::Url::parse(base).map_err(|error| ApiSetupError { why: error.to_string() })?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(ApiSetupError { why: "neither http nor https".to_owned() });
        }
        let client =
            client(settings.timeout).map_err(|error| ApiSetupError { why: error.to_string() })?;
        let limits = ApiLimits::new(&settings);
        Ok(Self(Arc::new(Wire {
            client,
            base: base.trim_end_matches('/').to_owned(),
            token: token.clone(),
            settings,
            limits,
            counts: ApiCounts::default(),
            direct: Mutex::default(),
            unauthorized: AtomicBool::new(false),
            flagged: AtomicBool::new(false),
            clock: ClockOffset::default(),
        })))
    }

    /// Returns the base URL.
    pub fn base(&self) -> &str {
        &self.0.base
    }

    /// Returns the token.
    pub(super) fn token(&self) -> &BotToken {
        &self.0.token
    }

    /// Returns the counters.
    pub fn counts(&self) -> &ApiCounts {
        &self.0.counts
    }

    /// True if Discord has refused the token. Then nothing is sent any more.
    pub fn is_unauthorized(&self) -> bool {
        self.0.unauthorized.load(Ordering::Relaxed)
    }

    /// True if nothing is sent, as Discord has refused so many requests that it would soon block this
    /// address.
    pub fn is_paused(&self) -> bool {
        self.0.limits.is_paused()
    }

    /// True if refused requests are not retried for now, after many refusals.
    pub(crate) fn is_refused_often(&self) -> bool {
        self.0.limits.is_refused_often()
    }

    /// True if Discord has flagged the bot for spam and blocks its direct messages.
    pub fn is_flagged(&self) -> bool {
        self.0.flagged.load(Ordering::Relaxed)
    }

    /// Notes whether Discord blocks the bot's direct messages, and logs a change.
    pub(crate) fn note_flagged(&self, flagged: bool) {
        if self.0.flagged.swap(flagged, Ordering::Relaxed) == flagged {
            return;
        }
        if flagged {
            tracing::error!(
                "Discord has flagged the bot for spam (20026): it can write to nobody directly; \
                 people are called in their threads until Discord's support lifts it"
            );
        } else {
            tracing::info!("Discord lets the bot write to people directly again");
        }
    }

    /// Returns the least lead of this machine's clock over Discord's; negative if this clock is slow.
    pub fn clock_offset(&self) -> Span {
        self.0.clock.get()
    }

    async fn ask<T: DeserializeOwned>(&self, call: &ApiCall<'_>) -> Result<T> {
        let body = self.perform(call).await?;
        // The position of the fault alone: the text of the error may quote the response.
        serde_json::from_slice(&body).map_err(|error| SendError::Unreadable {
            what: format!("{}: at {}:{}", call.rate_limit_key.route, error.line(), error.column()),
        })
    }

    async fn tell(&self, call: &ApiCall<'_>) -> Result<()> {
        self.perform(call).await.map(drop)
    }

    /// Sends a request in its turn, and retries where that is safe.
    async fn perform(&self, call: &ApiCall<'_>) -> Result<Vec<u8>> {
        let turns = self.0.limits.turns(&call.rate_limit_key);
        let _turn = turns.lock().await;
        let (mut attempt, mut limited) = (1, 0);
        loop {
            if self.is_unauthorized() {
                return Err(SendError::Unauthorized);
            }
            let pass = self.0.limits.enter(&call.rate_limit_key).await;
            let pass = pass.map_err(|after| SendError::Later { after })?;
            if attempt + limited > 1 {
                self.0.counts.retries.one();
            }
            let (what, safe) = match self.attempt(call, &pass).await {
                Ok(answer) if (200..300).contains(&answer.status) => return Ok(answer.body),
                Ok(answer) if answer.status == 429 => {
                    let after = self.limited(call, &answer);
                    limited += 1;
                    if after > self.0.settings.patience || limited >= self.0.settings.attempts {
                        return Err(SendError::Later { after });
                    }
                    continue;
                }
                Ok(answer) if answer.status >= 500 => (answer.status.to_string(), false),
                Ok(answer) => {
                    let unsent = self.refused(call, &answer);
                    // The response to the previous attempt was lost, and that attempt counted.
                    let acknowledged = attempt > 1 && unsent.is(Refusal::AlreadyAcknowledged);
                    return if acknowledged { Ok(Vec::new()) } else { Err(unsent) };
                }
                Err(silence) => (silence.why, silence.unsent),
            };
            // A waiting request is not counted as pending.
            drop(pass);
            let safe = safe || call.again == RepeatIfDoubtful::Yes;
            if !safe || attempt >= self.0.settings.attempts {
                return Err(SendError::Unreachable {
                    what: format!("{}: {what}", call.rate_limit_key.route),
                });
            }
            tracing::debug!(
                route = call.rate_limit_key.route,
                what,
                attempt,
                "no answer to rely on"
            );
            tokio::time::sleep(pause(self.0.settings.pause, attempt)).await;
            attempt += 1;
        }
    }

    async fn attempt(&self, call: &ApiCall<'_>, pass: &Pass) -> Result<ApiResponse, NoResponse> {
        let counts = &self.0.counts;
        let asked = clock::now();
        let answer = self.exchange(call).await.inspect_err(|_| counts.unanswered.one())?;
        if let Some(date) = limits::text(&answer.headers, "date") {
            self.0.clock.learn(date, (asked, clock::now()));
        }
        if matches!(answer.status, 401 | 403 | 429) {
            counts.refused.one();
            self.0.limits.count_invalid();
        }
        self.0.limits.learn(&call.rate_limit_key, pass, &answer.headers);
        Ok(answer)
    }

    async fn exchange(&self, call: &ApiCall<'_>) -> Result<ApiResponse, NoResponse> {
        let response = self.0.client.execute(self.build(call)?).await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await?.to_vec();
        Ok(ApiResponse { status, headers, body })
    }

    fn build(&self, call: &ApiCall<'_>) -> Result<reqwest::Request, NoResponse> {
        let Wire { client, base, token, .. } = &*self.0;
        let request = call.request.clone();
        let request = request.build(client, &token.with_prefix(), Some(base));
        let no_request = |_| NoResponse { why: "no request".to_owned(), unsent: false };
        let mut request = request.map_err(no_request)?.build()?;
        if let Some((payload, files)) = &call.form {
            // serenity has set the length of the empty body.
            request.headers_mut().remove(CONTENT_LENGTH);
            let mut form = Form::new().text("payload_json", payload.clone());
            for (at, file) in files.iter().enumerate() {
                form = form.part(format!("files[{at}]"), file.part()?);
            }
            let builder = reqwest::RequestBuilder::from_parts(client.clone(), request);
            request = builder.multipart(form).build()?;
        }
        Ok(request)
    }

    /// Takes in a response 429 and returns the wait before a retry.
    fn limited(&self, call: &ApiCall<'_>, answer: &ApiResponse) -> Duration {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct RateLimitBody {
            retry_after: Option<f64>,
            global: bool,
            code: u32,
        }
        let limited = serde_json::from_slice::<RateLimitBody>(&answer.body);
        // A proxy before Discord's API answers without JSON, and limits everything.
        let global = limited.as_ref().map_or(true, |limited| limited.global)
            || limits::text(&answer.headers, "x-ratelimit-scope") == Some("global")
            || limits::text(&answer.headers, "x-ratelimit-global").is_some();
        let limited = limited.unwrap_or_default();
        let after = limited.retry_after.and_then(|after| Duration::try_from_secs_f64(after).ok());
        let header = limits::text(&answer.headers, "retry-after").and_then(limits::seconds);
        let after = after.or(header);
        if limited.code == OLD_MESSAGE {
            // Newer messages of the same channel can be edited.
            self.0.counts.limited.one();
            return after.unwrap_or(OLD_MESSAGE_RESTS).max(self.0.settings.patience * 2);
        }
        let after = after.unwrap_or(Duration::from_secs(1));
        if global && !call.rate_limit_key.interaction {
            self.0.counts.limited_over_all.one();
            self.0.limits.rest_all(after);
        } else {
            self.0.counts.limited.one();
            self.0.limits.rest(&call.rate_limit_key, after);
        }
        tracing::debug!(route = call.rate_limit_key.route, ?after, global, "Discord asks to wait");
        after
    }

    /// Takes in a refusal. A 401 to an interaction may concern the interaction's own token, not the bot's.
    fn refused(&self, call: &ApiCall<'_>, answer: &ApiResponse) -> SendError {
        if answer.status == StatusCode::UNAUTHORIZED.as_u16() && !call.rate_limit_key.interaction {
            if !self.0.unauthorized.swap(true, Ordering::Relaxed) {
                tracing::error!("Discord does not accept the token; nothing is sent any more");
            }
            return SendError::Unauthorized;
        }
        SendError::refused(answer.status, &call.rate_limit_key.route, &answer.body)
    }
}

/// Creates an HTTP client for Discord's API with timeouts.
pub(super) fn client(timeout: Duration) -> reqwest::Result<Client> {
    let builder = Client::builder().timeout(timeout).connect_timeout(timeout / 2);
    builder.redirect(reqwest::redirect::Policy::none()).build()
}

/// Returns the wait after an attempt; attempts count from 1.
pub(super) fn pause(first: Duration, attempt: u32) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "no game hangs on it")]
    let chance = f64::from(rand::random::<u16>()) / f64::from(u16::MAX);
    first.saturating_mul(1 << attempt.saturating_sub(1).min(16)).mul_f64(1.0 + chance / 2.0)
}

/// A message that Discord has stored.
#[derive(Clone, Debug, Deserialize)]
pub struct PostedMessage {
    pub id: MessageId,
    /// The channel or thread of the message.
    pub channel_id: ChannelId,
}

/// A channel, a thread or a direct conversation that was opened.
#[derive(Clone, Debug, Deserialize)]
pub struct OpenedChannel {
    pub id: ChannelId,
}

/// Discord's instructions for connecting to the gateway.
#[derive(Clone, Debug, Deserialize)]
pub struct Recommended {
    /// The gateway's URL.
    pub url: String,
    /// The recommended number of shards.
    pub shards: u32,
    /// The limit on new sessions.
    pub session_start_limit: SessionStarts,
}

/// The limit on new sessions.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SessionStarts {
    /// The number of sessions that may still be started.
    pub remaining: u64,
    /// The time until the limit is reset, in milliseconds.
    pub reset_after: u64,
}

/// A file attached to a message. The payload's `attachments` refer to it by its index in the list, from 0.
#[derive(Clone)]
pub struct Attachment {
    /// The file name.
    pub name: String,
    /// The media type, such as `image/png`.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Attachment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Attachment({}, {} bytes)", self.name, self.bytes.len())
    }
}

impl Attachment {
    pub(super) fn part(&self) -> reqwest::Result<reqwest::multipart::Part> {
        let part = reqwest::multipart::Part::bytes(self.bytes.clone()).file_name(self.name.clone());
        part.mime_str(self.kind)
    }
}

/// The least offset that is reported.
const TOLD: Span = Span::seconds(2);

/// The part of a second that a `Date` leaves out.
const UNKNOWN: Span = Span::from_milliseconds(999);

/// The longest duration of a request that is used to estimate the offset.
const SLOW: Span = Span::seconds(1);

/// The clock offset by the latest responses, in milliseconds.
#[derive(Debug, Default)]
struct ClockOffset(AtomicI64);

impl ClockOffset {
    /// Returns the least lead of this machine's clock over Discord's; negative if this clock is slow.
    pub(super) fn get(&self) -> Span {
        Span::from_milliseconds(self.0.load(Ordering::Relaxed))
    }

    /// Updates the offset by the `Date` of a response, with this clock's times of the request and of the
    /// response.
    pub(super) fn learn(&self, date: &str, (asked, came): (Time, Time)) {
        let Ok(date) = DateTime::parse_from_rfc2822(date) else { return };
        if came < asked || came - asked > SLOW {
            return;
        }
        let date = Time::from_milliseconds(date.timestamp_millis());
        let now = offset(date, asked, came);
        let before = self.0.swap(now.milliseconds(), Ordering::Relaxed);
        let was_told = is_told(Span::from_milliseconds(before));
        match (was_told, is_told(now)) {
            (false, true) => tracing::error!(
                milliseconds = now.milliseconds(),
                "the clock of this machine differs from Discord's: the times shown to people are \
                 off by as much; see whether it is set by NTP"
            ),
            (true, false) => tracing::info!("the clock of this machine agrees with Discord's"),
            _ => {}
        }
    }
}

/// True if an offset is reported.
fn is_told(offset: Span) -> bool {
    offset >= TOLD || Span::ZERO - offset >= TOLD
}

/// Returns the least offset between this clock, which showed `asked` and `came`, and Discord's, which showed
/// the second `date` between them.
fn offset(date: Time, asked: Time, came: Time) -> Span {
    let (least, most) = (asked - (date + UNKNOWN), came - date);
    if least > Span::ZERO {
        least
    } else if most < Span::ZERO {
        most
    } else {
        Span::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20 November 2026, 12:00:00 UTC.
    const DATE: &str = "Fri, 20 Nov 2026 12:00:00 GMT";
    const NOON: i64 = 1_795_176_000_000;

    fn learned(asked: i64, came: i64) -> i64 {
        let clock = ClockOffset::default();
        let at = |after: i64| Time::from_milliseconds(NOON + after);
        clock.learn(DATE, (at(asked), at(came)));
        clock.get().milliseconds()
    }

    #[test]
    fn a_clock_that_may_agree_agrees() {
        for (asked, came) in [(0, 0), (900, 1100), (-100, 50), (999, 1500)] {
            assert_eq!(learned(asked, came), 0, "{asked} {came}");
        }
    }

    #[test]
    fn a_clock_that_differs_is_ahead_or_behind_by_what_is_sure() {
        assert_eq!(learned(10_000, 10_200), 9_001);
        assert_eq!(learned(-10_000, -9_800), -9_800);
    }

    #[test]
    fn an_answer_that_was_slow_or_is_no_date_says_nothing() {
        assert_eq!(learned(10_000, 12_000), 0);
        let clock = ClockOffset::default();
        clock.learn("noon", (Time::from_milliseconds(0), Time::from_milliseconds(1)));
        assert_eq!(clock.get(), Span::ZERO);
    }

    #[test]
    fn two_seconds_are_told() {
        let logged = [1_999, 2_000, -1_999, -2_000].map(|ms| is_told(Span::from_milliseconds(ms)));
        assert_eq!(logged, [false, true, false, true]);
    }
}
