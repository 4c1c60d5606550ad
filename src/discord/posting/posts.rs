//! Keeps the posts of tables and of their votes up to date, as people sit down, seal and vote, and
//! when a table is held; and reminders true.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{Notify, watch};

use crate::address::SCHEME;
use crate::posting::channel::Threads;
use crate::posting::failure::DrawError;
use desk::clock;
use store::{Dated, StalePost, StaleVote, StoreError};
use tables::time::{Span, Time};

/// The time to sleep at most: another process may have stirred a table.
const NAP: Duration = Duration::from_secs(2);

/// The number of posts that are brought up to date before it is asked again which.
const BATCH: u32 = 64;

/// What keeps the posts.
pub(crate) struct Posts {
    threads: Threads,
    /// The time for which a post rests after it was drawn: a storm of acts is shown in a few
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
    pub(super) async fn round(&self) -> Result<Duration, StoreError> {
        let mut session = self.threads.desk.store().read().await?;
        let now = clock::now();
        let stale = session.stale_posts(SCHEME, now, BATCH).await?;
        let dated = session.dated(SCHEME, now, BATCH).await?;
        let votes = session.stale_votes(SCHEME, now, BATCH).await?;
        drop(session);
        let mut awake = None;
        // Every other message there would be refused as well.
        let mut shut = BTreeSet::new();
        for post in stale {
            let (now, rested) = (clock::now(), post.drawn_at + self.rest);
            if (post.drawn_at..rested).contains(&now) {
                awake = awake.into_iter().chain([rested]).min();
            } else if shut.contains(&post.place) {
            } else if let Err(error) = self.refresh(&post, now).await {
                tracing::warn!(table = %post.code, %error, "a post could not be brought up to date");
                shut.extend(error.is_of_place().then_some(post.place));
            }
        }
        for letter in dated {
            let place = letter.shown_at().place;
            if let Some(rested) = self.rests(&letter.letter, clock::now()) {
                awake = awake.into_iter().chain([rested]).min();
            } else if shut.contains(&place) {
            } else if let Err(error) = self.correct(&letter).await {
                tracing::warn!(letter = letter.letter, %error, "a letter could not be kept true");
                shut.extend(error.is_of_place().then_some(place));
            }
        }
        for vote in votes.into_iter().filter(|vote| !shut.contains(&vote.place)) {
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
        let (at, now) = (stale.shown_at(), clock::now());
        if !self.threads.may_change(&at, now).await? {
            return Ok(());
        }
        let drawn = self.threads.redraw_vote(stale).await;
        let changed = drawn.as_ref().map(|_| ());
        self.threads.note_change(Some(&stale.code), &at, changed, clock::now()).await?;
        let again = drawn?.map(|message| message.to_string());
        let store = self.threads.desk.store();
        let noted = store.write_about((stale.clone(), again), |(stale, again), to| {
            let note = async move {
                if let Some(message) = again {
                    to.note_vote_post(stale, message).await?;
                }
                to.note_vote_shown(stale).await
            };
            note.boxed()
        });
        Ok(noted.await?)
    }

    /// Draws one post as its table stands now, unless somebody else does.
    async fn refresh(&self, stale: &StalePost, now: Time) -> Result<(), DrawError> {
        let (store, at) = (self.threads.desk.store(), stale.shown_at());
        if !self.threads.may_change(&at, now).await? {
            return Ok(());
        }
        let claimed = store.write_about((stale.clone(), now), |(stale, now), to| {
            to.claim_post(stale, *now).boxed()
        });
        if !claimed.await? {
            return Ok(());
        }
        let drawn = self.threads.redraw(stale).await;
        let changed = drawn.as_ref().map(|_| ());
        self.threads.note_change(Some(&stale.code), &at, changed, clock::now()).await?;
        let again = drawn.as_ref().ok().copied().flatten().map(|message| message.to_string());
        let about = (stale.clone(), drawn.is_ok(), again, clock::now());
        let noted = store.write_about(about, |(stale, is_drawn, again, now), to| match again {
            Some(message) => to.replace_post(stale, message, *now).boxed(),
            None => to.note_drawn(stale, *is_drawn, *now).boxed(),
        });
        noted.await?;
        drawn.map(drop)
    }

    /// Lets a letter tell what is true by now.
    async fn correct(&self, dated: &Dated) -> Result<(), DrawError> {
        let (at, now) = (dated.shown_at(), clock::now());
        if !self.threads.may_change(&at, now).await? {
            return Ok(());
        }
        let corrected = self.threads.correct(dated).await;
        let changed = corrected.as_ref().map(|_| ());
        self.threads.note_change(None, &at, changed, clock::now()).await?;
        let about = (dated.clone(), corrected?);
        let store = self.threads.desk.store();
        let noted = store
            .write_about(about, |(dated, body), to| to.note_true(dated, body.as_deref()).boxed());
        Ok(noted.await?)
    }
}
