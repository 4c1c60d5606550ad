//! `/interactions/{interaction}/{token}/callback`: the first answer.

use serde_json::{Value, json};

use super::{
    Answered, Call,
    messages::{is_empty, keep_kind},
};
use crate::{
    interactions::Interaction,
    messages::{Address, EPHEMERAL},
    refusal::{Broken, Refusal},
    rules::{self, Purpose},
    state::{Id, State, said},
    transcript::Happening,
};

const REPLY: u64 = 4;
const REPLY_LATER: u64 = 5;
const UPDATE_LATER: u64 = 6;
const UPDATE: u64 = 7;
const CHOICES: u64 = 8;
const FORM: u64 = 9;

pub(super) fn handle(state: &mut State, call: &mut Call, id: Id, token: &str) -> Answered {
    if call.route.method() != "POST" {
        return Err(Refusal::not_found());
    }
    let interaction = state.unanswered(id, token)?.clone();
    let kind = call.body["type"].as_u64().unwrap_or_default();
    let with_response = call.query.get("with_response").is_some_and(|with| with == "true");
    call.body = call.body["data"].take();
    if let (UPDATE, Some(message)) = (kind, interaction.source) {
        keep_kind(state, call, message);
    }
    let broken = broken(&interaction, kind, call);
    if !broken.is_empty() {
        return Err(Refusal::form(&broken));
    }
    if kind == REPLY && is_empty(call) {
        return Err(Refusal::empty_message());
    }
    let age = state.age();
    let known = state.interactions.get_mut(&id).unwrap();
    known.answered = Some(u8::try_from(kind).unwrap());
    known.took = Some(age.saturating_sub(known.began));
    known.settled = !matches!(kind, REPLY_LATER | UPDATE_LATER);
    known.original = if matches!(kind, UPDATE | UPDATE_LATER) { known.source } else { None };
    apply(state, call, &interaction, kind);
    if !with_response {
        return Ok((204, Value::Null));
    }
    Ok((200, response(state, id, kind)))
}

fn broken(interaction: &Interaction, kind: u64, call: &Call) -> Vec<Broken> {
    let completion = interaction.kind == 4;
    let fits = match kind {
        REPLY | REPLY_LATER => !completion,
        UPDATE | UPDATE_LATER => interaction.source.is_some() && !completion,
        CHOICES => completion,
        FORM => matches!(interaction.kind, 2 | 3),
        _ => false,
    };
    let fault = |at: &str, what: &str| vec![Broken { at: at.to_owned(), what: what.to_owned() }];
    if !fits {
        return fault("type", "This interaction cannot be answered like that.");
    }
    match kind {
        REPLY => rules::message(&call.body, &call.uploads, Purpose::Interaction),
        UPDATE => rules::message(&call.body, &call.uploads, Purpose::Edit),
        REPLY_LATER if call.body["flags"].as_u64().unwrap_or(0) & !EPHEMERAL != 0 => {
            fault("data.flags", "Only EPHEMERAL can be set.")
        }
        CHOICES => choices(&call.body),
        FORM => rules::modal(&call.body),
        _ => Vec::new(),
    }
}

fn choices(data: &Value) -> Vec<Broken> {
    let list = data["choices"].as_array().map_or(&[][..], Vec::as_slice);
    let fault = |what: &str| Broken { at: "data.choices".to_owned(), what: what.to_owned() };
    let mut broken = Vec::new();
    if list.len() > 25 {
        broken.push(fault("Must be 25 or fewer in length."));
    }
    for choice in list {
        for key in ["name", "value"] {
            let length = choice[key].as_str().map(|text| text.chars().count());
            if length.is_some_and(|length| !(1..=100).contains(&length)) {
                broken.push(fault("Must be between 1 and 100 in length."));
            }
        }
    }
    broken
}

fn apply(state: &mut State, call: &mut Call, interaction: &Interaction, kind: u64) {
    let (person, channel) = (interaction.person, interaction.channel);
    let private = call.body["flags"].as_u64().unwrap_or(0) & EPHEMERAL != 0;
    let private_to = private.then_some(person);
    let address = Address { channel, private_to, interaction: Some(interaction.id) };
    let uploads = std::mem::take(&mut call.uploads);
    match kind {
        REPLY | REPLY_LATER => {
            let message = match kind {
                REPLY => state.post(address, &call.body, uploads),
                _ => state.defer(address),
            };
            state.interactions.get_mut(&interaction.id).unwrap().original = Some(message);
        }
        UPDATE => {
            if let Some(message) = interaction.source.filter(|id| state.messages.contains_key(id)) {
                state.edit(message, &call.body, uploads);
            }
        }
        CHOICES => {
            let choices = call.body["choices"].as_array().cloned().unwrap_or_default();
            let known = state.interactions.get_mut(&interaction.id).unwrap();
            known.choices = Some(choices.clone());
            state.happen_to(person, channel, Happening::Offered(choices));
        }
        FORM => {
            let known = state.interactions.get_mut(&interaction.id).unwrap();
            known.modal = Some(call.body.clone());
            state.happen_to(person, channel, Happening::Asked(call.body.clone()));
        }
        _ => {}
    }
}

fn response(state: &State, id: Id, kind: u64) -> Value {
    let interaction = &state.interactions[&id];
    let message = interaction.original.and_then(|id| state.messages.get(&id));
    let mut response = json!({ "interaction": { "id": said(id), "type": interaction.kind } });
    if let Some(message) = message {
        response["interaction"]["response_message_id"] = json!(said(message.id));
        response["interaction"]["response_message_loading"] = json!(message.loading);
        response["interaction"]["response_message_ephemeral"] = json!(!message.is_public());
    }
    if let (REPLY | UPDATE, Some(message)) = (kind, message) {
        response["resource"] = json!({ "type": kind, "message": state.message_object(message.id) });
    }
    response
}
