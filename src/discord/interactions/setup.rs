//! The check of the bot's setup on a server: its missing permissions by channel.

use serde::Deserialize;
use serenity::all::{ChannelId, GuildId, UserId};

use crate::address::{self, Destination};
use crate::answer::PrivateAnswer;
use crate::api::{Refusal, SendError};
use crate::bot::member_permissions::{self, MemberPermissions, Overwrite, ServerRole};
use crate::bot::permissions::{self, Permission};
use crate::bot::register;
use crate::gateway::Changed;
use crate::incoming::Incoming;
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use crate::interactions::mended;
use desk::clock;
use letters::discord::{
    CheckedChannel, MissingPermission, NoServer, PermissionsLacking, SetupShown,
};
use rules::text::Lang;
use store::places;
use tables::time::Span;

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
pub(super) async fn check(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<PrivateAnswer, InteractionError> {
    let lang = incoming.person.lang;
    let Some(server) = incoming.server else { return handler.say(lang, &NoServer {}) };
    let here = permissions_of(incoming.channel, incoming.permitted.unwrap_or_default(), lang);
    let mut channels = vec![here];
    let others = match elsewhere(handler, server, incoming.channel, lang).await {
        Err(InteractionError::Unsent(unsent)) => {
            tracing::warn!(%unsent, "the channels of a server could not be looked at");
            None
        }
        others => Some(others?),
    };
    mended::changed(handler, Changed::Server(server)).await;
    let unseen = others.is_none();
    channels.extend(others.unwrap_or_default());
    let figures = desk::figures(&handler.desk, clock::now()).await?;
    let due = figures.due.and(figures.letters).since;
    let application = incoming.handle.application;
    let known =
        register::is_known(&handler.api, &handler.letters, application, handler.guild).await;
    let known = known.unwrap_or(false);
    let setup = SetupShown {
        channels,
        unseen,
        pictures: handler.draws,
        // The bot is connected, as it responds; another part of the connection may be lost.
        stuck: handler.gateway.stuck() > 0,
        late: due.is_some_and(|since| clock::now() - since > LATE),
        told: known,
    };
    handler.say(lang, &setup)
}

/// Returns the text of the bot's missing permissions in this channel; `None` if none are missing or
/// Discord has not sent them.
pub(super) fn lacking(
    handler: &InteractionHandler,
    incoming: &Incoming,
    formed: bool,
) -> Result<Option<String>, InteractionError> {
    let lang = incoming.person.lang;
    let Some(granted) = incoming.permitted else { return Ok(None) };
    let CheckedChannel { channel, missing, .. } = permissions_of(incoming.channel, granted, lang);
    if missing.is_empty() {
        return Ok(None);
    }
    let lacking = PermissionsLacking { channel, missing, formed };
    Ok(Some(handler.letters.write(&plain_reader(lang), &lacking)?))
}

/// Returns the bot's missing permissions in the other channels of a server with tables.
async fn elsewhere(
    handler: &InteractionHandler,
    server: GuildId,
    here: ChannelId,
    lang: Lang,
) -> Result<Vec<CheckedChannel>, InteractionError> {
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
) -> Result<Vec<ChannelId>, InteractionError> {
    let mut session = handler.desk.store().read().await?;
    let above = places::above_tables_of(&mut session, &address::server(server)).await?;
    let channels = above.iter().filter_map(|place| match Destination::parse(place) {
        Some(Destination::Channel(channel)) => Some(channel),
        _ => None,
    });
    Ok(channels.filter(|channel| *channel != here).collect())
}

/// Returns the permissions of the bot's roles on a server.
async fn grants(
    handler: &InteractionHandler,
    server: GuildId,
) -> Result<MemberPermissions, SendError> {
    let bot: BotUser = handler.api.user().await?;
    let member: ServerMember = handler.api.member(server, bot.id).await?;
    let roles: Vec<ServerRole> = handler.api.roles(server).await?;
    Ok(MemberPermissions::new(server.get(), bot.id.get(), &member.roles, &roles))
}

async fn checked_channel(
    handler: &InteractionHandler,
    grants: &MemberPermissions,
    channel: ChannelId,
    lang: Lang,
) -> Result<CheckedChannel, SendError> {
    match handler.api.channel::<ChannelPermissions>(channel).await {
        Ok(found) => {
            let granted = grants.in_channel(&found.permission_overwrites);
            Ok(permissions_of(channel, granted, lang))
        }
        // Further permissions cannot be read without access to the channel.
        Err(unsent) if unsent.is(Refusal::MissingAccess) => Ok(permissions_of(
            channel,
            !(member_permissions::VIEW | member_permissions::ADMINISTRATOR),
            lang,
        )),
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
