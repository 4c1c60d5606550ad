//! The defaults of a server for new tables: shown, and set by whoever manages the server.

use serde_json::json;
use serenity::all::{ChannelId, Permissions};

use crate::address;
use crate::answer::PrivateAnswer;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use games::GAMES;
use letters::discord::{DefaultsShown, MayNotForm, NoServer, RoleCalled, RoleUncalled};
use letters::{Reader, follow};
use rules::text::Lang;
use store::{Session, StoreError, people, read_json, write_json};
use tables::{Absence, Pace};

/// The argument that clears all defaults.
const ALL: &str = "all";

/// The defaults of a server, as they were typed, by the names of the arguments that set them. The bot's own
/// defaults apply to the rest.
pub(super) type ServerDefaults = CommandArguments;

/// Returns the defaults, changed by the arguments of a command.
fn changed(mut set: ServerDefaults, arguments: &CommandArguments) -> ServerDefaults {
    let mut arguments = arguments.clone();
    match arguments.remove("forget").as_deref() {
        Some(ALL) => set.clear(),
        Some(name) => drop(set.remove(name)),
        None => {}
    }
    set.extend(arguments);
    set
}

/// Stores changed defaults of a server.
async fn save(
    session: &mut Session,
    server: &str,
    arguments: &CommandArguments,
) -> Result<ServerDefaults, StoreError> {
    let none = write_json(&ServerDefaults::new())?;
    let held = people::hold_server_defaults(session, server, &none).await?;
    let set = changed(read_json(&held)?, arguments);
    people::set_server_defaults(session, server, write_json(&set)?).await?;
    Ok(set)
}

/// Returns the defaults of the server of an interaction.
pub(super) async fn defaults(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<ServerDefaults, InteractionError> {
    let Some(server) = incoming.server else { return Ok(ServerDefaults::new()) };
    let mut session = handler.desk.store().read().await?;
    let body = people::server_defaults(&mut session, &address::server(server)).await?;
    Ok(body.map(|body| read_json(&body)).transpose()?.unwrap_or_default())
}

/// Changes the defaults of a server, and shows them.
pub(super) async fn set_defaults(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let lang = incoming.person.lang;
    let Some(server) = incoming.server else { return handler.say(lang, &NoServer {}) };
    let reader = plain_reader(lang);
    if let Some(Err(fault)) = arguments.get("pace").map(|line| Pace::read(line, handler.zone)) {
        return Ok(PrivateAnswer::words(handler.letters.pace_fault(&reader, &fault)?));
    }
    let supposed = Absence::default();
    if let Some(Err(fault)) = arguments.get("absence").map(|line| Absence::read(line, &supposed)) {
        return Ok(PrivateAnswer::words(handler.letters.absence_fault(&reader, &fault)?));
    }
    let set = if arguments.is_empty() {
        defaults(handler, incoming).await?
    } else {
        let about = (address::server(server), arguments.clone());
        let saved = handler.desk.store().write_about(about, |(server, arguments), session| {
            Box::pin(save(session, server, arguments))
        });
        saved.await?
    };
    handler.say(lang, &told_of(handler, &set, &reader)?)
}

/// Returns the defaults for display, with the bot's own defaults filled in.
fn told_of<'a>(
    handler: &InteractionHandler,
    set: &'a ServerDefaults,
    reader: &Reader,
) -> Result<DefaultsShown<'a>, InteractionError> {
    let of = |name: &str| set.get(name).map(String::as_str);
    let pace = Pace::read(of("pace").unwrap_or(&handler.pace), handler.zone);
    let pace = pace.ok().map(|pace| handler.letters.pace(reader, &pace)).transpose()?;
    let supposed = Absence::default();
    let absence = of("absence").and_then(|line| Absence::read(line, &supposed).ok());
    let absence = absence.map(|absence| handler.letters.absence(reader, &absence)).transpose()?;
    Ok(DefaultsShown {
        pace,
        absence,
        language: of("language"),
        begin: of("begin"),
        hosts: of("hosts"),
        call: of("call"),
    })
}

/// Returns the text of why a person may not form tables on this server; `None` if they may.
pub(super) fn may_not_form(
    handler: &InteractionHandler,
    incoming: &Incoming,
    set: &ServerDefaults,
) -> Result<Option<String>, InteractionError> {
    let Some(role) = set.get("hosts") else { return Ok(None) };
    let has_role = incoming.roles.iter().any(|has| has.to_string() == *role);
    let allowed = Permissions::from_bits_truncate(incoming.allowed.unwrap_or_default());
    let manages = Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR;
    if has_role || allowed.intersects(manages) {
        return Ok(None);
    }
    let reader = plain_reader(incoming.person.lang);
    Ok(Some(handler.letters.write(&reader, &MayNotForm { role })?))
}

/// Calls the server's role to a table that waits for players. If that fails, a notice for the host is
/// added to the note.
pub(super) async fn call_players(
    handler: &InteractionHandler,
    incoming: &Incoming,
    (channel, public): (ChannelId, Lang),
    role: &str,
    note: &mut String,
) -> Result<(), InteractionError> {
    let called = RoleCalled { role, host: &incoming.person.name };
    let content = handler.letters.write(&Reader::new(GAMES[0], public), &called)?;
    let body = json!({
        "content": content.trim(),
        "allowed_mentions": { "parse": [], "roles": [role] },
    });
    if let Err(unsent) = handler.api.post(channel, &body, Vec::new()).await {
        tracing::warn!(%unsent, "nobody was called to a new table");
        let reader = plain_reader(incoming.person.lang);
        follow(note, &handler.letters.write(&reader, &RoleUncalled { role })?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::interactions::defaults::*;

    #[test]
    fn what_is_said_is_set_and_what_is_forgotten_is_as_it_was() {
        let arguments = |pairs: &[(&str, &str)]| -> CommandArguments {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let first = arguments(&[("pace", "2h"), ("language", "en"), ("hosts", "7")]);
        let set = changed(ServerDefaults::new(), &first);
        let set = changed(set, &arguments(&[("forget", "pace"), ("call", "8")]));
        assert_eq!(set, arguments(&[("language", "en"), ("hosts", "7"), ("call", "8")]));
        let again = changed(set, &arguments(&[("forget", "all"), ("begin", "full")]));
        assert_eq!(again, arguments(&[("begin", "full")]));
    }
}
