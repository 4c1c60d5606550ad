//! The phrases of which texts about cards are made, from files such as `data/tag_g/effects.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::card_texts::{InBoth, fill};
use rules::text::Lang;

/// Phrases by subject and key, with placeholders in braces.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Phrases(BTreeMap<String, BTreeMap<String, InBoth>>);

/// The values of placeholders.
pub(crate) type Values<'v> = &'v [(&'v str, String)];

impl Phrases {
    /// Returns the sentence about a fault with its placeholders filled in; empty if it is missing.
    pub(crate) fn sentence(&self, key: &str, values: Values<'_>) -> InBoth {
        InBoth::by(|lang| self.of(lang, "fault", key, values))
    }

    fn of(&self, lang: Lang, subject: &str, key: &str, values: Values<'_>) -> String {
        let phrase = self.0.get(subject).and_then(|phrases| phrases.get(key));
        phrase.map(|phrase| fill(phrase.of(lang), values)).unwrap_or_default()
    }
}

/// A writer of phrases in one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pen {
    pub(crate) phrases: &'static Phrases,
    pub(crate) lang: Lang,
}

impl Pen {
    /// Writes a phrase with its placeholders filled in; empty if it is missing.
    pub(crate) fn fill(self, subject: &str, key: &str, values: Values<'_>) -> String {
        self.phrases.of(self.lang, subject, key, values)
    }

    /// Writes a phrase without placeholders.
    pub(crate) fn word(self, subject: &str, key: &str) -> String {
        self.fill(subject, key, &[])
    }

    /// Joins phrases that are not empty by a part.
    pub(crate) fn joined(self, joint: &str, phrases: impl IntoIterator<Item = String>) -> String {
        let phrases = phrases.into_iter().filter(|phrase| !phrase.is_empty());
        phrases.collect::<Vec<_>>().join(&self.word("part", joint))
    }
}
