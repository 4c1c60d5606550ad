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
use crate::counts::Counts;
use crate::desk::Letter;
use crate::games::any::AnyGame;
use crate::letters::Letters;
use crate::store::{Outgoing, Session, Store, StoreError, Work};

/// How many letters are taken from the outbox at a time.
const BATCH: i64 = 256;

/// How many are carried at the same time.
const AT_ONCE: usize = 32;

/// How long to sleep at most: another process may have posted a letter.
const NAP: Duration = Duration::from_secs(1);

/// A letter that could not be sent. It is tried again.
#[derive(Debug, thiserror::Error)]
pub enum Undelivered {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It could not be written.
    #[error("{0}")]
    Unwritten(String),
}

/// Where letters to a kind of address go.
pub trait Channel: Debug + Send + Sync {
    /// What its addresses begin with, such as `terminal:`.
    fn scheme(&self) -> &'static str;

    /// How long an attempt that was not marked as done may still be under way. Zero where
    /// a letter that is sent twice arrives once.
    fn patience(&self) -> Duration;

    /// Whether a letter has arrived.
    fn has<'a>(&'a self, letter: &'a Outgoing) -> BoxFuture<'a, Result<bool, Undelivered>>;

    /// Sends a letter, written.
    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        letter: &'a Letter,
        text: &'a str,
    ) -> BoxFuture<'a, Result<(), Undelivered>>;
}

/// The courier of a process.
#[derive(Debug)]
pub struct Courier {
    store: Store,
    letters: Letters,
    games: &'static [&'static dyn AnyGame],
    channels: Vec<Box<dyn Channel>>,
    /// How long after a failure a letter is tried again.
    retry: Duration,
    /// Whether it has looked into the outbox yet.
    began: AtomicBool,
    /// Rung by whoever posts a letter in this process.
    bell: Arc<Notify>,
    /// Rung by the courier when letters have arrived.
    arrived: Arc<Notify>,
    counts: Arc<Counts>,
}

impl Courier {
    /// A courier with these channels.
    pub fn new(
        store: Store,
        letters: Letters,
        games: &'static [&'static dyn AnyGame],
        channels: Vec<Box<dyn Channel>>,
        retry: Duration,
    ) -> Self {
        let (bell, arrived) = (Arc::default(), Arc::default());
        let began = AtomicBool::new(false);
        Self {
            store,
            letters,
            games,
            channels,
            retry,
            began,
            bell,
            arrived,
            counts: Arc::default(),
        }
    }

    /// The same, counting here what it sends.
    #[must_use]
    pub fn counting(mut self, counts: Arc<Counts>) -> Self {
        self.counts = counts;
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

/// A letter whose attempt is to be put on record, and then whose arrival.
struct Note {
    letter: Outgoing,
    what: What,
    now: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Attempt,
    Sent,
}

impl Work for Note {
    type Done = bool;

    async fn work(&self, session: &mut Session) -> Result<bool, StoreError> {
        match self.what {
            What::Attempt => session.attempt(&self.letter, self.now).await,
            What::Sent => session.mark_sent(&self.letter.letter, self.now).await.map(|()| true),
        }
    }
}

impl Courier {
    /// Carries what can be sent now, and says how many letters arrived.
    ///
    /// # Errors
    /// If the outbox cannot be read.
    pub async fn round(&self) -> Result<usize, StoreError> {
        // Whatever attempts there were when this process began, nobody makes them any more, but
        // for those that the channel must be patient with. Later ones are this process's own.
        let retry =
            if self.began.swap(true, Ordering::Relaxed) { self.retry } else { Duration::ZERO };
        let (now, mut arrived) = (clock::now(), 0);
        for channel in &self.channels {
            let idle_since = now - millis(channel.patience().max(retry));
            let mut session = self.store.read().await?;
            let letters = session.outgoing(channel.scheme(), now, idle_since, BATCH).await?;
            drop(session);
            let carried = stream::iter(letters)
                .map(|letter| self.carry(&**channel, letter))
                .buffer_unordered(AT_ONCE);
            arrived += carried.filter(|arrived| std::future::ready(*arrived)).count().await;
        }
        if arrived > 0 {
            self.arrived.notify_waiters();
        }
        Ok(arrived)
    }

    /// Carries one letter, and says whether it arrived.
    async fn carry(&self, channel: &dyn Channel, letter: Outgoing) -> bool {
        match self.try_to_carry(channel, &letter).await {
            Ok(arrived) => {
                if arrived {
                    self.counts.letters_sent.one();
                }
                arrived
            }
            Err(error) => {
                self.counts.letters_failed.one();
                tracing::warn!(letter = letter.letter, %error, "a letter could not be sent");
                false
            }
        }
    }

    async fn try_to_carry(
        &self,
        channel: &dyn Channel,
        outgoing: &Outgoing,
    ) -> Result<bool, Undelivered> {
        let note = |what| Note { letter: outgoing.clone(), what, now: clock::now() };
        if !self.store.write(note(What::Attempt)).await? {
            return Ok(false);
        }
        // Somebody may have sent it and died before saying so.
        if outgoing.attempts == 0 || !channel.has(outgoing).await? {
            let letter: Letter = serde_json::from_str(&outgoing.body)
                .map_err(|error| StoreError::Unreadable(error.to_string()))?;
            let text = letter.write(&self.letters, self.games);
            let text = text.map_err(|fault| Undelivered::Unwritten(fault.to_string()))?;
            channel.send(outgoing, &letter, &text).await?;
        }
        Ok(self.store.write(note(What::Sent)).await?)
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
