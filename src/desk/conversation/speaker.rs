//! Who says something, what they say it about, and how they are answered.

use super::ConversationError;
use crate::{Desk, Sight};
use letters::{ChapterLink, Letters, Reader, Refused, follow};
use rules::Declaration;
use tables::ids::AccountId;
use tables::time::Time;

/// Somebody who says something, and how they are answered.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    pub desk: &'a Desk,
    pub letters: &'a Letters,
    pub account: &'a AccountId,
    pub reader: &'a Reader,
    pub now: Time,
}

/// Somebody who says something about a table, as they saw it a moment ago.
#[derive(Clone, Copy, Debug)]
pub struct Conversation<'a> {
    pub speaker: Speaker<'a>,
    pub sight: &'a Sight,
}

/// What somebody is answered, alone.
#[derive(Debug, Default)]
pub struct ConversationAnswer {
    /// Empty, if what was done shows elsewhere.
    pub text: String,
    /// What they can do next, for whoever has buttons.
    pub next_steps: Vec<NextStep>,
    /// What belongs to it, every sign as it is.
    pub verbatim: String,
}

/// What somebody can do next by one press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Say what is asked of them.
    Declare,
    /// Read what the cards do that they have before them.
    Cards,
    /// Read one of these chapters of the rules.
    Rules(Vec<ChapterLink>),
    /// Let what they have sealed count always.
    Always,
    /// Leave their seat and stay the host.
    Leave,
    /// Say that they are not away.
    NotAway,
    /// End the game as a draw by their own voice, as the table stood at this revision.
    AgreeToDraw { revision: String },
    /// Do at once, for good, what was shown.
    Act { said: Declaration },
    /// Close the window, as the table stood at this revision.
    Close { revision: String },
    /// End the table, as it stood at this revision, for this reason.
    End { revision: String, reason: String },
}

impl ConversationAnswer {
    pub(super) fn words(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// All of it as one text, for whoever has no files.
    pub fn written(mut self) -> String {
        follow(&mut self.text, &self.verbatim);
        self.text
    }

    /// It below a note.
    pub(super) fn below(self, mut note: String) -> Self {
        follow(&mut note, &self.text);
        Self { text: note, ..self }
    }
}

impl Speaker<'_> {
    pub(super) fn refused(
        &self,
        refused: Refused,
        said: &str,
    ) -> Result<String, ConversationError> {
        Ok(self.letters.refused(self.reader, refused, said)?)
    }
}
