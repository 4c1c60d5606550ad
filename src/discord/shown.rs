//! Keeps the posts of tables and of their votes up to date, as people sit down, seal and vote, and
//! when a table is held; and reminders true.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::address::SCHEME;
use super::channel::Threads;
use super::redraw::Unshown;
use crate::clock;
use crate::store::{Dated, Session, StalePost, StaleVote, StoreError, Work};

/// How long to sleep at most: another process may have stirred a table.
const NAP: Duration = Duration::from_secs(2);

/// How many posts are brought up to date before it is asked again which.
const BATCH: i64 = 64;

/// How long a post rests after it was brought up to date, in milliseconds: a storm of acts is shown
/// in a few steps.
const REST: i64 = 2_000;

/// What keeps the posts.
pub(super) struct Posts {
    threads: Threads,
    /// When which table's post was brought up to date, if that is not long ago.
    rested: BTreeMap<String, i64>,
}

impl Posts {
    pub(super) fn new(threads: Threads) -> Self {
        Self { threads, rested: BTreeMap::new() }
    }

    /// Keeps them until it is told to stop.
    pub(super) async fn run(mut self, stirred: Arc<Notify>, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            if let Err(error) = self.round().await {
                tracing::warn!(%error, "posts could not be brought up to date");
            }
            tokio::select! {
                () = tokio::time::sleep(self.nap()) => {}
                () = stirred.notified() => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// How long to sleep: until a post has rested, or another process may have stirred a table.
    fn nap(&self) -> Duration {
        let now = clock::now();
        let left = self.rested.values().map(|at| at + REST - now).min();
        left.map_or(NAP, |left| NAP.min(Duration::from_millis(left.max(0).unsigned_abs())))
    }

    async fn round(&mut self) -> Result<(), StoreError> {
        let mut session = self.threads.desk.store().read().await?;
        // Those that rest take no room from those that do not.
        let resting = i64::try_from(self.rested.len()).unwrap_or_default();
        let stale = session.stale_posts(SCHEME, BATCH + resting).await?;
        let dated = session.dated(SCHEME, BATCH).await?;
        let votes = session.stale_votes(SCHEME, BATCH).await?;
        drop(session);
        let now = clock::now();
        self.rested.retain(|_, at| (*at..*at + REST).contains(&now));
        for post in stale {
            if self.rested.contains_key(&post.code) {
                continue;
            }
            if let Err(error) = self.refresh(&post).await {
                tracing::warn!(table = post.code, %error, "a post could not be brought up to date");
            }
            self.rested.insert(post.code, clock::now());
        }
        for letter in dated {
            if let Err(error) = self.correct(&letter).await {
                tracing::warn!(letter = letter.letter, %error, "a letter could not be kept true");
            }
        }
        for vote in votes {
            if let Err(error) = self.refresh_vote(&vote).await {
                tracing::warn!(table = vote.code, %error, "a vote could not be brought up to date");
            }
        }
        Ok(())
    }

    /// Draws the post of one vote as that stands now.
    async fn refresh_vote(&self, stale: &StaleVote) -> Result<(), Unshown> {
        self.threads.redraw_vote(stale).await?;
        self.threads.desk.store().write(ShowingVote(stale.clone())).await?;
        Ok(())
    }

    /// Draws one post as its table stands now.
    async fn refresh(&self, stale: &StalePost) -> Result<(), Unshown> {
        let StalePost { code, place, message, window, .. } = stale;
        self.threads.redraw(code, place, message, *window).await?;
        self.threads.desk.store().write(Showing(stale.clone())).await?;
        Ok(())
    }

    /// Lets a letter tell what is true by now.
    async fn correct(&self, dated: &Dated) -> Result<(), Unshown> {
        let body = self.threads.correct(dated).await?;
        self.threads.desk.store().write(Correcting { dated: dated.clone(), body }).await?;
        Ok(())
    }
}

/// What a letter that is kept true tells now.
struct Correcting {
    dated: Dated,
    body: Option<String>,
}

impl Work for Correcting {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        session.note_true(&self.dated, self.body.as_deref()).await
    }
}

struct Showing(StalePost);

impl Work for Showing {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        session.note_shown(&self.0).await
    }
}

struct ShowingVote(StaleVote);

impl Work for ShowingVote {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        session.note_vote_shown(&self.0).await
    }
}
