//! The interactions of commands and completions.

use serde_json::{Map, Value, json};
use serenity::all::Permissions;

use crate::{
    interactions::Deed,
    people::goes_by,
    state::{Id, State, id_of, said},
};

pub(super) fn deed(
    state: &State,
    person: Id,
    channel: Id,
    words: &str,
    given: &[(String, Value)],
    completing: Option<&str>,
) -> Result<Deed, String> {
    let mut words = words.split(' ');
    let name = words.next().unwrap_or_default();
    let command = state.typed(name).ok_or_else(|| format!("there is no command /{name}"))?;
    is_allowed(state, person, channel, command)?;
    let mut path = vec![command];
    for word in words {
        let below = options(path[path.len() - 1]).iter().find(|one| goes_by(one, word));
        path.push(below.ok_or_else(|| format!("there is no /… {word}"))?);
    }
    let last = path[path.len() - 1];
    if options(last).iter().any(|option| matches!(option["type"].as_u64(), Some(1 | 2))) {
        return Err("this needs one of the commands below it".to_owned());
    }
    let mut resolved = Map::new();
    let mut values = values(state, last, given, completing, &mut resolved)?;
    for part in path[1..].iter().rev() {
        values = json!([{ "name": part["name"], "type": part["type"], "options": values }]);
    }
    let mut data = json!({ "id": command["id"], "name": command["name"], "type": 1 });
    data["options"] = values;
    if let Some(guild) = command.get("guild_id") {
        data["guild_id"] = guild.clone();
    }
    if !resolved.is_empty() {
        data["resolved"] = resolved.into();
    }
    let names: Vec<&str> = path.iter().filter_map(|part| part["name"].as_str()).collect();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let told = given.iter().map(|(name, value)| format!(" {name}:{}", text(value)));
    let told = format!("/{}{}", names.join(" "), told.collect::<String>());
    let (kind, told) = match completing {
        Some(_) => (4, format!("{told}…")),
        None => (2, told),
    };
    Ok(Deed { kind, person, channel, source: None, data, told })
}

fn options(of: &Value) -> &[Value] {
    of["options"].as_array().map_or(&[], Vec::as_slice)
}

fn is_allowed(state: &State, person: Id, channel: Id, command: &Value) -> Result<(), String> {
    let private = state.channels[&channel].recipient.is_some();
    let contexts = command["contexts"].as_array();
    let here = u8::from(private);
    let fits = contexts.is_none_or(|contexts| contexts.iter().any(|one| one == here));
    if !fits
        || (private && (command["dm_permission"] == false || command.get("guild_id").is_some()))
    {
        return Err("this command is not for here".to_owned());
    }
    let needed = id_of(&command["default_member_permissions"]).unwrap_or_default();
    let may = state.permissions_in(person, channel);
    let may = private || may.contains(Permissions::from_bits_truncate(needed));
    may.then_some(()).ok_or_else(|| "this command is not for them".to_owned())
}

fn values(
    state: &State,
    command: &Value,
    given: &[(String, Value)],
    completing: Option<&str>,
    resolved: &mut Map<String, Value>,
) -> Result<Value, String> {
    let mut values = Vec::new();
    for (name, value) in given {
        let option = options(command).iter().find(|option| goes_by(option, name));
        let option = option.ok_or_else(|| format!("there is no option {name}"))?;
        let focused = completing == Some(name);
        let value = if focused { value.clone() } else { fitting(option, value)? };
        let mut said = json!({ "name": option["name"], "type": option["type"], "value": value });
        if focused {
            if option["autocomplete"] != true {
                return Err(format!("{name} is not completed"));
            }
            said["focused"] = json!(true);
        }
        resolve(state, option, &value, resolved);
        values.push(said);
    }
    let missing = options(command).iter().find(|option| {
        option["required"] == true && !given.iter().any(|(name, _)| goes_by(option, name))
    });
    match missing.filter(|_| completing.is_none()) {
        Some(option) => Err(format!("{} is required", option["name"])),
        None => Ok(values.into()),
    }
}

fn fitting(option: &Value, value: &Value) -> Result<Value, String> {
    let name = &option["name"];
    if let Some(choices) = option["choices"].as_array().filter(|choices| !choices.is_empty()) {
        let named = |choice: &&Value| {
            choice["value"] == *value || value.as_str().is_some_and(|word| goes_by(choice, word))
        };
        let choice = choices.iter().find(named);
        return choice
            .map(|choice| choice["value"].clone())
            .ok_or(format!("{name} is not {value}"));
    }
    let length = value.as_str().map_or(0, |text| text.chars().count() as u64);
    let least = option["min_length"].as_u64().unwrap_or(0);
    let most = option["max_length"].as_u64().unwrap_or(6000);
    let holds = match option["type"].as_u64() {
        Some(3) => value.is_string() && (least..=most).contains(&length),
        Some(4) => value.as_i64().is_some_and(|number| {
            option["min_value"].as_i64().is_none_or(|least| least <= number)
                && option["max_value"].as_i64().is_none_or(|most| number <= most)
        }),
        Some(5) => value.is_boolean(),
        Some(6..=9) => id_of(value).is_some(),
        Some(10) => value.is_number(),
        _ => false,
    };
    if !holds {
        return Err(format!("{name} cannot be {value}"));
    }
    match (option["type"].as_u64(), id_of(value)) {
        (Some(6..=9), Some(id)) => Ok(json!(said(id))),
        _ => Ok(value.clone()),
    }
}

fn resolve(state: &State, option: &Value, value: &Value, resolved: &mut Map<String, Value>) {
    let Some(id) = id_of(value) else { return };
    let mut put = |kind: &str, object: Value| {
        let kind = resolved.entry(kind.to_owned()).or_insert_with(|| json!({}));
        kind[said(id)] = object;
    };
    let role = state.role(id).filter(|_| matches!(option["type"].as_u64(), Some(8 | 9)));
    match (option["type"].as_u64(), role) {
        (Some(8 | 9), Some(role)) => put("roles", role),
        (Some(6 | 9), _) => {
            put("users", json!(state.user(id)));
            let channel = state.channels.keys().next().copied();
            let mut member = json!(state.member(id, channel));
            member.as_object_mut().unwrap().remove("user");
            put("members", member);
        }
        (Some(7), _) if state.channels.contains_key(&id) => {
            let mut channel = state.channel_object(id);
            channel["permissions"] = json!("0");
            put("channels", channel);
        }
        _ => {}
    }
}
