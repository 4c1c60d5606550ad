//! Confirmations of endings: a window closes or a table ends only in the state that was shown.

use crate::address;
use crate::answer::PrivateAnswer;
use crate::controls::control::{Control, ShownRevision};
use crate::incoming::Incoming;
use crate::interactions::conversation;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use desk::conversation::Conversation;
use tables::ids::TableCode;

/// The maximum length of a control's id, in units of UTF-16.
const LONGEST: usize = 100;

/// `/table end`: shows the losses and asks for confirmation; with `asked_at`, ends the table if it is
/// unchanged since.
pub(super) async fn end(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    reason: &str,
    asked_at: Option<&ShownRevision>,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let account = address::account(incoming.person.id);
    let speaker = handler.speaker(&account, &reader);
    let reason = fitting(code, &ShownRevision::of(&sight.revision), reason);
    let asked_at = asked_at.map(ShownRevision::as_str);
    let answer = Conversation { speaker, sight: &sight }.end(&reason, asked_at).await?;
    conversation::shown(handler, code, &reader, answer)
}

/// Closes the window, if the table is unchanged since the question.
pub(super) async fn close_confirmed(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    asked_at: &ShownRevision,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let account = address::account(incoming.person.id);
    let speaker = handler.speaker(&account, &reader);
    let conversation = Conversation { speaker, sight: &sight };
    let answer = conversation.close(Some(asked_at.as_str())).await?;
    conversation::shown(handler, code, &reader, answer)
}

/// Shortens a reason until it fits on the control that ends a table; only this part is shown and published.
fn fitting(code: &TableCode, shown: &ShownRevision, reason: &str) -> String {
    let mut reason = reason.to_owned();
    loop {
        let (code, shown) = (code.to_owned(), shown.clone());
        let control = Control::End { code, shown, reason: reason.clone() };
        if control.to_string().encode_utf16().count() <= LONGEST || reason.pop().is_none() {
            return reason;
        }
    }
}
