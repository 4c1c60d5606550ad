//! The courier: delivers letters from the outbox, each exactly once.
//!
//! An attempt is recorded before it is made. A letter whose attempt was never marked as done is looked up by
//! its id at its destination, before it is sent again.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt};
use tokio::sync::{Notify, watch};

use crate::counts::{ClockTrust, Counts};
use crate::window::remind::as_of;
use crate::{Current, Desk, Letter, Obstacle, Unwritten, clock, record};
use store::{
    Arrived, Barrier, Outgoing, Result, Session, Store, StoreError, obstacles, outbox, read_json,
    write_json,
};
use tables::{AccountId, Address, Span, TableCode, Time};

/// The maximum number of letters taken from the outbox at a time.
const BATCH: u32 = 256;

/// The maximum number of addresses served at the same time.
const AT_ONCE: usize = 32;

/// The longest sleep: another process may have posted a letter.
const NAP: Duration = Duration::from_secs(1);

/// The failure of sending a letter.
#[derive(Debug, thiserror::Error)]
pub enum Undelivered {
    /// The letter cannot be sent for this long, and is retried afterwards.
    #[error("it cannot be sent for {} ms", .0.as_millis())]
    Later(Duration),
    /// The letter failed for now, and is retried.
    #[error("{0}")]
    Failed(String),
    /// The letter can never arrive there, and is not retried.
    #[error("it can never arrive: {0}")]
    Never(String),
    /// The letter cannot arrive until a person fixes something.
    #[error("it cannot arrive: {obstacle}")]
    Barred {
        /// The obstacle to the letter.
        obstacle: Obstacle,
        /// The condition for a retry.
        again: RetryWhen,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The text of the letter could not be written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
}

/// The condition for retrying a letter that met an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryWhen {
    /// The letter is retried ever more rarely, and immediately when somebody may have removed the obstacle.
    WhenMended,
    /// The letter is retried once the table is played elsewhere: nothing arrives at the old place any more.
    Elsewhere,
    /// The letter is never retried: no person can remove the obstacle.
    Never,
}

/// A transport for letters to one kind of address.
pub trait Channel: Debug + Send + Sync {
    /// Returns the prefix of the channel's addresses, such as `terminal:`.
    fn scheme(&self) -> &'static str;

    /// Returns the address for a person's own letters, `None` if the channel does not know the account.
    fn own_address(&self, _account: &AccountId) -> Option<Address> {
        None
    }

    /// Returns the time for which an attempt that was not marked as done may still be running. Zero if a
    /// letter that is sent twice arrives once.
    fn patience(&self) -> Duration;

    /// Returns the obstacles that are gone from an address where a letter has arrived.
    fn overcome_at(&self, _address: &Address) -> Vec<Obstacle> {
        Vec::new()
    }

    /// Sends a letter and returns the result. The parts that arrived in an attempt not marked as done are not
    /// sent again.
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
    /// The delay before a failed letter is retried.
    retry: Duration,
    /// True if the first round has begun.
    began: AtomicBool,
    /// The bell that any task of this process rings after it has posted a letter.
    bell: Arc<Notify>,
    /// The bell that the courier rings when letters have arrived.
    arrived: Arc<Notify>,
    counts: Arc<Counts>,
    /// The desk that brings letters up to date before they are sent.
    desk: Option<Desk>,
}

impl Courier {
    /// Returns a courier with these channels.
    pub fn new(store: Store, channels: Vec<Box<dyn Channel>>, retry: Duration) -> Self {
        let (bell, arrived) = (Arc::default(), Arc::default());
        let began = AtomicBool::new(false);
        let counts = Arc::default();
        Self { store, channels, retry, began, bell, arrived, counts, desk: None }
    }

    /// Sets the counters for the letters.
    #[must_use]
    pub fn with_counts(mut self, counts: Arc<Counts>) -> Self {
        self.counts = counts;
        self
    }

    /// Sets the desk that is asked before each sending, so that a letter is up to date.
    #[must_use]
    pub fn with_desk(mut self, desk: Desk) -> Self {
        self.desk = Some(desk);
        self
    }

    /// Returns the bell that makes the courier read the outbox immediately.
    pub fn bell(&self) -> Arc<Notify> {
        Arc::clone(&self.bell)
    }

    /// Returns the bell that rings when letters have arrived.
    pub fn arrived(&self) -> Arc<Notify> {
        Arc::clone(&self.arrived)
    }

    /// Delivers letters until `stop` is true. Logs a failing database and retries.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            // A clock that is ahead must not send tomorrow's letters.
            if self.counts.state().clock != ClockTrust::Right {
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

    /// Delivers the letters that can be sent now; returns how many arrived.
    pub async fn round(&self) -> Result<usize> {
        // The attempts from before this process began are no longer running, but for those that the channel
        // must be patient with. Later attempts are this process's own.
        let retry =
            if self.began.swap(true, Ordering::Relaxed) { self.retry } else { Duration::ZERO };
        let (now, mut arrived) = (clock::now(), 0);
        for channel in &self.channels {
            let idle_since = now - Span::from(channel.patience().max(retry));
            let mut db = self.store.read().await?;
            let letters =
                outbox::outgoing(&mut db, channel.scheme(), now, idle_since, BATCH).await?;
            drop(db);
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

    /// Delivers letters to one address in their order; returns how many arrived. If one has to wait, so do
    /// those after it.
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

    /// Delivers one letter.
    async fn carry(
        &self,
        channel: &dyn Channel,
        outgoing: &Outgoing,
    ) -> Result<DeliveryOutcome, Undelivered> {
        let note = |what| {
            let record = DeliveryRecord { letter: outgoing.clone(), what, now: clock::now() };
            self.store.write_about(record, |record, db| Box::pin(record.work(db)))
        };
        if !note(DeliveryEvent::Attempt).await? {
            return Ok(DeliveryOutcome::Elsewhere);
        }
        let mut letter: Letter = read_json(&outgoing.body)?;
        match self.as_of_now(&letter).await? {
            Current::Same => {}
            Current::Reworded(by_now) => {
                note(DeliveryEvent::Reworded(write_json(&*by_now)?)).await?;
                letter = *by_now;
            }
            Current::Gone => {
                note(DeliveryEvent::Dropped).await?;
                return Ok(DeliveryOutcome::Dropped);
            }
        }
        let arrived = match channel.send(outgoing, &letter).await {
            Ok(arrived) => arrived,
            Err(Undelivered::Later(wait)) => {
                note(DeliveryEvent::Later(wait)).await?;
                return Err(Undelivered::Later(wait));
            }
            Err(Undelivered::Never(why)) => {
                tracing::warn!(letter = outgoing.letter, why, "a letter can never arrive");
                note(DeliveryEvent::Dropped).await?;
                return Ok(DeliveryOutcome::Dropped);
            }
            Err(Undelivered::Barred { obstacle, again }) => {
                let barred = self.barred(channel, &letter, &obstacle, again).await?;
                note(barred).await?;
                // The letter to the host is due soon.
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
        note(DeliveryEvent::Arrived { arrived, overcome }).await?;
        Ok(DeliveryOutcome::Arrived)
    }

    /// Returns the current form of a letter.
    async fn as_of_now(&self, letter: &Letter) -> Result<Current> {
        if let Some(desk) = &self.desk
            && let Some(set) = desk.games.unknown_set(&letter.game, letter.card_set.as_deref())
        {
            set.learn(&mut self.store.read().await?).await?;
        }
        match &self.desk {
            Some(desk) if letter.is_dated() => as_of(desk, letter, clock::now()).await,
            _ => Ok(Current::Same),
        }
    }

    /// Returns the record for a letter that met an obstacle.
    async fn barred(
        &self,
        channel: &dyn Channel,
        letter: &Letter,
        obstacle: &Obstacle,
        again: RetryWhen,
    ) -> Result<DeliveryEvent> {
        let code = letter.code.clone();
        if let Some(obstacle) = letter.obstacle().cloned() {
            return Ok(DeliveryEvent::Untold { code, obstacle });
        }
        let host = obstacles::host(&mut self.store.read().await?, &code).await?;
        let host = host.and_then(|(account, _)| channel.own_address(&account));
        Ok(DeliveryEvent::Barred { code, obstacle: obstacle.clone(), again, host })
    }
}

/// A change to the record of a letter.
struct DeliveryRecord {
    letter: Outgoing,
    what: DeliveryEvent,
    now: Time,
}

enum DeliveryEvent {
    Attempt,
    /// The letter has this new body.
    Reworded(String),
    Arrived {
        arrived: Arrived,
        /// The obstacles that are gone from the place of arrival.
        overcome: Vec<Obstacle>,
    },
    /// The letter can never arrive, or is out of date.
    Dropped,
    /// The letter cannot be sent for this long.
    Later(Duration),
    /// The letter met an obstacle. The host of its table is notified at this address, if there is one.
    Barred {
        code: TableCode,
        obstacle: Obstacle,
        again: RetryWhen,
        host: Option<Address>,
    },
    /// The letter was about this obstacle, and cannot arrive.
    Untold {
        code: TableCode,
        obstacle: Obstacle,
    },
}

/// The outcome of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeliveryOutcome {
    Arrived,
    /// The letter can never arrive. Those after it can.
    Dropped,
    /// Another process delivers the letter.
    Elsewhere,
}

impl DeliveryRecord {
    async fn work(&self, db: &mut Session) -> Result<bool> {
        let letter = &self.letter.letter;
        match &self.what {
            DeliveryEvent::Attempt => return self.begins(db).await,
            DeliveryEvent::Reworded(body) => outbox::reword(db, letter, body).await?,
            DeliveryEvent::Arrived { arrived, overcome } => {
                outbox::mark_sent(db, letter, arrived, self.now).await?;
                let place = arrived.knocked.as_ref().unwrap_or(&self.letter.address);
                if self.letter.refused_at.as_ref() == Some(place)
                    && obstacles::unbar(db, &Barrier::place(place)).await?
                {
                    record::obstacle::overcome(db, overcome, self.now).await?;
                }
            }
            DeliveryEvent::Dropped => {
                outbox::mark_sent(db, letter, &Arrived::default(), self.now).await?;
            }
            DeliveryEvent::Later(wait) => {
                outbox::postpone(db, letter, self.now + Span::from(*wait)).await?;
            }
            DeliveryEvent::Barred { code, obstacle, again, host } => {
                match again {
                    RetryWhen::WhenMended => {
                        let barrier = Barrier::place(&obstacle.at);
                        let until = obstacles::bar(db, &barrier, self.now).await?;
                        outbox::wait_for(db, &self.letter, &obstacle.at, until).await?;
                    }
                    RetryWhen::Elsewhere if obstacle.at == self.letter.address => {
                        outbox::park(db, letter).await?;
                    }
                    // Letters to the reader about other tables do not wait.
                    RetryWhen::Elsewhere => {
                        let knocked = Some(obstacle.at.clone());
                        let arrived = Arrived { knocked, ..Arrived::default() };
                        outbox::mark_sent(db, letter, &arrived, self.now).await?;
                    }
                    RetryWhen::Never => {
                        outbox::mark_sent(db, letter, &Arrived::default(), self.now).await?;
                    }
                }
                obstacle.meet(db, code, host.as_ref(), self.now).await?;
            }
            DeliveryEvent::Untold { code, obstacle } => {
                outbox::mark_sent(db, letter, &Arrived::default(), self.now).await?;
                obstacle.note_untold(db, code).await?;
            }
        }
        Ok(true)
    }

    /// True if this attempt is the one to be made.
    async fn begins(&self, db: &mut Session) -> Result<bool> {
        if let Some(place) = &self.letter.refused_at
            && !obstacles::try_barred(db, &Barrier::place(place), self.now).await?
        {
            return Ok(false);
        }
        outbox::attempt(db, &self.letter, self.now).await
    }
}

/// Groups the letters by address, in their order.
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
