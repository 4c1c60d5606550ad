//! The ids and names of a set's entries, and their faults.

use serde::Deserialize;

use super::fault::sentence;
use crate::card_texts::InBoth;
use rules::text::Lexicon;

/// The maximum length of a name in characters.
const NAME: usize = 40;

/// The maximum length of an id in characters.
const ID: usize = 24;

/// The signs that divide lines and decks, or mean something to a medium.
const SIGNS: [char; 17] =
    ['\n', '\r', '\t', ',', '、', '，', ';', '；', '#', ':', '：', '@', '*', '_', '`', '|', '/'];

/// A name in both languages. A missing English name is replaced by the Japanese one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Name {
    pub(crate) ja: String,
    pub(crate) en: Option<String>,
}

impl Name {
    /// True if both languages have a name of a possible length.
    fn is_whole(&self) -> bool {
        let is_whole = |name: &str| (1..=NAME).contains(&name.trim().chars().count());
        is_whole(&self.ja) && self.en.as_deref().is_none_or(is_whole)
    }

    pub(crate) fn both(&self) -> InBoth {
        InBoth { ja: self.ja.clone(), en: self.en.clone().unwrap_or_else(|| self.ja.clone()) }
    }

    /// Returns the name in each language that has one.
    pub(crate) fn each(&self) -> impl Iterator<Item = &String> {
        [Some(&self.ja), self.en.as_ref()].into_iter().flatten()
    }
}

/// Returns the faults of an id and a name, each with a word near it in the file. The words of the game cannot be
/// names.
pub(crate) fn faults(
    id: &str,
    name: &Name,
    is_new: bool,
    words: &Lexicon,
) -> Vec<(String, InBoth)> {
    let mut faults = Vec::new();
    let values = [("input", id.to_owned())];
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || id.len() > ID || !id.chars().all(is_plain) {
        faults.push((id.to_owned(), sentence("no-id", &values)));
    } else if !is_new {
        faults.push((id.to_owned(), sentence("twice", &values)));
    }
    if !name.is_whole() {
        faults.push((name.ja.clone(), sentence("no-name", &[])));
    }
    for name in name.each() {
        let key = if name.contains(SIGNS) || name.starts_with(|c: char| c.is_numeric()) {
            "bad-sign"
        } else if words.has_word(name) {
            "word-of-game"
        } else {
            continue;
        };
        faults.push((name.clone(), sentence(key, &[("input", name.clone())])));
    }
    faults
}
