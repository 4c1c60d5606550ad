//! `/webhooks/{application}/{token}`: the messages after the first answer.

use serde_json::Value;

use super::{
    Answered, Call, id,
    messages::{change, is_empty},
};
use crate::{
    messages::{Address, EPHEMERAL},
    refusal::Refusal,
    rules::{self, Purpose},
    state::{Id, State},
};

pub(super) fn handle(
    state: &mut State,
    call: &mut Call,
    application: Id,
    token: &str,
    rest: &[&str],
) -> Answered {
    let interaction = state.by_token(application, token)?.id;
    let message = match rest {
        [] if call.route.method() == "POST" => return follow_up(state, call, interaction),
        ["messages", "@original"] => state.interactions[&interaction].original,
        ["messages", message] => Some(id(message)?),
        _ => return Err(Refusal::not_found()),
    };
    let ours = |message: &Id| {
        let original = state.interactions[&interaction].original == Some(*message);
        let known = state.messages.get(message);
        known.is_some_and(|one| original || one.interaction == Some(interaction))
    };
    let message = message.filter(ours).ok_or_else(Refusal::unknown_message)?;
    match call.route.method() {
        "GET" => Ok((200, state.message_object(message))),
        "PATCH" => {
            let answered = change(state, call, message)?;
            state.interactions.get_mut(&interaction).unwrap().settled = true;
            Ok(answered)
        }
        "DELETE" => {
            state.delete(message);
            state.interactions.get_mut(&interaction).unwrap().settled = true;
            Ok((204, Value::Null))
        }
        _ => Err(Refusal::not_found()),
    }
}

/// Posts another message. Discord formerly put the first follow-up in the place of a deferral: a client that
/// relies on this gets no answer there.
fn follow_up(state: &mut State, call: &mut Call, interaction: Id) -> Answered {
    let broken = rules::message(&call.body, &call.uploads, Purpose::Interaction);
    if !broken.is_empty() {
        return Err(Refusal::form(&broken));
    }
    if is_empty(call) {
        return Err(Refusal::empty_message());
    }
    let known = &state.interactions[&interaction];
    let (person, channel, original) = (known.person, known.channel, known.original);
    let loads = original.is_some_and(|id| state.messages.get(&id).is_some_and(|one| one.loading));
    state.interactions.get_mut(&interaction).unwrap().settled |= !loads;
    let uploads = std::mem::take(&mut call.uploads);
    let private = call.body["flags"].as_u64().unwrap_or(0) & EPHEMERAL != 0;
    let private_to = private.then_some(person);
    let address = Address { channel, private_to, interaction: Some(interaction) };
    let message = state.post(address, &call.body, uploads);
    Ok((200, state.message_object(message)))
}
