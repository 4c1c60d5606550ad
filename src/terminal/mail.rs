//! Letters to terminals: they lie in the database until somebody reads them there.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::courier::{Channel, Undelivered};
use crate::desk::Letter;
use crate::games::GAMES;
use crate::letters::Letters;
use crate::store::{Arrived, Delivered, Outgoing, Session, Store, StoreError, Work};

/// What the addresses of terminals begin with.
pub(super) const SCHEME: &str = "terminal:";

/// The letters of terminals.
#[derive(Clone, Debug)]
pub struct Mail {
    store: Store,
    letters: Letters,
}

impl Mail {
    /// The letters that lie in this database, written by these templates.
    pub fn new(store: Store, letters: Letters) -> Self {
        Self { store, letters }
    }

    /// The letters about a table that wait at an address, those that another terminal has shown
    /// since this time among them.
    pub(super) async fn unread(
        &self,
        address: &str,
        code: &str,
        since: i64,
    ) -> Result<Vec<Delivered>, StoreError> {
        self.store.read().await?.unread(address, code, since).await
    }

    /// Notes that a letter has been read.
    pub(super) async fn mark_read(&self, letter: String, now: i64) -> Result<(), StoreError> {
        self.store.write(Reading { letter, now }).await
    }
}

impl Channel for Mail {
    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn patience(&self) -> Duration {
        // A letter lies there once, however often it is put there.
        Duration::ZERO
    }

    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<Arrived, Undelivered>> {
        async {
            let delivering = Delivering {
                outgoing: outgoing.clone(),
                code: letter.code.clone(),
                text: letter.write(&self.letters, GAMES)?,
            };
            self.store.write(delivering).await?;
            Ok(Arrived::default())
        }
        .boxed()
    }
}

struct Delivering {
    outgoing: Outgoing,
    code: String,
    text: String,
}

impl Work for Delivering {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        let Outgoing { letter, address, send_at, .. } = &self.outgoing;
        session.deliver(letter, address, &self.code, &self.text, *send_at).await
    }
}

struct Reading {
    letter: String,
    now: i64,
}

impl Work for Reading {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        session.mark_read(&self.letter, self.now).await
    }
}
