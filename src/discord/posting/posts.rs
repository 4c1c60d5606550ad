//! The tasks that keep posts, dashboards and sent reminders up to date, and the files of a table that is over.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Value as Json, json};
use serenity::all::MessageId;
use strum::IntoStaticStr;
use tokio::sync::{Notify, watch};

use crate::Threads;
use crate::api::{Attachment, Refusal};
use crate::bot::permissions;
use crate::incoming::{Destination, SCHEME, message_at, thread_of};
use crate::posting::refused::{Result, plain};
use crate::posting::{Message, post};
use desk::courier::Undelivered;
use desk::{Dashboard, Extent, Letter, NotDone, NotExported, Sight, clock, page};
use games::GAMES;
use letters::discord::{BroughtFile, SettledSince};
use letters::{AboutTable, LetterFault, Letters, Reader};
use rules::text::Lang;
use store::{
    DashboardRow, Dated, ShownAt, StalePost, StaleVote, StoreError, outbox, posts, read_json,
    votes, write_json,
};
use tables::ids::TableCode;
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
            } else if shut.contains(&post.at.place) {
            } else if let Err(error) = self.refresh(&post, now).await {
                tracing::warn!(table = %post.code, %error, "a post could not be brought up to date");
                shut.extend(error.is_of_place().then_some(post.at.place));
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
        for vote in votes.into_iter().filter(|vote| !shut.contains(&vote.at.place)) {
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
    async fn refresh_vote(&self, stale: &StaleVote) -> Result {
        if !self.threads.may_change(&stale.at, clock::now()).await? {
            return Ok(());
        }
        let drawn = self.threads.redraw_vote(stale).await;
        let changed = drawn.as_ref().map(|_| ());
        self.threads.note_change(Some(&stale.code), &stale.at, changed, clock::now()).await?;
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
    async fn refresh(&self, stale: &StalePost, now: Time) -> Result {
        let store = self.threads.desk.store();
        if !self.threads.may_change(&stale.at, now).await? {
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
        self.threads.note_change(Some(&stale.code), &stale.at, changed, clock::now()).await?;
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
    async fn correct(&self, dated: &Dated) -> Result {
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

/// The interval of a dashboard's redraws, in intervals of a post's redraws.
const RESTS: u32 = 3;

/// The maximum length of a message, in characters.
const LENGTH: usize = 2000;

/// The task that keeps the dashboards up to date.
pub(crate) struct Dashboards {
    threads: Threads,
    /// The minimum time between two redraws of a post.
    rest: Duration,
}

/// Draws a dashboard in a language.
pub(crate) fn draw(
    dashboard: &Dashboard,
    letters: &Letters,
    lang: Lang,
) -> Result<Json, LetterFault> {
    let reader_of = |sight: &Sight| sight.reader(lang).with_stamps();
    let frame = Reader::new(GAMES[0], lang).with_stamps();
    let content = dashboard.written(letters, reader_of, &frame, thread_of, LENGTH)?;
    Ok(json!({ "content": content, "allowed_mentions": { "parse": [] } }))
}

impl Dashboards {
    pub(crate) fn new(threads: Threads, rest: Duration) -> Self {
        Self { threads, rest }
    }

    /// Keeps the dashboards up to date until the signal to stop.
    pub(crate) async fn run(self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            if let Err(error) = self.round(clock::now()).await {
                tracing::warn!(%error, "dashboards could not be brought up to date");
            }
            tokio::select! {
                () = tokio::time::sleep(self.rest) => {}
                _ = stop.changed() => {}
            }
        }
    }

    async fn round(&self, now: Time) -> Result<(), StoreError> {
        let mut session = self.threads.desk.store().read().await?;
        let since = now - Span::from(self.rest * RESTS);
        let all = posts::dashboards(&mut session, SCHEME, since, now, BATCH).await?;
        drop(session);
        for row in all {
            if let Err(error) = self.refresh(&row, now).await {
                tracing::warn!(place = %row.at.place, %error, "a dashboard stays as it was");
            }
        }
        Ok(())
    }

    /// Redraws a dashboard if it has changed.
    async fn refresh(&self, row: &DashboardRow, now: Time) -> Result {
        let desk = &self.threads.desk;
        let mark = desk::dashboard_mark(desk, &row.account, row.server.as_deref(), now).await?;
        let claimed = desk.store().write_about((row.clone(), now), |(row, now), to| {
            posts::claim_dashboard(to, row, *now).boxed()
        });
        if mark == row.shown || !self.threads.may_change(&row.at, now).await? || !claimed.await? {
            return Ok(());
        }
        let dashboard = desk::dashboard(desk, &row.account, row.server.as_deref(), now).await?;
        let lang = row.language.parse().unwrap_or(Lang::Ja);
        let drawn = draw(&dashboard, &self.threads.letters, lang)?;
        let edited = self.edit(&row.at, &drawn).await;
        let changed = edited.as_ref().map(|_| ());
        self.threads.note_change(None, &row.at, changed, clock::now()).await?;
        let (store, is_there) = (desk.store(), edited?);
        let about = (row.clone(), is_there.then_some(mark));
        let noted = store.write_about(about, |(row, shown), to| match shown {
            Some(shown) => posts::note_dashboard(to, row, shown).boxed(),
            None => posts::drop_dashboard(to, row).boxed(),
        });
        Ok(noted.await?)
    }

    /// Edits the message of a dashboard. Returns false if the message is gone.
    async fn edit(&self, at: &ShownAt, drawn: &Json) -> Result<bool> {
        let Some((channel, message)) = message_at(&at.place, &at.message) else { return Ok(false) };
        let api = &self.threads.api;
        let edited = match api.edit(channel, message, drawn, Vec::new()).await {
            Err(unsent) if unsent.is(Refusal::Archived) => {
                self.threads.unarchive(channel).await?;
                api.edit(channel, message, drawn, Vec::new()).await
            }
            edited => edited,
        };
        match edited {
            Ok(_) => Ok(true),
            Err(unsent)
                if unsent.is(Refusal::UnknownMessage) || unsent.is(Refusal::UnknownChannel) =>
            {
                Ok(false)
            }
            Err(unsent) => Err(unsent.into()),
        }
    }
}

impl Threads {
    /// Updates a letter to the present state, and returns its content as JSON; `None` if it will not change
    /// any more.
    async fn correct(&self, dated: &Dated) -> Result<Option<String>> {
        let sent: Letter = read_json(&dated.body)?;
        let current = desk::as_of(&self.desk, &sent, clock::now()).await?;
        let now = current.of(&sent);
        if now.is_some_and(|now| now.tells_as(&sent)) {
            return Ok(Some(dated.body.clone()));
        }
        match (&dated.knocked, now) {
            // The reader is shown the present state when they open the letter.
            (Some(_), Some(_)) => {}
            (Some(_), None) => self.update_ping(&dated.knock(), &sent).await?,
            (None, _) => {
                let (content, components) = self.said_now(&sent, now).await?;
                let message = json!({
                    "content": content,
                    "components": components,
                    "allowed_mentions": { "parse": [] },
                });
                if !self.correct_message(dated, &message).await? {
                    return Ok(None);
                }
            }
        }
        Ok(now.map(write_json).transpose()?)
    }

    /// Returns the text of a letter to one person in the present state, and its buttons.
    pub(crate) async fn said_now(
        &self,
        sent: &Letter,
        now: Option<&Letter>,
    ) -> Result<(String, Vec<Json>)> {
        let reader = sent.reader(self.desk.games())?.with_stamps();
        if let Some(met) = sent.obstacle() {
            let writing = (&self.letters, &reader);
            return Ok((permissions::words(&sent.code, met, now.is_none(), writing)?, Vec::new()));
        }
        let thread = self.thread_of(&sent.code).await?;
        if let Some(now) = now {
            let row = post::below(now, &self.letters, &reader)?;
            return Ok((now.write_to_one(&self.letters, &reader, thread.as_deref())?, row));
        }
        let about = self
            .letters
            .write(&reader, &AboutTable { code: &sent.code, thread: thread.as_deref() })?;
        let settled = self.letters.write(&reader, &SettledSince {})?;
        Ok((format!("{about}\n{settled}"), Vec::new()))
    }

    /// Edits the message of a letter. Returns false if the message is gone.
    async fn correct_message(&self, dated: &Dated, body: &Json) -> Result<bool> {
        let Ok(message) = dated.message.parse::<MessageId>() else { return Ok(false) };
        let channel = match Destination::parse(&dated.address) {
            Some(Destination::Channel(channel)) => channel,
            Some(Destination::User(user)) => self.api.direct(user).await?,
            None => return Ok(false),
        };
        match self.api.edit(channel, message, body, Vec::new()).await {
            Err(unsent) if unsent.refusal().is_some_and(is_for_good) => Ok(false),
            edited => Ok(edited.map(|_| true)?),
        }
    }
}

/// True if the message can never be edited any more.
const fn is_for_good(refusal: Refusal) -> bool {
    matches!(refusal, Refusal::UnknownMessage | Refusal::UnknownChannel | Refusal::CannotSendToUser)
}

/// The maximum size of a file, in bytes: Discord's limit for servers without a subscription.
const MOST: usize = 10 * 1024 * 1024;

/// The reason why a file is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
enum OmittedFile {
    /// The file is too large for Discord.
    Large,
    /// The file cannot be made.
    Failed,
    /// The place takes no files.
    Refused,
}

/// A file, or the reason why there is none.
type FileOrReason = Result<Vec<u8>, OmittedFile>;

impl Threads {
    /// Returns the files of a letter, each in a message with its description.
    pub(crate) async fn files(
        &self,
        letter: &Letter,
        reader: &Reader,
    ) -> Result<Vec<Message>, Undelivered> {
        if !letter.brings_files() {
            return Ok(Vec::new());
        }
        let (table, page) = (self.table_file(&letter.code).await?, self.page(&letter.code).await?);
        let fault = |fault: LetterFault| Undelivered::Failed(fault.to_string());
        let brought = |what, ending, kind, made| {
            let name = format!("{}.{ending}", letter.code);
            self.brought(&letter.code, reader, what, (name, kind, made)).map_err(fault)
        };
        Ok(vec![
            brought("table", "jsonl", "application/x-ndjson", table)?,
            brought("page", "html", "text/html", page)?,
        ])
    }

    /// Returns the file of a table, without names.
    async fn table_file(&self, code: &TableCode) -> Result<FileOrReason, Undelivered> {
        let extent = Extent { secrets: false, nameless: true };
        match desk::export(&self.desk, code, extent, clock::now()).await {
            Ok(text) => Ok(Ok(text.into_bytes())),
            Err(NotExported::Store(error)) => failed(error, code),
            // The table goes on after all.
            Err(error @ (NotExported::Running | NotExported::NoTable)) => {
                Err(Undelivered::Never(error.to_string()))
            }
        }
    }

    /// Returns the page of a table, rendered on a blocking thread.
    async fn page(&self, code: &TableCode) -> Result<FileOrReason, Undelivered> {
        let retold = match desk::retell(&self.desk, code, clock::now()).await {
            Ok(Some(retold)) => retold,
            Ok(None) => return Err(Undelivered::Never("the table is not over".to_owned())),
            Err(NotDone::Store(error)) => return failed(error, code),
            Err(error) => {
                tracing::warn!(table = %code, %error, "the page of a table could not be made");
                return Ok(Err(OmittedFile::Failed));
            }
        };
        let letters = self.letters.clone();
        let _one = self.drawing.lock().await;
        let write = move || page::write(&retold, &letters, retold.language);
        match tokio::task::spawn_blocking(write).await {
            Ok(Ok(page)) => return Ok(Ok(page.into_bytes())),
            Ok(Err(fault)) => tracing::error!(%fault, "the page of a table could not be written"),
            Err(fault) => tracing::error!(%fault, "the writing of a page broke down"),
        }
        Ok(Err(OmittedFile::Failed))
    }

    /// Returns a message with a file, or with the reason why it is missing.
    fn brought(
        &self,
        code: &TableCode,
        reader: &Reader,
        what: &str,
        (name, kind, made): (String, &'static str, FileOrReason),
    ) -> Result<Message, LetterFault> {
        let made = made.and_then(fitting);
        let missing = made.as_ref().err().map(OmittedFile::into_str);
        let written = |missing| {
            let file = BroughtFile { what, code, name: &name, missing };
            Ok::<_, LetterFault>(self.letters.write(reader, &file)?.trim().to_owned())
        };
        let mut message = plain(&written(missing)?);
        message.without_files = Some(written(Some(OmittedFile::Refused.into_str()))?);
        message.files.extend(made.ok().map(|bytes| Attachment { name, kind, bytes }));
        Ok(message)
    }
}

/// Returns a file if Discord accepts its size.
fn fitting(bytes: Vec<u8>) -> FileOrReason {
    if bytes.len() <= MOST { Ok(bytes) } else { Err(OmittedFile::Large) }
}

/// Leaves a file out after an error that no retry fixes, and returns other errors.
fn failed(error: StoreError, code: &TableCode) -> Result<FileOrReason, Undelivered> {
    match error {
        StoreError::Unreadable(_) | StoreError::Failed(_) => {
            tracing::error!(table = %code, %error, "a file of a table could not be made");
            Ok(Err(OmittedFile::Failed))
        }
        error => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_discord_would_not_take_is_left_out() {
        assert_eq!(fitting(vec![0; MOST]).map(|bytes| bytes.len()), Ok(MOST));
        assert_eq!(fitting(vec![0; MOST + 1]), Err(OmittedFile::Large));
    }

    #[test]
    fn what_is_unreadable_is_not_tried_for_ever() {
        let unreadable = StoreError::Unreadable("x".to_owned());
        assert!(matches!(failed(unreadable, &"K7Q2T".into()), Ok(Err(OmittedFile::Failed))));
        assert!(matches!(failed(StoreError::Full, &"K7Q2T".into()), Err(Undelivered::Store(_))));
    }
}
