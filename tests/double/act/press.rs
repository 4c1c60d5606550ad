//! The interactions of buttons and menus.

use serde_json::{Value, json};

use crate::{
    answer::{Seen, parts},
    interactions::Deed,
    state::{Id, State, said},
};

pub(super) fn press(
    state: &State,
    person: Id,
    button: &str,
    on: Option<&Seen>,
) -> Result<Deed, String> {
    let fits = |part: &Value| {
        part["type"] == 2
            && (part["label"] == button
                || part["custom_id"] == button
                || with_emoji(part) == button)
    };
    let (message, part) = find(state, person, on, fits)
        .ok_or_else(|| format!("there is no button [{button}] to be pressed"))?;
    let label = part["label"].as_str().unwrap_or(button);
    let data = json!({ "custom_id": part["custom_id"], "component_type": 2 });
    deed(person, &message, data, format!("[{label}]"))
}

fn with_emoji(part: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    format!("{} {}", text(&part["emoji"]["name"]), text(&part["label"])).trim().to_owned()
}

pub(super) fn choose(
    state: &State,
    person: Id,
    options: &[String],
    from: Option<&str>,
    on: Option<&Seen>,
) -> Result<Deed, String> {
    let fits = |part: &Value| {
        from.is_none_or(|from| part["placeholder"] == from || part["custom_id"] == from)
            && values(state, part, options).is_some()
    };
    let (message, part) = find(state, person, on, fits)
        .ok_or_else(|| format!("there is no menu {{{}}} to choose from", options.join(", ")))?;
    let values = values(state, &part, options).unwrap_or_default();
    let count = values.len() as u64;
    let number = |key: &str| part[key].as_u64().unwrap_or(1);
    if !(number("min_values")..=number("max_values")).contains(&count) {
        return Err(format!("{count} cannot be chosen from this menu"));
    }
    let mut data = json!({
        "custom_id": part["custom_id"], "component_type": part["type"], "values": values,
    });
    if part["type"] == 5 {
        let users = values.iter().filter_map(|id| id.parse().ok()).map(|id: Id| state.user(id));
        let users = values.iter().cloned().zip(users.map(|user| json!(user)));
        data["resolved"] = json!({ "users": users.collect::<serde_json::Map<_, _>>() });
    }
    deed(person, &message, data, format!("{{{}}}", options.join(", ")))
}

/// Returns the values of the named options of a menu; `None` if one is missing.
fn values(state: &State, part: &Value, named: &[String]) -> Option<Vec<String>> {
    match part["type"].as_u64()? {
        3 => {
            let options = part["options"].as_array()?;
            let value = |name: &String| {
                let fits = |one: &&Value| one["label"] == *name || one["value"] == *name;
                options.iter().find(fits)?["value"].as_str().map(str::to_owned)
            };
            named.iter().map(value).collect()
        }
        5 => {
            let id = |name: &String| {
                let human = state.people.values().find(|human| human.name == *name)?;
                Some(said(human.id))
            };
            named.iter().map(id).collect()
        }
        _ => None,
    }
}

/// Finds the first fitting part, on this message as it was seen, or on the newest message with one.
fn find(
    state: &State,
    person: Id,
    on: Option<&Seen>,
    fits: impl Fn(&Value) -> bool,
) -> Option<(Seen, Value)> {
    let within = |seen: Seen| {
        let found = parts(&seen.components).into_iter();
        let found = found.filter(|part| part["disabled"] != true).find(|part| fits(part)).cloned();
        found.map(|part| (seen, part))
    };
    match on {
        Some(seen) if state.messages.contains_key(&seen.id) => within(seen.clone()),
        Some(_) => None,
        None => {
            let newest = state.visible_to(person).into_iter().rev();
            newest.map(|message| Seen::of(state, message)).find_map(within)
        }
    }
}

fn deed(person: Id, message: &Seen, data: Value, told: String) -> Result<Deed, String> {
    if data["custom_id"].is_null() {
        return Err("this button only leads elsewhere".to_owned());
    }
    let (channel, source) = (message.channel, Some(message.id));
    Ok(Deed { kind: 3, person, channel, source, data, told })
}
