//! The faults of the configuration, one sentence for each.

use std::io;

use crate::TerminalText;
use crate::config::{Config, hide_password};
use crate::texts::{ConfiguredFolder, ConfiguredPace};
use games::GAMES;
use letters::{Letters, Reader};
use rules::data::Why;
use rules::text::Lang;
use tables::Pace;

/// Returns the sentences about values that the configuration only carries: an unreadable pace, and a missing
/// folder.
pub(crate) fn check(config: &Config, voice: &TerminalText) -> io::Result<Vec<String>> {
    let pace = pace(config, voice.lang)?.map(|fault| voice.text(&fault));
    let folder = folder(config).map(|fault| voice.text(&fault));
    Ok([pace, folder].into_iter().flatten().collect())
}

fn pace(config: &Config, lang: Lang) -> io::Result<Option<ConfiguredPace<'static>>> {
    let (key, pace) = ("pace.default", &config.pace.default);
    let Err(fault) = Pace::read(pace, config.pace.zone) else { return Ok(None) };
    // The text of the fault depends neither on the game nor on replaced letters.
    let reader = Reader::new(GAMES[0], lang).in_plain_text();
    let why = Letters::built_in().pace_fault(&reader, &fault).map_err(io::Error::other)?;
    let shown = hide_password(pace);
    // A quoted part of the input may contain a password that is not recognisable as one.
    let why = if shown == *pace { why } else { String::new() };
    Ok(Some(ConfiguredPace { key, place: place(config, key), said: shown, why }))
}

fn folder(config: &Config) -> Option<ConfiguredFolder<'static>> {
    let (key, folder) = ("letters.folder", config.letters.folder.as_deref()?);
    let why = Why::from(&std::fs::read_dir(folder).err()?);
    let shown = hide_password(&folder.display().to_string());
    Some(ConfiguredFolder { key, place: place(config, key), said: shown, why })
}

/// Returns the place where a key is set, or the key if it has its default.
fn place(config: &Config, key: &str) -> String {
    config.place(key).map_or_else(|| key.to_owned(), ToString::to_string)
}
