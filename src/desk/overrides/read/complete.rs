//! The completion of decisions.

use crate::model::overrides::Verb;
use crate::overrides::bench::Bench;
use crate::overrides::read::reader::{OverrideOptions, OverrideReader, Said, names};
use crate::overrides::read::words::OverrideReply;
use rules::text::{self, Completion, Lang, fold};
use rules::{Declaration, Interview};
use tables::time::Time;

/// The maximum number of completions, as in a menu.
pub(crate) const MOST: usize = 25;

/// Returns the completions of a decision. Completions for dice reveal nothing that the game master may not
/// know.
pub fn complete(text: &str, bench: &Bench, lang: Lang) -> Vec<Completion> {
    let read = Verb::read(text).filter(|(_, rest)| text.ends_with(' ') || !rest.is_empty());
    let mut found = if let Some((verb, rest)) = read {
        Completing::new(verb, Said::Line(rest), text, bench, lang).found()
    } else {
        let verbs = Verb::ALL.iter().map(|verb| verb.word(lang));
        begun(text, text, verbs.chain(OverrideReply::words(lang)).map(ToOwned::to_owned))
    };
    found.truncate(MOST);
    found
}

/// Returns the completions of one argument of a decision, given the other arguments.
pub fn complete_option(
    (option, text): (&str, &str),
    verb: Verb,
    others: &OverrideOptions,
    bench: &Bench,
    lang: Lang,
) -> Vec<Completion> {
    let completing = Completing::new(verb, Said::Options(others), text, bench, lang);
    let mut found = Completing { option: Some(option), ..completing }.found();
    found.truncate(MOST);
    found
}

/// The form of an argument, for front ends that ask for arguments one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentForm {
    Time,
    /// A seat, which more words can follow on a line.
    Seat,
    /// The game master's own words.
    Words,
    /// The game's words.
    GameWords,
    /// The open window, or the last one.
    Window,
    Policy,
    /// One of a few words, or nothing.
    Word,
    WindowBack,
    Decision,
    Somebody,
}

pub(crate) struct Completing<'a> {
    /// The reader of the input so far. The time of day is not used.
    pub(super) reader: OverrideReader<'a>,
    /// The whole text, or that of one argument.
    pub(super) text: &'a str,
    pub(super) option: Option<&'a str>,
    pub(super) lang: Lang,
}

/// Returns the words with the rest of the text as their beginning.
fn begun(text: &str, rest: &str, words: impl Iterator<Item = String>) -> Vec<Completion> {
    let (start, begun) = (text.len() - rest.len(), fold(rest));
    let fits = words.filter(|word| fold(word).starts_with(&begun));
    fits.map(|text| Completion::word(start, text)).collect()
}

impl<'a> Completing<'a> {
    fn new(verb: Verb, input: Said<'a>, text: &'a str, bench: &'a Bench, lang: Lang) -> Self {
        let reader = OverrideReader::new(verb, input, bench, Time::default());
        Self { reader, text, option: None, lang }
    }

    fn found(mut self) -> Vec<Completion> {
        self.behind().err().unwrap_or_default()
    }

    pub(super) fn words(&self, rest: &str, words: impl Iterator<Item = String>) -> Vec<Completion> {
        begun(self.text, rest, words)
    }

    pub(super) fn seats(&self, rest: &str) -> Vec<Completion> {
        let bench = self.reader.bench;
        self.words(rest, bench.seats().flat_map(|seat| names(bench, seat)).map(ToOwned::to_owned))
    }

    /// Returns the completions by the game's own words.
    pub(super) fn game(
        &self,
        rest: &str,
        draft: &Declaration,
        form: &dyn Fn(&Declaration) -> Interview,
    ) -> Vec<Completion> {
        let offset = self.text.len() - rest.len();
        let words = self.reader.bench.sight.words();
        let found = text::complete(rest, draft, form, &words, self.lang).into_iter();
        found.map(|next| Completion { start: next.start + offset, ..next }).collect()
    }
}
