//! The handler of interactions and their failures.

use std::sync::Arc;

use ::rules::text::Lang;
use serenity::all::GuildId;

use crate::address;
use crate::answer::PrivateAnswer;
use crate::api::{Api, SendError};
use crate::bot::rate_limiter::RateLimiters;
use crate::gateway::GatewayState;
use crate::incoming::{DiscordUser, Incoming};
use crate::posting::channel::Threads;
use desk::conversation::{ConversationError, Speaker};
use desk::counts::Counts;
use desk::{Contact, Desk, NotDone, Sight, clock};
use games::GAMES;
use letters::discord::{DoneNote, TableInThread};
use letters::{Letters, Reader, Refused, TypedLetter};
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

impl InteractionHandler {
    pub(super) async fn see(
        &self,
        incoming: &Incoming,
        code: &TableCode,
    ) -> Result<(Sight, Reader), InteractionError> {
        let sight = desk::see_as(&self.desk, code, &incoming.gm(), clock::now()).await?;
        let reader = sight.reader(incoming.person.lang).with_stamps();
        Ok((sight, reader))
    }

    /// Returns the speaker of a conversation for an account and a reader.
    pub(super) fn speaker<'a>(&'a self, account: &'a AccountId, reader: &'a Reader) -> Speaker<'a> {
        Speaker { desk: &self.desk, letters: &self.letters, account, reader, now: clock::now() }
    }

    pub(super) fn guest(person: &DiscordUser) -> Contact {
        Contact {
            account: address::account(person.id),
            name: person.name.clone(),
            language: person.lang,
            address: address::own(person.id),
        }
    }

    pub(super) fn say(
        &self,
        lang: Lang,
        letter: &impl TypedLetter,
    ) -> Result<PrivateAnswer, InteractionError> {
        Ok(PrivateAnswer::words(self.letters.write(&plain_reader(lang), letter)?))
    }

    /// Rings after a change that shows elsewhere, and returns a short confirmation.
    pub(super) async fn done(
        &self,
        incoming: &Incoming,
        code: &TableCode,
    ) -> Result<PrivateAnswer, InteractionError> {
        (self.ring)();
        let (_, reader) = self.see(incoming, code).await?;
        Ok(PrivateAnswer::words(self.letters.write(&reader, &DoneNote {})?))
    }
}

/// Returns a reader without a game's context.
pub(super) fn plain_reader(lang: Lang) -> Reader {
    Reader::new(GAMES[0], lang).with_stamps()
}
