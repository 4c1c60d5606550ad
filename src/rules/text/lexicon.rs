//! The words of a game in both languages, from `data/<game>/words.toml`.
//!
//! The first name of a piece is the one shown; all of them, in either language, are understood.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::text::fold::fold_word;
use crate::vocabulary::question::Key;

/// A language of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lang {
    Ja,
    En,
}

impl Lang {
    pub const ALL: [Self; 2] = [Self::Ja, Self::En];

    /// Its code, `ja` or `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ja => "ja",
            Self::En => "en",
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A text that is the code of no language.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a language here: use ja or en")]
pub struct ParseLangError(String);

impl FromStr for Lang {
    type Err = ParseLangError;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let lang = Self::ALL.into_iter().find(|lang| lang.code() == code);
        lang.ok_or_else(|| ParseLangError(code.to_owned()))
    }
}

/// The names of one thing in every language, at least one in each, the one shown first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    pub(super) ja: Vec<String>,
    pub(super) en: Vec<String>,
}

impl Names {
    /// The names in one language.
    pub fn of(&self, lang: Lang) -> &[String] {
        match lang {
            Lang::Ja => &self.ja,
            Lang::En => &self.en,
        }
    }

    /// The name shown.
    pub fn shown(&self, lang: Lang) -> &str {
        &self.of(lang)[0]
    }

    /// True if the name shown says nothing in any language: a letter or a number, such as 3A.
    pub(super) fn are_a_code(&self) -> bool {
        let code = self.shown(Lang::Ja);
        code == self.shown(Lang::En) && code.chars().all(|c| c.is_ascii_alphanumeric())
    }

    /// The names in all languages.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.ja.iter().chain(&self.en).map(String::as_str)
    }
}

/// One piece in its group.
#[derive(Clone, Debug)]
pub(super) struct PieceWord {
    pub(super) group: SmolStr,
    pub(super) id: SmolStr,
    pub(super) names: Names,
}

/// A value of one of a game's options, and its names.
#[derive(Clone, Debug)]
pub struct OptionWord {
    /// The field of the options.
    pub option: SmolStr,
    pub value: SmolStr,
    pub names: Names,
}

/// Words for what is done, and of which pieces and parts it is said.
#[derive(Clone, Debug)]
pub(super) struct Verb {
    pub(super) of: Vec<SmolStr>,
    pub(super) names: Names,
    /// The numbers that it says besides, where nothing else is said of them.
    pub(super) says: Vec<(Key, i64)>,
}

/// The words of a game.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    pub(super) pieces: Vec<PieceWord>,
    pub(super) sections: Vec<(SmolStr, Names)>,
    pub(super) labels: Vec<(Key, Names)>,
    /// What pieces stand for whose names do not say it.
    pub(super) meanings: Vec<(SmolStr, Names)>,
    /// Words that mean nothing.
    pub(super) noise: Vec<String>,
    /// Words that mean nothing beside what they are said of.
    pub(super) verbs: Vec<Verb>,
    /// Words between what is said one after the other.
    pub(super) joints: Vec<String>,
    /// Words for "I go on without it".
    pub(super) pass: Vec<String>,
    /// Words behind which stands what is held in reserve.
    pub(super) reserve: Option<Names>,
    /// Words for whoever writes.
    pub(super) own: Vec<String>,
    /// The names of the options' values.
    pub(super) options: Vec<OptionWord>,
}

impl Lexicon {
    /// These words and the pieces of one more group, each with its id and its name in Japanese and in
    /// English: for names that stand beside what they name.
    #[must_use]
    pub fn with_pieces<'n>(
        mut self,
        group: &str,
        pieces: impl IntoIterator<Item = (&'n str, &'n str, &'n str)>,
    ) -> Self {
        self.pieces.extend(pieces.into_iter().map(|(id, ja, en)| PieceWord {
            group: group.into(),
            id: id.into(),
            names: Names { ja: vec![ja.to_owned()], en: vec![en.to_owned()] },
        }));
        self
    }

    /// The name shown of a piece. What has no words names itself, as seats do.
    pub fn name<'a>(&'a self, id: &'a str, lang: Lang) -> &'a str {
        self.words(id).next().map_or(id, |word| word.names.shown(lang))
    }

    /// What a piece stands for, if its name does not say it.
    pub fn meaning(&self, id: &str, lang: Lang) -> Option<&str> {
        let meaning = self.meanings.iter().find(|(piece, _)| piece == id);
        let meaning = meaning.map(|(_, names)| names.shown(lang));
        meaning.filter(|meaning| !meaning.eq_ignore_ascii_case(self.name(id, lang)))
    }

    /// The piece that goes by this word in a language: by the name shown, or else by another.
    pub fn find(&self, word: &str, lang: Lang) -> Option<&SmolStr> {
        let shown = self.pieces.iter().find(|piece| piece.names.shown(lang) == word);
        let named = |piece: &&PieceWord| piece.names.of(lang).iter().any(|name| name == word);
        shown.or_else(|| self.pieces.iter().find(named)).map(|piece| &piece.id)
    }

    /// Every name of a piece, in all languages.
    pub fn names<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a str> {
        self.words(id).flat_map(|word| word.names.all())
    }

    /// The pieces that go by this word, in whichever language, however it is written.
    pub fn called(&self, said: &str) -> impl Iterator<Item = &SmolStr> {
        let said = fold_word(said);
        let is_name =
            move |piece: &&PieceWord| piece.names.all().any(|name| fold_word(name) == said);
        self.pieces.iter().filter(is_name).map(|piece| &piece.id)
    }

    /// The group of a piece; the first one if it is in several.
    pub fn group(&self, id: &str) -> Option<&str> {
        self.groups(id).next()
    }

    /// All groups of a piece, in the order of the file.
    pub fn groups<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a str> {
        self.words(id).map(|word| word.group.as_str())
    }

    /// The pieces of a group, in the order of the file.
    pub fn ids(&self, group: &str) -> impl Iterator<Item = &SmolStr> {
        self.pieces.iter().filter(move |word| word.group == group).map(|word| &word.id)
    }

    /// Where a piece stands in the file; what has no words stands behind all that have.
    pub fn place(&self, id: &str) -> usize {
        let place = self.pieces.iter().position(|piece| piece.id == id);
        place.unwrap_or(self.pieces.len())
    }

    /// The label of a question or a part in forms, whatever its number. What has none is
    /// labelled by its own name, a part by its mark.
    pub fn label<'a>(&'a self, key: &'a Key, lang: Lang) -> &'a str {
        match self.labels_of(key) {
            Some(names) => names.shown(lang),
            None if key.name.is_empty() => self.mark(&key.section, lang).unwrap_or(&key.section),
            None => &key.name,
        }
    }

    /// The labels of everything that a section asks, in the order of the file.
    pub fn labels(&self, section: &str, lang: Lang) -> impl Iterator<Item = &str> {
        self.keys(section).map(move |key| self.label(key, lang))
    }

    pub(super) fn labels_of(&self, key: &Key) -> Option<&Names> {
        let key = key.clone().nth(1);
        self.labels.iter().find(|(other, _)| *other == key).map(|(_, names)| names)
    }

    /// The questions of a section that have a label, in the order of the file.
    pub(super) fn keys(&self, section: &str) -> impl Iterator<Item = &Key> {
        let keys = self.labels.iter().map(|(key, _)| key);
        keys.filter(move |key| key.section == section && !key.name.is_empty())
    }

    /// What opens a section in a declaration.
    pub fn mark(&self, section: &str, lang: Lang) -> Option<&str> {
        self.section(section).map(|names| names.shown(lang).trim_end_matches([':', '：']))
    }

    pub(super) fn section(&self, id: &str) -> Option<&Names> {
        self.sections.iter().find(|(section, _)| section == id).map(|(_, names)| names)
    }

    /// The values of the game's options with their names, in the order of the file.
    pub fn options(&self) -> &[OptionWord] {
        &self.options
    }

    /// The value of an option that goes by this word, in whichever language, however it is written, or
    /// that is written as `option=value`.
    pub fn option_called(&self, said: &str) -> Option<&OptionWord> {
        let (said, fold) = (fold_word(said), |name: &str| fold_word(name));
        self.options.iter().find(|word| {
            let written = format!("{}={}", word.option, word.value);
            fold(&written) == said || word.names.all().any(|name| fold(name) == said)
        })
    }

    pub(super) fn words<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a PieceWord> {
        self.pieces.iter().filter(move |word| word.id == id)
    }
}
