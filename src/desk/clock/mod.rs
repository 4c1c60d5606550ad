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
use crate::{Desk, Looked};
use store::{APART, StoreError};
use tables::ids::TableCode;
use tables::time::{Span, Time};

/// Now.
pub fn now() -> Time {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::default() + Span::from(since)
}

/// The number of tables that are looked at before the clock asks again what is due.
const BATCH: u32 = 256;

/// The time to sleep at most: another process may have brought a deadline nearer.
const NAP: Duration = Duration::from_secs(1);

/// How long a round of the clock, and a look at a table, may take. Whatever they wait for has limits
/// of its own; should one of them not hold, the clock goes on all the same.
const ROUND: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_secs(90);

/// How often a process says that it is alive, and how long a silence is an outage.
#[derive(Clone, Copy, Debug)]
pub struct Heartbeat {
    pub every: Duration,
    /// A silence of all processes that is longer than this is an outage.
    pub silence: Duration,
}

/// Keeps the deadlines of all tables of a desk, until it is told to stop.
#[derive(Debug)]
pub struct Clock {
    desk: Desk,
    process: String,
    beat: Heartbeat,
    /// Rung by whoever brings a time nearer in this process, so that nobody waits out the nap.
    bell: Arc<Notify>,
    /// Rung when there are letters to be carried.
    courier: Arc<Notify>,
    counts: Arc<Counts>,
}

/// The looks that are under way, each a task of its own: what is stuck at one table keeps the clock
/// from no other.
#[derive(Debug)]
struct RunningLooks {
    tasks: JoinSet<bool>,
    codes: BTreeMap<Id, TableCode>,
    /// So many at the same time: on SQLite they share commits, and on a server they leave something
    /// for others.
    lanes: Arc<Semaphore>,
    counts: Arc<Counts>,
}

impl Clock {
    /// A clock for this process, and whom it tells that there are letters to be carried.
    pub fn new(desk: Desk, process: String, beat: Heartbeat, courier: Arc<Notify>) -> Self {
        let counts = Arc::default();
        Self { desk, process, beat, bell: Arc::default(), courier, counts }
    }

    /// Counts its rounds here.
    #[must_use]
    pub fn with_counts(self, counts: Arc<Counts>) -> Self {
        counts.set_clock(ClockTrust::Unsure);
        Self { counts, ..self }
    }

    /// Rings for the clock to look at once.
    pub fn bell(&self) -> Arc<Notify> {
        Arc::clone(&self.bell)
    }

    /// Keeps the deadlines. A failing database is told in the log, and tried again.
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
    }

    /// Does what is due, and says how long nothing will be.
    async fn tick(
        &self,
        pulse: &mut Pulse,
        looks: &mut RunningLooks,
    ) -> Result<Duration, StoreError> {
        if !self.is_trusted(pulse).await? {
            return Ok(NAP.min(self.beat.every));
        }
        // The sign of life comes first: if this machine has slept, what fell due meanwhile must
        // not be taken for punctual.
        let (every, silence) = (Span::from(self.beat.every), Span::from(self.beat.silence));
        if pulse.beaten.is_none_or(|beaten| now() - beaten >= every) {
            let outage = self.desk.beat(&self.process, now(), silence).await?;
            if let Some(outage) = outage {
                let millis = outage.length().milliseconds();
                tracing::warn!(millis, "nobody had kept the deadlines");
            }
            pulse.beaten = Some(now());
        }
        let due = self.desk.due(now(), BATCH).await?;
        if due.is_empty() {
            let next = self.desk.next_due().await?.unwrap_or(Time::END);
            return Ok((next - now()).duration().min(NAP).min(self.beat.every));
        }
        for code in due {
            looks.begin(&self.desk, code);
        }
        // Those that take long are left to themselves.
        let done = timeout(NAP, looks.all()).await;
        self.courier.notify_one();
        // If nothing could be done about what is due, doing it at once again would not help.
        Ok(if done == Ok(false) { NAP } else { Duration::ZERO })
    }

    /// True if the deadlines can be kept by the clock of this process. It is looked at as often as a
    /// sign of life is due, and as long as it is not trusted.
    async fn is_trusted(&self, pulse: &mut Pulse) -> Result<bool, StoreError> {
        let every = self.beat.every;
        if pulse.looked.is_some_and(|looked| looked.elapsed() < every) {
            return Ok(pulse.is_trusted);
        }
        let others = self.desk.other_clocks(&self.process).await?;
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
            // No letter is carried by a clock that is not trusted.
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

/// The memory of a clock from round to round.
#[derive(Debug, Default)]
struct Pulse {
    /// The time when it gave its last sign of life.
    beaten: Option<Time>,
    /// What it has met of other clocks, when it looked at them last, and what it said itself then.
    witnesses: Witnesses,
    looked: Option<Instant>,
    last: Option<Time>,
    is_trusted: bool,
}

impl RunningLooks {
    /// Looks at a table, unless somebody is just at it.
    fn begin(&mut self, desk: &Desk, code: TableCode) {
        if self.codes.values().any(|other| *other == code) {
            return;
        }
        let (lanes, counts) = (Arc::clone(&self.lanes), Arc::clone(&self.counts));
        let task = self.tasks.spawn(look(desk.clone(), code.clone(), lanes, counts));
        self.codes.insert(task.id(), code);
    }

    /// Waits until nobody looks any more, and says whether that changed anything.
    async fn all(&mut self) -> bool {
        let mut done = false;
        while let Some(changed) = self.next().await {
            done |= changed;
        }
        done
    }

    /// Waits until one look is over, and says whether it changed anything; nothing, if there is none.
    async fn next(&mut self) -> Option<bool> {
        let ended = self.tasks.join_next_with_id().await?;
        let id = ended.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        self.codes.remove(&id);
        Some(ended.is_ok_and(|(_, changed)| changed))
    }
}

/// Looks at a table when there is a lane for it, and says whether that changed anything.
async fn look(desk: Desk, code: TableCode, lanes: Arc<Semaphore>, counts: Arc<Counts>) -> bool {
    // Nobody closes it.
    let _lane = lanes.acquire().await;
    let began = Instant::now();
    match timeout(LOOK, desk.look(&code, now())).await {
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
