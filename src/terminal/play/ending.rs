//! To close a window now, and to end a table: the second word does it, where the first one asks.

use super::session::TerminalSession;
use crate::conversation::{ConversationAnswer, ConversationError, NextStep};
use crate::time::Time;

impl TerminalSession {
    /// The host closes the open window.
    pub(super) async fn close(&mut self, now: Time) -> Result<String, ConversationError> {
        let asked = self.asked_about.take();
        let revision = match &asked {
            Some(NextStep::Close { revision }) => Some(revision.as_str()),
            _ => None,
        };
        let answer = self.conversation(now).close(revision).await?;
        self.asked(answer, now).await
    }

    /// The host ends the table.
    pub(super) async fn end_table(&mut self, now: Time) -> Result<String, ConversationError> {
        let asked = self.asked_about.take();
        let revision = match &asked {
            Some(NextStep::End { revision, .. }) => Some(revision.as_str()),
            _ => None,
        };
        let answer = self.conversation(now).end("", revision).await?;
        self.asked(answer, now).await
    }

    /// Keeps what an answer asks about, and shows it; where it was done, that the window has closed.
    async fn asked(
        &mut self,
        answer: ConversationAnswer,
        now: Time,
    ) -> Result<String, ConversationError> {
        self.asked_about = answer.next_steps.first().cloned();
        let text = answer.written();
        self.refresh(now).await?;
        Ok(if text.is_empty() { self.shut()?.unwrap_or_default() } else { text })
    }
}
