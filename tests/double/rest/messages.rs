//! `/channels/{channel}/messages`.

use serde_json::{Value, json};
use serenity::all::Permissions;

use super::{Answered, Call, id};
use crate::{
    messages::{Address, COMPONENTS_V2},
    refusal::{Broken, Refusal},
    rules::{self, Purpose},
    state::{EPOCH, Id, State, id_of},
};

pub(super) fn handle(state: &mut State, call: &mut Call, channel: Id, rest: &[&str]) -> Answered {
    state.seen_channel(channel)?;
    match (call.route.method(), rest) {
        ("GET", []) => list(state, call, channel),
        ("POST", []) => create(state, call, channel),
        ("GET", [message]) => {
            let message = own(state, channel, id(message)?)?;
            state.may(channel, Permissions::READ_MESSAGE_HISTORY)?;
            Ok((200, state.message_object(message)))
        }
        ("PATCH", [message]) => edit(state, call, channel, id(message)?),
        ("DELETE", [message]) => {
            let message = own(state, channel, id(message)?)?;
            state.is_open(channel)?;
            state.delete(message);
            Ok((204, Value::Null))
        }
        ("PUT" | "DELETE", ["pins", message]) => {
            let message = own(state, channel, id(message)?)?;
            state.may(channel, Permissions::MANAGE_MESSAGES)?;
            state.messages.get_mut(&message).unwrap().pinned = call.route.method() == "PUT";
            Ok((204, Value::Null))
        }
        _ => Err(Refusal::not_found()),
    }
}

fn own(state: &State, channel: Id, message: Id) -> Result<Id, Refusal> {
    let known = state.public_message(channel, message);
    known.map(|message| message.id).ok_or_else(Refusal::unknown_message)
}

fn list(state: &State, call: &Call, channel: Id) -> Answered {
    let limit = call.number("limit").unwrap_or(50);
    if !(1..=100).contains(&limit) {
        let what = "Must be between 1 and 100.".to_owned();
        return Err(Refusal::form(&[Broken { at: "limit".to_owned(), what }]));
    }
    let limit = usize::try_from(limit).unwrap();
    if state.may(channel, Permissions::READ_MESSAGE_HISTORY).is_err() {
        return Ok((200, json!([])));
    }
    let here = state.channels[&channel].messages.iter().copied();
    let mut ids: Vec<Id> = here.filter(|id| !state.messages[id].loading).collect();
    match (call.number("before"), call.number("after"), call.number("around")) {
        (Some(before), ..) => ids.retain(|id| *id < before),
        (_, Some(after), _) => {
            ids.retain(|id| *id > after);
            ids.truncate(limit);
        }
        (.., Some(around)) => {
            ids.sort_by_key(|id| id.abs_diff(around));
            ids.truncate(limit);
            ids.sort_unstable();
        }
        _ => {}
    }
    let newest = ids.iter().rev().take(limit);
    Ok((200, newest.map(|id| state.message_object(*id)).collect()))
}

fn create(state: &mut State, call: &mut Call, channel: Id) -> Answered {
    state.may_speak(channel)?;
    if !call.uploads.is_empty() {
        state.may(channel, Permissions::ATTACH_FILES)?;
    }
    let broken = rules::message(&call.body, &call.uploads, Purpose::Channel);
    if !broken.is_empty() {
        return Err(Refusal::form(&broken));
    }
    if is_empty(call) {
        return Err(Refusal::empty_message());
    }
    if let Some(reference) = call.body.get("message_reference").filter(|one| one.is_object()) {
        let there =
            id_of(&reference["message_id"]).and_then(|id| state.public_message(channel, id));
        if there.is_none() && reference["fail_if_not_exists"] != false {
            let what = "Unknown message".to_owned();
            return Err(Refusal::form(&[Broken { at: "message_reference".to_owned(), what }]));
        }
    }
    if let Some(message) = said_before(state, channel, &call.body) {
        return Ok((200, state.message_object(message)));
    }
    let address = Address { channel, private_to: None, interaction: None };
    let message = state.post(address, &call.body, std::mem::take(&mut call.uploads));
    if state.may(channel, Permissions::EMBED_LINKS).is_err() {
        state.messages.get_mut(&message).unwrap().embeds.clear();
    }
    Ok((200, state.message_object(message)))
}

/// True if a body has no content.
pub(super) fn is_empty(call: &Call) -> bool {
    let content = call.text("content").unwrap_or_default();
    let lists = ["embeds", "components", "sticker_ids"];
    let listed =
        lists.iter().any(|key| call.body[*key].as_array().is_some_and(|one| !one.is_empty()));
    content.trim().is_empty() && !listed && call.uploads.is_empty() && call.body["poll"].is_null()
}

/// Returns the message already posted with the same nonce.
fn said_before(state: &State, channel: Id, body: &Value) -> Option<Id> {
    let nonce = body.get("nonce").filter(|_| body["enforce_nonce"] == true)?;
    let said = *state.nonces.get(&(channel, nonce.to_string()))?;
    // Discord remembers a nonce for some minutes; the snowflake has the time of the message.
    let age = state.now().saturating_sub((said >> 22) + EPOCH);
    (age < 300_000 && state.messages.contains_key(&said)).then_some(said)
}

fn edit(state: &mut State, call: &mut Call, channel: Id, message: Id) -> Answered {
    let message = own(state, channel, message)?;
    state.is_open(channel)?;
    if !call.uploads.is_empty() {
        state.may(channel, Permissions::ATTACH_FILES)?;
    }
    change(state, call, message)
}

/// Edits a message in any channel.
pub(super) fn change(state: &mut State, call: &mut Call, message: Id) -> Answered {
    keep_kind(state, call, message);
    let broken = rules::message(&call.body, &call.uploads, Purpose::Edit);
    if !broken.is_empty() {
        return Err(Refusal::form(&broken));
    }
    state.edit(message, &call.body, std::mem::take(&mut call.uploads));
    Ok((200, state.message_object(message)))
}

/// Keeps the `IS_COMPONENTS_V2` flag of a message, even if the edit lacks it.
pub(super) fn keep_kind(state: &State, call: &mut Call, message: Id) {
    let kept = state.messages.get(&message).map_or(0, |message| message.flags & COMPONENTS_V2);
    if kept != 0 {
        call.body["flags"] = (call.body["flags"].as_u64().unwrap_or(0) | kept).into();
    }
}
