//! The speaker of a conversation, its table, and its answers.

use super::ConversationError;
use crate::{Desk, Sight};
use letters::{ChapterLink, Letters, Reader, Refused, follow};
use rules::Declaration;
use tables::ids::AccountId;
use tables::time::Time;

/// A person who gives a command, and the means to answer.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    pub desk: &'a Desk,
    pub letters: &'a Letters,
    pub account: &'a AccountId,
    pub reader: &'a Reader,
    pub now: Time,
}

/// A person's conversation about a table, as they saw it a moment ago.
#[derive(Clone, Copy, Debug)]
pub struct Conversation<'a> {
    pub speaker: Speaker<'a>,
    pub sight: &'a Sight,
}

/// An answer to one person alone.
#[derive(Debug, Default)]
pub struct ConversationAnswer {
    /// Empty if the result shows elsewhere.
    pub text: String,
    /// The possible next steps, for front ends with buttons.
    pub next_steps: Vec<NextStep>,
    /// Text after the answer that must be shown character by character.
    pub verbatim: String,
}

/// A step that a person can take next with one press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The person answers the questions.
    Declare,
    /// The person reads the texts of the cards before them.
    Cards,
    /// The person reads one of these chapters of the rules.
    Rules(Vec<ChapterLink>),
    /// The person makes their sealed declaration standing orders.
    Always,
    /// The person leaves their seat and stays the host.
    Leave,
    /// The person ends their absence.
    NotAway,
    /// The person ends the game as a draw by their vote alone, at this revision of the table.
    AgreeToDraw { revision: String },
    /// The person does the act that was shown, for good.
    Act { declared: Declaration },
    /// The person closes the window, at this revision of the table.
    Close { revision: String },
    /// The person ends the table, at this revision and for this reason.
    End { revision: String, reason: String },
}

impl ConversationAnswer {
    pub(super) fn words(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Returns the whole answer as one text, for front ends without files.
    pub fn written(mut self) -> String {
        follow(&mut self.text, &self.verbatim);
        self.text
    }

    /// Puts the answer below a note.
    pub(super) fn below(self, mut note: String) -> Self {
        follow(&mut note, &self.text);
        Self { text: note, ..self }
    }
}

impl Speaker<'_> {
    pub(super) fn refused(
        &self,
        refused: Refused,
        detail: &str,
    ) -> Result<String, ConversationError> {
        Ok(self.letters.refused(self.reader, refused, detail)?)
    }
}
