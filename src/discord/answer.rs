//! Answers to interactions: an interaction is acknowledged immediately and answered afterwards. Texts of a
//! conversation become messages, and next steps become buttons.

use futures_util::FutureExt;
use serde_json::{Value as Json, json};

use crate::api::{Attachment, Result};
use crate::controls::buttons::{action_row, button, entry, menu, one, row};
use crate::controls::{ButtonAction, Control, DraftReference};
use crate::incoming::InteractionHandle;
use crate::posting::channel::split_into_messages;
use crate::{Api, SendError};
use desk::clock;
use desk::conversation::{ConversationAnswer, NextStep};
use letters::discord::DoneNote;
use letters::panel::{ControlRow, Field, MenuEntry, Panel, Style, limits, shortened};
use letters::{ChapterLink, LetterFault, Letters, Reader};
use store::processes;
use tables::ids::TableCode;

/// The flag of a message that only one person sees.
const PRIVATE: u64 = 1 << 6;

/// The name of the attached file with the receipts.
const RECEIPTS: &str = "receipts.txt";

/// An answer that only one person sees.
#[derive(Default)]
pub(super) struct PrivateAnswer {
    /// The text, of any length.
    pub(super) text: String,
    /// Rows of controls below the text.
    pub(super) rows: Vec<Json>,
    /// Attached files.
    pub(super) files: Vec<Attachment>,
    /// The input to be corrected, shown below the text; a button submits it again.
    pub(super) input: Option<String>,
}

impl PrivateAnswer {
    pub(super) fn words(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Builds the answer of a conversation: next steps become buttons, and verbatim text becomes a file.
    pub(super) fn of(
        answer: ConversationAnswer,
        code: &TableCode,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<Self, LetterFault> {
        let ConversationAnswer { mut text, next_steps, verbatim } = answer;
        if text.is_empty() {
            // The outcome shows elsewhere.
            text = letters.write(reader, &DoneNote {})?;
        }
        let mut shown = Self::words(text);
        let action = |next: &NextStep| match next {
            NextStep::Declare => Some(ButtonAction::Declare),
            NextStep::Cards => Some(ButtonAction::Cards),
            NextStep::Always => Some(ButtonAction::Always),
            NextStep::Leave => Some(ButtonAction::LeaveAsHost),
            _ => None,
        };
        let actions: Vec<ButtonAction> = next_steps.iter().filter_map(action).collect();
        shown.rows.extend(action_row(code, &actions, letters, reader)?);
        for next in &next_steps {
            shown.rows.extend(button_of(code, letters, reader, next)?);
        }
        if !verbatim.is_empty() {
            let (name, kind) = (RECEIPTS.to_owned(), "text/plain");
            shown.files.push(Attachment { name, kind, bytes: verbatim.into_bytes() });
        }
        Ok(shown)
    }
}

/// Returns the button of a next step that is not in the action row.
fn button_of(
    code: &TableCode,
    letters: &Letters,
    reader: &Reader,
    next: &NextStep,
) -> Result<Vec<Json>, LetterFault> {
    let code = || code.to_owned();
    let (word, style, control) = match next {
        // These next steps have a row of their own.
        NextStep::Declare
        | NextStep::Cards
        | NextStep::Always
        | NextStep::Act { .. }
        | NextStep::Leave => {
            return Ok(Vec::new());
        }
        NextStep::Rules(chapters) => return Ok(chapter_rows(reader.game.key(), chapters)),
        NextStep::NotAway => ("not-away", Style::Plain, Control::NotAway),
        NextStep::AgreeToDraw { revision } => {
            let shown = revision.clone();
            ("agree-to-draw", Style::Grave, Control::AgreeToDraw { code: code(), shown })
        }
        NextStep::Close { revision } => {
            let shown = revision.clone();
            ("close", Style::Grave, Control::Close { code: code(), shown })
        }
        NextStep::End { revision, reason } => {
            let shown = revision.clone();
            let reason = reason.clone();
            ("end", Style::Grave, Control::End { code: code(), shown, reason })
        }
    };
    one(letters, reader, word, style, &control)
}

/// Returns the chapters of a game's rules as rows of buttons.
fn chapter_rows(game: &str, chapters: &[ChapterLink]) -> Vec<Json> {
    let chapter = |one: &ChapterLink| {
        let control = Control::Rules { game: game.to_owned(), place: one.word.clone() };
        let label = shortened(one.label.clone(), limits::BUTTON);
        button(Style::Plain, &label, &control)
    };
    let chapters: Vec<Json> = chapters.iter().map(chapter).collect();
    chapters.chunks(limits::BUTTONS).map(row).collect()
}

/// Sends the first response to an interaction, which acknowledges it.
async fn respond(api: &Api, handle: &InteractionHandle, response: &Json) -> Result<()> {
    api.respond(handle.id, &handle.token, response, Vec::new()).await?;
    handle.counts.acknowledgements.observe(handle.heard.elapsed());
    Ok(())
}

/// Acknowledges an interaction; only that person will see the answer.
pub(super) async fn defer(api: &Api, handle: &InteractionHandle) -> Result<()> {
    respond(api, handle, &json!({ "type": 5, "data": { "flags": PRIVATE } })).await?;
    handle.take_on().await
}

/// Acknowledges a press on a button; the message with the button will be redrawn.
pub(super) async fn defer_update(api: &Api, handle: &InteractionHandle) -> Result<()> {
    respond(api, handle, &json!({ "type": 6 })).await?;
    handle.take_on().await
}

impl InteractionHandle {
    /// Claims the interaction for this process. Discord sends it to every process and accepts one
    /// acknowledgement. If the response to an acknowledgement is lost, the acknowledgement is retried and
    /// refused, whichever process was first; so the store also notes the process that goes on. If the store
    /// fails, this process goes on, and the work itself reports the failure.
    async fn take_on(&self) -> Result<()> {
        let about = (self.id.to_string(), clock::now());
        let taken =
            self.store.write_about(about, |(id, now), to| processes::take_on(to, id, *now).boxed());
        match taken.await {
            Ok(false) => Err(SendError::already_acknowledged()),
            Ok(true) | Err(_) => Ok(()),
        }
    }
}

/// Answers immediately with a text that only one person sees.
pub(super) async fn say(api: &Api, handle: &InteractionHandle, text: &str) -> Result<()> {
    let response = json!({ "type": 4, "data": message(text, &[], &[]) });
    respond(api, handle, &response).await
}

/// Opens a modal form.
pub(super) async fn open(
    api: &Api,
    handle: &InteractionHandle,
    control: &Control,
    title: &str,
    fields: &[Field],
) -> Result<()> {
    let fields: Vec<Json> = fields.iter().enumerate().map(field).collect();
    let form = json!({
        "type": 9,
        "data": { "custom_id": control.to_string(), "title": title, "components": fields },
    });
    respond(api, handle, &form).await
}

/// Sends the choices of an argument, each with its label and its value.
pub(super) async fn offer(
    api: &Api,
    handle: &InteractionHandle,
    choices: &[(String, Json)],
) -> Result<()> {
    let choices: Vec<Json> =
        choices.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    let suggested = json!({ "type": 8, "data": { "choices": choices } });
    respond(api, handle, &suggested).await
}

/// The maximum number of messages of an answer; a longer answer is sent as a file.
const MESSAGES: usize = 4;

/// Sends a deferred answer.
pub(super) async fn send(
    api: &Api,
    handle: &InteractionHandle,
    answer: PrivateAnswer,
) -> Result<()> {
    let InteractionHandle { application, token, .. } = handle;
    let mut pieces = split_into_messages(&answer.text);
    let mut files = answer.files;
    if pieces.len() > MESSAGES {
        let bytes = answer.text.into_bytes();
        files.push(Attachment { name: "letter.md".to_owned(), kind: "text/markdown", bytes });
        pieces.truncate(1);
    }
    let mut pieces = pieces.into_iter();
    let mut first = message(&pieces.next().unwrap_or_default(), &[], &files);
    if let Some(input) = answer.input {
        first["embeds"] = json!([{ "description": input }]);
    }
    let mut rest: Vec<Json> = pieces.map(|piece| message(&piece, &[], &[])).collect();
    rest.last_mut().unwrap_or(&mut first)["components"] = json!(answer.rows);
    api.edit_original(*application, token, &first, files).await?;
    for message in rest {
        api.follow_up(*application, token, &message, Vec::new()).await?;
    }
    Ok(())
}

/// Answers with a panel below a text.
pub(super) async fn draw(
    api: &Api,
    handle: &InteractionHandle,
    words: &str,
    panel: &Panel,
    draft: &DraftReference,
) -> Result<()> {
    let InteractionHandle { application, token, .. } = handle;
    let rows: Vec<Json> =
        panel.rows.iter().enumerate().map(|(at, row)| drawn(at, row, draft)).collect();
    // An embed holds twice as much as a message.
    let panel = json!({
        "content": split_into_messages(words).into_iter().next().unwrap_or_default(),
        "embeds": [{ "description": panel.text }],
        "components": rows,
        "attachments": [],
        "allowed_mentions": { "parse": [] },
    });
    api.edit_original(*application, token, &panel, Vec::new()).await.map(drop)
}

fn message(content: &str, rows: &[Json], files: &[Attachment]) -> Json {
    let files = files.iter().enumerate();
    let files: Vec<Json> =
        files.map(|(at, file)| json!({ "id": at.to_string(), "filename": file.name })).collect();
    json!({
        "content": content,
        "embeds": [],
        "components": rows,
        "attachments": files,
        "flags": PRIVATE,
        "allowed_mentions": { "parse": [] },
    })
}

fn drawn(at: usize, controls: &ControlRow, draft: &DraftReference) -> Json {
    let draft = draft.clone();
    match controls {
        ControlRow::Buttons(buttons) => {
            let drawn = buttons.iter().map(|one| {
                let control = Control::Panel { draft: draft.clone(), action: one.action };
                button(one.style, &one.label, &control)
            });
            row(&drawn.collect::<Vec<_>>())
        }
        ControlRow::Menu(one) => {
            let drawn =
                one.entries.iter().map(|MenuEntry { action, label, description, chosen }| {
                    entry(action, label, description.as_deref(), *chosen)
                });
            let entries: Vec<Json> = drawn.collect();
            menu(&Control::Menu { draft, row: at }, &one.placeholder, &entries)
        }
    }
}

fn field((at, field): (usize, &Field)) -> Json {
    let style = if field.lines { 2 } else { 1 };
    let mut input = json!({
        "type": 4,
        "custom_id": at.to_string(),
        "style": style,
        "label": field.label,
        "min_length": field.min,
        "max_length": field.max,
        "required": field.required,
    });
    for (name, text) in [("placeholder", &field.placeholder), ("value", &field.value)] {
        if !text.is_empty() {
            input[name] = json!(text);
        }
    }
    row(&[input])
}
