//! The words of a game in both languages, from `data/<game>/words.toml`.
//!
//! The first name of a piece is shown; the parser accepts all of them, in either language.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::text::fold::fold_word;
use crate::vocabulary::question::Key;
use crate::vocabulary::seat::Seat;

/// A language of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lang {
    Ja,
    En,
}

impl Lang {
    pub const ALL: [Self; 2] = [Self::Ja, Self::En];

    /// Returns the code, `ja` or `en`.
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

/// The error for an unknown language code.
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

/// The names of one thing, at least one in each language, the shown one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    pub(super) ja: Vec<String>,
    pub(super) en: Vec<String>,
}

impl Names {
    /// Returns the names in one language.
    pub fn of(&self, lang: Lang) -> &[String] {
        match lang {
            Lang::Ja => &self.ja,
            Lang::En => &self.en,
        }
    }

    /// Returns the shown name.
    pub fn shown(&self, lang: Lang) -> &str {
        &self.of(lang)[0]
    }

    /// True if the shown name is a mere code in every language: a letter or a number, such as 3A.
    pub(super) fn are_a_code(&self) -> bool {
        let code = self.shown(Lang::Ja);
        code == self.shown(Lang::En) && code.chars().all(|c| c.is_ascii_alphanumeric())
    }

    /// Returns the names in all languages.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.ja.iter().chain(&self.en).map(String::as_str)
    }
}

/// A piece in its group.
#[derive(Clone, Debug)]
pub(super) struct PieceWord {
    pub(super) group: SmolStr,
    pub(super) id: SmolStr,
    pub(super) names: Names,
}

/// A value of one of a game's options, with its names.
#[derive(Clone, Debug)]
pub struct OptionWord {
    /// The field of the options.
    pub option: SmolStr,
    pub value: SmolStr,
    pub names: Names,
}

/// A verb, with the pieces and parts it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Verb {
    pub(super) of: Vec<SmolStr>,
    pub(super) names: Names,
    /// The numbers that the verb gives if the text gives none.
    pub(super) says: Vec<(Key, i64)>,
}

/// The words of a game.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    pub(super) pieces: Vec<PieceWord>,
    pub(super) sections: Vec<(SmolStr, Names)>,
    pub(super) labels: Vec<(Key, Names)>,
    /// The meanings of pieces whose names do not show them.
    pub(super) meanings: Vec<(SmolStr, Names)>,
    /// Words without meaning.
    pub(super) noise: Vec<String>,
    /// Words that add no meaning to the pieces and parts next to them.
    pub(super) verbs: Vec<Verb>,
    /// Words between two declared things.
    pub(super) joints: Vec<String>,
    /// Words for passing on a question.
    pub(super) pass: Vec<String>,
    /// Words for choosing nothing, where the rules allow that.
    pub(super) nothing: Vec<String>,
    /// Words before a reserve.
    pub(super) reserve: Option<Names>,
    /// Words for the player who writes, such as "my".
    pub(super) own: Vec<String>,
    /// The names of the options' values.
    pub(super) options: Vec<OptionWord>,
    /// The pieces that name the sides of a table, in order; empty if there are none.
    pub(super) sides: Vec<SmolStr>,
    /// The parts that a card goes into only by the name of the part.
    pub(super) named: Vec<SmolStr>,
    /// The parts of which typing the name over a draft adds one more.
    pub(super) adding: Vec<SmolStr>,
    /// The places of the pieces by their folded names, built by the first search.
    by_name: OnceLock<BTreeMap<Vec<char>, Vec<usize>>>,
}

impl Lexicon {
    /// Returns the lexicon with one more group of pieces, each with its id and its name in Japanese and in
    /// English: for names stored beside the things they name.
    #[must_use]
    pub fn with_pieces<'n>(
        mut self,
        group: &str,
        pieces: impl IntoIterator<Item = (&'n str, &'n str, &'n str)>,
    ) -> Self {
        self.by_name = OnceLock::new();
        self.pieces.extend(pieces.into_iter().map(|(id, ja, en)| PieceWord {
            group: group.into(),
            id: id.into(),
            names: Names { ja: vec![ja.to_owned()], en: vec![en.to_owned()] },
        }));
        self
    }

    /// Returns the lexicon with one more option: its values, each with its name in Japanese and in English.
    #[must_use]
    pub fn with_option<'n>(
        mut self,
        option: &str,
        values: impl IntoIterator<Item = (&'n str, &'n str, &'n str)>,
    ) -> Self {
        self.options.extend(values.into_iter().map(|(value, ja, en)| OptionWord {
            option: option.into(),
            value: value.into(),
            names: Names { ja: vec![ja.to_owned()], en: vec![en.to_owned()] },
        }));
        self
    }

    /// Returns the shown name of a piece, or the id if it has no words, as for seats.
    pub fn name<'a>(&'a self, id: &'a str, lang: Lang) -> &'a str {
        self.words(id).next().map_or(id, |word| word.names.shown(lang))
    }

    /// Returns the piece that names a side, counted from 0, `None` if the game has no names for sides.
    pub fn side(&self, index: usize) -> Option<&SmolStr> {
        self.sides.get(index)
    }

    /// Returns the meaning of a piece, `None` if its name shows it.
    pub fn meaning(&self, id: &str, lang: Lang) -> Option<&str> {
        let meaning = self.meanings.iter().find(|(piece, _)| piece == id);
        let meaning = meaning.map(|(_, names)| names.shown(lang));
        meaning.filter(|meaning| !meaning.eq_ignore_ascii_case(self.name(id, lang)))
    }

    /// Returns the piece with this name in a language: first among the shown names, then among the others.
    pub fn find(&self, word: &str, lang: Lang) -> Option<&SmolStr> {
        let shown = self.pieces.iter().find(|piece| piece.names.shown(lang) == word);
        let named = |piece: &&PieceWord| piece.names.of(lang).iter().any(|name| name == word);
        shown.or_else(|| self.pieces.iter().find(named)).map(|piece| &piece.id)
    }

    /// True if a piece has this name, or this name with a number after it.
    pub(super) fn is_called(&self, id: &str, name: &str) -> bool {
        let name = fold_word(name);
        self.names(id).any(|of| {
            let of = fold_word(of);
            of.strip_prefix(&*name).is_some_and(|rest| rest.iter().all(char::is_ascii_digit))
        })
    }

    /// Returns every name of a piece, in all languages.
    pub fn names<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a str> {
        self.words(id).flat_map(|word| word.names.all())
    }

    /// True if a word of the game, or a seat, is written like this, ignoring case and spaces.
    pub fn has_word(&self, input: &str) -> bool {
        let (folded, seat) = (fold_word(input), input.trim().to_uppercase().parse::<Seat>());
        let lists = [&self.noise, &self.joints, &self.pass, &self.nothing, &self.own];
        let plain = lists.into_iter().flatten().map(String::as_str);
        let pieces = self.pieces.iter().flat_map(|piece| piece.names.all());
        let sections = self.sections.iter().flat_map(|(_, names)| names.all());
        let labels = self.labels.iter().flat_map(|(_, names)| names.all());
        let verbs = self.verbs.iter().flat_map(|verb| verb.names.all());
        let reserve = self.reserve.iter().flat_map(Names::all);
        let mut words =
            plain.chain(pieces).chain(sections).chain(labels).chain(verbs).chain(reserve);
        seat.is_ok() || words.any(|word| fold_word(word) == folded)
    }

    /// Returns the pieces with this name in any language, ignoring case and spaces.
    pub fn called(&self, input: &str) -> impl Iterator<Item = &SmolStr> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: BTreeMap<Vec<char>, Vec<usize>> = BTreeMap::new();
            for (place, piece) in self.pieces.iter().enumerate() {
                let names: BTreeSet<Vec<char>> = piece.names.all().map(fold_word).collect();
                for name in names {
                    by_name.entry(name).or_default().push(place);
                }
            }
            by_name
        });
        let places = by_name.get(&fold_word(input)).into_iter().flatten();
        places.map(|place| &self.pieces[*place].id)
    }

    /// Returns the group of a piece, the first one if there are several.
    pub fn group(&self, id: &str) -> Option<&str> {
        self.groups(id).next()
    }

    /// Returns all groups of a piece, in the order of the file.
    pub fn groups<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a str> {
        self.words(id).map(|word| word.group.as_str())
    }

    /// Returns the pieces of a group, in the order of the file.
    pub fn ids(&self, group: &str) -> impl Iterator<Item = &SmolStr> {
        self.pieces.iter().filter(move |word| word.group == group).map(|word| &word.id)
    }

    /// Returns the position of a piece in the file; ids without words come last.
    pub fn place(&self, id: &str) -> usize {
        let place = self.pieces.iter().position(|piece| piece.id == id);
        place.unwrap_or(self.pieces.len())
    }

    /// Returns the label of a question or a part in forms, whatever its number. Without a label, a question
    /// shows its own name, and a part its mark.
    pub fn label<'a>(&'a self, key: &'a Key, lang: Lang) -> &'a str {
        match self.labels_of(key) {
            Some(names) => names.shown(lang),
            None if key.name.is_empty() => self.mark(&key.section, lang).unwrap_or(&key.section),
            None => &key.name,
        }
    }

    /// Returns the labels of a section's questions, in the order of the file.
    pub fn labels(&self, section: &str, lang: Lang) -> impl Iterator<Item = &str> {
        self.keys(section).map(move |key| self.label(key, lang))
    }

    pub(super) fn labels_of(&self, key: &Key) -> Option<&Names> {
        let key = key.clone().nth(1);
        self.labels.iter().find(|(other, _)| *other == key).map(|(_, names)| names)
    }

    /// Returns the labelled questions of a section, in the order of the file.
    pub(super) fn keys(&self, section: &str) -> impl Iterator<Item = &Key> {
        let keys = self.labels.iter().map(|(key, _)| key);
        keys.filter(move |key| key.section == section && !key.name.is_empty())
    }

    /// Returns the mark that opens a section in a declaration.
    pub fn mark(&self, section: &str, lang: Lang) -> Option<&str> {
        self.section(section).map(|names| names.shown(lang).trim_end_matches([':', '：']))
    }

    pub(super) fn section(&self, id: &str) -> Option<&Names> {
        self.sections.iter().find(|(section, _)| section == id).map(|(_, names)| names)
    }

    /// Returns the values of the game's options with their names, in the order of the file.
    pub fn options(&self) -> &[OptionWord] {
        &self.options
    }

    /// Returns the option value with this name in any language, ignoring case and spaces, or typed as
    /// `option=value`.
    pub fn option_called(&self, input: &str) -> Option<&OptionWord> {
        let (folded, fold) = (fold_word(input), |name: &str| fold_word(name));
        self.options.iter().find(|word| {
            let written = format!("{}={}", word.option, word.value);
            fold(&written) == folded || word.names.all().any(|name| fold(name) == folded)
        })
    }

    pub(super) fn words<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a PieceWord> {
        self.pieces.iter().filter(move |word| word.id == id)
    }
}
