//! The rules for buttons and menus.

use serde_json::Value;

use super::{Findings, list, within, word};

/// Checks the components of a message; `second` is true with `IS_COMPONENTS_V2`.
pub(super) fn of_message(found: &mut Findings, parts: &[Value], second: bool) {
    if second {
        found.hold(all(parts).len() <= 40, "components", "Must be 40 or fewer in all.");
    } else {
        found.hold(parts.len() <= 5, "components", "Must be 5 or fewer in length.");
    }
    for (number, part) in parts.iter().enumerate() {
        let at = format!("components.{number}");
        match part["type"].as_u64() {
            Some(1) => row(found, part, &at),
            Some(9 | 10 | 12 | 13 | 14 | 17) if second => of_the_second_kind(found, part, &at),
            Some(9 | 10 | 12 | 13 | 14 | 17) => {
                found.hold(false, &at, "Cannot be used without IS_COMPONENTS_V2.");
            }
            _ => found.hold(false, &at, "Only an action row can stand here."),
        }
    }
    unique_ids(found, parts);
}

/// Checks that the ids of all parts are unique.
pub(super) fn unique_ids(found: &mut Findings, parts: &[Value]) {
    let all = all(parts);
    let ids: Vec<&str> = all.iter().filter_map(|part| word(part, "custom_id")).collect();
    found.unique(&ids, "components", "Component custom id cannot be duplicated");
}

/// Returns all parts with their nested parts.
fn all(parts: &[Value]) -> Vec<&Value> {
    let inner = |part| {
        let one = ["accessory", "component"].into_iter().filter_map(|key| Value::get(part, key));
        let one: Vec<&Value> = one.collect();
        [all(list(part, "components")), one].concat()
    };
    parts.iter().flat_map(|part| [vec![part], inner(part)].concat()).collect()
}

fn of_the_second_kind(found: &mut Findings, part: &Value, at: &str) {
    match part["type"].as_u64() {
        Some(10) => found.text(part, "content", at, 1, 4000),
        Some(9) => {
            found.count(part, "components", at, 1, 3);
            if part["accessory"]["type"] == 2 {
                button(found, &part["accessory"], &within(at, "accessory"));
            }
        }
        Some(12) => found.count(part, "items", at, 1, 10),
        _ => {}
    }
    for (number, inner) in list(part, "components").iter().enumerate() {
        let at = format!("{at}.components.{number}");
        match inner["type"].as_u64() {
            Some(1) => row(found, inner, &at),
            _ => of_the_second_kind(found, inner, &at),
        }
    }
}

fn row(found: &mut Findings, row: &Value, at: &str) {
    let parts = list(row, "components");
    let buttons = parts.iter().filter(|part| part["type"] == 2).count();
    let menus = parts.iter().filter(|part| is_menu(part)).count();
    let fits = (1..=5).contains(&parts.len()) && buttons == parts.len();
    let fits = fits || (parts.len() == 1 && menus == 1);
    found.hold(fits, at, "An action row holds one to five buttons, or one menu.");
    for (number, part) in parts.iter().enumerate() {
        let at = format!("{at}.components.{number}");
        match part["type"].as_u64() {
            Some(2) => button(found, part, &at),
            _ if is_menu(part) => menu(found, part, &at),
            _ => {}
        }
    }
}

fn is_menu(part: &Value) -> bool {
    matches!(part["type"].as_u64(), Some(3 | 5..=8))
}

fn button(found: &mut Findings, button: &Value, at: &str) {
    let style = button["style"].as_u64().unwrap_or_default();
    found.hold((1..=6).contains(&style), &within(at, "style"), "There is no such style.");
    found.length(button, "label", at, 0, 80);
    match style {
        5 => found.text(button, "url", at, 1, 512),
        6 => found.text(button, "sku_id", at, 1, 20),
        _ => found.text(button, "custom_id", at, 1, 100),
    }
    let has = |key| button.get(key).is_some_and(|value: &Value| !value.is_null());
    found.hold(style < 5 || !has("custom_id"), &within(at, "custom_id"), "A link has none.");
    found.hold(style == 5 || !has("url"), &within(at, "url"), "Only a link has one.");
    let labelled = word(button, "label").is_some_and(|label| !label.trim().is_empty());
    found.hold(labelled || has("emoji") || style == 6, at, "A button needs a label or an emoji.");
}

/// Checks a menu, in a message or in a form.
pub(super) fn menu(found: &mut Findings, menu: &Value, at: &str) {
    found.text(menu, "custom_id", at, 1, 100);
    found.length(menu, "placeholder", at, 0, 150);
    let number = |key: &str, or: u64| menu.get(key).and_then(Value::as_u64).unwrap_or(or);
    let (least, most) = (number("min_values", 1), number("max_values", 1));
    found.hold(least <= 25, &within(at, "min_values"), "Must be between 0 and 25.");
    found.hold((1..=25).contains(&most), &within(at, "max_values"), "Must be between 1 and 25.");
    found.hold(least <= most, &within(at, "min_values"), "Must not be more than max_values.");
    if menu["type"] != 3 {
        return;
    }
    let options = list(menu, "options");
    found.hold(menu["options"].is_array(), &within(at, "options"), "This field is required");
    found.count(menu, "options", at, 1, 25);
    let fits = most <= options.len() as u64;
    found.hold(fits, &within(at, "max_values"), "Must not be more than there are options.");
    let chosen = options.iter().filter(|option| option["default"] == true).count() as u64;
    found.hold(chosen <= most, &within(at, "options"), "More are chosen than may be.");
    for (number, option) in options.iter().enumerate() {
        let at = format!("{at}.options.{number}");
        found.text(option, "label", &at, 1, 100);
        found.text(option, "value", &at, 1, 100);
        found.length(option, "description", &at, 0, 100);
    }
    let values: Vec<&str> = options.iter().filter_map(|option| word(option, "value")).collect();
    found.unique(&values, &within(at, "options"), "The specified option value is already used");
}
