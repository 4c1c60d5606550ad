//! What a thing is called in data files: words in both languages, and which of them stands in a
//! text.

use std::collections::BTreeMap;

use serde::Deserialize;
use strsim::damerau_levenshtein;
use strum::EnumCount;

use rules::data::DataFault;
use rules::text::{Folded, Lang, fold};

/// At most so many words are offered for one that nobody knows.
const OFFERED: usize = 3;

/// A longer word is no slip of the pen.
const LONGEST: usize = 40;

/// As much of what was said is quoted in a fault, in characters.
const QUOTED: usize = 60;

/// What was said, as a fault quotes it.
pub(super) fn quote(said: &str) -> String {
    said.trim().chars().take(QUOTED).collect()
}

/// What a thing is called in each language; the first word is the one that is shown.
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

    /// The word that is shown in a language.
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

/// A word as it is written, and as it is compared.
#[derive(Debug)]
pub(crate) struct VocabularyEntry<T> {
    pub(crate) written: String,
    folded: Vec<char>,
    pub(crate) means: T,
}

/// Words and what they mean, the longest first.
pub(crate) fn entries<'a, T: Copy + 'a>(
    all: impl Iterator<Item = (T, &'a WordForms)>,
) -> Vec<VocabularyEntry<T>> {
    let entry = |means, written: &String| VocabularyEntry {
        written: written.clone(),
        folded: fold(written).chars().collect(),
        means,
    };
    let mut entries: Vec<VocabularyEntry<T>> =
        all.flat_map(|(means, said)| said.all().map(move |word| entry(means, word))).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.folded.len()));
    entries
}

/// A fault, unless each meaning under a heading of a file has words.
pub fn all_said<T: EnumCount>(
    (file, text): (&str, &str),
    heading: &str,
    said: &BTreeMap<T, WordForms>,
) -> Result<(), DataFault> {
    let (said, all) = (said.len(), T::COUNT);
    let what = || format!("{said} of {all} meanings have words");
    if said == all { Ok(()) } else { Err(DataFault::at_key(file, text, heading, what())) }
}

/// A fault, unless everything in a file is called something in both languages, and no word stands
/// there twice.
pub fn sound<'a>(
    at: (&str, &str),
    all: impl Iterator<Item = &'a WordForms> + Clone,
) -> Result<(), DataFault> {
    both_told(at, all.clone())?;
    none_twice(at, &entries(all.map(|said| ((), said))))
}

/// A fault at the first thing in a file that is called something in one language only.
fn both_told<'a>(
    (file, text): (&str, &str),
    mut all: impl Iterator<Item = &'a WordForms>,
) -> Result<(), DataFault> {
    let is_told = |said: &&WordForms| !said.ja.is_empty() && !said.en.is_empty();
    let Some(said) = all.find(|said| !is_told(said)) else { return Ok(()) };
    let at = said.all().next().and_then(|word| text.find(&format!("{word:?}")));
    let what = "a word is missing in one of the languages";
    Err(DataFault::at_byte(file, text, at.unwrap_or_default(), what))
}

/// A fault at the first word of a file that is empty or stands there twice.
pub(crate) fn none_twice<T>(
    (file, text): (&str, &str),
    entries: &[VocabularyEntry<T>],
) -> Result<(), DataFault> {
    let again = |(at, entry): &(usize, &VocabularyEntry<T>)| {
        entry.folded.is_empty() || entries[..*at].iter().any(|other| other.folded == entry.folded)
    };
    let Some((_, VocabularyEntry { written, .. })) = entries.iter().enumerate().find(again) else {
        return Ok(());
    };
    let at = text.find(&format!("{written:?}")).unwrap_or_default();
    let what = format!("{written:?} is empty or stands in two places");
    Err(DataFault::at_byte(file, text, at, what))
}

/// What the longest word means that stands here, and where it ends.
pub(crate) fn longest_at<T: Copy>(
    entries: &[VocabularyEntry<T>],
    text: &Folded<'_>,
    at: usize,
) -> Option<(T, usize)> {
    entries.iter().find_map(|entry| Some((entry.means, stands(&entry.folded, text, at)?)))
}

/// Where a word ends that stands here. A word of Latin letters does not stand in a longer one.
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

/// The longest word that stands at the beginning of a text. A word of Latin letters ends before a
/// space; behind others anything may follow, as nobody writes spaces there.
pub fn found<'t, T: Copy>(known: &BTreeMap<T, WordForms>, text: &'t str) -> Option<(T, &'t str)> {
    let text = text.trim_start();
    let all = known.iter().flat_map(|(means, said)| said.all().map(move |word| (*means, word)));
    let stands = |(means, word): (T, &String)| Some((means, behind(text, word)?));
    let longest = all.filter_map(stands).min_by_key(|(_, rest)| rest.len());
    longest.map(|(means, rest)| (means, rest.trim_start()))
}

/// What stands behind a word at the beginning of a text. A word of Latin letters is no part of a
/// longer one.
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

/// A shorter word may differ in half of it, and a longer one in less than a third: otherwise it is
/// another word.
const SHORT: usize = 4;

/// The words that differ least from what was said, and not too much.
pub fn nearest<'a>(said: &str, known: impl Iterator<Item = (String, &'a str)>) -> Vec<String> {
    let said = fold(said);
    let length = said.chars().count();
    if length > LONGEST {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = known
        .filter_map(|(folded, written)| {
            let longer = length.max(folded.chars().count());
            let distance = damerau_levenshtein(&said, &folded);
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
