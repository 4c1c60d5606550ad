//! Endings: of a window, of a table, and of the game by one's own vote. The first command asks, and the
//! second one acts.

use super::session::TerminalSession;
use desk::conversation::{ConversationAnswer, ConversationError, NextStep};
use desk::read_ballot;
use tables::time::Time;

impl TerminalSession {
    /// Closes the open window for the host.
    pub(super) async fn close(&mut self, now: Time) -> Result<String, ConversationError> {
        let asked = self.asked_about.take();
        let revision = match &asked {
            Some(NextStep::Close { revision }) => Some(revision.as_str()),
            _ => None,
        };
        let answer = self.conversation(now).close(revision).await?;
        self.asked(answer, now).await
    }

    /// Ends the table for the host.
    pub(super) async fn end_table(&mut self, now: Time) -> Result<String, ConversationError> {
        let asked = self.asked_about.take();
        let revision = match &asked {
            Some(NextStep::End { revision, .. }) => Some(revision.as_str()),
            _ => None,
        };
        let answer = self.conversation(now).end("", revision).await?;
        self.asked(answer, now).await
    }

    /// Leaves the seat before the game begins. Returns the question that must be confirmed first; `None` once
    /// the seat is left.
    pub(super) async fn leave(&mut self, now: Time) -> Result<Option<String>, ConversationError> {
        let was_asked = self.asked_about.take() == Some(NextStep::Leave);
        let answer = self.conversation(now).leave(was_asked).await?;
        if answer.next_steps.is_empty() {
            return Ok(None);
        }
        self.asked_about = answer.next_steps.first().cloned();
        Ok(Some(answer.written()))
    }

    /// Proposes something to the table, votes, or shows the open votes.
    pub(super) async fn vote(
        &mut self,
        input: &str,
        now: Time,
    ) -> Result<String, ConversationError> {
        let ballot = read_ballot(input, &self.sight, now);
        let asked = self.asked_about.take();
        let revision = match &asked {
            Some(NextStep::AgreeToDraw { revision }) => Some(revision.as_str()),
            _ => None,
        };
        let answer = self.conversation(now).vote(ballot, revision).await?.1;
        self.asked_about = answer.next_steps.first().cloned();
        Ok(answer.written())
    }

    /// Stores the question of an answer, and returns its text; if the action is done, returns the notice that
    /// the window has closed.
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
