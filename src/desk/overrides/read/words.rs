//! The words of `data/desk/gm.toml`: what a game master decides in.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::data::{DataFault, built_in, parse};
use crate::rules::text::{Lang, fold};
use crate::tables::vocabulary::{self, WordForms, all_said, found, sound};

const FILE: &str = "data/desk/gm.toml";
const TEXT: &str = include_str!("../../../../data/desk/gm.toml");

/// What a game master can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    Extend,
    Close,
    Pause,
    Resume,
    Void,
    Hold,
    Publish,
    Declare,
    AcceptLate,
    Return,
    Skip,
    Unskip,
    Die,
    Choose,
    Edit,
    Rule,
    Replace,
    House,
    Swap,
    Call,
    Recall,
    Invite,
    Kick,
    Rollback,
    End,
    Cancel,
    Say,
    Open,
    Undo,
}

/// What is said of a decision that was rehearsed, and what can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverrideReply {
    /// It is decided, and the table is told.
    Yes,
    /// It is decided, and only those are told whose seats it is about.
    Quietly,
    /// It is not decided.
    No,
    /// What has been decided.
    Log,
    /// What the game master may see of the open window.
    Show,
    /// Somebody decides beside the host.
    Appoint,
    /// They do so no more.
    Dismiss,
    /// What can be decided.
    Help,
}

/// What can stand within a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::desk::overrides) enum Particle {
    /// The window that was closed last.
    Last,
    /// A die that is nobody's.
    Table,
    /// A die is thrown again.
    Again,
    /// The window of the setup.
    Setup,
    /// A window, whose number stands before, behind or within.
    Window,
}

impl Verb {
    /// How many there are; `Undo` is the last.
    const COUNT: usize = Self::Undo as usize + 1;

    /// Every one, in the order of [`crate::desk::model::overrides::Override`].
    pub fn all() -> impl Iterator<Item = Self> {
        words().verb.keys().copied()
    }

    /// The word shown in a language.
    pub fn word(self, lang: Lang) -> &'static str {
        words().verb.get(&self).map_or("", |said| said.shown(lang))
    }
}

impl OverrideReply {
    /// How many there are; `Help` is the last.
    const COUNT: usize = Self::Help as usize + 1;

    /// What a word says of a decision, and the text behind it.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        found(&words().reply, text)
    }

    pub(in crate::desk) fn words(lang: Lang) -> impl Iterator<Item = &'static str> {
        words().reply.values().map(move |said| said.shown(lang))
    }
}

impl Particle {
    /// How many there are; `Window` is the last.
    const COUNT: usize = Self::Window as usize + 1;

    /// The word shown in a language.
    pub(in crate::desk::overrides) fn word(self, lang: Lang) -> &'static str {
        words().particle.get(&self).map_or("", |said| said.shown(lang))
    }

    /// Whether this word stands at the beginning, and the text behind it.
    pub(in crate::desk) fn strip(self, text: &str) -> Option<&str> {
        found(&words().particle, text).filter(|(found, _)| *found == self).map(|(_, rest)| rest)
    }
}

/// The verb that stands at the beginning of a text, and what stands behind it.
pub(in crate::desk) fn verb(text: &str) -> Option<(Verb, &str)> {
    found(&words().verb, text)
}

/// The verbs that look most like this word, best first, in its letters.
pub(in crate::desk) fn nearest(said: &str) -> Vec<String> {
    let all =
        words().verb.values().flat_map(WordForms::all).map(|word| (fold(word), word.as_str()));
    vocabulary::nearest(said, all)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OverrideWords {
    verb: BTreeMap<Verb, WordForms>,
    reply: BTreeMap<OverrideReply, WordForms>,
    particle: BTreeMap<Particle, WordForms>,
}

/// The words that are built in.
fn words() -> &'static OverrideWords {
    static WORDS: LazyLock<OverrideWords> = LazyLock::new(|| built_in(read(FILE, TEXT)));
    &WORDS
}

fn read(file_name: &str, text: &str) -> Result<OverrideWords, DataFault> {
    let words: OverrideWords = parse(file_name, text)?;
    let at = (file_name, text);
    all_said(at, "[verb]", words.verb.len(), Verb::COUNT)?;
    all_said(at, "[reply]", words.reply.len(), OverrideReply::COUNT)?;
    all_said(at, "[particle]", words.particle.len(), Particle::COUNT)?;
    sound(at, words.verb.values().chain(words.reply.values()).chain(words.particle.values()))?;
    Ok(words)
}

/// Every fault in the words in which a game master decides.
pub fn check() -> Vec<DataFault> {
    read(FILE, TEXT).err().into_iter().collect()
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
        let twice = TEXT.replace("\"skip\"", "\"close\"");
        let fault = read(FILE, &twice).err().unwrap();
        assert!(fault.what.contains("two places"), "{fault}");
        let only = TEXT.replace("ja = [\"延長\"", "ja = [], en = [\"extend\"] } #");
        assert!(read(FILE, &only).err().unwrap().what.contains("languages"));
        let missing: String =
            TEXT.split_inclusive('\n').filter(|line| !line.starts_with("void =")).collect();
        let fault = read(FILE, &missing).err().unwrap();
        assert!(fault.what.starts_with(&(Verb::COUNT - 1).to_string()), "{fault}");
    }

    #[test]
    fn a_verb_stands_at_the_beginning() {
        assert_eq!(verb("extend 22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(verb("ＥＸＴＥＮＤ　22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(verb("延長22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(verb("飛ばし取消 P1"), Some((Verb::Unskip, "P1")));
        assert_eq!(verb("飛ばしP1"), Some((Verb::Skip, "P1")));
        assert_eq!(verb("accept P1"), Some((Verb::AcceptLate, "P1")));
        assert_eq!(verb("extended"), None);
        assert_eq!(verb(""), None);
    }
}
