//! `/channels/{channel}`.

use serde_json::{Value, json};
use serenity::all::Permissions;

use super::{Answered, Call, id, threads};
use crate::{
    channels::Overwrite,
    refusal::Refusal,
    state::{Id, State, said},
};

pub(super) fn handle(state: &mut State, call: &Call, channel: Id, rest: &[&str]) -> Answered {
    state.seen_channel(channel)?;
    match (call.route.method(), rest) {
        ("GET", []) => Ok((200, state.channel_object(channel))),
        ("PATCH", []) if state.channels[&channel].thread.is_some() => {
            change_thread(state, call, channel)
        }
        ("PATCH", []) => change(state, call, channel),
        ("DELETE", []) => {
            let thread = state.channels[&channel].thread.is_some();
            let manage =
                if thread { Permissions::MANAGE_THREADS } else { Permissions::MANAGE_CHANNELS };
            state.may(channel, manage)?;
            let object = state.channel_object(channel);
            state.remove_channel(channel);
            Ok((200, object))
        }
        ("POST", ["typing"]) => {
            state.may_speak(channel)?;
            Ok((204, Value::Null))
        }
        ("PUT", ["permissions", of]) => {
            state.may(channel, Permissions::MANAGE_ROLES)?;
            let bits = |key| {
                let bits = call.text(key).and_then(|text| text.parse().ok()).unwrap_or_default();
                Permissions::from_bits_truncate(bits)
            };
            let role = call.body["type"] == 0;
            let overwrite =
                Overwrite { of: id(of)?, role, allow: bits("allow"), deny: bits("deny") };
            state.overwrite(channel, overwrite);
            Ok((204, Value::Null))
        }
        ("DELETE", ["permissions", of]) => {
            state.may(channel, Permissions::MANAGE_ROLES)?;
            let of = id(of)?;
            state.channels.get_mut(&channel).unwrap().overwrites.retain(|one| one.of != of);
            Ok((204, Value::Null))
        }
        _ => Err(Refusal::not_found()),
    }
}

fn change(state: &mut State, call: &Call, channel: Id) -> Answered {
    state.may(channel, Permissions::MANAGE_CHANNELS)?;
    let place = state.channels.get_mut(&channel).unwrap();
    if let Some(name) = call.text("name") {
        name.clone_into(&mut place.name);
    }
    if let Some(topic) = call.body.get("topic") {
        place.topic = topic.as_str().map(str::to_owned);
    }
    let object = state.channel_object(channel);
    state.dispatch_of_guild("CHANNEL_UPDATE", &object);
    Ok((200, object))
}

fn change_thread(state: &mut State, call: &Call, channel: Id) -> Answered {
    let mut thread = state.channels[&channel].thread.clone().unwrap();
    let moderates = state.permissions_in(state.application, channel).manage_threads();
    let said = |key: &str| call.body.get(key).and_then(Value::as_bool);
    if thread.archived && said("archived") != Some(false) {
        return Err(Refusal::archived());
    }
    let locks = said("locked").is_some_and(|locked| locked != thread.locked);
    let opens = thread.archived && said("archived") == Some(false);
    let own = thread.owner == state.application;
    let owners = ["name", "auto_archive_duration", "invitable"];
    let owners = owners.iter().any(|key| call.body.get(*key).is_some());
    let closes = !thread.archived && said("archived") == Some(true);
    if !moderates && (locks || (opens && thread.locked) || ((owners || closes) && !own)) {
        return Err(Refusal::missing_permissions());
    }
    let name = call.text("name").unwrap_or(&state.channels[&channel].name).to_owned();
    thread.auto_archive =
        call.body["auto_archive_duration"].as_u64().unwrap_or(thread.auto_archive);
    threads::holds(&name, thread.auto_archive)?;
    thread.invitable = said("invitable").unwrap_or(thread.invitable);
    thread.locked = said("locked").unwrap_or(thread.locked);
    thread.archived = said("archived").unwrap_or(thread.archived);
    state.change_thread(channel, &name, thread);
    Ok((200, state.channel_object(channel)))
}

impl State {
    /// Changes a thread, and records the differences in the transcript.
    pub fn change_thread(&mut self, id: Id, name: &str, thread: crate::channels::Thread) {
        let place = &self.channels[&id];
        let before = place.thread.clone().unwrap();
        let mut told = Vec::new();
        if place.name != name {
            told.push(format!("is now called {name}"));
        }
        for (was, is, yes, no) in [
            (before.archived, thread.archived, "is archived", "is taken out of the archive"),
            (before.locked, thread.locked, "is locked", "is unlocked"),
        ] {
            if was != is {
                told.push(if is { yes } else { no }.to_owned());
            }
        }
        for what in told {
            self.happen_in(id, &what);
        }
        let place = self.channels.get_mut(&id).unwrap();
        name.clone_into(&mut place.name);
        place.thread = Some(thread);
        let object = self.channel_object(id);
        self.dispatch_of_guild("THREAD_UPDATE", &object);
    }

    /// Deletes a channel with its threads and messages.
    pub fn remove_channel(&mut self, id: Id) {
        let below = self.channels.values().filter(|one| one.parent() == Some(id));
        for thread in below.map(|thread| thread.id).collect::<Vec<_>>() {
            self.remove_channel(thread);
        }
        self.happen_in(id, "is deleted");
        let object = self.channel_object(id);
        self.messages.retain(|_, message| message.channel != id);
        let thread = self.channels.remove(&id).is_some_and(|gone| gone.thread.is_some());
        if thread {
            let gone = json!({
                "id": said(id), "guild_id": said(self.guild.id),
                "parent_id": object["parent_id"], "type": object["type"],
            });
            self.dispatch_of_guild("THREAD_DELETE", &gone);
        } else {
            self.dispatch_of_guild("CHANNEL_DELETE", &object);
        }
    }

    /// Sets the permissions of a role or a user in a channel.
    pub fn overwrite(&mut self, channel: Id, overwrite: Overwrite) {
        let overwrites = &mut self.channels.get_mut(&channel).unwrap().overwrites;
        overwrites.retain(|one| one.of != overwrite.of);
        overwrites.push(overwrite);
        let object = self.channel_object(channel);
        self.dispatch_of_guild("CHANNEL_UPDATE", &object);
    }
}
