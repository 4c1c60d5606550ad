//! How the process is: `/healthz` that it lives and its clock goes, `/readyz` whether it does its work, and
//! `/metrics` in figures, as Prometheus reads them (text format 0.0.4).
//!
//! It tells nothing of any game or person, only how many and how late.

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use axum::routing::get;
use serde_json::json;
use tokio::net::TcpListener;

use crate::clock;
use crate::counts::{Counts, Gateway};
use crate::desk::{Desk, Figures};

/// Deadlines that are missed by more than this are not being kept, in milliseconds.
const LATE: i64 = 30_000;

/// A clock that has not come round for longer than this has stopped: a round has an end after 20 s
/// whatever happens, and only a new process would help.
const STOPPED: Duration = Duration::from_mins(1);

/// A database that takes longer than this does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is asked how the process is.
#[derive(Clone, Debug)]
pub struct Health {
    desk: Desk,
    counts: Arc<Counts>,
}

/// An answer: how it stands, what kind of text it is, and the text.
type Answer = (StatusCode, [(HeaderName, &'static str); 1], String);

impl Health {
    /// How a process with this desk is, that counts here what it does.
    pub fn new(desk: Desk, counts: Arc<Counts>) -> Self {
        Self { desk, counts }
    }

    /// Answers whoever asks, for ever.
    ///
    /// # Errors
    /// If nobody can ask any more.
    pub async fn serve(self, listener: TcpListener) -> io::Result<()> {
        let pages = Router::new()
            .route("/healthz", get(async |State(health): State<Self>| health.alive()))
            .route("/readyz", get(async |State(health): State<Self>| health.ready().await))
            .route("/metrics", get(async |State(health): State<Self>| health.metrics().await))
            .with_state(self);
        axum::serve(listener, pages).await
    }

    /// What there is to do, if the database says so in time.
    async fn figures(&self, now: i64) -> Option<Figures> {
        match tokio::time::timeout(PATIENCE, self.desk.figures(now)).await {
            Ok(Ok(figures)) => Some(figures),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the database does not answer");
                None
            }
            Err(_) => {
                tracing::warn!("the database does not answer in time");
                None
            }
        }
    }

    fn alive(self) -> (StatusCode, String) {
        // A clock that is still at its first round has no time yet.
        let silent = self.counts.last_round().map(|round| round.elapsed());
        match silent.filter(|silent| *silent > STOPPED && !self.counts.is_stopping()) {
            None => (StatusCode::OK, "alive\n".to_owned()),
            Some(silent) => {
                let said = format!("the clock has stopped {} s ago\n", silent.as_secs());
                (StatusCode::SERVICE_UNAVAILABLE, said)
            }
        }
    }

    /// What the database lacks, if it says so in time.
    async fn lacking(&self) -> Option<Option<String>> {
        let store = self.desk.store();
        let lacking = tokio::time::timeout(PATIENCE, store.lacking()).await.ok()?.ok()?;
        if let Some(lacking) = &lacking {
            tracing::error!(%lacking, "the database is not what it must be");
        }
        Some(lacking)
    }

    async fn ready(self) -> Answer {
        let now = clock::now();
        let (figures, lacking) = (self.figures(now).await, self.lacking().await);
        let lag = figures.as_ref().map(|figures| age(figures.due.since, now));
        let gateway = self.counts.gateway();
        let stopping = self.counts.is_stopping();
        let punctual = lag.is_some_and(|lag| lag <= LATE);
        let whole = lacking == Some(None);
        let ready = gateway != Gateway::Down && punctual && whole && !stopping;
        let said = json!({
            "ready": ready,
            "stopping": stopping,
            "gateway": match gateway {
                Gateway::None => "none",
                Gateway::Down => "down",
                Gateway::Up => "up",
            },
            "database": if figures.is_some() { "up" } else { "down" },
            "schema": if whole { "up" } else { "down" },
            "scheduler": if punctual { "up" } else { "down" },
            "scheduler_lag_ms": lag,
        });
        let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        (status, [(CONTENT_TYPE, "application/json")], format!("{said}\n"))
    }

    async fn metrics(self) -> Answer {
        let now = clock::now();
        let mut page = Page::default();
        let version = env!("CARGO_PKG_VERSION");
        page.family("build_info", "gauge", "The version that runs, and its commit.");
        let commit = env!("BUILD_COMMIT");
        let labels = format!("{{version=\"{version}\",commit=\"{commit}\"}}");
        page.sample("build_info", &labels, 1);
        let figures = self.figures(now).await;
        page.one(
            "database_up",
            "gauge",
            "Whether the database answers.",
            u8::from(figures.is_some()),
        );
        if let Some(figures) = figures {
            page.family("tables", "gauge", "Tables by their stage.");
            for (stage, count) in &figures.tables {
                page.sample("tables", &format!("{{stage=\"{stage}\"}}"), count);
            }
            let (due, letters) = (figures.due, figures.letters);
            page.one("tables_due", "gauge", "Tables with something due.", due.count);
            let lag = seconds(age(due.since, now));
            page.one("scheduler_lag_seconds", "gauge", "Since when the first is due.", lag);
            page.one("outbox_due", "gauge", "Letters that wait to be sent.", letters.count);
            let oldest = seconds(age(letters.since, now));
            page.one("outbox_oldest_seconds", "gauge", "Since when the first waits.", oldest);
        }
        self.counted(&mut page);
        (StatusCode::OK, [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page.0)
    }

    fn counted(&self, page: &mut Page) {
        let counts = &self.counts;
        let store = self.desk.store();
        let up = u8::from(counts.gateway() == Gateway::Up);
        page.one("gateway_up", "gauge", "Whether it is connected.", up);
        page.family("interactions_total", "counter", "Interactions by their kind.");
        for (kind, count) in counts.interactions.all() {
            page.sample("interactions_total", &format!("{{kind=\"{kind}\"}}"), count);
        }
        page.family("letters_sent_total", "counter", "Letters that arrived, by their channel.");
        for (channel, count) in counts.letters_sent.all() {
            page.sample("letters_sent_total", &format!("{{channel=\"{channel}\"}}"), count);
        }
        for (name, help, count) in [
            ("letters_failed_total", "Sendings that failed.", counts.letters_failed.get()),
            ("rate_limited_total", "Answers that told to wait (429).", counts.limited.get()),
            (
                "unknown_dispatches_total",
                "Dispatches that could not be understood.",
                counts.unknown_dispatches.get(),
            ),
            ("commits_total", "Transactions.", store.commits()),
            ("statements_total", "Statements put to the database.", store.statements()),
        ] {
            page.one(name, "counter", help, count);
        }
    }
}

/// How long ago that was, in milliseconds; nothing, and what is to come, is no time ago.
fn age(since: Option<i64>, now: i64) -> i64 {
    since.map_or(0, |since| (now - since).max(0))
}

#[expect(clippy::cast_precision_loss, reason = "a time of day's precision is enough")]
fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// A page of figures.
#[derive(Default)]
struct Page(String);

impl Page {
    /// Says what the samples that follow are.
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP shimekiri_{name} {help}");
        let _ = writeln!(self.0, "# TYPE shimekiri_{name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "shimekiri_{name}{labels} {value}");
    }

    fn one(&mut self, name: &str, kind: &str, help: &str, value: impl std::fmt::Display) {
        self.family(name, kind, help);
        self.sample(name, "", value);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::games::GAMES;
    use crate::store::test_database::Database;
    use crate::store::{Location, Store};

    #[tokio::test]
    async fn a_clock_that_has_stopped_is_told_of() {
        let database = Database::fresh().await;
        let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
        let health = Health::new(desk, Arc::default());
        let alive = || health.clone().alive();
        assert_eq!(alive(), (StatusCode::OK, "alive\n".to_owned()), "it has not come round yet");
        let Some(long_ago) = Instant::now().checked_sub(STOPPED * 2) else { return };
        health.counts.come_round(long_ago);
        let (status, said) = alive();
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(said.starts_with("the clock has stopped"), "{said}");
        health.counts.come_round(Instant::now());
        assert_eq!(alive().0, StatusCode::OK);
    }
}
