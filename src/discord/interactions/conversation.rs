//! Commands about a table without arguments, and the display of a conversation's answers.

use crate::address;
use crate::answer::PrivateAnswer;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::handler::{InteractionError, InteractionHandler};
use desk::commands::Command;
use desk::conversation::{Conversation, ConversationAnswer};
use letters::Reader;
use tables::ids::TableCode;

/// Carries out a command about a table that has no arguments.
pub(super) async fn converse(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    command: Command,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let account = address::account(incoming.person.id);
    let conversation = Conversation { speaker: handler.speaker(&account, &reader), sight: &sight };
    let answer = match command {
        Command::Hand => conversation.hand()?,
        Command::Card => conversation.card("")?,
        Command::Side => conversation.side("").await?,
        Command::Log => conversation.log().await?,
        Command::Why => conversation.why().await?,
        Command::Receipt => conversation.receipts().await?,
        Command::Close => conversation.close(None).await?,
        Command::Orders => conversation.orders("always").await?,
        _ => conversation.position().await?,
    };
    shown(handler, code, &reader, answer)
}

/// `/side`: writes a line, if one is given, and shows the view of the side.
pub(super) async fn side(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let account = address::account(incoming.person.id);
    let conversation = Conversation { speaker: handler.speaker(&account, &reader), sight: &sight };
    let line = arguments.get("text").map_or("", String::as_str);
    let answer = conversation.side(line).await?;
    if !line.is_empty() {
        (handler.ring)();
    }
    shown(handler, code, &reader, answer)
}

/// Converts a conversation's answer; an empty one means that a change shows elsewhere.
pub(super) fn shown(
    handler: &InteractionHandler,
    code: &TableCode,
    reader: &Reader,
    answer: ConversationAnswer,
) -> Result<PrivateAnswer, InteractionError> {
    if answer.text.is_empty() {
        (handler.ring)();
    }
    Ok(PrivateAnswer::of(answer, code, &handler.letters, reader)?)
}
