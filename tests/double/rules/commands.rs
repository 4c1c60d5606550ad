//! The rules for registered commands.

use serde_json::Value;

use super::{Findings, list, within, word};
use crate::refusal::Broken;

const LOCALES: [&str; 32] = [
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl",
    "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th",
    "zh-CN", "ja", "zh-TW", "ko",
];

/// The types of options that are subcommands or their groups.
const BELOW: [u64; 2] = [1, 2];

/// Checks all commands of a guild, or all global ones.
pub(crate) fn all_commands(commands: &[Value]) -> Vec<Broken> {
    let mut found = Findings::default();
    for (kind, most) in [(1, 100), (2, 15), (3, 15)] {
        let of_kind = || commands.iter().filter(|command| kind_of(command) == kind);
        found.hold(of_kind().count() <= most, "", "Maximum number of application commands reached");
        let names: Vec<&str> = of_kind().filter_map(|command| word(command, "name")).collect();
        found.unique(&names, "", "Application command names must be unique");
    }
    for (number, one) in commands.iter().enumerate() {
        let within =
            |broken: Broken| Broken { at: within(&number.to_string(), &broken.at), ..broken };
        found.0.extend(command(one).into_iter().map(within));
    }
    found.0
}

/// Checks one command.
pub(crate) fn command(command: &Value) -> Vec<Broken> {
    let mut found = Findings::default();
    if kind_of(command) == 1 {
        name_and_description(&mut found, command, "");
        options(&mut found, command, "", 0);
        let size = size(command);
        found.hold(size <= 8000, "", "Command exceeds maximum size (8000)");
    } else {
        found.text(command, "name", "", 1, 32);
        found.hold(list(command, "options").is_empty(), "options", "Only chat input has options.");
        let description = word(command, "description").unwrap_or_default();
        found.hold(description.is_empty(), "description", "Only chat input has a description.");
    }
    locales(&mut found, command, "");
    found.0
}

fn kind_of(command: &Value) -> u64 {
    command.get("type").and_then(Value::as_u64).unwrap_or(1)
}

fn localized<'a>(of: &'a Value, key: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let texts = of.get(format!("{key}_localizations")).and_then(Value::as_object);
    texts.into_iter().flatten().filter_map(|(locale, text)| Some((locale.as_str(), text.as_str()?)))
}

fn locales(found: &mut Findings, of: &Value, at: &str) {
    for key in ["name", "description"] {
        for (locale, _) in localized(of, key) {
            let at = within(at, &format!("{key}_localizations"));
            found.hold(LOCALES.contains(&locale), &at, &format!("There is no locale {locale}."));
        }
    }
}

fn name_and_description(found: &mut Findings, of: &Value, at: &str) {
    let own = word(of, "name").unwrap_or_default();
    for name in std::iter::once(own).chain(localized(of, "name").map(|(_, name)| name)) {
        let what = format!("Command name is invalid: {name}");
        found.hold(is_name(name), &within(at, "name"), &what);
    }
    found.text(of, "description", at, 1, 100);
    for (_, text) in localized(of, "description") {
        let holds = (1..=100).contains(&text.chars().count());
        let at = within(at, "description_localizations");
        found.hold(holds, &at, "Must be between 1 and 100 in length.");
    }
}

/// True for 1 to 32 letters, numbers, hyphens or underscores, in lower case.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | 'ʼ' | '\'');
    (1..=32).contains(&name.chars().count())
        && name.chars().all(fits)
        && name.to_lowercase() == name
}

fn options(found: &mut Findings, of: &Value, at: &str, depth: usize) {
    found.count(of, "options", at, 0, 25);
    let options = list(of, "options");
    unique_names(found, options, &within(at, "options"));
    let below = options.iter().filter(|option| is_below(option)).count();
    let mixed = below > 0 && below < options.len();
    found.hold(!mixed, at, "Commands below a command and options cannot stand side by side.");
    found.hold(below == 0 || depth < 2, at, "Commands cannot be as deep as that.");
    let mut optional = false;
    for (number, option) in options.iter().enumerate() {
        let at = within(at, &format!("options.{number}"));
        name_and_description(found, option, &at);
        locales(found, option, &at);
        if is_below(option) {
            self::options(found, option, &at, depth + 1);
            continue;
        }
        let required = option["required"] == true;
        found.hold(
            !(required && optional),
            &at,
            "Required options must be placed before the others.",
        );
        optional |= !required;
        choices(found, option, &at);
    }
}

fn is_below(option: &Value) -> bool {
    option["type"].as_u64().is_some_and(|kind| BELOW.contains(&kind))
}

fn unique_names(found: &mut Findings, options: &[Value], at: &str) {
    let names: Vec<&str> = options.iter().filter_map(|option| word(option, "name")).collect();
    found.unique(&names, at, "Option names must be unique");
    for locale in LOCALES {
        let here = options.iter().filter_map(|option| {
            localized(option, "name").find(|(one, _)| *one == locale).map(|(_, name)| name)
        });
        let here: Vec<&str> = here.collect();
        found.unique(&here, at, &format!("Option names must be unique in {locale}"));
    }
}

fn choices(found: &mut Findings, option: &Value, at: &str) {
    found.count(option, "choices", at, 0, 25);
    let choices = list(option, "choices");
    let completed = option["autocomplete"] == true;
    found.hold(
        choices.is_empty() || !completed,
        at,
        "autocomplete and choices exclude each other.",
    );
    for (number, choice) in choices.iter().enumerate() {
        let at = within(at, &format!("choices.{number}"));
        found.text(choice, "name", &at, 1, 100);
        for (_, name) in localized(choice, "name") {
            let holds = (1..=100).contains(&name.chars().count());
            found.hold(holds, &at, "Must be between 1 and 100 in length.");
        }
        if choice["value"].is_string() {
            found.text(choice, "value", &at, 1, 100);
        }
        locales(found, choice, &at);
    }
    let names: Vec<&str> = choices.iter().filter_map(|choice| word(choice, "name")).collect();
    found.unique(&names, &within(at, "choices"), "Choice names must be unique");
}

/// Returns the total length of names, descriptions and values; of several languages, the longest counts.
fn size(of: &Value) -> usize {
    let longest = |key: &str| {
        let own = word(of, key).into_iter();
        let texts = own.chain(localized(of, key).map(|(_, text)| text));
        texts.map(|text| text.chars().count()).max().unwrap_or_default()
    };
    let value = word(of, "value").map_or(0, |value| value.chars().count());
    let inner = list(of, "options").iter().chain(list(of, "choices")).map(size).sum::<usize>();
    longest("name") + longest("description") + value + inner
}
