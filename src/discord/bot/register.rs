//! The registration of the commands with Discord: only after a change.

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use serenity::all::{ApplicationId, GuildId};
use serenity::http::Route;
use sha2::{Digest, Sha256};

use crate::api::calls::route_of_commands;
use crate::{Api, SendError};
use desk::commands::{
    ArgumentChoice, Command, CommandOption, CommandPlace, ListedCommand, Manifest, OptionKind,
    groups,
};
use games::GAMES;
use letters::Letters;
use rules::text::Lang;

/// Discord's types of options.
const SUBCOMMAND: u8 = 1;
const SUBCOMMAND_GROUP: u8 = 2;
const STRING: u8 = 3;
const INTEGER: u8 = 4;
const USER: u8 = 6;
const ROLE: u8 = 8;
const MENTIONABLE: u8 = 9;

/// Registers the commands with Discord, globally or in one server, if they differ from the registered ones.
pub(crate) async fn register(
    api: &Api,
    letters: &Letters,
    application: ApplicationId,
    guild: Option<GuildId>,
) -> Result<(), SendError> {
    if is_known(api, letters, application, guild).await? {
        return Ok(());
    }
    let wanted = commands(letters);
    api.put_commands(application, guild, &wanted).await?;
    tracing::info!(count = wanted.len(), "told Discord of the commands");
    Ok(())
}

/// True if the registered commands equal the program's.
pub(crate) async fn is_known(
    api: &Api,
    letters: &Letters,
    application: ApplicationId,
    guild: Option<GuildId>,
) -> Result<bool, SendError> {
    let known: Vec<Json> = api.get(route_of_commands(application, guild)).await?;
    Ok(digest(&known) == digest(&commands(letters)))
}

/// Returns every command on Discord.
pub(crate) fn commands(letters: &Letters) -> Vec<Json> {
    let manifests = || Command::at(CommandPlace::Discord).map(Command::manifest);
    let alone = manifests().filter(|one| one.under.is_none()).map(|one| command(one, letters));
    let grouped = groups().iter().map(|group| {
        let mut whole = command(group, letters);
        let members = manifests().filter(|one| one.under.as_deref() == Some(&group.name));
        whole["options"] = members.map(|one| subcommand(one, letters)).collect();
        whole
    });
    alone.chain(grouped).collect()
}

fn command(manifest: &Manifest, letters: &Letters) -> Json {
    let mut command = described(manifest, letters);
    command.insert("type".to_owned(), json!(1));
    // In servers and in direct conversations with the bot, where people read its letters; a command of
    // servers alone names the permissions that it needs there.
    let contexts: &[u8] =
        if manifest.default_member_permissions.is_some() { &[0] } else { &[0, 1] };
    command.insert("contexts".to_owned(), json!(contexts));
    command.insert("integration_types".to_owned(), json!([0]));
    if let Some(needed) = &manifest.default_member_permissions {
        command.insert("default_member_permissions".to_owned(), json!(needed));
    }
    Json::Object(command)
}

/// Returns a subcommand or a group of subcommands.
fn subcommand(manifest: &Manifest, letters: &Letters) -> Json {
    let mut command = described(manifest, letters);
    let is_group = manifest.below().next().is_some();
    let kind = if is_group { SUBCOMMAND_GROUP } else { SUBCOMMAND };
    command.insert("type".to_owned(), json!(kind));
    Json::Object(command)
}

fn described(manifest: &Manifest, letters: &Letters) -> Map<String, Json> {
    let fields = json!({
        "name": manifest.name,
        "name_localizations": manifest.name_localizations,
        "description": manifest.description,
        "description_localizations": manifest.description_localizations,
        "options": manifest.options.iter().map(|one| option(one, letters)).collect::<Vec<_>>(),
    });
    match fields {
        Json::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn option(option: &CommandOption, letters: &Letters) -> Json {
    let kind = match option.kind {
        OptionKind::Subcommand => SUBCOMMAND,
        OptionKind::String => STRING,
        OptionKind::Integer => INTEGER,
        OptionKind::User => USER,
        OptionKind::Role => ROLE,
        OptionKind::Mentionable => MENTIONABLE,
    };
    let mut described = json!({
        "type": kind,
        "name": option.name,
        "name_localizations": option.name_localizations,
        "description": option.description,
        "description_localizations": option.description_localizations,
    });
    if option.kind == OptionKind::Subcommand {
        described["options"] =
            option.options.iter().map(|one| self::option(one, letters)).collect();
        return described;
    }
    described["required"] = json!(option.required);
    if option.autocomplete {
        described["autocomplete"] = json!(true);
    }
    let mut choices = option.choices.clone();
    if option.choices_from == Some(ListedCommand::Games) {
        choices.extend(games(letters));
    }
    if !choices.is_empty() {
        described["choices"] = json!(choices);
    }
    let bounds = [("min_value", option.min_value), ("max_value", option.max_value)];
    for (name, bound) in bounds.into_iter().filter_map(|(name, bound)| Some((name, bound?))) {
        described[name] = json!(bound);
    }
    if let Some(length) = option.max_length {
        described["max_length"] = json!(length);
    }
    described
}

/// Returns the games as choices. A game whose name cannot be written is shown by its key.
fn games(letters: &Letters) -> impl Iterator<Item = ArgumentChoice> {
    GAMES.iter().map(|game| {
        let name = |lang| letters.game_name(*game, lang).unwrap_or_else(|_| game.key().to_owned());
        ArgumentChoice {
            name: name(Lang::En),
            name_localizations: [(Lang::Ja.code().to_owned(), name(Lang::Ja))].into(),
            value: game.key().to_owned(),
        }
    })
}

/// Returns a digest of the visible fields of commands, without the fields that Discord adds.
fn digest(commands: &[Json]) -> [u8; 32] {
    let mut texts: Vec<String> = commands.iter().map(|command| seen(command).to_string()).collect();
    texts.sort();
    Sha256::digest(texts.join("\n")).into()
}

fn seen(thing: &Json) -> Json {
    const SEEN: &str = "type default_member_permissions name name_localizations description \
                        description_localizations options required autocomplete choices value \
                        min_value max_value max_length ja";
    match thing {
        Json::Object(fields) => {
            // A false or empty field may be left out by Discord, and a locale is a field of its own.
            let is_said = |field: &Json| {
                !matches!(field, Json::Null | Json::Bool(false))
                    && field.as_array().is_none_or(|list| !list.is_empty())
            };
            let counting = fields.iter().filter(|(name, field)| {
                SEEN.split(' ').any(|seen| seen == *name) && is_said(field)
            });
            counting.map(|(name, field)| (name.clone(), seen(field))).collect::<Map<_, _>>().into()
        }
        Json::Array(list) => list.iter().map(seen).collect(),
        plain => plain.clone(),
    }
}

/// The application of a token.
#[derive(Deserialize)]
struct Application {
    id: ApplicationId,
}

/// Returns the id of the token's application.
pub async fn application(api: &Api) -> Result<ApplicationId, SendError> {
    let application: Application = api.get(Route::Oauth2ApplicationCurrent).await?;
    Ok(application.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of characters that Discord counts of a command: names, descriptions and values,
    /// each in its longest language.
    fn characters(thing: &Json) -> usize {
        let longest = |name: &str| {
            let length = thing[name].as_str().map_or(0, |length| length.chars().count());
            let localized = thing[format!("{name}_localizations")].as_object();
            let others = localized.into_iter().flat_map(|texts| texts.values());
            let others = others.filter_map(|text| Some(text.as_str()?.chars().count()));
            others.fold(length, usize::max)
        };
        let value = thing["value"].as_str().map_or(0, |value| value.chars().count());
        let within = ["options", "choices"].into_iter().filter_map(|name| thing[name].as_array());
        let within: usize = within.flatten().map(characters).sum();
        longest("name") + longest("description") + value + within
    }

    #[test]
    fn the_commands_keep_discords_limits() {
        let commands = commands(&Letters::built_in());
        assert!((1..=100).contains(&commands.len()));
        let names: std::collections::BTreeSet<&str> =
            commands.iter().filter_map(|command| command["name"].as_str()).collect();
        assert_eq!(names.len(), commands.len());
        for command in &commands {
            assert!(characters(command) <= 8000, "{command}");
            let options = command["options"].as_array().unwrap();
            assert!(options.len() <= 25);
            let mut below: Vec<&Json> = options.iter().collect();
            while let Some(one) = below.pop() {
                for many in [&one["choices"], &one["options"]] {
                    assert!(many.as_array().is_none_or(|many| many.len() <= 25), "{one}");
                }
                below.extend(one["options"].as_array().into_iter().flatten());
            }
        }
    }

    #[test]
    fn every_game_can_be_chosen() {
        let letters = Letters::built_in();
        for asked in [Command::New, Command::Rules] {
            let described = command(asked.manifest(), &letters);
            let game =
                described["options"].as_array().unwrap().iter().find(|one| one["name"] == "game");
            let choices = game.unwrap()["choices"].as_array().unwrap();
            let values: Vec<&Json> = choices.iter().map(|choice| &choice["value"]).collect();
            assert_eq!(values, GAMES.iter().map(|game| game.key()).collect::<Vec<_>>());
            assert!(choices.iter().all(|choice| choice["name"] != choice["value"]), "{choices:?}");
        }
    }

    #[test]
    fn what_discord_adds_is_no_change() {
        let wanted = commands(&Letters::built_in());
        let mut known = wanted.clone();
        for command in &mut known {
            command["id"] = json!("1");
            command["version"] = json!("2");
            command["nsfw"] = json!(false);
        }
        known.reverse();
        assert_eq!(digest(&known), digest(&wanted));
        known[0]["description"] = json!("another");
        assert_ne!(digest(&known), digest(&wanted));
    }
}
