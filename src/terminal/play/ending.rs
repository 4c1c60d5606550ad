//! To close a window now, to end a table, and to end the game by a vote that is one's own: the
//! second word does it, where the first one asks.

use super::session::TerminalSession;
use desk::conversation::{ConversationAnswer, ConversationError, NextStep};
use desk::read_ballot;
use tables::time::Time;

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

    /// They leave their seat before the game begins. What they are asked about it first; none if they have left.
    pub(super) async fn leave(&mut self, now: Time) -> Result<Option<String>, ConversationError> {
        let was_asked = self.asked_about.take() == Some(NextStep::Leave);
        let answer = self.conversation(now).leave(was_asked).await?;
        if answer.next_steps.is_empty() {
            return Ok(None);
        }
        self.asked_about = answer.next_steps.first().cloned();
        Ok(Some(answer.written()))
    }

    /// Proposes something to the table, votes, or shows which votes are open.
    pub(super) async fn vote(
        &mut self,
        said: &str,
        now: Time,
    ) -> Result<String, ConversationError> {
        let ballot = read_ballot(said, &self.sight, now);
        let asked = self.asked_about.take();
        let revision = match &asked {
            Some(NextStep::AgreeToDraw { revision }) => Some(revision.as_str()),
            _ => None,
        };
        let answer = self.conversation(now).vote(ballot, revision).await?.1;
        self.asked_about = answer.next_steps.first().cloned();
        Ok(answer.written())
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
