//! Declarations by a panel, by a form, or by a typed line.

use std::time::Duration;

use serde_json::Value as Json;

use crate::address;
use crate::answer::{self, DeferredReply, PrivateAnswer};
use crate::blocking::run_blocking;
use crate::controls::control::{Control, DraftReference};
use crate::incoming::Incoming;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::interactions::{conversation, draft, meant, reply, say};
use crate::posting::split::split_into_messages;
use desk::DeclarationStatus;
use desk::commands::Command;
use games::meaning::LineMeaning;
use letters::discord::TypedInVain;
use letters::panel::{
    self, Blank, EditedDraft, PanelAction, PanelDrawing, PanelSubject, PressOutcome, View,
};
use letters::{DeclarationRefused, UnreadPiece};
use rules::Declaration;
use tables::ids::TableCode;

/// The timeout of drawing a form: a response that opens one cannot be deferred.
const FORM: Duration = Duration::from_secs(2);

/// `/orders` and `/next`: shows the panel of the stored draft, or changes it by a text.
pub(super) async fn say_ahead(
    handler: &InteractionHandler,
    incoming: &Incoming,
    command: Command,
    text: Option<&String>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let (code, is_next) = (meant::code(handler, incoming).await?, command == Command::Next);
    let context = if is_next {
        draft::next_context(handler, incoming, &code).await?
    } else {
        draft::orders_context(handler, incoming, &code).await?
    };
    let Some(text) = text else {
        return draft::draw_draft(handler, incoming, &context, None, reply).await;
    };
    let account = address::account(incoming.person.id);
    let about = draft::about(handler, &context, &account);
    let answer = if is_next { about.next(text).await? } else { about.orders(text).await? };
    Ok(reply.send(conversation::shown(handler, &code, &context.reader, answer)?).await?)
}

/// `/declare`: shows the panel, or changes the draft by a text.
pub(super) async fn declare(
    handler: &InteractionHandler,
    incoming: &Incoming,
    text: Option<&String>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let code = meant::code(handler, incoming).await?;
    let Some(text) = text else { return panel(handler, incoming, &code, reply).await };
    let context = draft::declaration_context(handler, incoming, &code).await?;
    match run_blocking(|| context.sight.meaning(text, &context.own)) {
        LineMeaning::Card(card) => {
            let name = context.sight.game.lexicon().name(&card.id, context.reader.lang);
            let card_text = handler.letters.card(&context.reader, name)?;
            return draft::draw_draft(handler, incoming, &context, Some(card_text), reply).await;
        }
        LineMeaning::Acts(_) => {
            return say::offer_act(handler, incoming, context, text, reply).await;
        }
        LineMeaning::Declares(_) => {}
    }
    let reading = run_blocking(|| context.sight.read(text, &context.own));
    let unread = UnreadPiece::of(&reading);
    let edited = EditedDraft { draft: reading.declaration, view: View::default(), unread };
    draft::save_draft(handler, incoming, &context, edited, None, reply).await
}

/// Shows the panel of the draft; to a player with nothing to declare, the panel of immediate acts.
pub(super) async fn panel(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let seated = draft::seat_context(handler, incoming, code).await?;
    let is_asked = seated.sight.is_asked();
    let declares = is_asked && !seated.form(&Declaration::default()).asked.is_empty();
    let context = if declares { seated } else { seated.with_act(Declaration::default()) };
    draft::draw_draft(handler, incoming, &context, None, reply).await
}

/// Handles a press on a panel.
pub(super) async fn press(
    handler: &InteractionHandler,
    incoming: &Incoming,
    drafted: &DraftReference,
    action: PanelAction,
) -> Result<(), InteractionError> {
    if let PanelAction::Write(blank) = action {
        return open(handler, incoming, drafted, blank).await;
    }
    let reply = answer::defer_update(&handler.api, incoming.handle.clone()).await?;
    let context = draft::draft_context(handler, incoming, drafted).await?;
    if context.subject == PanelSubject::Act && action == PanelAction::Seal {
        let pressed = context.pressed(drafted.window);
        return say::do_act(handler, incoming, context, Some(pressed), reply).await;
    }
    if context.drafted(&context.own) != *drafted {
        return draft::draw_outdated(handler, incoming, &context, reply).await;
    }
    let form = |draft: &Declaration| context.form(draft);
    let before = draft::said_before(handler, &context).await?;
    match panel::take(action, &form, &context.own, before.as_ref()) {
        Ok(PressOutcome::Kept(edited)) => {
            draft::save_draft(handler, incoming, &context, edited, None, reply).await
        }
        Ok(PressOutcome::SaysAgain(again)) => {
            let account = address::account(incoming.person.id);
            let note = draft::about(handler, &context, &account).note_of(&again, &context.own)?;
            let edited = EditedDraft::of(again.draft);
            draft::save_draft(handler, incoming, &context, edited, Some(note), reply).await
        }
        Ok(PressOutcome::Seals(read)) => {
            let sealed = draft::sealed(handler, incoming, &context, &context.own, read).await?;
            Ok(reply.send(sealed).await?)
        }
        Ok(PressOutcome::Opens(_)) | Err(_) => {
            draft::draw_outdated(handler, incoming, &context, reply).await
        }
    }
}

/// Opens a form.
async fn open(
    handler: &InteractionHandler,
    incoming: &Incoming,
    drafted: &DraftReference,
    blank: Blank,
) -> Result<(), InteractionError> {
    let drawn = tokio::time::timeout(FORM, form_of(handler, incoming, drafted, blank)).await;
    match drawn {
        Ok(Ok(Some(modal))) => {
            let control = Control::Form { draft: drafted.clone(), blank };
            let (api, handle) = (&handler.api, &incoming.handle);
            Ok(answer::open(api, handle, &control, &modal.title, &modal.fields).await?)
        }
        drawn => {
            let reply = answer::defer_update(&handler.api, incoming.handle.clone()).await?;
            if let Ok(Err(error)) = drawn {
                return Err(error);
            }
            let context = draft::draft_context(handler, incoming, drafted).await?;
            draft::draw_outdated(handler, incoming, &context, reply).await
        }
    }
}

/// Returns a form; `None` if the draft has changed since.
async fn form_of(
    handler: &InteractionHandler,
    incoming: &Incoming,
    drafted: &DraftReference,
    blank: Blank,
) -> Result<Option<panel::Modal>, InteractionError> {
    let context = draft::draft_context(handler, incoming, drafted).await?;
    if context.drafted(&context.own) != *drafted {
        return Ok(None);
    }
    let form = |draft: &Declaration| context.form(draft);
    let view = View::default();
    let drawing = PanelDrawing {
        letters: &handler.letters,
        reader: &context.reader,
        form: &form,
        draft: &context.own,
        before: None,
        view: &view,
        unread: &[],
        subject: context.subject,
    };
    Ok(Some(panel::modal(&drawing, &context.sight.words(), blank)?))
}

/// Handles the submitted input of a form.
pub(super) async fn type_into_draft(
    handler: &InteractionHandler,
    incoming: &Incoming,
    drafted: &DraftReference,
    blank: Blank,
    fields: &[String],
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let context = match draft::draft_context(handler, incoming, drafted).await {
        Ok(context) => context,
        Err(error) => {
            give_back(handler, incoming, fields).await?;
            return Err(error);
        }
    };
    let form = |draft: &Declaration| context.form(draft);
    let words = context.sight.words();
    let edited = if context.drafted(&context.own) == *drafted {
        run_blocking(|| panel::submit(blank, fields, &form, &context.own, &words)).ok()
    } else {
        None
    };
    let Some(edited) = edited else {
        draft::draw_outdated(handler, incoming, &context, reply).await?;
        return give_back(handler, incoming, fields).await;
    };
    draft::save_draft(handler, incoming, &context, edited, None, reply).await
}

/// Sends the input of an outdated form back to its author, so that it is not lost.
async fn give_back(
    handler: &InteractionHandler,
    incoming: &Incoming,
    fields: &[String],
) -> Result<(), InteractionError> {
    let typed: Vec<&str> = fields.iter().flat_map(|field| field.lines()).collect();
    if typed.iter().all(|line| line.trim().is_empty()) {
        return Ok(());
    }
    let reader = crate::interactions::plain_reader(incoming.person.lang);
    let text = handler.letters.write(&reader, &TypedInVain { lines: typed })?;
    for piece in split_into_messages(&text) {
        reply::say_more(handler, incoming, piece).await?;
    }
    Ok(())
}

/// `/seal`: seals the draft; if it is incomplete, shows the panel, which asks for confirmation.
pub(super) async fn seal(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<PrivateAnswer, InteractionError> {
    let context = draft::declaration_context(handler, incoming, code).await?;
    let form = |draft: &Declaration| context.sight.form(draft);
    match panel::take(PanelAction::Seal, &form, &context.own, None) {
        Ok(PressOutcome::Seals(read)) => {
            draft::sealed(handler, incoming, &context, &context.own, read).await
        }
        _ if context.own.is_empty() => Err(DeclarationRefused::Empty.into()),
        _ => Err(DeclarationRefused::Faulty.into()),
    }
}

/// `/withdraw`: clears the draft or one section.
pub(super) async fn withdraw(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    section: Option<&String>,
) -> Result<PrivateAnswer, InteractionError> {
    let context = draft::declaration_context(handler, incoming, code).await?;
    let account = address::account(incoming.person.id);
    let conversation = draft::about(handler, &context, &account);
    let left = conversation.without(&context.own, section.map_or("", String::as_str))?;
    let received = conversation.declare(&left, DeclarationStatus::Draft).await?;
    (handler.ring)();
    Ok(PrivateAnswer::words(conversation.echo_of(&received, &[])?))
}

/// Returns the completions of an input to `/declare`, `/orders`, `/next` or `/act`.
pub(super) async fn suggested(
    handler: &InteractionHandler,
    incoming: &Incoming,
    typed: &str,
    command: Command,
) -> Result<Vec<(String, Json)>, InteractionError> {
    let code = meant::code(handler, incoming).await?;
    let context = match command {
        Command::Act => {
            draft::seat_context(handler, incoming, &code).await?.with_act(Declaration::default())
        }
        Command::Orders => draft::orders_context(handler, incoming, &code).await?,
        Command::Next => draft::next_context(handler, incoming, &code).await?,
        _ => draft::declaration_context(handler, incoming, &code).await?,
    };
    Ok(context.suggested(typed))
}
