//! One-press declarations on a table's post, and immediate acts.

use crate::address;
use crate::answer::{DeferredReply, PrivateAnswer};
use crate::blocking::run_blocking;
use crate::controls::control::PressEffect;
use crate::controls::pressed_answers::PressedAnswers;
use crate::incoming::Incoming;
use crate::interactions::draft::{self, DeclarationContext};
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::interactions::meant;
use crate::interactions::reply::{self, Response};
use desk::PressedControl;
use desk::conversation::SaidAct;
use letters::discord::DoneNote;
use letters::panel::{EditedDraft, View};
use letters::{DeclarationRefused, Moment, Refused};
use rules::Declaration;
use tables::ids::{TableCode, WindowNumber};

/// Handles a one-press button on a table's post.
pub(super) async fn say_by_press(
    handler: &InteractionHandler,
    incoming: &Incoming,
    (code, window): (&TableCode, WindowNumber),
    effect: PressEffect,
    answers: &PressedAnswers,
) -> Result<(), InteractionError> {
    let response = Response { handler, incoming };
    match effect {
        PressEffect::Sealed => {
            response.answer(seals(handler, incoming, code, window, &answers.0)).await
        }
        PressEffect::Done(acts) => {
            let said = answers.0.clone();
            let pressed = PressedControl { window, acts, said, is_private: false };
            // The post shows the act: only a refusal is sent.
            let done = async |_: DeferredReply<'_>| {
                let acting = draft::seat_context(handler, incoming, code).await?;
                let acting = acting.with_act(pressed.said.clone());
                carry_out(handler, incoming, &acting, Some(pressed)).await
            };
            response.update(done).await
        }
        PressEffect::Begun => {
            let at = (code, window);
            response.show(|reply| begin_act(handler, incoming, at, answers, reply)).await
        }
    }
}

/// `/act`: carries out an act if the text is complete; else shows the panel.
pub(super) async fn act(
    handler: &InteractionHandler,
    incoming: &Incoming,
    text: Option<&String>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let code = meant::code(handler, incoming).await?;
    let seated = draft::seat_context(handler, incoming, &code).await?;
    let text = text.map_or("", String::as_str);
    let act = said_act(handler, incoming, &seated, text);
    if act.is_whole() && act.is_named && seated.sight.at_stake(&act.declared).is_none() {
        return do_act(handler, incoming, seated.with_act(act.declared), None, reply).await;
    }
    draw_act(handler, incoming, seated, act, reply).await
}

/// Offers a declared line that could be an immediate act as a button.
pub(super) async fn offer_act(
    handler: &InteractionHandler,
    incoming: &Incoming,
    seated: DeclarationContext,
    text: &str,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let act = said_act(handler, incoming, &seated, text);
    draw_act(handler, incoming, seated, act, reply).await
}

fn said_act(
    handler: &InteractionHandler,
    incoming: &Incoming,
    seated: &DeclarationContext,
    text: &str,
) -> SaidAct {
    let account = address::account(incoming.person.id);
    run_blocking(|| draft::about(handler, seated, &account).read_act(text))
}

async fn draw_act(
    handler: &InteractionHandler,
    incoming: &Incoming,
    seated: DeclarationContext,
    act: SaidAct,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let acting = seated.with_act(act.declared);
    let draft = acting.own.clone();
    let edited = EditedDraft { draft, view: View::default(), unread: act.unread };
    draft::save_draft(handler, incoming, &acting, edited, None, reply).await
}

/// Seals an answer in place of the earlier declaration.
async fn seals(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    window: WindowNumber,
    declared: &Declaration,
) -> Result<PrivateAnswer, InteractionError> {
    let context = draft::declaration_context(handler, incoming, code).await?;
    if context.number != window {
        return Ok(PrivateAnswer::words(too_late(handler, &context, window).await?));
    }
    let read = context.form(declared);
    if !read.is_complete() || !read.superfluous.is_empty() {
        return Err(Refused::NotNow.into());
    }
    draft::sealed(handler, incoming, &context, declared, read).await
}

/// Returns the notice that a window has closed, with its time.
async fn too_late(
    handler: &InteractionHandler,
    context: &DeclarationContext,
    window: WindowNumber,
) -> Result<String, InteractionError> {
    let DeclarationContext { sight, reader, .. } = context;
    let closed = handler.desk.store().read().await?.closed(&sight.code, window).await?;
    let plain = reader.clone().in_plain_text();
    let at = closed.map(|(at, _)| handler.letters.when(&plain, &Moment::at(at, sight.pace.zone)));
    let at = at.transpose()?.unwrap_or_default();
    Ok(handler.letters.refused(reader, DeclarationRefused::Closed, &at)?)
}

/// Draws the panel of an incomplete act.
async fn begin_act(
    handler: &InteractionHandler,
    incoming: &Incoming,
    (code, window): (&TableCode, WindowNumber),
    answers: &PressedAnswers,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let acting = draft::seat_context(handler, incoming, code).await?.with_act(answers.0.clone());
    if acting.number == window {
        draft::draw_draft(handler, incoming, &acting, None, reply).await
    } else {
        draft::draw_outdated(handler, incoming, &acting, reply).await
    }
}

/// Carries out the act of a panel, and shows the new state: the hand, and further acts.
pub(super) async fn do_act(
    handler: &InteractionHandler,
    incoming: &Incoming,
    acting: DeclarationContext,
    pressed: Option<PressedControl>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let (note, left) = match carry_out(handler, incoming, &acting, pressed).await {
        Ok(()) => (handler.letters.write(&acting.reader, &DoneNote {})?, Declaration::default()),
        Err(error) => {
            let Some(refused) = error.refused() else { return Err(error) };
            // Another change of the player's came between: the act is still possible.
            let is_left = refused == Refused::MovedOn;
            let left = if is_left { acting.own.clone() } else { Declaration::default() };
            (reply::refusal_text(handler, incoming.person.lang, error)?, left)
        }
    };
    let now = draft::seat_context(handler, incoming, &acting.sight.code).await?;
    draft::draw_draft(handler, incoming, &now.with_act(left), Some(note), reply).await
}

async fn carry_out(
    handler: &InteractionHandler,
    incoming: &Incoming,
    acting: &DeclarationContext,
    pressed: Option<PressedControl>,
) -> Result<(), InteractionError> {
    let account = address::account(incoming.person.id);
    draft::about(handler, acting, &account).act(&acting.own, pressed).await?;
    (handler.ring)();
    Ok(())
}
