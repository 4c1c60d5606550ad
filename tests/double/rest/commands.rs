//! `/applications/{application}`: the commands, global and of the guild.

use serde_json::{Value, json};

use super::{Answered, Call, id};
use crate::{
    refusal::{Broken, Refusal},
    rules,
    state::{Id, State, said},
};

pub(super) fn handle(state: &mut State, call: &Call, application: Id, rest: &[&str]) -> Answered {
    if application != state.application {
        return Err(Refusal::missing_access());
    }
    let (guild, rest) = match rest {
        ["commands", rest @ ..] => (None, rest),
        ["guilds", guild, "commands", rest @ ..] => (Some(id(guild)?), rest),
        _ => return Err(Refusal::not_found()),
    };
    if guild.is_some_and(|guild| guild != state.guild.id || state.guild.without_bot) {
        return Err(Refusal::missing_access());
    }
    match (call.route.method(), rest) {
        ("GET", []) => Ok((200, state.registered(guild).into_iter().cloned().collect())),
        ("PUT", []) => replace_all(state, call, guild),
        ("POST", []) => create(state, call, guild),
        ("GET", [command]) => {
            let command = find(state, guild, id(command)?)?;
            Ok((200, state.commands[command].clone()))
        }
        ("PATCH", [command]) => {
            let at = find(state, guild, id(command)?)?;
            let mut changed = state.commands[at].clone();
            for (key, value) in call.body.as_object().into_iter().flatten() {
                changed[key] = value.clone();
            }
            hold(&rules::command(&changed))?;
            changed["version"] = json!(said(state.next_id()));
            state.commands[at] = changed.clone();
            Ok((200, changed))
        }
        ("DELETE", [command]) => {
            let at = find(state, guild, id(command)?)?;
            state.commands.remove(at);
            Ok((204, Value::Null))
        }
        _ => Err(Refusal::not_found()),
    }
}

fn hold(broken: &[Broken]) -> Result<(), Refusal> {
    if broken.is_empty() { Ok(()) } else { Err(Refusal::form(broken)) }
}

fn find(state: &State, guild: Option<Id>, command: Id) -> Result<usize, Refusal> {
    let of = |one: &Value| one["id"] == said(command) && is_of(one, guild);
    state.commands.iter().position(of).ok_or_else(Refusal::unknown_command)
}

fn is_of(command: &Value, guild: Option<Id>) -> bool {
    command.get("guild_id").cloned() == guild.map(|id| json!(said(id)))
}

fn same(one: &Value, other: &Value) -> bool {
    let kind = |of: &Value| of["type"].as_u64().unwrap_or(1);
    one["name"] == other["name"] && kind(one) == kind(other)
}

fn replace_all(state: &mut State, call: &Call, guild: Option<Id>) -> Answered {
    let said = call.body.as_array().cloned().unwrap_or_default();
    hold(&rules::all_commands(&said))?;
    let before: Vec<Value> = state.registered(guild).into_iter().cloned().collect();
    state.commands.retain(|command| !is_of(command, guild));
    for command in said {
        let known = before.iter().find(|one| same(one, &command));
        let command = state.full_command(&command, guild, known);
        state.commands.push(command);
    }
    Ok((200, state.registered(guild).into_iter().cloned().collect()))
}

fn create(state: &mut State, call: &Call, guild: Option<Id>) -> Answered {
    let known = state.registered(guild).into_iter().find(|one| same(one, &call.body)).cloned();
    let others = state.registered(guild).into_iter().filter(|one| !same(one, &call.body));
    let all: Vec<Value> = others.chain([&call.body]).cloned().collect();
    hold(&rules::command(&call.body))?;
    hold(&rules::all_commands(&all))?;
    let command = state.full_command(&call.body, guild, known.as_ref());
    state.commands.retain(|one| !(is_of(one, guild) && same(one, &command)));
    state.commands.push(command.clone());
    Ok((if known.is_some() { 200 } else { 201 }, command))
}

/// Removes empty fields, as Discord does.
fn tidy(command: &mut Value) {
    let Some(fields) = command.as_object_mut() else { return };
    if fields.get("options").is_some_and(|options| options.as_array().is_none_or(Vec::is_empty)) {
        fields.remove("options");
    }
    for option in fields.get_mut("options").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(fields) = option.as_object_mut() {
            let empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
            fields.retain(|_, value| !value.is_null() && !empty(value));
        }
        tidy(option);
    }
}

impl State {
    /// Returns the commands of the guild, or the global ones for `None`.
    pub fn registered(&self, guild: Option<Id>) -> Vec<&Value> {
        self.commands.iter().filter(|command| is_of(command, guild)).collect()
    }

    fn full_command(&mut self, said_so: &Value, guild: Option<Id>, known: Option<&Value>) -> Value {
        let id = known.map(|known| known["id"].clone());
        let mut command = json!({
            "id": id.unwrap_or_else(|| json!(said(self.next_id()))),
            "application_id": said(self.application), "version": said(self.next_id()),
            "default_member_permissions": null, "type": 1, "name_localizations": null,
            "description": "", "description_localizations": null, "nsfw": false, "dm_permission": true,
            "contexts": null, "integration_types": [0],
        });
        for (key, value) in said_so.as_object().into_iter().flatten() {
            command[key] = value.clone();
        }
        if let Some(number) = command["default_member_permissions"].as_u64() {
            command["default_member_permissions"] = json!(number.to_string());
        }
        if let Some(guild) = guild {
            command["guild_id"] = json!(said(guild));
        }
        tidy(&mut command);
        command
    }
}
