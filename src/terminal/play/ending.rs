//! Endings: of a window, of a table, and of the game by one's own vote. The first command asks, and the
//! second one acts.

use super::session::{Result, TerminalSession};
use desk::commands::Command;
use desk::conversation::{ConversationAnswer, NextStep};
use desk::read_ballot;
use tables::time::Time;

/// Returns the revision of the table at which this command was asked about; `None` if another one was, or none.
fn revision(session: &mut TerminalSession, of: Command) -> Option<String> {
    match (of, session.asked_about.take()?) {
        (Command::Close, NextStep::Close { revision })
        | (Command::End, NextStep::End { revision, .. })
        | (Command::Vote, NextStep::AgreeToDraw { revision }) => Some(revision),
        _ => None,
    }
}

/// Closes the open window for the host.
pub(super) async fn close(session: &mut TerminalSession, now: Time) -> Result {
    let revision = revision(session, Command::Close);
    let answer = session.conversation(now).close(revision.as_deref()).await?;
    ask_about(session, answer, now).await
}

/// Ends the table for the host.
pub(super) async fn end_table(session: &mut TerminalSession, now: Time) -> Result {
    let revision = revision(session, Command::End);
    let answer = session.conversation(now).end("", revision.as_deref()).await?;
    ask_about(session, answer, now).await
}

/// Leaves the seat before the game begins. Returns the question that must be confirmed first; `None` once
/// the seat is left.
pub(super) async fn leave(session: &mut TerminalSession, now: Time) -> Result<Option<String>> {
    let was_asked = session.asked_about.take() == Some(NextStep::Leave);
    let answer = session.conversation(now).leave(was_asked).await?;
    if answer.next_steps.is_empty() {
        return Ok(None);
    }
    session.asked_about = answer.next_steps.first().cloned();
    Ok(Some(answer.written()))
}

/// Proposes something to the table, votes, or shows the open votes.
pub(super) async fn vote(session: &mut TerminalSession, input: &str, now: Time) -> Result {
    let ballot = read_ballot(input, &session.sight, now);
    let revision = revision(session, Command::Vote);
    let answer = session.conversation(now).vote(ballot, revision.as_deref()).await?.1;
    session.asked_about = answer.next_steps.first().cloned();
    Ok(answer.written())
}

/// Stores the question of an answer, and returns its text; if the action is done, returns the notice that
/// the window has closed.
async fn ask_about(session: &mut TerminalSession, answer: ConversationAnswer, now: Time) -> Result {
    session.asked_about = answer.next_steps.first().cloned();
    let text = answer.written();
    session.refresh(now).await?;
    Ok(if text.is_empty() { session.shut()?.unwrap_or_default() } else { text })
}
