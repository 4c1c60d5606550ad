//! Help: the next actions by a person's role at a table, and the declarations of its game.

use std::collections::BTreeMap;

use crate::answer::PrivateAnswer;
use crate::incoming::Incoming;
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use crate::interactions::meant;
use desk::Sight;
use desk::commands::{Command, CommandPlace};
use letters::discord::HelpAtTable;
use rules::text::Lang;
use tables::HoldReason;

/// Returns the possible actions: the host's first, then a player's, then a spectator's.
pub(super) async fn help(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let lang = incoming.person.lang;
    let seen = match meant::code(handler, incoming).await {
        Ok(code) => handler.see(incoming, &code).await,
        Err(error) => Err(error),
    };
    let (sight, reader) = match seen {
        Ok((sight, reader)) => (Some(sight), reader),
        Err(error) if error.refused().is_some() => (None, plain_reader(lang)),
        Err(error) => return Err(error),
    };
    let sight = sight.as_ref();
    let help = HelpAtTable {
        code: sight.map(|sight| sight.code.clone()),
        stage: sight.map(|sight| sight.stage.into_str()),
        held: sight.and_then(|sight| sight.held.as_ref()).map(HoldReason::into_str),
        host: sight.is_some_and(|sight| sight.leads),
        seat: sight.and_then(|sight| sight.seat),
        openly: sight.is_some_and(Sight::is_open_handed),
        called: called(lang),
        commands: commands(lang),
    };
    Ok(PrivateAnswer::words(handler.letters.write(&reader, &help)?))
}

/// Returns the title of every command by its name.
fn called(lang: Lang) -> BTreeMap<&'static str, String> {
    Command::at(CommandPlace::Discord)
        .map(|command| (command.name(), command.called(lang)))
        .collect()
}

/// Returns the titles of all commands, in order.
fn commands(lang: Lang) -> Vec<String> {
    Command::at(CommandPlace::Discord).map(|command| command.called(lang)).collect()
}
