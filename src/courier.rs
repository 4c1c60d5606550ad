//! The courier: takes letters from the outbox to where they are read, each exactly once.
//!
//! An attempt is put on record before it is made. A letter whose attempt was never marked as done
//! is looked for by its id where it should be, before it is sent again.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt};
use tokio::sync::{Notify, watch};

use crate::clock;
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
    /// The other side refused.
    #[error("{0}")]
    Refused(String),
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
    /// Rung by whoever posts a letter in this process.
    bell: Arc<Notify>,
    /// Rung by the courier when letters have arrived.
    arrived: Arc<Notify>,
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
        Self { store, letters, games, channels, retry, bell, arrived }
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
