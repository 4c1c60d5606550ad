//! The words of a game master: those of `commands/gm_*.toml` for decisions, and those of `data/desk/gm.toml`
//! for the rest.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use strum::EnumCount;

use crate::commands::{Command, CommandOption, Manifest};
use crate::model::overrides::Verb;
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::{Lang, fold};
use tables::vocabulary::{self, WordForms, all_said, found, sound};

const FILE: &str = "data/desk/gm.toml";
const TEXT: &str = include_str!("../../../../data/desk/gm.toml");

/// A reply to a dry run, or a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub enum OverrideReply {
    /// The decision is made, and the whole table is notified.
    Yes,
    /// The decision is made, and only its seats are notified.
    Quietly,
    /// The proposed decision is dropped.
    No,
    /// The log of decisions.
    Log,
    /// The open window, as far as the game master may see it.
    Show,
    /// The result of the window.
    Preview,
    /// A game master is appointed.
    Appoint,
    /// A game master is dismissed.
    Dismiss,
    /// The list of decisions.
    Help,
}

/// A word within a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub(in crate::overrides) enum Particle {
    /// The window that was closed last.
    Last,
    /// A die of the whole table.
    Table,
    /// Another throw of a die.
    Again,
    /// The clock of a lock, which stops.
    Stop,
    /// The deadline before an outage extended it.
    Before,
    /// The window of the setup.
    Setup,
    /// A window, with its number before, after or within the word.
    Window,
}

impl Verb {
    /// Parses the verb at the beginning of a text, and returns it with the rest.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        found(&WORDS.verb, text)
    }

    /// Returns the word shown in a language.
    pub fn word(self, lang: Lang) -> &'static str {
        WORDS.verb.get(&self).map_or("", |forms| forms.shown(lang))
    }
}

impl OverrideReply {
    /// Parses the reply at the beginning of a text, and returns it with the rest.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        found(&WORDS.reply, text)
    }

    pub(crate) fn words(lang: Lang) -> impl Iterator<Item = &'static str> {
        WORDS.reply.values().map(move |forms| forms.shown(lang))
    }
}

impl Particle {
    /// Returns the word shown in a language.
    pub(in crate::overrides) fn word(self, lang: Lang) -> &'static str {
        WORDS.particle.get(&self).map_or("", |forms| forms.shown(lang))
    }

    /// Returns the rest of a text that begins with this word, `None` for other texts.
    pub(crate) fn strip(self, text: &str) -> Option<&str> {
        found(&WORDS.particle, text).filter(|(found, _)| *found == self).map(|(_, rest)| rest)
    }
}

/// Returns the verbs most similar to this word, the best first.
pub(crate) fn nearest(input: &str) -> Vec<String> {
    let all = WORDS.verb.values().flat_map(WordForms::all).map(|word| (fold(word), word.as_str()));
    vocabulary::nearest(input, all)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OverrideWords {
    #[serde(skip)]
    verb: BTreeMap<Verb, WordForms>,
    reply: BTreeMap<OverrideReply, WordForms>,
    particle: BTreeMap<Particle, WordForms>,
}

static WORDS: BuiltIn<OverrideWords> =
    BuiltIn::new(|| read(FILE, TEXT, &Command::OF_GAME_MASTERS.map(Command::source)));

fn read(
    file_name: &str,
    text: &str,
    manifests: &[(&str, &str)],
) -> Result<OverrideWords, DataFault> {
    let mut words: OverrideWords = parse(file_name, text)?;
    for (file_name, text) in manifests {
        let manifest: Manifest = parse(file_name, text)?;
        words.verb.extend(manifest.below().filter_map(verb_of));
    }
    let at = (file_name, text);
    all_said(at, "[verb]", &words.verb)?;
    all_said(at, "[reply]", &words.reply)?;
    all_said(at, "[particle]", &words.particle)?;
    sound(at, words.verb.values().chain(words.reply.values()).chain(words.particle.values()))?;
    Ok(words)
}

/// Returns the words for a verb; `None` for other commands.
fn verb_of(command: &CommandOption) -> Option<(Verb, WordForms)> {
    let name: StrDeserializer<'_, Error> = command.name.as_str().into_deserializer();
    let [ja, en] = [Lang::Ja, Lang::En].map(|lang| command.called(lang).to_owned());
    let en = std::iter::once(en).chain(command.also.clone()).collect();
    Some((Verb::deserialize(name).ok()?, WordForms::new(vec![ja], en)))
}

/// Returns every fault in the words of a game master.
pub fn check() -> Vec<DataFault> {
    WORDS.fault().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sound() {
        assert_eq!(check(), []);
    }

    #[test]
    fn a_fault_has_its_line() {
        let manifests = Command::OF_GAME_MASTERS.map(Command::source);
        let fault = |text: &str| read(FILE, text, &manifests).unwrap_err();
        let twice = TEXT.replace("\"yes\"", "\"close\"");
        assert!(fault(&twice).what.contains("two places"));
        let only = TEXT.replace("ja = [\"はい\"]", "ja = []");
        assert!(fault(&only).what.contains("languages"));
        let less = read(FILE, TEXT, &manifests[1..]).unwrap_err();
        assert!(less.what.starts_with("25 of "), "{less}");
    }

    #[test]
    fn a_verb_stands_at_the_beginning() {
        assert_eq!(Verb::read("extend 22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(Verb::read("ＥＸＴＥＮＤ　22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(Verb::read("延長22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(Verb::read("飛ばし取消 P1"), Some((Verb::Unskip, "P1")));
        assert_eq!(Verb::read("飛ばしP1"), Some((Verb::Skip, "P1")));
        assert_eq!(Verb::read("accept P1"), Some((Verb::AcceptLate, "P1")));
        assert_eq!(Verb::read("extended"), None);
        assert_eq!(Verb::read(""), None);
    }
}
