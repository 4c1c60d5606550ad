//! The parser of a line of absence settings, in any order and either language.
//!
//! `extensions 1, grace 2h, inactive after 2: bot, away: extend, join: missed at most 2 of the last 10`: the
//! word of a setting takes all values after it, up to the next such word.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use strum::EnumCount;

use crate::Absence;
use crate::absence::{Away, Inactive, Minimum};
use crate::pace::length::length_at;
use crate::time::Span;
use crate::vocabulary::count_at;
use crate::vocabulary::{Vocabulary, WordForms, all_said, quote};
use rules::data;
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::{Folded, fold};

impl Absence {
    /// Parses one line. A setting that the line does not give comes from `supposed`.
    ///
    /// # Errors
    /// If the line has an unknown word, or one that does not fit.
    pub fn read(text: &str, supposed: &Self) -> Result<Self, AbsenceFault> {
        let text = Folded::new(text);
        let mut reader = AbsenceReader { text, parts: AbsenceParts::default(), topic: None };
        let mut at = 0;
        while at < reader.text.len() {
            at = reader.piece_at(at)?;
        }
        reader.finish(supposed)
    }
}

/// The settings given so far.
#[derive(Default)]
struct AbsenceParts {
    allowance: Option<u8>,
    grace: Option<Span>,
    inactive_after: Option<u8>,
    inactive: Option<Inactive>,
    away: Option<Away>,
    join: Option<Join>,
}

/// The requirement for new players.
enum Join {
    Anybody,
    /// The maximum number missed of the last ten.
    One(i64),
    /// Two counts, in either order: the maximum missed, and the number of windows.
    Two(i64, i64),
}

/// The setting that takes the next values.
struct Topic {
    word: AbsenceWord,
    span: Range<usize>,
    /// True if the setting has a value.
    filled: bool,
}

/// A value of a setting.
enum AbsenceValue {
    Count(i64),
    Length(Span),
    Word(AbsenceWord),
}

struct AbsenceReader<'t> {
    text: Folded<'t>,
    parts: AbsenceParts,
    topic: Option<Topic>,
}

impl AbsenceReader<'_> {
    /// Parses the next piece, and returns its end.
    fn piece_at(&mut self, at: usize) -> Result<usize, AbsenceFault> {
        if self.text.char(at).is_some_and(is_between) {
            return Ok(at + 1);
        }
        // A word may begin with a number.
        match WORDS.words.at(&self.text, at) {
            Some((None, end)) => Ok(end),
            Some((Some(AbsenceWord::Extend), end)) if self.counts_extensions(end) => {
                self.turn_to(AbsenceWord::Allowance, at..end)?;
                Ok(end)
            }
            Some((Some(word), end)) if is_topic(word) => {
                self.turn_to(word, at..end)?;
                Ok(end)
            }
            Some((Some(word), end)) => self.take(&AbsenceValue::Word(word), at..end),
            None => match (length_at(&self.text, at), count_at(&self.text, at)) {
                (Some((length, end)), _) => {
                    self.take(&AbsenceValue::Length(length.span()), at..end)
                }
                (None, Some((count, end))) => self.take(&AbsenceValue::Count(count), at..end),
                (None, None) => Err(self.unknown(at)),
            },
        }
    }

    /// True if a word for extending that ends here gives the number of extensions, such as 延長1回, and not the
    /// treatment of an absent player.
    fn counts_extensions(&self, end: usize) -> bool {
        let mut at = end;
        while self.topic.as_ref().is_none_or(|topic| topic.filled) {
            if self.text.char(at).is_some_and(is_between) {
                at += 1;
                continue;
            }
            match WORDS.words.at(&self.text, at) {
                Some((None, end)) => at = end,
                Some((Some(word), _)) => return word == AbsenceWord::None,
                None => {
                    let is_length = length_at(&self.text, at).is_some();
                    return !is_length && count_at(&self.text, at).is_some();
                }
            }
        }
        false
    }

    fn turn_to(&mut self, word: AbsenceWord, span: Range<usize>) -> Result<(), AbsenceFault> {
        self.leave()?;
        self.topic = Some(Topic { word, span, filled: false });
        Ok(())
    }

    /// Ends the current setting, with a fault if it has no value.
    fn leave(&self) -> Result<(), AbsenceFault> {
        match &self.topic {
            Some(topic) if !topic.filled => {
                Err(AbsenceFault::Incomplete { said: self.quote(topic.span.clone()) })
            }
            _ => Ok(()),
        }
    }

    fn take(&mut self, value: &AbsenceValue, span: Range<usize>) -> Result<usize, AbsenceFault> {
        let (quoted, end) = (self.quote(span.clone()), span.end);
        let unfitting = || AbsenceFault::Unfitting { said: quoted.clone() };
        let topic = self.topic.as_mut().ok_or_else(unfitting)?;
        topic.filled = true;
        let is_first = match (topic.word, value) {
            (AbsenceWord::Allowance, AbsenceValue::Count(count)) => {
                let count = counted(*count, Absence::MOST_ALLOWANCE)?;
                self.parts.allowance.replace(count).is_none()
            }
            (AbsenceWord::Allowance, AbsenceValue::Word(AbsenceWord::None)) => {
                self.parts.allowance.replace(0).is_none()
            }
            // 猶予2時間 is time after the deadline, and 猶予1回 a deadline that is put off.
            (AbsenceWord::Allowance | AbsenceWord::Grace, AbsenceValue::Length(length)) => {
                let most = Absence::LONGEST_GRACE;
                if *length > most {
                    return Err(AbsenceFault::TooLong { said: *length, most });
                }
                self.parts.grace.replace(*length).is_none()
            }
            (AbsenceWord::Grace, AbsenceValue::Word(AbsenceWord::None)) => {
                self.parts.grace.replace(Span::ZERO).is_none()
            }
            (AbsenceWord::Inactive, AbsenceValue::Count(count)) => {
                let count = counted(*count, Absence::MOST_MISSES)?;
                self.parts.inactive_after.replace(count).is_none()
            }
            (AbsenceWord::Inactive, AbsenceValue::Word(AbsenceWord::None)) => {
                self.parts.inactive_after.replace(0).is_none()
            }
            (AbsenceWord::Inactive, AbsenceValue::Word(word)) => {
                let inactive = inactive(*word).ok_or_else(unfitting)?;
                self.parts.inactive.replace(inactive).is_none()
            }
            (AbsenceWord::Join, AbsenceValue::Count(count)) => match self.parts.join {
                None => self.parts.join.replace(Join::One(*count)).is_none(),
                Some(Join::One(first)) => {
                    minimum(first, *count)?.ok_or_else(unfitting)?;
                    self.parts.join = Some(Join::Two(first, *count));
                    true
                }
                Some(_) => false,
            },
            (AbsenceWord::Join, AbsenceValue::Word(AbsenceWord::None)) => {
                self.parts.join.replace(Join::Anybody).is_none()
            }
            (AbsenceWord::Away, AbsenceValue::Word(word)) => {
                let away = away(*word).ok_or_else(unfitting)?;
                self.parts.away.replace(away).is_none()
            }
            _ => return Err(unfitting()),
        };
        if is_first { Ok(end) } else { Err(AbsenceFault::Twice { said: quoted }) }
    }

    fn finish(self, supposed: &Absence) -> Result<Absence, AbsenceFault> {
        self.leave()?;
        let parts = self.parts;
        let minimum = match parts.join {
            None | Some(Join::Anybody) => None,
            Some(Join::One(missed)) => {
                let of = Minimum::SPANS[0];
                Some(Minimum { missed: counted(missed, of - 1)?, of })
            }
            Some(Join::Two(one, other)) => minimum(one, other)?,
        };
        Ok(Absence {
            allowance: parts.allowance.unwrap_or(supposed.allowance),
            grace: parts.grace.unwrap_or(supposed.grace),
            inactive_after: parts.inactive_after.unwrap_or(supposed.inactive_after),
            inactive: parts.inactive.unwrap_or(supposed.inactive),
            away: parts.away.unwrap_or(supposed.away),
            minimum,
        })
    }

    fn quote(&self, span: Range<usize>) -> String {
        quote(self.text.piece(span))
    }

    /// Returns the fault for the unknown word here.
    fn unknown(&self, at: usize) -> AbsenceFault {
        let goes_on = |at: &usize| self.text.char(*at).is_some_and(|c| !is_between(c));
        let end = (at + 1..self.text.len()).find(|at| !goes_on(at)).unwrap_or(self.text.len());
        let quoted = self.quote(at..end);
        AbsenceFault::Unknown { nearest: WORDS.nearest(&quoted), said: quoted }
    }
}

fn is_topic(word: AbsenceWord) -> bool {
    matches!(
        word,
        AbsenceWord::Allowance
            | AbsenceWord::Grace
            | AbsenceWord::Inactive
            | AbsenceWord::Away
            | AbsenceWord::Join
    )
}

fn counted(requested: i64, most: u8) -> Result<u8, AbsenceFault> {
    let too_many = AbsenceFault::TooMany { said: requested, most: most.into() };
    u8::try_from(requested).ok().filter(|requested| *requested <= most).ok_or(too_many)
}

/// Returns the minimum with these two counts in either order, `None` if no span has the larger count.
fn minimum(one: i64, other: i64) -> Result<Option<Minimum>, AbsenceFault> {
    let (missed, of) = (one.min(other), one.max(other));
    let Some(of) = Minimum::SPANS.into_iter().find(|span| i64::from(*span) == of) else {
        return Ok(None);
    };
    Ok(Some(Minimum { missed: counted(missed, of - 1)?, of }))
}

fn inactive(word: AbsenceWord) -> Option<Inactive> {
    match word {
        AbsenceWord::Skip => Some(Inactive::Skip),
        AbsenceWord::House => Some(Inactive::House),
        _ => None,
    }
}

fn away(word: AbsenceWord) -> Option<Away> {
    match word {
        AbsenceWord::Skip => Some(Away::Skip),
        AbsenceWord::House => Some(Away::House),
        AbsenceWord::Extend => Some(Away::Extend),
        AbsenceWord::Substitute => Some(Away::Substitute),
        _ => None,
    }
}

/// True for a character that may separate the pieces of a line.
fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '.' | ':' | '(' | ')' | '、' | '。' | '・' | '→')
}

const FILE: &str = "data/desk/absence.toml";
const TEXT: &str = include_str!("../../../data/desk/absence.toml");

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AbsenceWord {
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
pub(crate) struct AbsenceWords {
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

/// The reason why a line of absence settings cannot be parsed. It quotes the input as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum AbsenceFault {
    /// An unknown word.
    Unknown {
        said: String,
        /// The most similar word, `None` if there is none.
        nearest: Option<String>,
    },
    /// A word without its value, such as a grace without a time.
    Incomplete { said: String },
    /// A value that does not fit the word before it.
    Unfitting { said: String },
    /// A setting given twice.
    Twice {
        /// The value that was given last.
        said: String,
    },
    /// A count above the maximum.
    TooMany { said: i64, most: i64 },
    /// A grace above the maximum.
    TooLong { said: Span, most: Span },
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
