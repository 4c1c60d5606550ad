//! The task that keeps the posts of tables and votes and the sent reminders up to date.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{Notify, watch};

use crate::address::SCHEME;
use crate::posting::channel::Threads;
use crate::posting::failure::DrawError;
use desk::clock;
use store::{Dated, StalePost, StaleVote, StoreError, outbox, posts, votes};
use tables::time::{Span, Time};

/// The maximum time between two rounds: another process may have changed a table.
const NAP: Duration = Duration::from_secs(2);

/// The maximum number of posts in one query.
const BATCH: u32 = 64;

/// The task that keeps posts up to date.
pub(crate) struct Posts {
    threads: Threads,
    /// The minimum time between two redraws of a post, so that many acts cause few redraws.
    rest: Span,
    /// The times of this process's latest corrections, by letter, while the next correction has to wait.
    corrected: Mutex<BTreeMap<String, Time>>,
}

impl Posts {
    pub(crate) fn new(threads: Threads, rest: Duration) -> Self {
        Self { threads, rest: Span::from(rest), corrected: Mutex::default() }
    }

    /// Keeps the posts up to date until the signal to stop. `stirred` is notified when this process has
    /// changed a table, and `arrived` when letters have arrived, which may contain a new post.
    pub(crate) async fn run(
        self,
        stirred: Arc<Notify>,
        arrived: Arc<Notify>,
        mut stop: watch::Receiver<bool>,
    ) {
        while !*stop.borrow() {
            // Registered before the round, so that a notice during the round counts.
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

    /// Redraws everything that is due, and returns the time until the next redraw, if no other process
    /// changes a table.
    pub(super) async fn round(&self) -> Result<Duration, StoreError> {
        let mut session = self.threads.desk.store().read().await?;
        let now = clock::now();
        let stale = posts::stale_posts(&mut session, SCHEME, now, BATCH).await?;
        let dated = outbox::dated(&mut session, SCHEME, now, BATCH).await?;
        let votes = votes::stale_votes(&mut session, SCHEME, now, BATCH).await?;
        drop(session);
        let mut awake = None;
        // Places that refuse every message.
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

    /// Returns the time before which a letter is not corrected again; `None` if a correction is due, which is
    /// then noted.
    fn rests(&self, letter: &str, now: Time) -> Option<Time> {
        let mut corrected = self.corrected.lock().unwrap_or_else(PoisonError::into_inner);
        corrected.retain(|_, at| (*at..*at + self.rest).contains(&now));
        if let Some(at) = corrected.get(letter) {
            return Some(*at + self.rest);
        }
        corrected.insert(letter.to_owned(), now);
        None
    }

    /// Redraws the post of one vote.
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
                    votes::note_vote_post(to, stale, message).await?;
                }
                votes::note_vote_shown(to, stale).await
            };
            note.boxed()
        });
        Ok(noted.await?)
    }

    /// Redraws one post, unless another process does.
    async fn refresh(&self, stale: &StalePost, now: Time) -> Result<(), DrawError> {
        let (store, at) = (self.threads.desk.store(), stale.shown_at());
        if !self.threads.may_change(&at, now).await? {
            return Ok(());
        }
        let claimed = store.write_about((stale.clone(), now), |(stale, now), to| {
            posts::claim_post(to, stale, *now).boxed()
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
            Some(message) => posts::replace_post(to, stale, message, *now).boxed(),
            None => posts::note_drawn(to, stale, *is_drawn, *now).boxed(),
        });
        noted.await?;
        drawn.map(drop)
    }

    /// Corrects a sent letter to the present state.
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
        let noted = store.write_about(about, |(dated, body), to| {
            outbox::note_true(to, dated, body.as_deref()).boxed()
        });
        Ok(noted.await?)
    }
}
