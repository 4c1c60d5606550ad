//! The words of `data/desk/absence.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use strum::EnumCount;

use crate::vocabulary::{Vocabulary, WordForms, all_said};
use rules::data::{self, BuiltIn, DataFault, parse};
use rules::text::{Folded, fold};

const FILE: &str = "data/desk/absence.toml";
const TEXT: &str = include_str!("../../../data/desk/absence.toml");

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

/// The meaning of a word before or after a piece of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PeriodMark {
    From,
    To,
    /// A word after the end.
    Until,
    DayOfMonth,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AbsenceWordFile {
    word: BTreeMap<AbsenceWord, WordForms>,
    period: BTreeMap<PeriodMark, WordForms>,
    noise: WordForms,
}

/// The words that are built in.
pub(super) static WORDS: BuiltIn<AbsenceWords> = BuiltIn::new(|| AbsenceWords::parse(FILE, TEXT));

/// All words of absences and their periods.
#[derive(Debug)]
pub(super) struct AbsenceWords {
    /// The words of settings, `None` for one without meaning.
    pub(super) words: Vocabulary<Option<AbsenceWord>>,
    pub(super) marks: Vocabulary<PeriodMark>,
}

impl AbsenceWords {
    fn parse(file_name: &str, text: &str) -> Result<Self, DataFault> {
        let file: AbsenceWordFile = parse(file_name, text)?;
        let at = (file_name, text);
        all_said(at, "[word]", &file.word)?;
        let words = file.word.iter().map(|(word, forms)| (Some(*word), forms));
        let words = Vocabulary::new(at, words.chain([(None, &file.noise)]))?;
        all_said(at, "[period]", &file.period)?;
        let marks = file.period.iter().map(|(mark, forms)| (*mark, forms));
        Ok(Self { words, marks: Vocabulary::new(at, marks)? })
    }

    /// Returns the most similar word.
    pub(super) fn nearest(&self, input: &str) -> Option<String> {
        let words = self.words.0.iter().filter(|entry| entry.means.is_some());
        data::nearest(&fold(input), words.map(|entry| entry.written.as_str())).map(str::to_owned)
    }
}

/// True if a text is a word for none.
pub fn says_none(text: &str) -> bool {
    let folded = Folded::new(text);
    let found = WORDS.words.at(&folded, 0);
    found.is_some_and(|(word, end)| word == Some(AbsenceWord::None) && folded.char(end).is_none())
}

/// Returns every fault in these words.
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
        let twice = TEXT.replace("\"extended\"", "\"house\"");
        let fault = AbsenceWords::parse(FILE, &twice).unwrap_err();
        assert!(fault.what.contains("two places"), "{fault}");
        let missing: String =
            TEXT.split_inclusive('\n').filter(|line| !line.starts_with("none =")).collect();
        let fault = AbsenceWords::parse(FILE, &missing).unwrap_err();
        assert!(fault.what.starts_with(&(AbsenceWord::COUNT - 1).to_string()), "{fault}");
    }
}
