//! The handler of interactions, an interaction in its hands, and their failures.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Value as Json, json};
use serenity::all::GuildId;

use crate::answer::PrivateAnswer;
use crate::api::Refusal;
use crate::bot::rate_limiter::RateLimiters;
use crate::incoming::{Incoming, InteractionHandle};
use crate::{Api, GatewayState, SendError, Threads, answer, incoming};
use desk::conversation::{Conversation, ConversationAnswer, ConversationError, Speaker};
use desk::counts::Counts;
use desk::{Contact, Desk, NotDone, Sight, clock};
use games::any::TableOptionsError;
use games::{GAMES, find};
use letters::discord::{DoneNote, FailedNote, MovedOn, OptionsUnfit, TableInThread, WhichTable};
use letters::{LetterFault, Letters, Reader, Refused, TooMuch, TypedLetter};
use rules::text::Lang;
use store::{Session, StoreError};
use tables::ids::{AccountId, TableCode};

/// The handler of interactions on Discord.
#[derive(Clone)]
pub(crate) struct InteractionHandler {
    pub(crate) api: Api,
    pub(crate) desk: Desk,
    pub(crate) letters: Letters,
    /// The threads that letters are sent to.
    pub(crate) threads: Threads,
    /// True if tables have pictures.
    pub(crate) draws: bool,
    /// The state of the connection to Discord.
    pub(crate) gateway: Arc<GatewayState>,
    /// The one server where commands are registered during development; `None` for all servers.
    pub(crate) guild: Option<GuildId>,
    /// The rate limits of each person.
    pub(crate) rate_limiters: Arc<RateLimiters>,
    /// The pace of a table whose host sets none.
    pub(crate) pace: String,
    pub(crate) zone: chrono_tz::Tz,
    /// The callback after a change, so that the next check runs immediately.
    pub(crate) ring: Arc<dyn Fn() + Send + Sync>,
    /// The counters of interactions.
    pub(crate) counts: Arc<Counts>,
}

/// The result of handling an interaction: its answer, unless it says otherwise.
pub(super) type Result<T = PrivateAnswer, E = InteractionError> = std::result::Result<T, E>;

/// A failure to answer an interaction.
#[derive(Debug, thiserror::Error)]
pub(super) enum InteractionError {
    /// The conversation failed or refused.
    #[error(transparent)]
    Unsaid(ConversationError),
    #[error(transparent)]
    Unsent(#[from] SendError),
    /// The table is ambiguous: each possible table with its thread, and the number of tables left out.
    #[error("one of several tables is meant")]
    Which(Vec<TableInThread>, usize),
}

impl<E: Into<ConversationError>> From<E> for InteractionError {
    fn from(unsaid: E) -> Self {
        Self::Unsaid(unsaid.into())
    }
}

impl InteractionError {
    /// Returns the refusal; `None` if the failure is another.
    pub(super) fn refused(&self) -> Option<Refused> {
        match self {
            Self::Unsaid(
                ConversationError::NotDone(NotDone::Refused(refused))
                | ConversationError::RefusedFor(refused, _),
            ) => Some(*refused),
            _ => None,
        }
    }
}

/// An interaction and its handler: the interaction is acknowledged before the work is done.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) handler: &'a InteractionHandler,
    pub(super) incoming: &'a Incoming,
}

impl<'a> Context<'a> {
    /// Converts a conversation's answer; an empty one means that a change shows elsewhere.
    pub(super) fn shown(
        self,
        code: &TableCode,
        reader: &Reader,
        answer: ConversationAnswer,
    ) -> Result {
        if answer.text.is_empty() {
            (self.handler.ring)();
        }
        Ok(PrivateAnswer::of(answer, code, &self.handler.letters, reader)?)
    }

    /// Returns the account of the person.
    pub(super) fn account(self) -> &'a AccountId {
        &self.incoming.person.account
    }

    /// Returns the person as a guest at a table.
    pub(super) fn guest(self) -> Contact {
        let person = &self.incoming.person;
        Contact {
            account: self.account().clone(),
            name: person.name.clone(),
            language: person.lang,
            address: incoming::own(person.id),
        }
    }

    /// Returns a reader without a game's context.
    pub(super) fn plain_reader(self) -> Reader {
        plain_reader(self.incoming.person.lang)
    }

    pub(super) async fn see(self, code: &TableCode) -> Result<(Sight, Reader)> {
        let sight =
            desk::see_as(&self.handler.desk, code, &self.incoming.gm(), clock::now()).await?;
        let reader = sight.reader(self.incoming.person.lang).with_stamps();
        Ok((sight, reader))
    }

    /// Returns the person as the speaker of a conversation, in the words of a reader.
    pub(super) fn speaker<'s>(self, reader: &'s Reader) -> Speaker<'s>
    where
        'a: 's,
    {
        let (InteractionHandler { desk, letters, .. }, account) = (self.handler, self.account());
        Speaker { desk, letters, account, reader, now: clock::now() }
    }

    /// Returns the conversation of the person about a table.
    pub(super) fn about<'s>(self, sight: &'s Sight, reader: &'s Reader) -> Conversation<'s>
    where
        'a: 's,
    {
        Conversation { speaker: self.speaker(reader), sight }
    }

    pub(super) async fn read(self) -> Result<Session, StoreError> {
        self.handler.desk.store().read().await
    }

    pub(super) fn write(
        self,
        reader: &Reader,
        letter: &impl TypedLetter,
    ) -> Result<String, LetterFault> {
        self.handler.letters.write(reader, letter)
    }

    pub(super) fn say(self, letter: &impl TypedLetter) -> Result {
        self.say_to(&self.plain_reader(), letter)
    }

    pub(super) fn say_to(self, reader: &Reader, letter: &impl TypedLetter) -> Result {
        Ok(PrivateAnswer::words(self.write(reader, letter)?))
    }

    /// Rings after a change that shows elsewhere, and returns a short confirmation.
    pub(super) async fn done(self, code: &TableCode) -> Result {
        (self.handler.ring)();
        let (_, reader) = self.see(code).await?;
        self.say_to(&reader, &DoneNote {})
    }

    /// Answers a press on an outdated control.
    pub(super) async fn moved_on(self) -> Result<()> {
        self.defer().await?;
        self.send(self.say(&MovedOn {})?).await
    }

    /// Sends the result of the work, or its refusal.
    pub(super) fn answer<'w>(
        self,
        work: impl Future<Output = Result> + Send + 'w,
    ) -> BoxFuture<'w, Result<()>>
    where
        'a: 'w,
    {
        Box::pin(async move {
            self.defer().await?;
            self.finish(work.await).await
        })
    }

    /// Redraws the message with the pressed control by the result of the work, or its refusal.
    pub(super) fn redraw<'w>(
        self,
        work: impl Future<Output = Result> + Send + 'w,
    ) -> BoxFuture<'w, Result<()>>
    where
        'a: 'w,
    {
        Box::pin(async move {
            self.defer_update().await?;
            self.finish(work.await).await
        })
    }

    /// Lets the work send the answer; a refusal is sent in its place.
    pub(super) fn show<'w>(
        self,
        work: impl Future<Output = Result<()>> + Send + 'w,
    ) -> BoxFuture<'w, Result<()>>
    where
        'a: 'w,
    {
        Box::pin(async move {
            self.defer().await?;
            match work.await {
                Ok(()) => Ok(()),
                Err(error) => self.finish(Err(error)).await,
            }
        })
    }

    /// Lets the work redraw the message with the control; a refusal follows it.
    pub(super) fn update<'w>(
        self,
        work: impl Future<Output = Result<()>> + Send + 'w,
    ) -> BoxFuture<'w, Result<()>>
    where
        'a: 'w,
    {
        Box::pin(async move {
            self.defer_update().await?;
            self.follow_up_if_refused(work.await).await
        })
    }

    async fn defer(self) -> Result<()> {
        Ok(answer::defer(&self.handler.api, &self.incoming.handle).await?)
    }

    pub(super) async fn defer_update(self) -> Result<()> {
        Ok(answer::defer_update(&self.handler.api, &self.incoming.handle).await?)
    }

    /// Sends the choices of an argument, each with its label and its value.
    pub(super) async fn offer(self, choices: &[(String, Json)]) -> Result<()> {
        Ok(answer::offer(&self.handler.api, &self.incoming.handle, choices).await?)
    }

    /// Sends the deferred answer.
    pub(super) async fn send(self, answer: PrivateAnswer) -> Result<()> {
        Ok(answer::send(&self.handler.api, &self.incoming.handle, answer).await?)
    }

    /// Sends the deferred answer: the result, or the refusal.
    pub(super) async fn finish(self, done: Result) -> Result<()> {
        let answer = match done {
            Ok(answer) => answer,
            Err(error) => PrivateAnswer::words(self.refusal_text(error)?),
        };
        self.send(answer).await
    }

    /// Sends a refusal as a follow-up, and leaves the message with the control as it is.
    pub(super) async fn follow_up_if_refused(self, shown: Result<()>) -> Result<()> {
        let Err(error) = shown else { return Ok(()) };
        self.say_more(self.refusal_text(error)?).await
    }

    /// Sends a follow-up that only one person sees.
    pub(super) async fn say_more(self, content: String) -> Result<()> {
        let InteractionHandle { application, token, .. } = &self.incoming.handle;
        let body = json!({
            "content": content,
            "flags": 64,
            "allowed_mentions": { "parse": [] },
        });
        self.handler.api.follow_up(*application, token, &body, Vec::new()).await?;
        Ok(())
    }

    /// Returns the text of a refusal. A failure that has no text is returned as the error.
    pub(super) fn refusal_text(self, error: InteractionError) -> Result<String> {
        let letters = &self.handler.letters;
        let reader = self.plain_reader();
        let unsaid = match error {
            InteractionError::Unsaid(ConversationError::NotDone(NotDone::Spent(spent))) => {
                return Ok(letters.write(&reader, &TooMuch { spent })?);
            }
            InteractionError::Unsaid(ConversationError::NotDone(NotDone::Options(error))) => {
                return self.unfit_text(&error);
            }
            InteractionError::Unsaid(unsaid) => unsaid.refusal(),
            InteractionError::Which(tables, more) => {
                return Ok(letters.write(&reader, &WhichTable { tables, more })?);
            }
            // Nobody waits for an answer any more, or another process gives it.
            InteractionError::Unsent(unsent)
                if unsent.is(Refusal::AlreadyAcknowledged)
                    || unsent.is(Refusal::UnknownInteraction) =>
            {
                return Err(unsent.into());
            }
            InteractionError::Unsent(unsent) => {
                return self.failure_text(&unsent, is_forbidden(&unsent));
            }
        };
        match unsaid {
            Ok((refused, detail)) => Ok(letters.refused(&reader, refused, &detail)?),
            Err(broken) => self.failure_text(&broken, false),
        }
    }

    /// Returns the text of why no table can be played with these options.
    fn unfit_text(self, error: &TableOptionsError) -> Result<String> {
        let (letters, lang) = (&self.handler.letters, self.incoming.person.lang);
        if let TableOptionsError::Misfit { game, misfit, seats: requested } = error
            && let Some(game) = find(game)
        {
            return Ok(letters.misfit(&Reader::new(game, lang), game, (misfit, *requested))?);
        }
        if let TableOptionsError::Idle { game, option, value } = error
            && let Some(game) = find(game)
        {
            return Ok(letters.idle(&Reader::new(game, lang), game, (option, value))?);
        }
        Ok(letters.write(&self.plain_reader(), &OptionsUnfit { why: error.to_string() })?)
    }

    /// Logs a failure and returns its text.
    fn failure_text(self, error: &dyn std::error::Error, forbidden: bool) -> Result<String> {
        tracing::error!(%error, "what somebody wished for could not be done");
        Ok(self.handler.letters.write(&self.plain_reader(), &FailedNote { forbidden })?)
    }
}

/// Returns a reader without a game's context.
pub(super) fn plain_reader(lang: Lang) -> Reader {
    Reader::new(GAMES[0], lang).with_stamps()
}

/// True if the bot lacks a permission.
pub(super) fn is_forbidden(unsent: &SendError) -> bool {
    unsent.is(Refusal::MissingPermissions) || unsent.is(Refusal::MissingAccess)
}
