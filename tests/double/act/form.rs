//! The interactions of forms.

use serde_json::{Value, json};

use crate::{answer::Answer, draw, interactions::Deed, state::Id};

pub(super) fn deed(
    person: Id,
    answer: &Answer,
    filled: &[(String, String)],
) -> Result<Deed, String> {
    let form = answer.form.as_ref().ok_or("there is no form to fill in")?;
    let parts = form["components"].as_array().ok_or("the form is empty")?;
    let all: Vec<(&str, &Value)> = parts.iter().flat_map(draw::fields).collect();
    for (name, _) in filled {
        if !all.iter().any(|(label, field)| is_called(label, field, name)) {
            return Err(format!("the form has no field {name}"));
        }
    }
    let mut components = Vec::new();
    for part in parts {
        let fields = draw::fields(part);
        let values = fields.iter().map(|(label, field)| fill(label, field, filled));
        let mut values = values.collect::<Result<Vec<_>, _>>()?;
        match part["type"].as_u64() {
            Some(1) => components.push(json!({ "type": 1, "components": values })),
            Some(18) => components.push(json!({ "type": 18, "component": values.remove(0) })),
            _ => components.push(json!({ "type": part["type"] })),
        }
    }
    let data = json!({ "custom_id": form["custom_id"], "components": components });
    let told = filled.iter().map(|(name, text)| format!("{name}: ‹{text}›"));
    let title = form["title"].as_str().unwrap_or_default();
    let told = format!("{title} {}", told.collect::<Vec<_>>().join(", "));
    let (channel, source) = (answer.channel, answer.source);
    Ok(Deed { kind: 5, person, channel, source, data, told })
}

fn is_called(label: &str, field: &Value, name: &str) -> bool {
    label == name || field["custom_id"] == name
}

fn fill(label: &str, field: &Value, filled: &[(String, String)]) -> Result<Value, String> {
    let given = filled.iter().find(|(name, _)| is_called(label, field, name));
    let text = given.map(|(_, text)| text.as_str()).or(field["value"].as_str()).unwrap_or_default();
    if field["type"] == 3 {
        return Ok(json!({ "type": 3, "custom_id": field["custom_id"], "values": [text] }));
    }
    let length = text.chars().count() as u64;
    let required = field["required"] != false;
    let least = field["min_length"].as_u64().unwrap_or(u64::from(required));
    let most = field["max_length"].as_u64().unwrap_or(4000);
    let fits = (least..=most).contains(&length) || (length == 0 && !required);
    let value = json!({ "type": 4, "custom_id": field["custom_id"], "value": text });
    fits.then_some(value).ok_or_else(|| format!("{label} takes {least} to {most} characters"))
}
