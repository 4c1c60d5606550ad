//! Answers to interactions: results, refusals and failures.

use ::rules::text::Lang;
use futures_util::future::BoxFuture;
use serde_json::json;

use crate::answer::{self, DeferredReply, PrivateAnswer};
use crate::api::{Refusal, SendError};
use crate::incoming::{Incoming, InteractionHandle};
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use desk::NotDone;
use desk::conversation::ConversationError;
use games::any::TableOptionsError;
use games::find;
use letters::discord::{FailedNote, MovedOn, OptionsUnfit, WhichTable};
use letters::{Reader, TooMuch};

/// Answers a press on an outdated control.
pub(super) async fn moved_on(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<(), InteractionError> {
    let reply = answer::defer(&handler.api, incoming.handle.clone()).await?;
    let reader = plain_reader(incoming.person.lang);
    let text = handler.letters.write(&reader, &MovedOn {})?;
    Ok(reply.send(PrivateAnswer::words(text)).await?)
}

/// The response to one interaction: it is acknowledged before the work is done.
pub(super) struct Response<'a> {
    pub(super) handler: &'a InteractionHandler,
    pub(super) incoming: &'a Incoming,
}

impl<'a> Response<'a> {
    /// Sends the result of the work, or its refusal.
    pub(super) fn answer<'w>(
        self,
        work: impl Future<Output = Result<PrivateAnswer, InteractionError>> + Send + 'w,
    ) -> BoxFuture<'w, Result<(), InteractionError>>
    where
        'a: 'w,
    {
        Box::pin(async move {
            let reply = self.defer().await?;
            finish(self.handler, self.incoming, reply, work.await).await
        })
    }

    /// Redraws the message with the pressed control by the result of the work, or its refusal.
    pub(super) fn redraw<'w>(
        self,
        work: impl Future<Output = Result<PrivateAnswer, InteractionError>> + Send + 'w,
    ) -> BoxFuture<'w, Result<(), InteractionError>>
    where
        'a: 'w,
    {
        Box::pin(async move {
            let reply = self.defer_update().await?;
            finish(self.handler, self.incoming, reply, work.await).await
        })
    }

    /// Lets the work send the answer; a refusal is sent in its place.
    pub(super) async fn show<F>(
        self,
        work: impl FnOnce(DeferredReply<'a>) -> F,
    ) -> Result<(), InteractionError>
    where
        F: Future<Output = Result<(), InteractionError>>,
    {
        let reply = self.defer().await?;
        let shown = work(reply.clone()).await;
        or_refuse(self.handler, self.incoming, reply, shown).await
    }

    /// Lets the work redraw the message with the control; a refusal follows it.
    pub(super) async fn update<F>(
        self,
        work: impl FnOnce(DeferredReply<'a>) -> F,
    ) -> Result<(), InteractionError>
    where
        F: Future<Output = Result<(), InteractionError>>,
    {
        let reply = self.defer_update().await?;
        follow_up_if_refused(self.handler, self.incoming, work(reply).await).await
    }

    async fn defer(&self) -> Result<DeferredReply<'a>, InteractionError> {
        Ok(answer::defer(&self.handler.api, self.incoming.handle.clone()).await?)
    }

    async fn defer_update(&self) -> Result<DeferredReply<'a>, InteractionError> {
        Ok(answer::defer_update(&self.handler.api, self.incoming.handle.clone()).await?)
    }
}

/// Sends the deferred answer: the result, or the refusal.
pub(super) async fn finish(
    handler: &InteractionHandler,
    incoming: &Incoming,
    reply: DeferredReply<'_>,
    done: Result<PrivateAnswer, InteractionError>,
) -> Result<(), InteractionError> {
    let answer = match done {
        Ok(answer) => answer,
        Err(error) => PrivateAnswer::words(refusal_text(handler, incoming.person.lang, error)?),
    };
    Ok(reply.send(answer).await?)
}

/// Sends a refusal as the deferred answer, if there is one.
pub(super) async fn or_refuse(
    handler: &InteractionHandler,
    incoming: &Incoming,
    reply: DeferredReply<'_>,
    shown: Result<(), InteractionError>,
) -> Result<(), InteractionError> {
    match shown {
        Ok(()) => Ok(()),
        Err(error) => finish(handler, incoming, reply, Err(error)).await,
    }
}

/// Sends a refusal as a follow-up, and leaves the message with the control as it is.
pub(super) async fn follow_up_if_refused(
    handler: &InteractionHandler,
    incoming: &Incoming,
    shown: Result<(), InteractionError>,
) -> Result<(), InteractionError> {
    let Err(error) = shown else { return Ok(()) };
    let content = refusal_text(handler, incoming.person.lang, error)?;
    say_more(handler, incoming, content).await
}

/// Sends a follow-up that only one person sees.
pub(super) async fn say_more(
    handler: &InteractionHandler,
    incoming: &Incoming,
    content: String,
) -> Result<(), InteractionError> {
    let InteractionHandle { application, token, .. } = &incoming.handle;
    let body = json!({
        "content": content,
        "flags": 64,
        "allowed_mentions": { "parse": [] },
    });
    handler.api.follow_up(*application, token, &body, Vec::new()).await?;
    Ok(())
}

/// Returns the text of why no table can be played with these options.
pub(super) fn unfit_text(
    handler: &InteractionHandler,
    lang: Lang,
    error: &TableOptionsError,
) -> Result<String, InteractionError> {
    if let TableOptionsError::Misfit { game, misfit, seats: requested } = error
        && let Some(game) = find(game)
    {
        return Ok(handler.letters.misfit(&Reader::new(game, lang), game, (misfit, *requested))?);
    }
    if let TableOptionsError::Idle { game, option, value } = error
        && let Some(game) = find(game)
    {
        return Ok(handler.letters.idle(&Reader::new(game, lang), game, (option, value))?);
    }
    let unfit = OptionsUnfit { why: error.to_string() };
    Ok(handler.letters.write(&plain_reader(lang), &unfit)?)
}

/// Returns the text of a refusal. A failure that has no text is returned as the error.
pub(super) fn refusal_text(
    handler: &InteractionHandler,
    lang: Lang,
    error: InteractionError,
) -> Result<String, InteractionError> {
    let reader = plain_reader(lang);
    let unsaid = match error {
        InteractionError::Unsaid(ConversationError::NotDone(NotDone::Spent(spent))) => {
            return Ok(handler.letters.write(&reader, &TooMuch { spent })?);
        }
        InteractionError::Unsaid(ConversationError::NotDone(NotDone::Options(error))) => {
            return unfit_text(handler, lang, &error);
        }
        InteractionError::Unsaid(unsaid) => unsaid.refusal(),
        InteractionError::Which(tables, more) => {
            return Ok(handler.letters.write(&reader, &WhichTable { tables, more })?);
        }
        // Nobody waits for an answer any more, or another process gives it.
        InteractionError::Unsent(unsent)
            if unsent.is(Refusal::AlreadyAcknowledged)
                || unsent.is(Refusal::UnknownInteraction) =>
        {
            return Err(unsent.into());
        }
        InteractionError::Unsent(unsent) => {
            return failure_text(handler, &unsent, is_forbidden(&unsent), &reader);
        }
    };
    match unsaid {
        Ok((refused, detail)) => Ok(handler.letters.refused(&reader, refused, &detail)?),
        Err(broken) => failure_text(handler, &broken, false, &reader),
    }
}

/// Logs a failure and returns its text.
pub(super) fn failure_text(
    handler: &InteractionHandler,
    error: &dyn std::error::Error,
    forbidden: bool,
    reader: &Reader,
) -> Result<String, InteractionError> {
    tracing::error!(%error, "what somebody wished for could not be done");
    Ok(handler.letters.write(reader, &FailedNote { forbidden })?)
}

/// True if the bot lacks a permission.
pub(super) fn is_forbidden(unsent: &SendError) -> bool {
    unsent.is(Refusal::MissingPermissions) || unsent.is(Refusal::MissingAccess)
}
