//! The rules for forms.

use serde_json::Value;

use super::{Findings, components, list, within, word};
use crate::refusal::Broken;

/// Checks a form.
pub(crate) fn modal(modal: &Value) -> Vec<Broken> {
    let mut found = Findings::default();
    found.known(modal, "data", &["custom_id", "title", "components"]);
    found.text(modal, "custom_id", "data", 1, 100);
    found.text(modal, "title", "data", 1, 45);
    found.hold(modal["components"].is_array(), "data.components", "This field is required");
    found.count(modal, "components", "data", 1, 5);
    let parts = list(modal, "components");
    for (number, part) in parts.iter().enumerate() {
        self::part(&mut found, part, &format!("data.components.{number}"));
    }
    components::unique_ids(&mut found, parts);
    found.0
}

fn part(found: &mut Findings, part: &Value, at: &str) {
    match part["type"].as_u64() {
        Some(1) => {
            let fields = list(part, "components");
            let one = fields.len() == 1 && fields[0]["type"] == 4;
            found.hold(one, at, "A row of a form holds one text field.");
            for field in fields {
                found.text(field, "label", at, 1, 45);
                text_field(found, field, &within(at, "components.0"));
            }
        }
        Some(10) => found.text(part, "content", at, 1, 4000),
        Some(18) => {
            found.text(part, "label", at, 1, 45);
            found.length(part, "description", at, 0, 100);
            labelled(found, &part["component"], &within(at, "component"));
        }
        _ => found.hold(false, at, "Cannot stand in a form."),
    }
}

fn labelled(found: &mut Findings, field: &Value, at: &str) {
    match field["type"].as_u64() {
        Some(4) => text_field(found, field, at),
        Some(3 | 5..=8) => components::menu(found, field, at),
        Some(19 | 23) => found.text(field, "custom_id", at, 1, 100),
        Some(21) => found.count(field, "options", at, 2, 10),
        Some(22) => found.count(field, "options", at, 1, 10),
        _ => found.hold(false, at, "Cannot stand under a label."),
    }
}

fn text_field(found: &mut Findings, field: &Value, at: &str) {
    found.text(field, "custom_id", at, 1, 100);
    found.length(field, "placeholder", at, 0, 100);
    let style = field["style"].as_u64();
    found.hold(matches!(style, Some(1 | 2)), &within(at, "style"), "There is no such style.");
    let number = |key: &str| field.get(key).and_then(Value::as_u64);
    let (least, most) = (number("min_length").unwrap_or(0), number("max_length").unwrap_or(4000));
    found.hold(least <= 4000, &within(at, "min_length"), "Must be between 0 and 4000.");
    found.hold(
        (1..=4000).contains(&most),
        &within(at, "max_length"),
        "Must be between 1 and 4000.",
    );
    found.hold(least <= most, &within(at, "min_length"), "Must not be more than max_length.");
    let value = word(field, "value").map_or(0, |text| text.chars().count() as u64);
    found.hold(value <= most, &within(at, "value"), "Must not be longer than max_length.");
}
