//! The one place that reads the clock, and the loop that keeps the deadlines.

mod trust;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::timeout;

use crate::clock::trust::{Trust, Witnesses};
use crate::counts::{ClockTrust, Counts};
use crate::tick::{self, next_due, other_clocks};
use crate::{Desk, Looked};
use store::{APART, StoreError};
use tables::ids::TableCode;
use tables::time::{Span, Time};

/// Returns the current time.
pub fn now() -> Time {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::default() + Span::from(since)
}

/// The maximum number of tables looked at in one round.
const BATCH: u32 = 256;

/// The longest sleep between rounds: another process may have set an earlier deadline.
const NAP: Duration = Duration::from_secs(1);

/// The timeouts of a round of the clock and of a look at a table. The calls inside have timeouts of their
/// own; if one of them fails, the clock still goes on.
const ROUND: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_secs(90);

/// The interval between a process's heartbeats, and the silence that is an outage.
#[derive(Clone, Copy, Debug)]
pub struct Heartbeat {
    pub every: Duration,
    /// The longest silence of all processes that is not an outage.
    pub silence: Duration,
}

/// The loop that keeps the deadlines of all tables of a desk until it is stopped.
#[derive(Debug)]
pub struct Clock {
    desk: Desk,
    process: String,
    beat: Heartbeat,
    /// The bell that any task of this process rings to end the sleep, after it has set an earlier time.
    bell: Arc<Notify>,
    /// The bell that the clock rings when there are letters to deliver.
    courier: Arc<Notify>,
    counts: Arc<Counts>,
}

/// The running checks, one task per table, so that a stuck table delays no other.
#[derive(Debug)]
struct RunningLooks {
    tasks: JoinSet<bool>,
    codes: BTreeMap<Id, TableCode>,
    /// The limit of simultaneous looks: on SQLite they share commits, and on a server they leave connections
    /// for others.
    lanes: Arc<Semaphore>,
    counts: Arc<Counts>,
}

impl Clock {
    /// Returns a clock for this process that rings `courier` when there are letters to deliver.
    pub fn new(desk: Desk, process: String, beat: Heartbeat, courier: Arc<Notify>) -> Self {
        let counts = Arc::default();
        Self { desk, process, beat, bell: Arc::default(), courier, counts }
    }

    /// Sets the counters for the rounds.
    #[must_use]
    pub fn with_counts(self, counts: Arc<Counts>) -> Self {
        counts.set_clock(ClockTrust::Unsure);
        Self { counts, ..self }
    }

    /// Returns the bell that makes the clock look immediately.
    pub fn bell(&self) -> Arc<Notify> {
        Arc::clone(&self.bell)
    }

    /// Keeps the deadlines until `stop` is true. Logs a failing database and retries.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let lanes = Arc::new(Semaphore::new(self.desk.store().lanes()));
        let counts = Arc::clone(&self.counts);
        let mut looks =
            RunningLooks { tasks: JoinSet::new(), codes: BTreeMap::new(), lanes, counts };
        let mut pulse = Pulse::default();
        while !*stop.borrow() {
            let ticked = timeout(ROUND, self.tick(&mut pulse, &mut looks)).await;
            self.counts.round_failed(!matches!(ticked, Ok(Ok(_))));
            let nap = match ticked {
                Ok(Ok(nap)) => nap,
                Ok(Err(error)) => {
                    tracing::error!(%error, "the clock could not look");
                    NAP
                }
                Err(_) => {
                    tracing::error!("the database keeps the clock waiting");
                    NAP
                }
            };
            self.counts.come_round(Instant::now());
            tokio::select! {
                () = tokio::time::sleep(nap) => {}
                () = self.bell.notified() => {}
                _ = stop.changed() => {}
            }
        }
        while looks.next().await.is_some() {}
        // The next process then need not wait for another sign of life of this one.
        if let Err(error) = tick::end(&self.desk, &self.process, now()).await {
            tracing::error!(%error, "the end of the clock is not stored");
        }
    }

    /// Does the due work and returns the time until the next.
    async fn tick(
        &self,
        pulse: &mut Pulse,
        looks: &mut RunningLooks,
    ) -> Result<Duration, StoreError> {
        if !self.is_trusted(pulse).await? {
            return Ok(NAP.min(self.beat.every));
        }
        // The heartbeat comes first: after this machine has slept, work that fell due meanwhile must not pass
        // for punctual.
        let (every, silence) = (Span::from(self.beat.every), Span::from(self.beat.silence));
        if pulse.beaten.is_none_or(|beaten| now() - beaten >= every) {
            let outage = tick::beat(&self.desk, &self.process, now(), silence).await?;
            if let Some(outage) = outage {
                let millis = outage.length().milliseconds();
                tracing::warn!(millis, "nobody had kept the deadlines");
            }
            pulse.beaten = Some(now());
        }
        let due = tick::due(&self.desk, now(), BATCH).await?;
        if due.is_empty() {
            let next = next_due(&self.desk).await?.unwrap_or(Time::END);
            return Ok((next - now()).duration().min(NAP).min(self.beat.every));
        }
        for code in due {
            looks.begin(&self.desk, code);
        }
        // Looks that take longer go on in the background.
        let done = timeout(NAP, looks.all()).await;
        self.courier.notify_one();
        // If no look changed anything, an immediate retry would not help.
        Ok(if done == Ok(false) { NAP } else { Duration::ZERO })
    }

    /// True if the clock of this process can keep the deadlines. Checked once per heartbeat interval, and in
    /// every round while this is unsure.
    async fn is_trusted(&self, pulse: &mut Pulse) -> Result<bool, StoreError> {
        let every = self.beat.every;
        if pulse.looked.is_some_and(|looked| looked.elapsed() < every) {
            return Ok(pulse.is_trusted);
        }
        let others = other_clocks(&self.desk, &self.process).await?;
        let read = (now(), Instant::now());
        let back = pulse.last.replace(read.0).map_or(Span::ZERO, |last| last - read.0);
        if back > APART {
            let millis = back.milliseconds();
            tracing::error!(millis, "the clock of this machine has gone back");
        }
        let trust = pulse.witnesses.judge(&others, read, (every, self.beat.silence));
        let was_trusted = self.counts.clock() == ClockTrust::Right;
        self.counts.set_clock(match trust {
            Trust::Right => ClockTrust::Right,
            Trust::Unsure => ClockTrust::Unsure,
            Trust::Wrong(_) => ClockTrust::Wrong,
        });
        if trust == Trust::Right && !was_trusted {
            // No letter is delivered while the clock is not trusted.
            self.courier.notify_one();
        }
        if let Trust::Wrong(off) = trust {
            let millis = off.milliseconds();
            tracing::error!(
                millis,
                "the clock of this machine is wrong: no deadline is kept by it"
            );
        }
        pulse.is_trusted = trust == Trust::Right;
        pulse.looked = (trust != Trust::Unsure).then_some(read.1);
        Ok(pulse.is_trusted)
    }
}

/// The state of a clock between rounds.
#[derive(Debug, Default)]
struct Pulse {
    /// The time of the last heartbeat.
    beaten: Option<Time>,
    /// The heartbeats seen of other processes; below, the instant of the last check and the time read then.
    witnesses: Witnesses,
    looked: Option<Instant>,
    last: Option<Time>,
    is_trusted: bool,
}

impl RunningLooks {
    /// Starts a look at a table, unless one is running.
    fn begin(&mut self, desk: &Desk, code: TableCode) {
        if self.codes.values().any(|other| *other == code) {
            return;
        }
        let (lanes, counts) = (Arc::clone(&self.lanes), Arc::clone(&self.counts));
        let task = self.tasks.spawn(look(desk.clone(), code.clone(), lanes, counts));
        self.codes.insert(task.id(), code);
    }

    /// Waits for all looks; returns true if any of them changed something.
    async fn all(&mut self) -> bool {
        let mut done = false;
        while let Some(changed) = self.next().await {
            done |= changed;
        }
        done
    }

    /// `None` if no look is running. Waits for one look and returns true if it changed something.
    async fn next(&mut self) -> Option<bool> {
        let ended = self.tasks.join_next_with_id().await?;
        let id = ended.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        self.codes.remove(&id);
        Some(ended.is_ok_and(|(_, changed)| changed))
    }
}

/// Looks at a table as soon as a lane is free; returns true if this changed something.
async fn look(desk: Desk, code: TableCode, lanes: Arc<Semaphore>, counts: Arc<Counts>) -> bool {
    // The semaphore is never closed.
    let _lane = lanes.acquire().await;
    let began = Instant::now();
    match timeout(LOOK, tick::look(&desk, &code, now())).await {
        Ok(Ok(Looked::Nothing)) => false,
        Ok(Ok(looked)) => {
            if let Looked::Closed(_) = looked {
                counts.closes.observe(began.elapsed());
            }
            tracing::info!(table = %code, ?looked, "looked");
            true
        }
        Ok(Err(error)) => {
            tracing::error!(table = %code, %error, "could not look");
            false
        }
        Err(_) => {
            tracing::error!(table = %code, "a look takes too long");
            false
        }
    }
}
