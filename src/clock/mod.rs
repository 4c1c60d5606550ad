//! The one place that reads the clock, and the loop that keeps the deadlines.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::stream::{self, StreamExt};
use tokio::sync::{Notify, watch};

use crate::desk::{Desk, Looked};
use crate::store::StoreError;

/// Now, in milliseconds since 1970, UTC.
pub(crate) fn now() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// How many tables are looked at before the clock asks again what is due.
const BATCH: i64 = 256;

/// How many tables are looked at at the same time: they share commits.
const AT_ONCE: usize = 32;

/// How long to sleep at most: another process may have brought a deadline nearer.
const NAP: Duration = Duration::from_secs(1);

/// How often a process says that it is alive, and how long a silence is an outage.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    /// How often.
    pub every: Duration,
    /// A silence of all processes that is longer than this is an outage.
    pub silence: Duration,
}

/// Keeps the deadlines of all tables of a desk, until it is told to stop.
#[derive(Debug)]
pub struct Clock {
    desk: Desk,
    /// Which process this is.
    process: String,
    beat: Beat,
    /// Rung by whoever brings a time nearer in this process, so that nobody waits out the nap.
    bell: Arc<Notify>,
    /// Rung when there are letters to be carried.
    courier: Arc<Notify>,
}

impl Clock {
    /// A clock for this process, and whom it tells that there are letters to be carried.
    pub fn new(desk: Desk, process: String, beat: Beat, courier: Arc<Notify>) -> Self {
        Self { desk, process, beat, bell: Arc::default(), courier }
    }

    /// Rings for the clock to look at once.
    pub fn bell(&self) -> Arc<Notify> {
        Arc::clone(&self.bell)
    }

    /// Keeps the deadlines. A failing database is told in the log, and tried again.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let mut beaten = None;
        while !*stop.borrow() {
            let nap = match self.tick(&mut beaten).await {
                Ok(nap) => nap,
                Err(error) => {
                    tracing::error!(%error, "the clock could not look");
                    NAP
                }
            };
            tokio::select! {
                () = tokio::time::sleep(nap) => {}
                () = self.bell.notified() => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Does what is due, and says how long nothing will be.
    async fn tick(&self, beaten: &mut Option<i64>) -> Result<Duration, StoreError> {
        // The sign of life comes first: if this machine has slept, what fell due meanwhile must
        // not be taken for punctual.
        let (every, silence) = (millis(self.beat.every), millis(self.beat.silence));
        if beaten.is_none_or(|beaten| now() - beaten >= every) {
            let outage = self.desk.beat(&self.process, now(), silence).await?;
            if let Some(outage) = outage {
                let millis = outage.length();
                tracing::warn!(millis, "nobody had kept the deadlines");
            }
            *beaten = Some(now());
        }
        let due = self.desk.due(now(), BATCH).await?;
        if due.is_empty() {
            let next = self.desk.next_due().await?.unwrap_or(i64::MAX);
            let left = u64::try_from(next.saturating_sub(now())).unwrap_or(0);
            return Ok(Duration::from_millis(left).min(NAP).min(self.beat.every));
        }
        let looks = stream::iter(due).map(|code| self.look(code)).buffer_unordered(AT_ONCE);
        let done = looks.filter(|done| std::future::ready(*done)).count().await;
        self.courier.notify_one();
        // If nothing could be done about what is due, doing it at once again would not help.
        Ok(if done > 0 { Duration::ZERO } else { NAP })
    }

    /// Looks at a table, and says whether that changed anything.
    async fn look(&self, code: String) -> bool {
        match self.desk.look(&code, now()).await {
            Ok(Looked::Nothing) => false,
            Ok(looked) => {
                tracing::info!(table = code, ?looked, "looked");
                true
            }
            Err(error) => {
                tracing::error!(table = code, %error, "could not look");
                false
            }
        }
    }
}

/// A time in milliseconds.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
