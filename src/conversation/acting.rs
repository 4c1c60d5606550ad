//! What somebody does at once, before everybody's eyes.

use super::{Conversation, ConversationError};
use crate::letters::UnreadPiece;
use crate::rules::{Declaration, Interview};

/// What a line says that is to be done at once.
#[derive(Debug)]
pub struct SaidAct {
    pub said: Declaration,
    /// What it comes to.
    pub found: Interview,
    pub unread: Vec<UnreadPiece>,
}

impl SaidAct {
    /// Whether it is all that there is to say, and all of it was understood.
    pub fn is_whole(&self) -> bool {
        self.unread.is_empty() && self.found.is_all_said()
    }
}

impl Conversation<'_> {
    /// Reads what is to be done at once.
    pub fn read_act(&self, line: &str) -> SaidAct {
        let reading = self.sight.read_act(line);
        let unread = UnreadPiece::of(&reading);
        let found = self.sight.acting(&reading.declaration);
        SaidAct { said: reading.declaration, found, unread }
    }

    /// Does it.
    pub async fn act(&self, said: &Declaration) -> Result<(), ConversationError> {
        let speaker = &self.speaker;
        speaker.desk.act(&self.sight.code, speaker.account, said, speaker.now).await?;
        Ok(())
    }
}
