//! What is wrong in the configuration, one sentence for each fault.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::{Exit, TerminalText, language};
use crate::config::{Config, ConfigFaults, hide_password};
use crate::games::GAMES;
use crate::letters::{Letters, Reader};
use crate::rules::text::Lang;
use crate::tables::Pace;

/// Says everything that is wrong in the configuration.
pub fn complain(
    faults: &ConfigFaults,
    lang: Option<Lang>,
    complaints: &mut dyn Write,
) -> io::Result<Exit> {
    let lang = language(lang.or(faults.rest.host.language));
    let mut said: Vec<Json> = faults.list.iter().map(|fault| json!(fault)).collect();
    said.extend(carried(&faults.rest, lang)?);
    say(&said, lang, complaints)
}

/// Says what is wrong in values that the configuration only carries: a pace that is none, and
/// a folder that is not there.
pub fn check(config: &Config, lang: Option<Lang>, complaints: &mut dyn Write) -> io::Result<Exit> {
    let lang = language(lang.or(config.host.language));
    let faults = carried(config, lang)?;
    if faults.is_empty() { Ok(Exit::Fine) } else { say(&faults, lang, complaints) }
}

fn say(faults: &[Json], lang: Lang, complaints: &mut dyn Write) -> io::Result<Exit> {
    let voice = TerminalText::new(lang);
    for fault in faults {
        let kind = fault.get("kind").and_then(Json::as_str).unwrap_or_default();
        complaints.write_all(voice.say("config", kind, fault).as_bytes())?;
    }
    Ok(Exit::Misuse)
}

/// What is wrong in values that the configuration only carries.
fn carried(config: &Config, lang: Lang) -> io::Result<Vec<Json>> {
    Ok([pace(config, lang)?, folder(config)].into_iter().flatten().collect())
}

fn pace(config: &Config, lang: Lang) -> io::Result<Option<Json>> {
    let (key, said) = ("pace.default", &config.pace.default);
    let Err(fault) = Pace::read(said, config.pace.zone) else { return Ok(None) };
    // The fault is told in the same words whatever is played, and whatever letters are replaced.
    let reader = Reader::new(GAMES[0], lang).in_plain_text();
    let why = Letters::built_in().pace_fault(&reader, &fault).map_err(io::Error::other)?;
    let shown = hide_password(said);
    // A piece of what was said may hold a password that nothing gives away as one.
    let why = if shown == *said { why } else { String::new() };
    Ok(Some(json!({
        "kind": "pace", "key": key, "place": place(config, key), "said": shown, "why": why,
    })))
}

fn folder(config: &Config) -> Option<Json> {
    let (key, folder) = ("letters.folder", config.letters.folder.as_deref()?);
    let why = std::fs::read_dir(folder).err()?.to_string();
    let said = hide_password(&folder.display().to_string());
    Some(json!({
        "kind": "folder", "key": key, "place": place(config, key), "said": said, "why": why,
    }))
}

/// Where a key was said; the key itself where it was not.
fn place(config: &Config, key: &str) -> String {
    config.place(key).map_or_else(|| key.to_owned(), ToString::to_string)
}
