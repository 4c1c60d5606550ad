//! Threads: their creation with or without a message, and their members.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use serenity::all::Permissions;

use super::{Answered, Call, id};
use crate::{
    channels::{ChannelKind, Thread},
    refusal::{Broken, Refusal},
    state::{Id, State},
};

/// `/channels/{channel}/threads`.
pub(super) fn handle(state: &mut State, call: &Call, channel: Id, rest: &[&str]) -> Answered {
    state.seen_channel(channel)?;
    match (call.route.method(), rest) {
        ("POST", []) => {
            let private = call.body["type"].as_u64().unwrap_or(12) == 12;
            let id = state.next_id();
            open(state, call, channel, id, private)
        }
        ("GET", ["archived", kind @ ("public" | "private")]) => {
            archived(state, channel, *kind == "private")
        }
        _ => Err(Refusal::not_found()),
    }
}

/// `/channels/{channel}/messages/{message}/threads`: the thread has the id of its message.
pub(super) fn of_message(state: &mut State, call: &Call, channel: Id, message: Id) -> Answered {
    state.seen_channel(channel)?;
    if call.route.method() != "POST" {
        return Err(Refusal::not_found());
    }
    state.public_message(channel, message).ok_or_else(Refusal::unknown_message)?;
    if state.channels.contains_key(&message) {
        return Err(Refusal::has_a_thread());
    }
    open(state, call, channel, message, false)
}

fn open(state: &mut State, call: &Call, parent: Id, id: Id, private: bool) -> Answered {
    let needed = if private {
        Permissions::CREATE_PRIVATE_THREADS
    } else {
        Permissions::CREATE_PUBLIC_THREADS
    };
    state.may(parent, needed)?;
    let above = &state.channels[&parent];
    if above.thread.is_some() || above.made_for != ChannelKind::Text {
        return Err(Refusal::wrong_kind_of_channel());
    }
    let name = call.text("name").unwrap_or_default();
    let auto_archive = call.body["auto_archive_duration"].as_u64().unwrap_or(4320);
    holds(name, auto_archive)?;
    let thread = Thread {
        parent,
        owner: state.application,
        private,
        invitable: call.body["invitable"].as_bool().unwrap_or(true),
        archived: false,
        locked: false,
        auto_archive,
        members: BTreeSet::from([state.application]),
        since: state.timestamp(),
    };
    state.open_thread(id, name, thread);
    let place = state.place(parent);
    state.happen_in(id, &format!("is opened in {place}"));
    Ok((201, state.channel_object(id)))
}

/// Checks the name and the archive duration of a thread.
pub(super) fn holds(name: &str, auto_archive: u64) -> Result<(), Refusal> {
    let mut broken = Vec::new();
    if !(1..=100).contains(&name.chars().count()) {
        let what = "Must be between 1 and 100 in length.".to_owned();
        broken.push(Broken { at: "name".to_owned(), what });
    }
    if ![60, 1440, 4320, 10080].contains(&auto_archive) {
        let what = "Must be one of 60, 1440, 4320, 10080.".to_owned();
        broken.push(Broken { at: "auto_archive_duration".to_owned(), what });
    }
    if broken.is_empty() { Ok(()) } else { Err(Refusal::form(&broken)) }
}

fn archived(state: &State, channel: Id, private: bool) -> Answered {
    state.may(channel, Permissions::READ_MESSAGE_HISTORY)?;
    let threads = state.channels.values().filter(|one| one.parent() == Some(channel));
    let threads = threads.filter(|one| {
        one.thread.as_ref().is_some_and(|thread| thread.archived && thread.private == private)
    });
    Ok((200, listed(state, &threads.map(|thread| thread.id).collect::<Vec<_>>())))
}

/// Returns a list of threads as Discord's JSON.
pub(super) fn listed(state: &State, threads: &[Id]) -> Value {
    let members = threads.iter().filter_map(|id| state.thread_member(*id, state.application));
    json!({
        "threads": threads.iter().map(|id| state.channel_object(*id)).collect::<Vec<_>>(),
        "members": members.collect::<Vec<_>>(), "has_more": false,
    })
}

/// `/channels/{thread}/thread-members`.
pub(super) fn members(state: &mut State, call: &Call, thread: Id, rest: &[&str]) -> Answered {
    let seen = state.seen_channel(thread)?;
    let Some(of) = seen.thread.clone() else { return Err(Refusal::unknown_channel()) };
    let user = match rest {
        [] => None,
        ["@me"] => Some(state.application),
        [user] => Some(id(user)?),
        _ => return Err(Refusal::not_found()),
    };
    let Some(user) = user else {
        let all = of.members.iter().filter_map(|user| state.thread_member(thread, *user));
        return Ok((200, all.collect()));
    };
    match call.route.method() {
        "GET" => {
            let member = state.thread_member(thread, user).ok_or_else(Refusal::unknown_member)?;
            return Ok((200, member));
        }
        "PUT" | "DELETE" => {}
        _ => return Err(Refusal::not_found()),
    }
    if of.archived {
        return Err(Refusal::archived());
    }
    let name = match state.people.get(&user) {
        Some(human) => human.name.clone(),
        None if user == state.application => "shimekiri".to_owned(),
        None => return Err(Refusal::unknown_user()),
    };
    let comes = call.route.method() == "PUT";
    let parent_seen = state.permissions_in(user, thread).view_channel();
    if comes && !parent_seen {
        return Err(Refusal::missing_access());
    }
    if !comes && user != state.application && of.owner != state.application {
        state.may(thread, Permissions::MANAGE_THREADS)?;
    }
    let members = &mut state.channels.get_mut(&thread).unwrap().thread.as_mut().unwrap().members;
    let changed = if comes { members.insert(user) } else { members.remove(&user) };
    if changed {
        let what = if comes { "is joined by" } else { "is left by" };
        state.happen_in(thread, &format!("{what} {name}"));
    }
    Ok((204, Value::Null))
}
