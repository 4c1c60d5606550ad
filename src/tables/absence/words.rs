//! The words of `data/desk/absence.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use strum::EnumCount;

use super::period::{self, FILE, PeriodWords, TEXT};
use crate::vocabulary::{VocabularyEntry, WordForms, all_said, entries, longest_at, none_twice};
use rules::data::{self, BuiltIn, DataFault, parse};
use rules::text::{Folded, fold};

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AbsenceWord {
    Allowance,
    Grace,
    Inactive,
    Away,
    Join,
    Skip,
    House,
    Extend,
    Substitute,
    None,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AbsenceWordFile {
    word: BTreeMap<AbsenceWord, WordForms>,
    /// Parsed with the words of a period.
    #[serde(rename = "period")]
    _period: PeriodWords,
    noise: WordForms,
}

static WORDS: BuiltIn<AbsenceWords> = BuiltIn::new(|| AbsenceWords::parse(FILE, TEXT));

/// All words, the longest first, `None` for a word without meaning.
#[derive(Debug)]
pub(super) struct AbsenceWords(Vec<VocabularyEntry<Option<AbsenceWord>>>);

impl AbsenceWords {
    /// Returns the words that are built in.
    ///
    /// # Panics
    /// If they are faulty, which `shimekiri check` and a test rule out.
    pub(super) fn built_in() -> &'static Self {
        &WORDS
    }

    fn parse(file_name: &str, text: &str) -> Result<Self, DataFault> {
        let file: AbsenceWordFile = parse(file_name, text)?;
        let at = (file_name, text);
        all_said(at, "[word]", &file.word)?;
        let words = file.word.iter().map(|(word, forms)| (Some(*word), forms));
        let words = entries(words.chain([(None, &file.noise)]));
        none_twice(at, &words)?;
        Ok(Self(words))
    }

    /// Returns the word here with its end, `None` for a word without meaning.
    pub(super) fn word_at(
        &self,
        text: &Folded<'_>,
        at: usize,
    ) -> Option<(Option<AbsenceWord>, usize)> {
        longest_at(&self.0, text, at)
    }

    /// Returns the most similar word.
    pub(super) fn nearest(&self, input: &str) -> Option<String> {
        let words = self.0.iter().filter(|entry| entry.means.is_some());
        data::nearest(&fold(input), words.map(|entry| entry.written.as_str())).map(str::to_owned)
    }
}

/// True if a text is a word for none.
pub fn says_none(text: &str) -> bool {
    let folded = Folded::new(text);
    let found = AbsenceWords::built_in().word_at(&folded, 0);
    found.is_some_and(|(word, end)| word == Some(AbsenceWord::None) && folded.char(end).is_none())
}

/// Returns every fault in these words.
pub fn check() -> Vec<DataFault> {
    WORDS.fault().into_iter().chain(period::check()).collect()
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
        let twice = TEXT.replace("\"extended\"", "\"house\"");
        let fault = AbsenceWords::parse(FILE, &twice).unwrap_err();
        assert!(fault.what.contains("two places"), "{fault}");
        let missing: String =
            TEXT.split_inclusive('\n').filter(|line| !line.starts_with("none =")).collect();
        let fault = AbsenceWords::parse(FILE, &missing).unwrap_err();
        assert!(fault.what.starts_with(&(AbsenceWord::COUNT - 1).to_string()), "{fault}");
    }
}
