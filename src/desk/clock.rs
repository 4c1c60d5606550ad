//! The one place that reads the clock, and the loop that keeps the deadlines.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::timeout;

use crate::counts::{ClockTrust, Counts};
use crate::tick::{self, next_due, other_clocks};
use crate::{Desk, TickOutcome};
use store::{APART, OtherClocks, Result};
use tables::{Span, TableCode, Time};

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
        counts.change(|state| state.clock = ClockTrust::Unsure);
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
            let round_failed = !matches!(ticked, Ok(Ok(_)));
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
            self.counts.change(|state| {
                (state.round, state.round_failed) = (Some(Instant::now()), round_failed);
            });
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
    async fn tick(&self, pulse: &mut Pulse, looks: &mut RunningLooks) -> Result<Duration> {
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
    async fn is_trusted(&self, pulse: &mut Pulse) -> Result<bool> {
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
        let was_trusted = self.counts.state().clock == ClockTrust::Right;
        let trusted = match trust {
            Trust::Right => ClockTrust::Right,
            Trust::Unsure => ClockTrust::Unsure,
            Trust::Wrong(_) => ClockTrust::Wrong,
        };
        self.counts.change(|state| state.clock = trusted);
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
        Ok(Ok(TickOutcome::Nothing)) => false,
        Ok(Ok(looked)) => {
            if let TickOutcome::Closed(_) = looked {
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

/// The trust in the clock of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    Right,
    /// Undecided: other processes may be running with another time.
    Unsure,
    /// The clock is ahead of the others by this span, or behind them if the span is negative.
    Wrong(Span),
}

/// The heartbeats of other processes, as this process has seen them.
#[derive(Debug, Default)]
pub(crate) struct Witnesses {
    /// The last heartbeat of each process, and the local time of its last change, `None` before the first.
    beats: BTreeMap<String, (Time, Option<Time>)>,
    /// The start of the unsure state.
    unsure_since: Option<Instant>,
}

impl Witnesses {
    /// Judges a clock that reads `now`, among processes that beat in the interval `every` and are gone after
    /// `silence`.
    pub(crate) fn judge(
        &mut self,
        others: &OtherClocks,
        (now, at): (Time, Instant),
        (every, silence): (Duration, Duration),
    ) -> Trust {
        if let Some(server) = others.server
            && is_apart(now, server, Span::ZERO)
        {
            return Trust::Wrong(now - server);
        }
        self.hear(others, now);
        let moved = self.beats.values().filter_map(|(beat, seen)| Some((*beat, (*seen)?)));
        let wrong = moved.filter(|(beat, seen)| is_apart(*seen, *beat, Span::from(every)));
        let newest = wrong.max_by_key(|(_, seen)| *seen);
        if let Some((beat, seen)) = newest {
            return Trust::Wrong(seen - beat);
        }
        let newest = others.beats.iter().map(|(_, beat)| *beat).max();
        let is_odd = newest.is_some_and(|newest| {
            let is_heard = self.beats.values().any(|(_, seen)| seen.is_some());
            let is_silent = now - newest > Span::from(silence);
            (is_silent || newest - now > APART) && !is_heard && others.server.is_none()
        });
        if !is_odd {
            self.unsure_since = None;
            return Trust::Right;
        }
        // A live process beats twice in this time.
        let since = *self.unsure_since.get_or_insert(at);
        if at - since < every * 2 { Trust::Unsure } else { Trust::Right }
    }

    /// Notes the heartbeats that have changed, and forgets the processes that are gone.
    fn hear(&mut self, others: &OtherClocks, now: Time) {
        let mut beats = BTreeMap::new();
        for (process, beat) in &others.beats {
            let seen = match self.beats.get(process) {
                Some((before, seen)) if before == beat => *seen,
                Some(_) => Some(now),
                None => None,
            };
            beats.insert(process.clone(), (*beat, seen));
        }
        self.beats = beats;
    }
}

/// True if two clocks differ by more than [`APART`], the first read up to `later` after the second.
fn is_apart(here: Time, there: Time, later: Span) -> bool {
    here - there > APART + later || there - here > APART
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_secs(10);
    const SILENCE: Duration = Duration::from_mins(1);

    fn time(seconds: i64) -> Time {
        Time::from_milliseconds(seconds * 1000)
    }

    /// Judges a clock that is ahead by so many seconds once for each of these heartbeats of another process,
    /// ten seconds apart.
    fn judged(ahead: i64, beats: &[i64]) -> Vec<Trust> {
        let (mut witnesses, began) = (Witnesses::default(), Instant::now());
        let mut look = |(nth, beat): (usize, &i64)| {
            let seconds = 10 * u64::try_from(nth).unwrap();
            let beats = vec![("other".to_owned(), time(*beat))];
            let others = OtherClocks { beats, server: None };
            let now = time(1_000_000 + i64::try_from(seconds).unwrap() + ahead);
            let at = began + Duration::from_secs(seconds);
            witnesses.judge(&others, (now, at), (EVERY, SILENCE))
        };
        beats.iter().enumerate().map(&mut look).collect()
    }

    #[test]
    fn a_clock_that_is_ahead_of_others_who_go_on_is_wrong() {
        let hours = 25 * 3600;
        let beats = [1_000_000, 1_000_010, 1_000_020, 1_000_020];
        let wrong = Trust::Wrong(Span::hours(25));
        assert_eq!(judged(hours, &beats)[..3], [Trust::Unsure, wrong, wrong]);
        assert!(matches!(judged(-3600, &beats)[1], Trust::Wrong(_)));
    }

    #[test]
    fn a_clock_that_others_agree_with_is_right_at_once() {
        let beats = [999_995, 1_000_005, 1_000_015];
        assert_eq!(judged(0, &beats), [Trust::Right; 3]);
        assert_eq!(judged(5, &beats), [Trust::Right; 3], "they differ a little");
    }

    #[test]
    fn after_an_outage_nobody_beats_and_the_clock_is_right() {
        let right = judged(0, &[900_000; 4]);
        assert_eq!(right, [Trust::Unsure, Trust::Unsure, Trust::Right, Trust::Right]);
        // A process with a wrong clock left a heartbeat in the future, and is gone.
        let right = judged(0, &[1_100_000; 4]);
        assert_eq!(right, [Trust::Unsure, Trust::Unsure, Trust::Right, Trust::Right]);
    }

    #[test]
    fn the_clock_of_the_server_counts_before_all_others() {
        let mut witnesses = Witnesses::default();
        let mut judge = |now, server| {
            let others = OtherClocks { beats: Vec::new(), server: Some(time(server)) };
            witnesses.judge(&others, (time(now), Instant::now()), (EVERY, SILENCE))
        };
        assert_eq!(judge(1000, 1030), Trust::Right);
        assert_eq!(judge(1000, 1061), Trust::Wrong(Span::seconds(-61)));
    }
}
