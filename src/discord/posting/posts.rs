//! Keeps the posts of tables and of their votes up to date, as people sit down, seal and vote, and
//! when a table is held; and reminders true.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{Notify, watch};

use crate::address::SCHEME;
use crate::posting::channel::Threads;
use crate::posting::redraw::DrawError;
use desk::clock;
use store::{Dated, StalePost, StaleVote, StoreError};
use tables::time::{Span, Time};

/// How long to sleep at most: another process may have stirred a table.
const NAP: Duration = Duration::from_secs(2);

/// How many posts are brought up to date before it is asked again which.
const BATCH: u32 = 64;

/// What keeps the posts.
pub(crate) struct Posts {
    threads: Threads,
    /// How long a post rests after it was drawn: a storm of acts is shown in a few
    rest: Span,
    /// When letters that are kept true were corrected here, as far as they rest still.
    corrected: Mutex<BTreeMap<String, Time>>,
}

impl Posts {
    pub(crate) fn new(threads: Threads, rest: Duration) -> Self {
        Self { threads, rest: Span::from(rest), corrected: Mutex::default() }
    }

    /// Keeps them until it is told to stop. It is rung for when a table has been stirred here, and
    /// when letters have arrived: one may have brought a new post.
    pub(crate) async fn run(
        self,
        stirred: Arc<Notify>,
        arrived: Arc<Notify>,
        mut stop: watch::Receiver<bool>,
    ) {
        while !*stop.borrow() {
            // It is heard as well if it rings meanwhile.
            let arrived = arrived.notified();
            let nap = self.round().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "posts could not be brought up to date");
                NAP
            });
            tokio::select! {
                () = tokio::time::sleep(nap) => {}
                () = stirred.notified() => {}
                () = arrived => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Draws what is to be drawn, and says how long nothing will be, unless another process stirs a
    /// table.
    async fn round(&self) -> Result<Duration, StoreError> {
        let mut session = self.threads.desk.store().read().await?;
        let stale = session.stale_posts(SCHEME, BATCH).await?;
        let dated = session.dated(SCHEME, BATCH).await?;
        let votes = session.stale_votes(SCHEME, BATCH).await?;
        drop(session);
        let mut awake = None;
        for post in stale {
            let (now, rested) = (clock::now(), post.drawn_at + self.rest);
            if (post.drawn_at..rested).contains(&now) {
                awake = awake.into_iter().chain([rested]).min();
            } else if let Err(error) = self.refresh(&post, now).await {
                tracing::warn!(table = %post.code, %error, "a post could not be brought up to date");
            }
        }
        for letter in dated {
            if let Some(rested) = self.rests(&letter.letter, clock::now()) {
                awake = awake.into_iter().chain([rested]).min();
            } else if let Err(error) = self.correct(&letter).await {
                tracing::warn!(letter = letter.letter, %error, "a letter could not be kept true");
            }
        }
        for vote in votes {
            if let Err(error) = self.refresh_vote(&vote).await {
                tracing::warn!(table = %vote.code, %error, "a vote could not be brought up to date");
            }
        }
        let left = awake.map(|awake| (awake - clock::now()).duration());
        Ok(left.map_or(NAP, |left| NAP.min(left)))
    }

    /// Until when a letter that was corrected a moment ago is left alone; nothing if it need not be,
    /// and then it is taken to be corrected now.
    fn rests(&self, letter: &str, now: Time) -> Option<Time> {
        let mut corrected = self.corrected.lock().unwrap_or_else(PoisonError::into_inner);
        corrected.retain(|_, at| (*at..*at + self.rest).contains(&now));
        if let Some(at) = corrected.get(letter) {
            return Some(*at + self.rest);
        }
        corrected.insert(letter.to_owned(), now);
        None
    }

    /// Draws the post of one vote as that stands now.
    async fn refresh_vote(&self, stale: &StaleVote) -> Result<(), DrawError> {
        self.threads.redraw_vote(stale).await?;
        let store = self.threads.desk.store();
        store.write_about(stale.clone(), |stale, to| to.note_vote_shown(stale).boxed()).await?;
        Ok(())
    }

    /// Draws one post as its table stands now, unless somebody else does.
    async fn refresh(&self, stale: &StalePost, now: Time) -> Result<(), DrawError> {
        let store = self.threads.desk.store();
        let claimed = store.write_about((stale.clone(), now), |(stale, now), to| {
            to.claim_post(stale, *now).boxed()
        });
        if !claimed.await? {
            return Ok(());
        }
        let drawn = self.threads.redraw(stale).await;
        let about = (stale.clone(), drawn.is_ok(), clock::now());
        let noted = store.write_about(about, |(stale, is_drawn, now), to| {
            to.note_drawn(stale, *is_drawn, *now).boxed()
        });
        noted.await?;
        drawn
    }

    /// Lets a letter tell what is true by now.
    async fn correct(&self, dated: &Dated) -> Result<(), DrawError> {
        let about = (dated.clone(), self.threads.correct(dated).await?);
        let store = self.threads.desk.store();
        let noted = store
            .write_about(about, |(dated, body), to| to.note_true(dated, body.as_deref()).boxed());
        Ok(noted.await?)
    }
}
