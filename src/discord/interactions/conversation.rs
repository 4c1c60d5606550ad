//! What is said in a conversation, as Discord shows it: what can be done next is a button.

use serde_json::Value as Json;

use crate::clock;
use crate::commands::Command;
use crate::conversation::{Conversation, ConversationAnswer, NextStep, Speaker};
use crate::discord::address;
use crate::discord::answer::PrivateAnswer;
use crate::discord::api::Attachment;
use crate::discord::controls::buttons;
use crate::discord::controls::buttons::action_row;
use crate::discord::controls::control::{ButtonAction, Control, ShownRevision};
use crate::discord::incoming::Incoming;
use crate::discord::interactions::{InteractionError, InteractionHandler};
use crate::ids::{AccountId, TableCode};
use crate::letters::discord::DoneNote;
use crate::letters::{ChapterLink, LetterFault, Reader};
use crate::panel::{Style, limits, shortened};

/// What the file is called by which receipts can be computed again.
const RECEIPTS: &str = "receipts.txt";

impl InteractionHandler {
    /// Somebody as the desk knows them, and how they are answered.
    pub(super) fn speaker<'a>(&'a self, account: &'a AccountId, reader: &'a Reader) -> Speaker<'a> {
        Speaker { desk: &self.desk, letters: &self.letters, account, reader, now: clock::now() }
    }

    /// Says about a table what a word alone says.
    pub(super) async fn converse(
        &self,
        incoming: &Incoming,
        code: &TableCode,
        command: Command,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let account = address::account(incoming.person.id);
        let conversation = Conversation { speaker: self.speaker(&account, &reader), sight: &sight };
        let answer = match command {
            Command::Hand => conversation.hand()?,
            Command::Card => conversation.card("")?,
            Command::Log => conversation.log().await?,
            Command::Why => conversation.why().await?,
            Command::Receipt => conversation.receipts().await?,
            Command::Close => conversation.close(None).await?,
            Command::Orders => conversation.orders("always").await?,
            _ => conversation.position().await?,
        };
        self.shown(code, &reader, answer)
    }

    /// An answer as it is shown here: what can be done next is a button, and what must stay as it
    /// is, sign by sign, a file.
    pub(super) fn shown(
        &self,
        code: &TableCode,
        reader: &Reader,
        answer: ConversationAnswer,
    ) -> Result<PrivateAnswer, InteractionError> {
        let ConversationAnswer { mut text, next_steps, verbatim } = answer;
        if text.is_empty() {
            // It shows elsewhere.
            (self.ring)();
            text = self.letters.write(reader, &DoneNote {})?;
        }
        let mut shown = PrivateAnswer::words(text);
        let action = |next: &NextStep| match next {
            NextStep::Declare => Some(ButtonAction::Declare),
            NextStep::Cards => Some(ButtonAction::Cards),
            NextStep::Always => Some(ButtonAction::Always),
            _ => None,
        };
        let actions: Vec<ButtonAction> = next_steps.iter().filter_map(action).collect();
        shown.rows.extend(action_row(code, &actions, &self.letters, reader)?);
        for next in &next_steps {
            shown.rows.extend(self.button_of(code, reader, next)?);
        }
        if !verbatim.is_empty() {
            let (name, kind) = (RECEIPTS.to_owned(), "text/plain");
            shown.files.push(Attachment { name, kind, bytes: verbatim.into_bytes() });
        }
        Ok(shown)
    }

    /// The button of what else somebody can do next.
    fn button_of(
        &self,
        code: &TableCode,
        reader: &Reader,
        next: &NextStep,
    ) -> Result<Vec<Json>, LetterFault> {
        let code = || code.to_owned();
        let (word, style, control) = match next {
            // They stand in a row of their own.
            NextStep::Declare | NextStep::Cards | NextStep::Always => return Ok(Vec::new()),
            NextStep::Rules(chapters) => return Ok(chapter_rows(reader.game, chapters)),
            NextStep::NotAway => ("not-away", Style::Plain, Control::NotAway),
            NextStep::AgreeToDraw { revision } => {
                let shown = ShownRevision::of(revision);
                ("agree-to-draw", Style::Grave, Control::AgreeToDraw { code: code(), shown })
            }
            NextStep::Close { revision } => {
                let shown = ShownRevision::of(revision);
                ("close", Style::Grave, Control::Close { code: code(), shown })
            }
            NextStep::End { revision, reason } => {
                let shown = ShownRevision::of(revision);
                let reason = reason.clone();
                ("end", Style::Grave, Control::End { code: code(), shown, reason })
            }
        };
        buttons::one(&self.letters, reader, word, style, &control)
    }
}

/// The chapters of a game's rules, each a button.
fn chapter_rows(game: &str, chapters: &[ChapterLink]) -> Vec<Json> {
    let chapter = |one: &ChapterLink| {
        let control = Control::Rules { game: game.to_owned(), place: one.word.clone() };
        let label = shortened(one.label.clone(), limits::BUTTON);
        buttons::button(Style::Plain, &label, &control)
    };
    let chapters: Vec<Json> = chapters.iter().map(chapter).collect();
    chapters.chunks(limits::BUTTONS).map(buttons::row).collect()
}
