//! The vocabulary of data files: words in both languages, and their search in a text.

use std::collections::BTreeMap;

use serde::Deserialize;
use strsim::damerau_levenshtein;
use strum::EnumCount;

use rules::data::DataFault;
use rules::text::{Folded, Lang, fold};

/// The maximum number of suggestions for an unknown word.
const OFFERED: usize = 3;

/// The maximum length of a slip of the pen.
const LONGEST: usize = 40;

/// The maximum number of characters that a fault quotes.
const QUOTED: usize = 60;

/// Returns the input as a fault quotes it.
pub(super) fn quote(input: &str) -> String {
    input.trim().chars().take(QUOTED).collect()
}

/// The words for a thing in each language, the shown one first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordForms {
    ja: Vec<String>,
    en: Vec<String>,
}

impl WordForms {
    pub fn new(ja: Vec<String>, en: Vec<String>) -> Self {
        Self { ja, en }
    }

    /// Returns the shown word in a language.
    pub fn shown(&self, lang: Lang) -> &str {
        let words = match lang {
            Lang::Ja => &self.ja,
            Lang::En => &self.en,
        };
        words.first().map_or("", String::as_str)
    }

    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.ja.iter().chain(&self.en)
    }
}

/// A word in its spelling, and folded for comparison.
#[derive(Debug)]
pub(crate) struct VocabularyEntry<T> {
    pub(crate) written: String,
    folded: Vec<char>,
    pub(crate) means: T,
}

/// Words with their meanings, the longest first.
#[derive(Debug)]
pub(crate) struct Vocabulary<T>(pub(crate) Vec<VocabularyEntry<T>>);

impl<T: Copy> Vocabulary<T> {
    /// Returns the words of a file, with a fault at the first one that is empty or repeated.
    pub(crate) fn new<'a>(
        (file, text): (&str, &str),
        all: impl IntoIterator<Item = (T, &'a WordForms)>,
    ) -> Result<Self, DataFault> {
        let entry = |means, written: &String| VocabularyEntry {
            written: written.clone(),
            folded: fold(written).chars().collect(),
            means,
        };
        let all = all.into_iter();
        let mut entries: Vec<VocabularyEntry<T>> = all
            .flat_map(|(means, forms)| forms.all().map(move |word| entry(means, word)))
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.folded.len()));
        let again = |(at, entry): &(usize, &VocabularyEntry<T>)| {
            let mut before = entries[..*at].iter();
            entry.folded.is_empty() || before.any(|other| other.folded == entry.folded)
        };
        if let Some((_, VocabularyEntry { written, .. })) = entries.iter().enumerate().find(again) {
            let at = text.find(&format!("{written:?}")).unwrap_or_default();
            let what = format!("{written:?} is empty or stands in two places");
            return Err(DataFault::at_byte(file, text, at, what));
        }
        Ok(Self(entries))
    }

    /// Returns the meaning and the end of the longest word here.
    pub(crate) fn at(&self, text: &Folded<'_>, at: usize) -> Option<(T, usize)> {
        self.0.iter().find_map(|entry| Some((entry.means, stands(&entry.folded, text, at)?)))
    }
}

/// Parses a number, and returns its end.
pub(crate) fn count_at(text: &Folded<'_>, at: usize) -> Option<(i64, usize)> {
    let digit = |at: usize| text.char(at).and_then(|c| c.to_digit(10));
    let (mut count, mut end) = (0_i64, at);
    while let Some(digit) = digit(end) {
        count = count.saturating_mul(10).saturating_add(digit.into());
        end += 1;
    }
    (end > at).then_some((count, end))
}

/// Returns a fault, unless each meaning under a heading of a file has words.
pub fn all_said<T: EnumCount>(
    (file, text): (&str, &str),
    heading: &str,
    known: &BTreeMap<T, WordForms>,
) -> Result<(), DataFault> {
    let (count, all) = (known.len(), T::COUNT);
    let what = || format!("{count} of {all} meanings have words");
    if count == all { Ok(()) } else { Err(DataFault::at_key(file, text, heading, what())) }
}

/// Returns a fault, unless every entry of a file has words in both languages, and no word is repeated.
pub fn sound<'a>(
    at: (&str, &str),
    all: impl Iterator<Item = &'a WordForms> + Clone,
) -> Result<(), DataFault> {
    both_told(at, all.clone())?;
    Vocabulary::new(at, all.map(|forms| ((), forms))).map(drop)
}

/// Returns a fault at the first entry of a file with words in one language only.
fn both_told<'a>(
    (file, text): (&str, &str),
    mut all: impl Iterator<Item = &'a WordForms>,
) -> Result<(), DataFault> {
    let is_told = |forms: &&WordForms| !forms.ja.is_empty() && !forms.en.is_empty();
    let Some(forms) = all.find(|forms| !is_told(forms)) else { return Ok(()) };
    let at = forms.all().next().and_then(|word| text.find(&format!("{word:?}")));
    let what = "a word is missing in one of the languages";
    Err(DataFault::at_byte(file, text, at.unwrap_or_default(), what))
}

/// Returns the end of the word if it is here. A word of Latin letters is not a part of a longer one.
fn stands(word: &[char], text: &Folded<'_>, mut at: usize) -> Option<usize> {
    let space = |at: usize| text.char(at).is_some_and(char::is_whitespace);
    for &c in word {
        if c == ' ' && space(at) {
            while space(at) {
                at += 1;
            }
        } else if text.char(at) == Some(c) {
            at += 1;
        } else {
            return None;
        }
    }
    let latin = |c: &char| c.is_ascii_alphabetic();
    let goes_on = word.last().is_some_and(latin) && text.char(at).as_ref().is_some_and(latin);
    (!goes_on).then_some(at)
}

/// Returns the longest word at the beginning of a text, with the rest. A word of Latin letters ends before a
/// space; other words need none, as Japanese has no spaces.
pub fn found<'t, T: Copy>(known: &BTreeMap<T, WordForms>, text: &'t str) -> Option<(T, &'t str)> {
    let text = text.trim_start();
    let all = known.iter().flat_map(|(means, forms)| forms.all().map(move |word| (*means, word)));
    let stands = |(means, word): (T, &String)| Some((means, behind(text, word)?));
    let longest = all.filter_map(stands).min_by_key(|(_, rest)| rest.len());
    longest.map(|(means, rest)| (means, rest.trim_start()))
}

/// Returns the text after a word at its beginning. A word of Latin letters is not a part of a longer one.
pub fn behind<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (text, word) = (Folded::new(text), Folded::new(word));
    let spelled = |(at, c): (usize, &char)| text.char(at) == Some(*c);
    if !word.chars().iter().enumerate().all(spelled) {
        return None;
    }
    let end = word.len();
    let is_latin = |c: Option<&char>| c.is_some_and(char::is_ascii_alphanumeric);
    if is_latin(word.chars().last()) && is_latin(text.chars().get(end)) {
        return None;
    }
    Some(&text.original()[text.start(end)..])
}

/// The maximum length of a short word, which may differ in half of its letters. A longer word may differ in
/// less than a third.
const SHORT: usize = 4;

/// Returns the words most similar to the input, if they are similar enough.
pub fn nearest<'a>(input: &str, known: impl Iterator<Item = (String, &'a str)>) -> Vec<String> {
    let input = fold(input);
    let length = input.chars().count();
    if length > LONGEST {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = known
        .filter_map(|(folded, written)| {
            let longer = length.max(folded.chars().count());
            let distance = damerau_levenshtein(&input, &folded);
            let near = if longer <= SHORT { distance * 2 <= longer } else { distance * 3 < longer };
            near.then(|| (distance * 1000 / longer, written))
        })
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    let mut best: Vec<String> = Vec::new();
    for (_, written) in near {
        if best.len() < OFFERED && !best.iter().any(|other| other == written) {
            best.push(written.to_owned());
        }
    }
    best
}
