//! The bot's setup on a server: its missing permissions by channel, the defaults of new tables, the place of a
//! table, and retries of what Discord refused.

use futures_util::FutureExt;
use serde::Deserialize;
use serde_json::json;
use serenity::all::{ChannelId, GuildId, Permissions, UserId};
use serenity::http::Route;

use crate::answer::PrivateAnswer;
use crate::api::Refusal;
use crate::bot::permissions::{MemberPermissions, Overwrite, Permission, ServerRole};
use crate::bot::{permissions, register};
use crate::gateway::Changed;
use crate::incoming::{Arguments, channel_of, message_at};
use crate::interactions::{Context, InteractionError, InteractionHandler, Result, person, thread};
use crate::{SendError, incoming};
use desk::clock;
use desk::conversation::table_code;
use games::GAMES;
use letters::discord::{
    CheckedChannel, DefaultsShown, GoesOnAt, MayNotForm, MissingPermission, NoServer,
    PermissionsLacking, RoleCalled, RoleUncalled, SetupShown, ThreadName,
};
use letters::{Reader, Refused, follow};
use rules::text::Lang;
use store::{Session, StoreError, obstacles, people, places, posts, read_json, write_json};
use tables::ids::Address;
use tables::time::Span;
use tables::{Absence, Pace};

/// The delay after which due work counts as late.
const LATE: Span = Span::seconds(30);

/// The bot's own user.
#[derive(Deserialize)]
struct BotUser {
    id: UserId,
}

/// The bot as a member of a server.
#[derive(Deserialize)]
struct ServerMember {
    roles: Vec<String>,
}

/// A channel with its permission overwrites.
#[derive(Deserialize)]
struct ChannelPermissions {
    #[serde(default)]
    permission_overwrites: Vec<Overwrite>,
}

/// `/setup check`: shows the bot's missing permissions in this channel and in all channels of this server
/// with tables, and the bot's health.
pub(super) async fn check(cx: Context<'_>) -> Result {
    let lang = cx.incoming.person.lang;
    let Some(server) = cx.incoming.server else { return cx.say(&NoServer {}) };
    let here = permissions_of(cx.incoming.channel, cx.incoming.permitted.unwrap_or_default(), lang);
    let mut channels = vec![here];
    let others = match elsewhere(cx.handler, server, cx.incoming.channel, lang).await {
        Err(InteractionError::Unsent(unsent)) => {
            tracing::warn!(%unsent, "the channels of a server could not be looked at");
            None
        }
        others => Some(others?),
    };
    changed(cx.handler, Changed::Server(server)).await;
    let unseen = others.is_none();
    channels.extend(others.unwrap_or_default());
    let figures = desk::figures(&cx.handler.desk, clock::now()).await?;
    let due = figures.due.and(figures.letters).since;
    let application = cx.incoming.handle.application;
    let known =
        register::is_known(&cx.handler.api, &cx.handler.letters, application, cx.handler.guild)
            .await;
    let known = known.unwrap_or(false);
    let setup = SetupShown {
        channels,
        unseen,
        pictures: cx.handler.draws,
        // The bot is connected, as it responds; another part of the connection may be lost.
        stuck: cx.handler.gateway.stuck.get() > 0,
        late: due.is_some_and(|since| clock::now() - since > LATE),
        told: known,
    };
    cx.say(&setup)
}

/// Returns the text of the bot's missing permissions in this channel; `None` if none are missing or
/// Discord has not sent them.
pub(super) fn lacking(cx: Context<'_>, formed: bool) -> Result<Option<String>> {
    let lang = cx.incoming.person.lang;
    let Some(granted) = cx.incoming.permitted else { return Ok(None) };
    let CheckedChannel { channel, missing, .. } =
        permissions_of(cx.incoming.channel, granted, lang);
    if missing.is_empty() {
        return Ok(None);
    }
    let lacking = PermissionsLacking { channel, missing, formed };
    Ok(Some(cx.write(&cx.plain_reader(), &lacking)?))
}

/// Returns the bot's missing permissions in the other channels of a server with tables.
async fn elsewhere(
    handler: &InteractionHandler,
    server: GuildId,
    here: ChannelId,
    lang: Lang,
) -> Result<Vec<CheckedChannel>> {
    let (mut channels, grants) = (Vec::new(), grants(handler, server).await?);
    for channel in listed_channels(handler, server, here).await? {
        channels.push(checked_channel(handler, &grants, channel, lang).await?);
    }
    Ok(channels)
}

/// Returns the other channels of a server with tables under them.
async fn listed_channels(
    handler: &InteractionHandler,
    server: GuildId,
    here: ChannelId,
) -> Result<Vec<ChannelId>> {
    let mut session = handler.desk.store().read().await?;
    let above = places::above_tables_of(&mut session, &incoming::server(server)).await?;
    Ok(above.iter().filter_map(channel_of).filter(|channel| *channel != here).collect())
}

/// Returns the permissions of the bot's roles on a server.
async fn grants(
    handler: &InteractionHandler,
    server: GuildId,
) -> Result<MemberPermissions, SendError> {
    let bot: BotUser = handler.api.get(Route::UserMe).await?;
    let member: ServerMember =
        handler.api.get(Route::GuildMember { guild_id: server, user_id: bot.id }).await?;
    let roles: Vec<ServerRole> = handler.api.get(Route::GuildRoles { guild_id: server }).await?;
    Ok(MemberPermissions::new(server.get(), bot.id.get(), &member.roles, &roles))
}

async fn checked_channel(
    handler: &InteractionHandler,
    grants: &MemberPermissions,
    channel: ChannelId,
    lang: Lang,
) -> Result<CheckedChannel, SendError> {
    match handler.api.get::<ChannelPermissions>(Route::Channel { channel_id: channel }).await {
        Ok(found) => {
            let granted = grants.in_channel(&found.permission_overwrites);
            Ok(permissions_of(channel, granted, lang))
        }
        // Further permissions cannot be read without access to the channel.
        Err(unsent) if unsent.is(Refusal::MissingAccess) => {
            Ok(permissions_of(channel, !(permissions::VIEW | permissions::ADMINISTRATOR), lang))
        }
        Err(unsent) if unsent.is(Refusal::UnknownChannel) => {
            Ok(CheckedChannel { channel: channel.to_string(), missing: Vec::new(), gone: true })
        }
        Err(unsent) => Err(unsent),
    }
}

/// Returns the bot's missing permissions in a channel.
fn permissions_of(channel: ChannelId, granted: u64, lang: Lang) -> CheckedChannel {
    let missing = permissions::missing(granted);
    let shown = |permission: &'static Permission| MissingPermission {
        name: permission.name.of(lang),
        why: permission.why.of(lang),
    };
    CheckedChannel {
        channel: channel.to_string(),
        missing: missing.map(shown).collect(),
        gone: false,
    }
}

/// The argument that clears all defaults.
const ALL: &str = "all";

/// The defaults of a server, as they were typed, by the names of the arguments that set them. The bot's own
/// defaults apply to the rest.
type ServerDefaults = Arguments;

/// Returns the defaults, changed by the arguments of a command.
fn with_arguments(mut set: ServerDefaults, arguments: &Arguments) -> ServerDefaults {
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
    arguments: &Arguments,
) -> Result<ServerDefaults, StoreError> {
    let none = write_json(&ServerDefaults::new())?;
    let held = people::hold_server_defaults(session, server, &none).await?;
    let set = with_arguments(read_json(&held)?, arguments);
    people::set_server_defaults(session, server, write_json(&set)?).await?;
    Ok(set)
}

/// Returns the defaults of the server of an interaction.
pub(super) async fn defaults(cx: Context<'_>) -> Result<ServerDefaults> {
    let Some(server) = cx.incoming.server else { return Ok(ServerDefaults::new()) };
    let mut session = cx.read().await?;
    let body = people::server_defaults(&mut session, &incoming::server(server)).await?;
    Ok(body.map(|body| read_json(&body)).transpose()?.unwrap_or_default())
}

/// Changes the defaults of a server, and shows them.
pub(super) async fn set_defaults(cx: Context<'_>, arguments: &Arguments) -> Result {
    let Some(server) = cx.incoming.server else { return cx.say(&NoServer {}) };
    let reader = cx.plain_reader();
    if let Some(Err(fault)) = arguments.get("pace").map(|line| Pace::read(line, cx.handler.zone)) {
        return Ok(PrivateAnswer::words(cx.handler.letters.pace_fault(&reader, &fault)?));
    }
    let supposed = Absence::default();
    if let Some(Err(fault)) = arguments.get("absence").map(|line| Absence::read(line, &supposed)) {
        return Ok(PrivateAnswer::words(cx.handler.letters.absence_fault(&reader, &fault)?));
    }
    let set = if arguments.is_empty() {
        defaults(cx).await?
    } else {
        let about = (incoming::server(server), arguments.clone());
        let saved = cx.handler.desk.store().write_about(about, |(server, arguments), session| {
            Box::pin(save(session, server, arguments))
        });
        saved.await?
    };
    cx.say(&told_of(cx.handler, &set, &reader)?)
}

/// Returns the defaults for display, with the bot's own defaults filled in.
fn told_of<'a>(
    handler: &InteractionHandler,
    set: &'a ServerDefaults,
    reader: &Reader,
) -> Result<DefaultsShown<'a>> {
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
pub(super) fn may_not_form(cx: Context<'_>, set: &ServerDefaults) -> Result<Option<String>> {
    let Some(role) = set.get("hosts") else { return Ok(None) };
    let has_role = cx.incoming.roles.iter().any(|has| has.to_string() == *role);
    let allowed = Permissions::from_bits_truncate(cx.incoming.allowed.unwrap_or_default());
    let manages = Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR;
    if has_role || allowed.intersects(manages) {
        return Ok(None);
    }
    let reader = cx.plain_reader();
    Ok(Some(cx.write(&reader, &MayNotForm { role })?))
}

/// Calls the server's role to a table that waits for players. If that fails, a notice for the host is
/// added to the note.
pub(super) async fn call_players(
    cx: Context<'_>,
    (channel, public): (ChannelId, Lang),
    role: &str,
    note: &mut String,
) -> Result<()> {
    let called = RoleCalled { role, host: &cx.incoming.person.name };
    let content = cx.write(&Reader::new(GAMES[0], public), &called)?;
    let body = json!({
        "content": content.trim(),
        "allowed_mentions": { "parse": [], "roles": [role] },
    });
    if let Err(unsent) = cx.handler.api.post(channel, &body, Vec::new()).await {
        tracing::warn!(%unsent, "nobody was called to a new table");
        let reader = cx.plain_reader();
        follow(note, &cx.write(&reader, &RoleUncalled { role })?);
    }
    Ok(())
}

/// Retries what waits at a changed place, and registers the commands again when the bot joins the one
/// server for which they are registered.
pub(super) async fn changed(handler: &InteractionHandler, changed: Changed) {
    match wake(handler, changed).await {
        Ok(true) => (handler.ring)(),
        Ok(false) => {}
        Err(error) => tracing::warn!(%error, "what was refused was not tried again"),
    }
    if let Changed::Entered(server) = changed
        && handler.guild == Some(server)
    {
        tell_commands(handler).await;
    }
}

/// Schedules refused letters at a changed place for a retry. Returns false if there were none.
async fn wake(handler: &InteractionHandler, changed: Changed) -> Result<bool, StoreError> {
    let (store, now) = (handler.desk.store(), clock::now());
    match changed {
        Changed::Place(channel) => {
            let place = incoming::place(channel);
            if !obstacles::is_barred_around(&mut store.read().await?, &place).await? {
                return Ok(false);
            }
            let woken = store.write_about((place, now), |(place, now), to| {
                obstacles::wake_place(to, place, *now).boxed()
            });
            woken.await
        }
        Changed::Server(server) | Changed::Entered(server) => {
            let about = (incoming::server(server), now);
            let woken = store.write_about(about, |(server, now), to| {
                obstacles::wake_server(to, server, *now).boxed()
            });
            woken.await
        }
    }
}

async fn tell_commands(handler: &InteractionHandler) {
    let registered = async {
        let application = register::application(&handler.api).await?;
        register::register(&handler.api, &handler.letters, application, handler.guild).await
    };
    if let Err(unsent) = registered.await {
        tracing::warn!(%unsent, "a server was not told of the commands");
    }
}

/// `/table move`: moves a table to a new thread or to this channel, for whoever leads it.
pub(super) async fn relocate(cx: Context<'_>, arguments: &Arguments) -> Result {
    if cx.incoming.server.is_none() {
        return cx.say(&NoServer {});
    }
    let code = match arguments.get("table") {
        Some(code) => table_code(code),
        None => thread::code(cx).await?,
    };
    let (sight, reader) = match cx.see(&code).await {
        Err(error) if error.refused() == Some(Refused::NoTable) => {
            let reader = cx.plain_reader();
            return Ok(PrivateAnswer::words(cx.handler.letters.refused(
                &reader,
                Refused::NoTable,
                code.as_str(),
            )?));
        }
        seen => seen?,
    };
    if !sight.leads {
        return Err(Refused::NotLeader.into());
    }
    let mut session = cx.read().await?;
    let (table, post) = (session.table(&code).await?, posts::post_of(&mut session, &code).await?);
    drop(session);
    let from = table.and_then(|table| table.place);
    let is_here = arguments.get("place").is_some_and(|place| place == "here");
    let channel = if is_here {
        cx.incoming.channel
    } else {
        let public = Reader::new(sight.game, sight.language);
        let name = ThreadName { host: &cx.incoming.person.name };
        let name = cx.write(&public, &name)?;
        thread::create(cx, &name).await?
    };
    thread::store(cx, channel).await?;
    desk::relocate(
        &cx.handler.desk,
        &code,
        &cx.incoming.gm(),
        &incoming::place(channel),
        clock::now(),
    )
    .await?;
    (cx.handler.ring)();
    let accounts = posts::accounts(&mut cx.read().await?, &code).await?;
    for user in accounts.iter().filter_map(|(_, account)| incoming::user(account)) {
        person::show_thread(cx.handler, &code, user).await?;
    }
    let notice = GoesOnAt { code: &code, thread: channel.to_string() };
    let public = sight.reader(sight.language);
    let text = cx.write(&public, &notice)?;
    leave_word(cx.handler, from.as_ref(), post.as_deref(), &text).await;
    cx.say_to(&reader, &notice)
}

/// Replaces the old post of a table by a notice of the move, if the post still exists.
async fn leave_word(
    handler: &InteractionHandler,
    place: Option<&Address>,
    post: Option<&str>,
    text: &str,
) {
    let Some((channel, post)) = place.zip(post).and_then(|(at, post)| message_at(at, post)) else {
        return;
    };
    let body = json!({
        "content": text,
        "components": [],
        "attachments": [],
        "allowed_mentions": { "parse": [] },
    });
    if let Err(unsent) = handler.api.edit(channel, post, &body, Vec::new()).await {
        tracing::debug!(%unsent, "where a table was, nothing says where it is");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_set_and_what_is_forgotten_is_as_it_was() {
        let arguments = |pairs: &[(&str, &str)]| -> Arguments {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let first = arguments(&[("pace", "2h"), ("language", "en"), ("hosts", "7")]);
        let set = with_arguments(ServerDefaults::new(), &first);
        let set = with_arguments(set, &arguments(&[("forget", "pace"), ("call", "8")]));
        assert_eq!(set, arguments(&[("language", "en"), ("hosts", "7"), ("call", "8")]));
        let again = with_arguments(set, &arguments(&[("forget", "all"), ("begin", "full")]));
        assert_eq!(again, arguments(&[("begin", "full")]));
    }
}
