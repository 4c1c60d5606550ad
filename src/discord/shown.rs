//! Keeps the posts of tables up to date: as people sit down and seal, and when a table is held.

use std::sync::Arc;
use std::time::Duration;

use serenity::all::MessageId;
use tokio::sync::{Notify, watch};

use super::address::{Address, SCHEME};
use super::api::{Refusal, Unsent};
use super::channel::Threads;
use super::post;
use crate::clock;
use crate::desk::NotDone;
use crate::letters::LetterFault;
use crate::store::{Session, StalePost, StoreError, Work};

/// How long to sleep at most: another process may have stirred a table.
const NAP: Duration = Duration::from_secs(2);

/// How many posts are brought up to date before it is asked again which.
const BATCH: i64 = 64;

/// What keeps the posts.
pub(super) struct Posts {
    threads: Threads,
}

/// Something about a post that could not be done.
#[derive(Debug, thiserror::Error)]
enum Unshown {
    #[error(transparent)]
    NotDone(#[from] NotDone),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Letter(#[from] LetterFault),
    #[error(transparent)]
    Unsent(#[from] Unsent),
}

impl Posts {
    pub(super) fn new(threads: Threads) -> Self {
        Self { threads }
    }

    /// Keeps them until it is told to stop.
    pub(super) async fn run(self, stirred: Arc<Notify>, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            if let Err(error) = self.round().await {
                tracing::warn!(%error, "posts could not be brought up to date");
            }
            tokio::select! {
                () = tokio::time::sleep(NAP) => {}
                () = stirred.notified() => {}
                _ = stop.changed() => {}
            }
        }
    }

    async fn round(&self) -> Result<(), StoreError> {
        let mut session = self.threads.desk.store().read().await?;
        let stale = session.stale_posts(SCHEME, BATCH).await?;
        drop(session);
        for post in stale {
            if let Err(error) = self.refresh(&post).await {
                tracing::warn!(table = post.code, %error, "a post could not be brought up to date");
            }
        }
        Ok(())
    }

    /// Draws one post as its table stands now.
    async fn refresh(&self, stale: &StalePost) -> Result<(), Unshown> {
        let Threads { api, desk, letters, .. } = &self.threads;
        let message = stale.message.parse::<MessageId>().ok();
        if let (Some(Address::Channel(channel)), Some(message)) =
            (Address::parse(&stale.place), message)
        {
            let now = clock::now();
            let sight = desk.see(&stale.code, "", now).await?;
            let drawn = post::draw(&sight, stale.window, &[], letters, now)?;
            match api.edit(channel, message, &drawn, Vec::new()).await {
                Ok(_) => {}
                // Nobody can see it any more.
                Err(unsent)
                    if unsent.is(Refusal::UnknownMessage) || unsent.is(Refusal::UnknownChannel) => {
                }
                Err(unsent) => return Err(unsent.into()),
            }
        }
        desk.store().write(Showing(stale.clone())).await?;
        Ok(())
    }
}

struct Showing(StalePost);

impl Work for Showing {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        session.note_shown(&self.0).await
    }
}
