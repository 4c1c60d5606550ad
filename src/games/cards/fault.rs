//! The faults of a set's file, in both languages, with the sentences of `data/sets.toml`.

use super::phrases::{Phrases, Values};
use crate::card_texts::{InBoth, fill};
use rules::data::{self, BuiltIn, DataFault, nearest};
use rules::text::Lang;

/// The path and text of the sentences' file.
const FILE: (&str, &str) = rules::built_in_file!("data/sets.toml");

static SENTENCES: BuiltIn<Phrases> = BuiltIn::new(|| data::parse(FILE.0, FILE.1));

/// A fault in the file of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetFault {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The id of the card or deck; `None` outside of all.
    pub card: Option<String>,
    what: InBoth,
}

impl SetFault {
    pub(crate) fn new(file: &str, line: usize, card: Option<&str>, what: InBoth) -> Self {
        Self { file: file.to_owned(), line, card: card.map(str::to_owned), what }
    }

    /// Returns the fault as one line.
    pub fn written(&self, lang: Lang) -> String {
        let card = self.card.as_ref().map_or_else(String::new, |card| format!("{card}: "));
        format!("{}:{}: {card}{}", self.file, self.line, self.what.of(lang))
    }
}

impl From<SetFault> for DataFault {
    fn from(fault: SetFault) -> Self {
        let card = fault.card.map_or_else(String::new, |card| format!("{card}: "));
        let what = format!("{card}{}", fault.what.en);
        Self { file: fault.file, line: fault.line, what }
    }
}

/// Returns a sentence of `data/sets.toml` with its placeholders filled in.
pub(crate) fn sentence(key: &str, values: Values<'_>) -> InBoth {
    SENTENCES.sentence(key, values)
}

/// Returns a sentence with a placeholder for a phrase filled in.
pub(crate) fn with_phrase(sentence: &InBoth, name: &str, phrase: &InBoth) -> InBoth {
    InBoth::by(|lang| fill(sentence.of(lang), &[(name, phrase.of(lang).to_owned())]))
}

/// Returns a sentence about an unknown word, with the most similar known word.
pub(crate) fn unknown<'a>(
    key: &str,
    input: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> InBoth {
    let near = nearest(input, known.clone());
    let near = near.map(|near| sentence("near", &[("input", near.to_owned())])).unwrap_or_default();
    let right = known.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let values = [("input", input.to_owned()), ("right", right)];
    with_phrase(&sentence(key, &values), "near", &near)
}

/// Returns the fault of the built-in sentences; `None` if they have none.
pub fn check() -> Option<DataFault> {
    SENTENCES.fault()
}
