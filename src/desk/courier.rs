//! The courier: takes letters from the outbox to where they are read, each exactly once.
//!
//! An attempt is put on record before it is made. A letter whose attempt was never marked as done
//! is looked for by its id where it should be, before it is sent again.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt};
use tokio::sync::{Notify, watch};

use crate::clock;
use crate::counts::{ClockTrust, Counts};
use crate::record;
use crate::{Current, Desk, Letter, Obstacle, Unwritten};
use store::{Arrived, Barrier, Outgoing, Session, Store, StoreError, Work, read_json, write_json};
use tables::ids::{AccountId, Address, TableCode};
use tables::time::{Span, Time};

/// The number of letters that are taken from the outbox at a time.
const BATCH: u32 = 256;

/// How many are carried at the same time.
const AT_ONCE: usize = 32;

/// The time to sleep at most: another process may have posted a letter.
const NAP: Duration = Duration::from_secs(1);

/// A letter that could not be sent.
#[derive(Debug, thiserror::Error)]
pub enum Undelivered {
    /// It cannot be sent before so long from now. It is tried again then.
    #[error("it cannot be sent for {} ms", .0.as_millis())]
    Later(Duration),
    /// It failed for now. It is tried again.
    #[error("{0}")]
    Failed(String),
    /// It can never arrive there. It is not tried again.
    #[error("it can never arrive: {0}")]
    Never(String),
    /// It cannot arrive until a person mends something.
    #[error("it cannot arrive: {obstacle}")]
    Barred {
        /// What keeps it.
        obstacle: Obstacle,
        /// When it is tried again.
        again: RetryWhen,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It could not be written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
}

/// When a letter that met an obstacle is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryWhen {
    /// Ever more rarely, and at once when somebody may have mended it.
    WhenMended,
    /// Once its table is played somewhere else: where it met the obstacle, nothing arrives any more.
    Elsewhere,
    /// Never: there is nothing to be mended.
    Never,
}

/// Where letters to a kind of address go.
pub trait Channel: Debug + Send + Sync {
    /// What its addresses begin with, such as `terminal:`.
    fn scheme(&self) -> &'static str;

    /// Where somebody's own letters go, if they are known here by that account.
    fn own_address(&self, _account: &AccountId) -> Option<Address> {
        None
    }

    /// The time for which an attempt that was not marked as done may still be under way. Zero where
    /// a letter that is sent twice arrives once.
    fn patience(&self) -> Duration;

    /// Returns the obstacles that no longer stand at an address where a letter has arrived.
    fn overcome_at(&self, _address: &Address) -> Vec<Obstacle> {
        Vec::new()
    }

    /// Sends a letter, and says what it has become. What has arrived of it in an attempt that was
    /// not marked as done is not sent again.
    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<Arrived, Undelivered>>;
}

/// The courier of a process.
#[derive(Debug)]
pub struct Courier {
    store: Store,
    channels: Vec<Box<dyn Channel>>,
    /// How long after a failure a letter is tried again.
    retry: Duration,
    /// True if it has looked into the outbox yet.
    began: AtomicBool,
    /// Rung by whoever posts a letter in this process.
    bell: Arc<Notify>,
    /// Rung by the courier when letters have arrived.
    arrived: Arc<Notify>,
    counts: Arc<Counts>,
    /// What is true of a letter by the time it is sent is known there.
    desk: Option<Desk>,
}

impl Courier {
    /// A courier with these channels.
    pub fn new(store: Store, channels: Vec<Box<dyn Channel>>, retry: Duration) -> Self {
        let (bell, arrived) = (Arc::default(), Arc::default());
        let began = AtomicBool::new(false);
        let counts = Arc::default();
        Self { store, channels, retry, began, bell, arrived, counts, desk: None }
    }

    /// Counts here what is sent.
    #[must_use]
    pub fn with_counts(mut self, counts: Arc<Counts>) -> Self {
        self.counts = counts;
        self
    }

    /// Asks this desk before each sending, so that a letter tells what is true by then.
    #[must_use]
    pub fn with_desk(mut self, desk: Desk) -> Self {
        self.desk = Some(desk);
        self
    }

    /// Rings for the courier to look into the outbox at once.
    pub fn bell(&self) -> Arc<Notify> {
        Arc::clone(&self.bell)
    }

    /// Rings when letters have arrived.
    pub fn arrived(&self) -> Arc<Notify> {
        Arc::clone(&self.arrived)
    }

    /// Carries letters until it is told to stop. A failing database is told in the log, and tried
    /// again.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            // A letter of tomorrow must not go out because a clock is ahead.
            if self.counts.clock() != ClockTrust::Right {
                tokio::select! {
                    () = tokio::time::sleep(NAP) => {}
                    () = self.bell.notified() => {}
                    _ = stop.changed() => {}
                }
                continue;
            }
            let nap = match self.round().await {
                Ok(0) => NAP,
                Ok(_) => Duration::ZERO,
                Err(error) => {
                    tracing::error!(%error, "the courier could not look into the outbox");
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
}

/// Something to be put on record about a letter.
struct DeliveryRecord {
    letter: Outgoing,
    what: DeliveryEvent,
    now: Time,
}

enum DeliveryEvent {
    Attempt,
    /// It tells something else by now.
    Reworded(String),
    Arrived {
        arrived: Arrived,
        /// The obstacles that no longer stand where it has arrived.
        overcome: Vec<Obstacle>,
    },
    /// It can never arrive, or tells nothing any more.
    Dropped,
    /// Not before so long from now.
    Later(Duration),
    /// It met an obstacle. The host of its table is told at this address, if they have one.
    Barred {
        code: TableCode,
        obstacle: Obstacle,
        again: RetryWhen,
        host: Option<Address>,
    },
    /// It would have told of this obstacle, and cannot arrive.
    Untold {
        code: TableCode,
        obstacle: Obstacle,
    },
}

/// What became of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeliveryOutcome {
    Arrived,
    /// It can never arrive. Those behind it can.
    Dropped,
    /// Somebody else carries it.
    Elsewhere,
}

impl Work for DeliveryRecord {
    type Done = bool;

    async fn work(&self, session: &mut Session) -> Result<bool, StoreError> {
        let letter = &self.letter.letter;
        match &self.what {
            DeliveryEvent::Attempt => return self.begins(session).await,
            DeliveryEvent::Reworded(body) => session.reword(letter, body).await?,
            DeliveryEvent::Arrived { arrived, overcome } => {
                session.mark_sent(letter, arrived, self.now).await?;
                let place = arrived.knocked.as_ref().unwrap_or(&self.letter.address);
                if self.letter.refused_at.as_ref() == Some(place)
                    && session.unbar(&Barrier::place(place)).await?
                {
                    record::obstacle::overcome(session, overcome).await?;
                }
            }
            DeliveryEvent::Dropped => {
                session.mark_sent(letter, &Arrived::default(), self.now).await?;
            }
            DeliveryEvent::Later(wait) => {
                session.postpone(letter, self.now + Span::from(*wait)).await?;
            }
            DeliveryEvent::Barred { code, obstacle, again, host } => {
                match again {
                    RetryWhen::WhenMended => {
                        let barrier = Barrier::place(&obstacle.at);
                        let until = session.bar(&barrier, self.now).await?;
                        session.wait_for(&self.letter, &obstacle.at, until).await?;
                    }
                    RetryWhen::Elsewhere if obstacle.at == self.letter.address => {
                        session.park(letter).await?;
                    }
                    // Those to its reader about other tables do not wait for it.
                    RetryWhen::Elsewhere => {
                        let knocked = Some(obstacle.at.clone());
                        let arrived = Arrived { knocked, ..Arrived::default() };
                        session.mark_sent(letter, &arrived, self.now).await?;
                    }
                    RetryWhen::Never => {
                        session.mark_sent(letter, &Arrived::default(), self.now).await?;
                    }
                }
                obstacle.meet(session, code, host.as_ref(), self.now).await?;
            }
            DeliveryEvent::Untold { code, obstacle } => {
                session.mark_sent(letter, &Arrived::default(), self.now).await?;
                obstacle.note_untold(session, code).await?;
            }
        }
        Ok(true)
    }
}

impl DeliveryRecord {
    /// True if this attempt is the one that is made.
    async fn begins(&self, session: &mut Session) -> Result<bool, StoreError> {
        if let Some(place) = &self.letter.refused_at
            && !session.try_barred(&Barrier::place(place), self.now).await?
        {
            return Ok(false);
        }
        session.attempt(&self.letter, self.now).await
    }
}

impl Courier {
    /// Carries what can be sent now, and says how many letters arrived.
    pub async fn round(&self) -> Result<usize, StoreError> {
        // Whatever attempts there were when this process began, nobody makes them any more, but
        // for those that the channel must be patient with. Later ones are this process's own.
        let retry =
            if self.began.swap(true, Ordering::Relaxed) { self.retry } else { Duration::ZERO };
        let (now, mut arrived) = (clock::now(), 0);
        for channel in &self.channels {
            let idle_since = now - Span::from(channel.patience().max(retry));
            let mut session = self.store.read().await?;
            let letters = session.outgoing(channel.scheme(), now, idle_since, BATCH).await?;
            drop(session);
            let ways = by_address(letters);
            let carried = stream::iter(ways)
                .map(|letters| self.carry_all(&**channel, letters))
                .buffer_unordered(AT_ONCE);
            arrived += carried.fold(0, async |sum, arrived| sum + arrived).await;
        }
        if arrived > 0 {
            self.arrived.notify_waiters();
        }
        Ok(arrived)
    }

    /// Carries letters to one address in their order, and says how many arrived. Where one has to
    /// wait, those behind it wait as well.
    async fn carry_all(&self, channel: &dyn Channel, letters: Vec<Outgoing>) -> usize {
        let mut arrived = 0;
        for letter in letters {
            match self.carry(channel, &letter).await {
                Ok(DeliveryOutcome::Dropped) => {}
                Ok(DeliveryOutcome::Arrived) => {
                    self.counts.letters_sent.one(channel.scheme().trim_end_matches(':'));
                    arrived += 1;
                }
                Ok(DeliveryOutcome::Elsewhere) => break,
                Err(error) => {
                    self.counts.letters_failed.one();
                    tracing::warn!(letter = letter.letter, %error, "a letter could not be sent");
                    break;
                }
            }
        }
        arrived
    }

    /// Carries one letter.
    async fn carry(
        &self,
        channel: &dyn Channel,
        outgoing: &Outgoing,
    ) -> Result<DeliveryOutcome, Undelivered> {
        let note = |what| DeliveryRecord { letter: outgoing.clone(), what, now: clock::now() };
        if !self.store.write(note(DeliveryEvent::Attempt)).await? {
            return Ok(DeliveryOutcome::Elsewhere);
        }
        let mut letter: Letter = read_json(&outgoing.body)?;
        match self.as_of_now(&letter).await? {
            Current::Same => {}
            Current::Reworded(by_now) => {
                self.store.write(note(DeliveryEvent::Reworded(write_json(&by_now)?))).await?;
                letter = by_now;
            }
            Current::Gone => {
                self.store.write(note(DeliveryEvent::Dropped)).await?;
                return Ok(DeliveryOutcome::Dropped);
            }
        }
        let arrived = match channel.send(outgoing, &letter).await {
            Ok(arrived) => arrived,
            Err(Undelivered::Later(wait)) => {
                self.store.write(note(DeliveryEvent::Later(wait))).await?;
                return Err(Undelivered::Later(wait));
            }
            Err(Undelivered::Never(why)) => {
                tracing::warn!(letter = outgoing.letter, why, "a letter can never arrive");
                self.store.write(note(DeliveryEvent::Dropped)).await?;
                return Ok(DeliveryOutcome::Dropped);
            }
            Err(Undelivered::Barred { obstacle, again }) => {
                let barred = self.barred(channel, &letter, &obstacle, again).await?;
                self.store.write(note(barred)).await?;
                // The host is to hear of it soon.
                self.bell.notify_one();
                let waits = match again {
                    RetryWhen::WhenMended => true,
                    RetryWhen::Elsewhere => obstacle.at == outgoing.address,
                    RetryWhen::Never => false,
                };
                return if waits {
                    Err(Undelivered::Barred { obstacle, again })
                } else {
                    Ok(DeliveryOutcome::Dropped)
                };
            }
            Err(error) => return Err(error),
        };
        let place = arrived.knocked.as_ref().unwrap_or(&outgoing.address);
        let overcome = channel.overcome_at(place);
        self.store.write(note(DeliveryEvent::Arrived { arrived, overcome })).await?;
        Ok(DeliveryOutcome::Arrived)
    }

    /// What has become of a letter by now.
    async fn as_of_now(&self, letter: &Letter) -> Result<Current, StoreError> {
        match &self.desk {
            Some(desk) if letter.is_dated() => desk.as_of(letter, clock::now()).await,
            _ => Ok(Current::Same),
        }
    }

    /// What is to be put on record of a letter that met an obstacle.
    async fn barred(
        &self,
        channel: &dyn Channel,
        letter: &Letter,
        obstacle: &Obstacle,
        again: RetryWhen,
    ) -> Result<DeliveryEvent, StoreError> {
        let code = letter.code.clone();
        if let Some(obstacle) = letter.obstacle().cloned() {
            return Ok(DeliveryEvent::Untold { code, obstacle });
        }
        let host = self.store.read().await?.host(&code).await?;
        let host = host.and_then(|(account, _)| channel.own_address(&account));
        Ok(DeliveryEvent::Barred { code, obstacle: obstacle.clone(), again, host })
    }
}

/// The letters to each address, in their order.
fn by_address(letters: Vec<Outgoing>) -> Vec<Vec<Outgoing>> {
    let mut ways: Vec<Vec<Outgoing>> = Vec::new();
    for letter in letters {
        match ways.iter_mut().find(|way| way[0].address == letter.address) {
            Some(way) => way.push(letter),
            None => ways.push(vec![letter]),
        }
    }
    ways
}
