//! `/guilds/{guild}`.

use serenity::all::Permissions;

use super::{Answered, Call, id, threads};
use crate::{
    refusal::Refusal,
    state::{Id, State},
};

pub(super) fn handle(state: &mut State, call: &Call, guild: Id, rest: &[&str]) -> Answered {
    if guild != state.guild.id || state.guild.without_bot {
        return Err(Refusal::unknown_guild());
    }
    match (call.route.method(), rest) {
        ("GET", []) => Ok((200, state.guild_object())),
        ("GET", ["roles"]) => Ok((200, state.roles())),
        ("GET", ["channels"]) => {
            let channels = state.channels.values();
            let channels = channels.filter(|one| one.thread.is_none() && one.recipient.is_none());
            Ok((200, channels.map(|one| state.channel_object(one.id)).collect()))
        }
        ("POST", ["channels"]) => {
            if !(state.guild.everyone | state.guild.bot).contains(Permissions::MANAGE_CHANNELS) {
                return Err(Refusal::missing_permissions());
            }
            let channel = state.open_text_channel(call.text("name").unwrap_or_default());
            let object = state.channel_object(channel);
            state.dispatch_of_guild("CHANNEL_CREATE", &object);
            Ok((201, object))
        }
        ("GET", ["threads", "active"]) => {
            let seen = |id: Id| state.sees(state.application, id);
            let open = state.channels.values().filter(|one| one.thread.is_some());
            let open =
                open.filter(|one| !one.is_archived()).map(|one| one.id).filter(|id| seen(*id));
            Ok((200, threads::listed(state, &open.collect::<Vec<_>>())))
        }
        ("GET", ["members", user]) => {
            let user = if *user == "@me" { state.application } else { id(user)? };
            let gone = state.people.get(&user).is_some_and(|human| !human.here);
            let member = state.member(user, None).filter(|_| !gone);
            Ok((200, member.ok_or_else(Refusal::unknown_member)?))
        }
        _ => Err(Refusal::not_found()),
    }
}
