//! Dashboards: one message per host with the state of all of their tables, updated while it exists.

use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Value as Json, json};
use serenity::all::MessageId;
use tokio::sync::watch;

use crate::address::{Destination, SCHEME, thread_of};
use crate::api::Refusal;
use crate::posting::channel::Threads;
use crate::posting::failure::DrawError;
use desk::{Dashboard, Sight, clock};
use games::GAMES;
use letters::{LetterFault, Letters, Reader};
use rules::text::Lang;
use store::{DashboardRow, StoreError, posts};
use tables::time::{Span, Time};

/// The interval of a dashboard's redraws, in intervals of a post's redraws.
const RESTS: u32 = 3;

/// The maximum number of dashboards in one query.
const BATCH: u32 = 64;

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
                tracing::warn!(place = %row.place, %error, "a dashboard stays as it was");
            }
        }
        Ok(())
    }

    /// Redraws a dashboard if it has changed.
    async fn refresh(&self, row: &DashboardRow, now: Time) -> Result<(), DrawError> {
        let desk = &self.threads.desk;
        let mark = desk::dashboard_mark(desk, &row.account, row.server.as_deref(), now).await?;
        let claimed = desk.store().write_about((row.clone(), now), |(row, now), to| {
            posts::claim_dashboard(to, row, *now).boxed()
        });
        let at = row.at();
        if mark == row.shown || !self.threads.may_change(&at, now).await? || !claimed.await? {
            return Ok(());
        }
        let dashboard = desk::dashboard(desk, &row.account, row.server.as_deref(), now).await?;
        let lang = row.language.parse().unwrap_or(Lang::Ja);
        let drawn = draw(&dashboard, &self.threads.letters, lang)?;
        let edited = self.edit(row, &drawn).await;
        let changed = edited.as_ref().map(|_| ());
        self.threads.note_change(None, &at, changed, clock::now()).await?;
        let (store, is_there) = (desk.store(), edited?);
        let about = (row.clone(), is_there.then_some(mark));
        let noted = store.write_about(about, |(row, shown), to| match shown {
            Some(shown) => posts::note_dashboard(to, row, shown).boxed(),
            None => posts::drop_dashboard(to, row).boxed(),
        });
        Ok(noted.await?)
    }

    /// Edits the message of a dashboard. Returns false if the message is gone.
    async fn edit(&self, row: &DashboardRow, drawn: &Json) -> Result<bool, DrawError> {
        let (Some(Destination::Channel(channel)), Ok(message)) =
            (Destination::parse(&row.place), row.message.parse::<MessageId>())
        else {
            return Ok(false);
        };
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
