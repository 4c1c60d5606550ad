//! The text forms of messages, forms and completions in a transcript.

use serde_json::Value;

use super::messages::Message;

/// Draws a message: its text, embeds, pictures, buttons and menus.
pub(crate) fn message(message: &Message) -> String {
    if message.loading {
        return "…".to_owned();
    }
    let mut lines = Vec::new();
    if !message.content.is_empty() {
        lines.push(message.content.clone());
    }
    lines.extend(message.embeds.iter().map(embed));
    for file in &message.files {
        let description = file.description.as_deref().unwrap_or("without a description");
        lines.push(format!("<{}: {description}>", file.name));
    }
    lines.extend(message.components.iter().map(component).filter(|line| !line.is_empty()));
    if lines.is_empty() { "(empty)".to_owned() } else { lines.join("\n") }
}

fn text<'a>(of: &'a Value, key: &str) -> &'a str {
    of[key].as_str().unwrap_or_default()
}

fn inner<'a>(of: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    of[key].as_array().into_iter().flatten()
}

fn embed(embed: &Value) -> String {
    let mut lines = vec![text(embed, "title").to_owned(), text(embed, "description").to_owned()];
    for field in inner(embed, "fields") {
        lines.push(format!("{}: {}", text(field, "name"), text(field, "value")));
    }
    lines.push(text(&embed["footer"], "text").to_owned());
    lines.retain(|line| !line.is_empty());
    format!("| {}", lines.join("\n").replace('\n', "\n| "))
}

/// Draws a component: a button as `[label]`, or `(label)` if it is disabled; a menu as `{placeholder: this /
/// *that*}`.
fn component(part: &Value) -> String {
    let parts = |key| inner(part, key).map(component).collect::<Vec<_>>();
    match part["type"].as_u64() {
        Some(1) => parts("components").join(" "),
        Some(2) => button(part),
        Some(3) => menu(part),
        Some(5..=8) => format!("{{{}}}", text(part, "placeholder")),
        Some(9) => format!("{} {}", parts("components").join("\n"), component(&part["accessory"])),
        Some(10) => text(part, "content").to_owned(),
        Some(12) => {
            let items = inner(part, "items").map(|one| format!("<{}>", text(one, "description")));
            items.collect::<Vec<_>>().join(" ")
        }
        Some(14) => "—".to_owned(),
        Some(17) => parts("components").join("\n"),
        _ => String::new(),
    }
}

fn button(part: &Value) -> String {
    let label = format!("{} {}", text(&part["emoji"], "name"), text(part, "label"));
    match part["disabled"].as_bool() {
        Some(true) => format!("({})", label.trim()),
        _ => format!("[{}]", label.trim()),
    }
}

fn menu(part: &Value) -> String {
    let options = inner(part, "options").map(|option| match option["default"].as_bool() {
        Some(true) => format!("*{}*", text(option, "label")),
        _ => text(option, "label").to_owned(),
    });
    let options = options.collect::<Vec<_>>().join(" / ");
    match text(part, "placeholder") {
        "" => format!("{{{options}}}"),
        asked => format!("{{{asked}: {options}}}"),
    }
}

/// Draws a form: its title, and its fields with their values.
pub(crate) fn modal(modal: &Value) -> String {
    let mut lines = vec![text(modal, "title").to_owned()];
    for part in inner(modal, "components") {
        if part["type"] == 10 {
            lines.push(text(part, "content").to_owned());
        }
        for (label, field) in fields(part) {
            lines.push(format!("{label}: ‹{}›", text(field, "value")));
        }
    }
    lines.join("\n")
}

/// Returns the fields in a part of a form, each with its label.
pub(crate) fn fields(part: &Value) -> Vec<(&str, &Value)> {
    match part["type"].as_u64() {
        Some(1) => inner(part, "components").map(|one| (text(one, "label"), one)).collect(),
        Some(18) => vec![(text(part, "label"), &part["component"])],
        _ => Vec::new(),
    }
}

/// Draws completions.
pub(crate) fn choices(choices: &[Value]) -> String {
    choices.iter().map(|choice| text(choice, "name")).collect::<Vec<_>>().join(" / ")
}
