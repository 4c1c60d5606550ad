//! The health endpoints: `/healthz` (the process lives and its clock goes), `/readyz` (it does its work), and
//! `/metrics`, in the text format 0.0.4 of Prometheus.
//!
//! The endpoints give numbers and delays, and nothing about any game or person.

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

use crate::counts::{ClockTrust, Counts, Latency, ProcessState, ServiceStatus};
use crate::view::statistics;
use crate::{Desk, Figures, clock};
use tables::{Span, Time};

/// The longest delay at which deadlines count as met.
const LATE: Span = Span::seconds(30);

/// The longest time between two rounds of a clock that goes. A round times out after 20 s, so a longer
/// silence needs a new process.
const STOPPED: Duration = Duration::from_mins(1);

/// The timeout of a query to the database.
const PATIENCE: Duration = Duration::from_secs(2);

/// The version and the commit of the running program.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    pub version: &'static str,
    /// The commit, in hex digits, or `unknown`.
    pub commit: &'static str,
}

/// The health endpoints of a process.
#[derive(Clone, Debug)]
pub struct Health {
    build: Build,
    desk: Desk,
    counts: Arc<Counts>,
    /// The start of the process.
    started: Time,
}

/// A response: its status, its content type and its text.
type HealthResponse = (StatusCode, [(HeaderName, &'static str); 1], String);

impl Health {
    /// Returns the endpoints for a process with this desk and these counters.
    pub fn new(build: Build, desk: Desk, counts: Arc<Counts>) -> Self {
        Self { build, desk, counts, started: clock::now() }
    }

    /// Serves the endpoints forever.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn serve(self, listener: TcpListener) -> io::Result<()> {
        let pages = Router::new()
            .route("/healthz", get(async |State(health): State<Self>| health.alive()))
            .route("/readyz", get(async |State(health): State<Self>| health.ready().await))
            .route("/metrics", get(async |State(health): State<Self>| health.metrics().await))
            .with_state(self);
        axum::serve(listener, pages).await
    }

    /// Reads the figures, `None` if the database does not answer in time.
    async fn figures(&self, now: Time) -> Option<Figures> {
        match tokio::time::timeout(PATIENCE, statistics::figures(&self.desk, now)).await {
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

    /// True if the database answers and lets the clock work: a full database can still be read.
    fn is_served(&self, figures: Option<&Figures>) -> bool {
        figures.is_some() && !self.counts.state().round_failed
    }

    fn alive(self) -> (StatusCode, String) {
        // A clock in its first round has no time yet.
        let state = self.counts.state();
        let silent = state.round.map(|round| round.elapsed());
        match silent.filter(|silent| *silent > STOPPED && !state.stopping) {
            None => (StatusCode::OK, "alive\n".to_owned()),
            Some(silent) => {
                let text = format!("the clock has stopped {} s ago\n", silent.as_secs());
                (StatusCode::SERVICE_UNAVAILABLE, text)
            }
        }
    }

    /// `None` if the database does not answer in time; otherwise what it lacks, if anything.
    async fn lacking(&self) -> Option<Option<String>> {
        let store = self.desk.store();
        let lacking = tokio::time::timeout(PATIENCE, store.lacking()).await.ok()?.ok()?;
        if let Some(lacking) = &lacking {
            tracing::error!(%lacking, "the database is not what it must be");
        }
        Some(lacking)
    }

    async fn ready(self) -> HealthResponse {
        let now = clock::now();
        let (figures, lacking) = (self.figures(now).await, self.lacking().await);
        let lag = figures.as_ref().map(|figures| age(figures.due.since, now));
        let ProcessState { gateway, stopping, sending, clock, backup, .. } = self.counts.state();
        let punctual = lag.is_some_and(|lag| lag <= LATE);
        let serves = self.is_served(figures.as_ref());
        let whole = lacking == Some(None);
        let sends = !sending.paused;
        let connected = gateway != ServiceStatus::Down;
        let working = serves && whole && punctual && sends && clock != ClockTrust::Wrong;
        let ready = connected && working && !stopping;
        let page = json!({
            "ready": ready,
            "stopping": stopping,
            "gateway": gateway.into_str(),
            "database": if serves { "up" } else { "down" },
            "schema": if whole { "up" } else { "down" },
            "clock": clock.into_str(),
            "scheduler": if punctual { "up" } else { "down" },
            "scheduler_lag_ms": lag,
            "sending": if sends { "up" } else { "paused" },
            // People are called in their threads instead, so this does not count against readiness.
            "direct_messages": if sending.flagged { "down" } else { "up" },
            "clock_offset_ms": sending.clock_offset,
            // Players do not need backups, so this does not count against readiness.
            "backup": backup.into_str(),
        });
        let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        (status, [(CONTENT_TYPE, "application/json")], format!("{page}\n"))
    }

    async fn metrics(self) -> HealthResponse {
        let now = clock::now();
        let mut page = MetricsPage::default();
        page.family("build_info", "gauge", "The version that runs, and its commit.");
        let Build { version, commit } = self.build;
        let labels = format!("{{version=\"{version}\",commit=\"{commit}\"}}");
        page.sample("build_info", &labels, 1);
        let figures = self.figures(now).await;
        page.one(
            "database_up",
            "gauge",
            "Whether the database answers, and takes what is to be kept.",
            u8::from(self.is_served(figures.as_ref())),
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
        self.process(&mut page);
        (StatusCode::OK, [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page.0)
    }

    /// Writes the metrics of the process, under the names that every program uses.
    fn process(&self, page: &mut MetricsPage) {
        let help = "When it was started.";
        page.plain(
            "process_start_time_seconds",
            "gauge",
            help,
            seconds(self.started - Time::default()),
        );
        let Some(used) = Used::read() else { return };
        let help = "What it holds of the machine's memory.";
        page.plain("process_resident_memory_bytes", "gauge", help, used.memory);
        page.plain("process_cpu_seconds_total", "counter", "Its time at work.", used.cpu);
        page.plain("process_open_fds", "gauge", "Files and connections it has open.", used.files);
    }

    fn counted(&self, page: &mut MetricsPage) {
        let counts = &self.counts;
        let store = self.desk.store();
        let up = u8::from(counts.state().gateway == ServiceStatus::Up);
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
                "requests_refused_total",
                "Answers of which only so many are taken (401, 403, 429).",
                counts.refused.get(),
            ),
            (
                "unknown_dispatches_total",
                "Dispatches that could not be understood.",
                counts.unknown_dispatches.get(),
            ),
            ("backups_total", "Copies of the database that were made.", counts.backups.get()),
            (
                "backups_failed_total",
                "Copies of the database that could not be made.",
                counts.backups_failed.get(),
            ),
            ("commits_total", "Transactions.", store.commits()),
            ("statements_total", "Statements put to the database.", store.statements()),
        ] {
            page.one(name, "counter", help, count);
        }
        let ProcessState { sending, backed_up_at, .. } = counts.state();
        let help = "Whether nothing is sent, as too much was refused.";
        page.one("sending_paused", "gauge", help, u8::from(sending.paused));
        let help = "Whether people can be written to directly.";
        page.one("direct_messages_up", "gauge", help, u8::from(!sending.flagged));
        let help = "How far this machine's clock is ahead of Discord's.";
        page.one("clock_offset_seconds", "gauge", help, seconds(sending.clock_offset));
        let help = "Pieces of work that are being written or wait for that.";
        page.one("writes_under_way", "gauge", help, store.under_way());
        let help = "Until Discord knew that something was heard.";
        page.latency("acknowledgement_seconds", help, &counts.acknowledgements);
        let help = "To close a window, resolve it and open the next.";
        page.latency("close_seconds", help, &counts.closes);
        if let Some(at) = backed_up_at {
            let help = "When the database was copied last.";
            page.one("backup_timestamp_seconds", "gauge", help, seconds(at - Time::default()));
        }
    }
}

/// The resources that a process uses.
struct Used {
    memory: u64,
    cpu: f64,
    files: usize,
}

impl Used {
    /// Reads the resources of this process, `None` unless the system reports them as Linux does.
    fn read() -> Option<Self> {
        let read = |file: &str| std::fs::read_to_string(format!("/proc/self/{file}")).ok();
        // The name of the process, in brackets, may hold spaces; the fields from the third on follow.
        let stat = read("stat")?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let ticks = field(14)? + field(15)?;
        let pages = field(24)?;
        Some(Self {
            memory: pages * u64::try_from(rustix::param::page_size()).ok()?,
            #[expect(clippy::cast_precision_loss, reason = "an hour at work is 360,000 ticks")]
            cpu: ticks as f64 / rustix::param::clock_ticks_per_second() as f64,
            files: std::fs::read_dir("/proc/self/fd").ok()?.count(),
        })
    }
}

/// Returns the age of a time, zero if the time is `None` or in the future.
fn age(since: Option<Time>, now: Time) -> Span {
    since.map_or(Span::ZERO, |since| (now - since).max(Span::ZERO))
}

#[expect(clippy::cast_precision_loss, reason = "a time of day's precision is enough")]
fn seconds(span: Span) -> f64 {
    span.milliseconds() as f64 / 1000.0
}

/// A page of metrics.
#[derive(Default)]
struct MetricsPage(String);

impl MetricsPage {
    /// Writes the heading of the samples that follow.
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP shimekiri_{name} {help}");
        let _ = writeln!(self.0, "# TYPE shimekiri_{name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "shimekiri_{name}{labels} {value}");
    }

    fn latency(&mut self, name: &str, help: &str, latency: &Latency) {
        self.family(name, "histogram", help);
        let (within, count, together) = latency.read();
        for (bound, within) in within {
            self.sample(&format!("{name}_bucket"), &format!("{{le=\"{bound}\"}}"), within);
        }
        self.sample(&format!("{name}_bucket"), "{le=\"+Inf\"}", count);
        self.sample(&format!("{name}_sum"), "", together.as_secs_f64());
        self.sample(&format!("{name}_count"), "", count);
    }

    /// Writes a metric that every program has, without this program's prefix.
    fn plain(&mut self, name: &str, kind: &str, help: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
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
    use crate::counts::SendingStatus;
    use games::GAMES;
    use kit::database::Database;
    use store::{Location, Store};

    #[tokio::test]
    async fn a_database_that_keeps_nothing_is_told_of() {
        let database = Database::fresh().await;
        let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
        let health = Health::new(Build { version: "0", commit: "0" }, desk, Arc::default());
        assert_eq!(health.clone().ready().await.0, StatusCode::OK);
        health.counts.change(|state| state.round_failed = true);
        let (status, _, text) = health.clone().ready().await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
        assert!(text.contains("\"database\":\"down\""), "{text}");
        assert!(health.clone().metrics().await.2.contains("shimekiri_database_up 0"));
        assert_eq!(health.clone().alive().0, StatusCode::OK, "a new process would not help");
        health.counts.change(|state| state.round_failed = false);
        assert_eq!(health.ready().await.0, StatusCode::OK);
    }

    #[tokio::test]
    async fn what_keeps_it_from_sending_is_told_of() {
        let database = Database::fresh().await;
        let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
        let health = Health::new(Build { version: "0", commit: "0" }, desk, Arc::default());
        let check = async |sending, ready, page: &[&str], metrics: &[&str]| {
            health.counts.change(|state| state.sending = sending);
            let (status, _, text) = health.clone().ready().await;
            assert_eq!(status == StatusCode::OK, ready, "{text}");
            assert!(page.iter().all(|words| text.contains(words)), "{text}");
            let text = health.clone().metrics().await.2;
            assert!(metrics.iter().all(|line| text.lines().any(|one| one == *line)), "{text}");
        };
        let sending = SendingStatus::default();
        check(
            sending,
            true,
            &[r#""sending":"up""#, r#""direct_messages":"up""#, r#""clock_offset_ms":0"#],
            &["shimekiri_sending_paused 0", "shimekiri_direct_messages_up 1"],
        )
        .await;
        let paused = SendingStatus { paused: true, ..sending };
        check(paused, false, &[r#""sending":"paused""#], &["shimekiri_sending_paused 1"]).await;
        let flagged = SendingStatus { flagged: true, ..sending };
        let page = [r#""direct_messages":"down""#];
        check(flagged, true, &page, &["shimekiri_direct_messages_up 0"]).await;
        let off = SendingStatus { clock_offset: Span::from_milliseconds(-2500), ..sending };
        let page = [r#""clock_offset_ms":-2500"#];
        check(off, true, &page, &["shimekiri_clock_offset_seconds -2.5"]).await;
    }

    #[tokio::test]
    async fn a_clock_that_is_wrong_is_told_of() {
        let database = Database::fresh().await;
        let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
        let health = Health::new(Build { version: "0", commit: "0" }, desk, Arc::default());
        health.counts.change(|state| state.clock = ClockTrust::Wrong);
        let (status, _, text) = health.clone().ready().await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
        assert!(text.contains("\"clock\":\"wrong\""), "{text}");
        health.counts.change(|state| state.clock = ClockTrust::Right);
        assert_eq!(health.ready().await.0, StatusCode::OK);
    }

    #[tokio::test]
    async fn a_clock_that_has_stopped_is_told_of() {
        let database = Database::fresh().await;
        let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
        let health = Health::new(Build { version: "0", commit: "0" }, desk, Arc::default());
        let alive = || health.clone().alive();
        assert_eq!(alive(), (StatusCode::OK, "alive\n".to_owned()), "it has not come round yet");
        let Some(long_ago) = Instant::now().checked_sub(STOPPED * 2) else { return };
        health.counts.change(|state| state.round = Some(long_ago));
        let (status, text) = alive();
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(text.starts_with("the clock has stopped"), "{text}");
        health.counts.change(|state| state.round = Some(Instant::now()));
        assert_eq!(alive().0, StatusCode::OK);
    }
}
