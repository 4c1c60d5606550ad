//! The words of a game in both languages, from `data/<game>/words.toml`.
//!
//! The first name of a piece is shown; the parser accepts all of them, in either language.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::data::DataFault;
use crate::text::fold::fold_word;
use crate::{Key, Seat};

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
    fn are_a_code(&self) -> bool {
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
pub(crate) struct PieceWord {
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

/// The faults of a `words.toml`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Wrong {
    /// Invalid TOML, such as an id given twice.
    #[error("{0}")]
    Syntax(String),
    /// An unknown key.
    #[error("unknown key `{0}`")]
    UnknownKey(String),
    /// A value of the wrong type.
    #[error("`{key}` must be {wanted}")]
    Kind {
        key: String,
        /// The type it must have.
        wanted: &'static str,
    },
    #[error("`{id}` has no `{lang}`")]
    MissingLanguage { id: String, lang: Lang },
    /// A list without names.
    #[error("`{id}` has an empty list for `{lang}`")]
    EmptyList { id: String, lang: Lang },
    /// A name of spaces only.
    #[error("`{0}` has a blank name")]
    BlankName(String),
    /// A name of two things that cannot be distinguished.
    #[error("`{name}` stands for `{first}` and for `{second}`")]
    Ambiguous { name: String, first: SmolStr, second: SmolStr },
    /// A letter or a number without an explanation of its meaning.
    #[error("`{0}` has no `[meaning]`")]
    NoMeaning(SmolStr),
    /// A meaning for an id that is not a piece.
    #[error("`{0}` is no piece")]
    NoPiece(String),
    /// A verb without pieces or parts.
    #[error("`{0}` goes with nothing: `of` lists pieces and parts")]
    OfNothing(String),
    /// A label for an id that is not a question key.
    #[error("`{0}` is no question key")]
    NoQuestion(String),
}

type DataValue<'i> = Spanned<DeValue<'i>>;
type Fallible<T> = Result<T, (usize, Wrong)>;

/// An entry of a table: its name, its byte position and its value.
type DataEntry<'a, 'i> = (&'a str, usize, &'a DataValue<'i>);

impl Lexicon {
    /// Parses a game's `words.toml`. The file name is for the fault only.
    pub fn parse(file_name: &str, text: &str) -> Result<Self, DataFault> {
        find(text).map_err(|(at, wrong)| DataFault::at_byte(file_name, text, at, wrong.to_string()))
    }
}

/// Parses the words, or returns the fault with its byte position.
fn find(text: &str) -> Fallible<Lexicon> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (at, Wrong::Syntax(error.message().to_owned()))
    })?;
    read(table.get_ref())
}

fn read(table: &DeTable<'_>) -> Fallible<Lexicon> {
    let mut lexicon = Lexicon::default();
    let (mut codes, mut meanings, mut sides) = (Vec::new(), Vec::new(), None);
    let mut lists = Vec::new();
    for (key, at, value) in entries(table) {
        match key {
            "piece" => codes = read_groups(value, key, &mut lexicon)?,
            "section" => {
                let mut taken = BTreeMap::new();
                for (id, at, value) in table_of(value, key)? {
                    let names = read_names(id, at, value)?;
                    // A mark that requires its colon is still the same mark.
                    let words = names.all().map(|name| name.trim_end_matches([':', '：']));
                    tell_apart(&mut taken, words, id, at)?;
                    lexicon.sections.push((id.into(), names));
                }
            }
            "question" => {
                for (id, at, value) in table_of(value, key)? {
                    let key = id.parse().map_err(|_| (at, Wrong::NoQuestion(id.to_owned())))?;
                    lexicon.labels.push((key, read_names(id, at, value)?));
                }
            }
            "meaning" => {
                for (id, at, value) in table_of(value, key)? {
                    lexicon.meanings.push((id.into(), read_names(id, at, value)?));
                    meanings.push((id, at));
                }
            }
            "verb" => {
                for (id, at, value) in table_of(value, key)? {
                    lexicon.verbs.push(read_verb(id, at, value)?);
                }
            }
            "option" => read_options(value, key, &mut lexicon)?,
            "sides" => sides = Some((at, value)),
            "named" | "adding" => lists.push((key, at, value)),
            "joint" => lexicon.joints = flat(read_names(key, at, value)?),
            "noise" => lexicon.noise = flat(read_names(key, at, value)?),
            "pass" => lexicon.pass = flat(read_names(key, at, value)?),
            "nothing" => lexicon.nothing = flat(read_names(key, at, value)?),
            "reserve" => lexicon.reserve = Some(read_names(key, at, value)?),
            "own" => lexicon.own = flat(read_names(key, at, value)?),
            _ => return Err((at, Wrong::UnknownKey(key.to_owned()))),
        }
    }
    if let Some((at, value)) = sides {
        let group = value.get_ref().as_str().ok_or_else(|| (at, kind("sides", "a group")))?;
        let of_group = lexicon.pieces.iter().filter(|piece| piece.group == group);
        lexicon.sides = of_group.map(|piece| piece.id.clone()).collect();
        if lexicon.sides.is_empty() {
            return Err((at, Wrong::NoPiece(group.to_owned())));
        }
    }
    for (key, at, value) in lists {
        let parts = value.get_ref().as_array().ok_or_else(|| (at, kind(key, "a list")))?;
        let part = |part: &DataValue<'_>| part.get_ref().as_str().map(SmolStr::new);
        let parts: Vec<SmolStr> = parts.iter().filter_map(part).collect();
        if let Some(id) = parts.iter().find(|id| lexicon.section(id).is_none()) {
            return Err((at, Wrong::NoPiece(id.to_string())));
        }
        if key == "named" {
            lexicon.named = parts;
        } else {
            lexicon.adding = parts;
        }
    }
    let verbs = lexicon.verbs.iter().flat_map(|verb| &verb.of);
    let is_known = |id: &&SmolStr| lexicon.group(id).is_some() || lexicon.section(id).is_some();
    if let Some(id) = verbs.into_iter().find(|id| !is_known(id)) {
        return Err((0, Wrong::NoPiece(id.to_string())));
    }
    if let Some((id, at)) = meanings.into_iter().find(|(id, _)| lexicon.group(id).is_none()) {
        return Err((at, Wrong::NoPiece(id.to_owned())));
    }
    match codes.into_iter().find(|(id, _)| lexicon.meaning(id, Lang::Ja).is_none()) {
        Some((id, at)) => Err((at, Wrong::NoMeaning(id))),
        None => Ok(lexicon),
    }
}

/// Parses the pieces, and returns those whose names are mere codes, with their positions.
fn read_groups(
    groups: &DataValue<'_>,
    key: &str,
    lexicon: &mut Lexicon,
) -> Fallible<Vec<(SmolStr, usize)>> {
    let mut codes = Vec::new();
    for (group, _, pieces) in table_of(groups, key)? {
        let mut taken = BTreeMap::new();
        for (id, at, value) in table_of(pieces, group)? {
            let names = read_names(id, at, value)?;
            tell_apart(&mut taken, names.all(), id, at)?;
            if names.are_a_code() {
                codes.push((id.into(), at));
            }
            lexicon.pieces.push(PieceWord { group: group.into(), id: id.into(), names });
        }
    }
    Ok(codes)
}

/// Parses the names of the options' values: a name belongs to one value of one option.
fn read_options(options: &DataValue<'_>, key: &str, lexicon: &mut Lexicon) -> Fallible<()> {
    let mut taken = BTreeMap::new();
    for (option, _, values) in table_of(options, key)? {
        for (value, at, names) in table_of(values, option)? {
            let names = read_names(value, at, names)?;
            tell_apart(&mut taken, names.all(), &format!("{option}={value}"), at)?;
            let (option, value) = (option.into(), value.into());
            lexicon.options.push(OptionWord { option, value, names });
        }
    }
    Ok(())
}

/// Checks that each name in a group belongs to one id.
fn tell_apart<'n>(
    taken: &mut BTreeMap<Vec<char>, SmolStr>,
    names: impl Iterator<Item = &'n str>,
    id: &str,
    at: usize,
) -> Fallible<()> {
    for name in names {
        let word = fold_word(name);
        if word.is_empty() {
            return Err((at, Wrong::BlankName(id.to_owned())));
        }
        if let Some(first) = taken.insert(word, id.into()).filter(|first| first != id) {
            return Err((at, Wrong::Ambiguous { name: name.to_owned(), first, second: id.into() }));
        }
    }
    Ok(())
}

/// Parses `{ ja = …, en = … }`, each a name or a list of names.
fn read_names(id: &str, at: usize, value: &DataValue<'_>) -> Fallible<Names> {
    let (mut ja, mut en) = (None, None);
    for (lang, at, value) in table_of(value, id)? {
        match lang.parse() {
            Ok(Lang::Ja) => ja = Some(read_list(id, Lang::Ja, value)?),
            Ok(Lang::En) => en = Some(read_list(id, Lang::En, value)?),
            Err(_) => return Err((at, Wrong::UnknownKey(lang.to_owned()))),
        }
    }
    let there = |names: Option<Vec<String>>, lang| {
        names.ok_or_else(|| (at, Wrong::MissingLanguage { id: id.to_owned(), lang }))
    };
    Ok(Names { ja: there(ja, Lang::Ja)?, en: there(en, Lang::En)? })
}

/// Parses `{ of = […], says = {…}, ja = …, en = … }`: the pieces and parts of a verb, its numbers, and its
/// words.
fn read_verb(id: &str, at: usize, value: &DataValue<'_>) -> Fallible<Verb> {
    let (mut of, mut ja, mut en) = (Vec::new(), Vec::new(), Vec::new());
    let mut says = Vec::new();
    for (key, at, value) in table_of(value, id)? {
        match (key, key.parse()) {
            ("of", _) => {
                of = read_list(id, Lang::En, value)?.into_iter().map(SmolStr::from).collect();
            }
            ("says", _) => {
                for (key, at, value) in table_of(value, key)? {
                    let question =
                        key.parse().map_err(|_| (at, Wrong::NoQuestion(key.to_owned())))?;
                    let number =
                        value.get_ref().as_integer().and_then(|it| it.as_str().parse().ok());
                    says.push((question, number.ok_or((at, kind(key, "a number")))?));
                }
            }
            (_, Ok(Lang::Ja)) => ja = read_list(id, Lang::Ja, value)?,
            (_, Ok(Lang::En)) => en = read_list(id, Lang::En, value)?,
            (_, Err(_)) => return Err((at, Wrong::UnknownKey(key.to_owned()))),
        }
    }
    if of.is_empty() {
        return Err((at, Wrong::OfNothing(id.to_owned())));
    }
    Ok(Verb { of, names: Names { ja, en }, says })
}

fn read_list(id: &str, lang: Lang, value: &DataValue<'_>) -> Fallible<Vec<String>> {
    let at = value.span().start;
    let name = |value: &DataValue<'_>| match value.get_ref().as_str() {
        Some(name) if fold_word(name).is_empty() => {
            Err((value.span().start, Wrong::BlankName(id.to_owned())))
        }
        Some(name) => Ok(name.to_owned()),
        None => Err((value.span().start, kind(id, "a name or a list of names"))),
    };
    let Some(list) = value.get_ref().as_array() else { return Ok(vec![name(value)?]) };
    if list.is_empty() {
        return Err((at, Wrong::EmptyList { id: id.to_owned(), lang }));
    }
    list.iter().map(name).collect()
}

fn table_of<'a, 'i>(value: &'a DataValue<'i>, key: &str) -> Fallible<Vec<DataEntry<'a, 'i>>> {
    match value.get_ref().as_table() {
        Some(table) => Ok(entries(table)),
        None => Err((value.span().start, kind(key, "a table"))),
    }
}

/// Returns the entries in the order of the file, which is the order of all lists of them.
fn entries<'a, 'i>(table: &'a DeTable<'i>) -> Vec<DataEntry<'a, 'i>> {
    let entry = |(key, value): (&'a Spanned<_>, &'a DataValue<'i>)| {
        let name: &'a std::borrow::Cow<'i, str> = key.get_ref();
        (name.as_ref(), key.span().start, value)
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|(_, at, _)| *at);
    entries
}

fn kind(key: &str, wanted: &'static str) -> Wrong {
    Wrong::Kind { key: key.to_owned(), wanted }
}

fn flat(names: Names) -> Vec<String> {
    names.ja.into_iter().chain(names.en).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (usize, Wrong) {
        let (at, wrong) = find(text).unwrap_err();
        (DataFault::at_byte("words.toml", text, at, "").line, wrong)
    }

    #[test]
    fn the_words_are_kept_in_the_order_of_the_file() {
        let text = r#"
            [piece.budget]
            small = { ja = ["小", "予算小"], en = "Small" }
            large = { ja = ["大"], en = ["Large"] }
            [piece.size]
            large = { ja = ["特大"], en = ["Huge"] }
            [section]
            "3" = { ja = "3", en = "3" }
            [question]
            "3.card" = { ja = "役割", en = "role" }
        "#;
        let lexicon = Lexicon::parse("words.toml", text).unwrap();
        assert_eq!(lexicon.ids("budget").collect::<Vec<_>>(), ["small", "large"]);
        assert_eq!(lexicon.groups("large").collect::<Vec<_>>(), ["budget", "size"]);
        assert_eq!(lexicon.name("large", Lang::Ja), "大");
        assert_eq!(lexicon.name("P2", Lang::En), "P2");
        assert_eq!(lexicon.label(&"3#2.card".parse().unwrap(), Lang::En), "role");
        assert_eq!(lexicon.label(&"3.pay".parse().unwrap(), Lang::En), "pay");
        assert_eq!(lexicon.label(&"3#2".parse().unwrap(), Lang::En), "3");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let small = "[piece.budget]\nsmall = { ja = [\"小\"], en = [\"S\"] }\n";
        let (line, wrong) = fault(&format!("{small}\nsmall = {{ ja = [\"大\"], en = [\"L\"] }}"));
        assert!(matches!(wrong, Wrong::Syntax(_)), "{wrong:?}");
        assert_eq!(line, 4);

        let (name, first, second) = ("ｓ ".to_owned(), "small".into(), "large".into());
        assert_eq!(
            fault(&format!("{small}large = {{ ja = [\"大\"], en = [\"L\", \"ｓ \"] }}")),
            (3, Wrong::Ambiguous { name, first, second })
        );
        let codes =
            |meaning| format!("[piece.set]\n3A = {{ ja = \"3A\", en = \"3A\" }}\n{meaning}");
        assert_eq!(fault(&codes("")), (2, Wrong::NoMeaning("3A".into())));
        let of_another = "[meaning]\n3B = { ja = \"置く\", en = \"place\" }";
        assert_eq!(fault(&codes(of_another)), (4, Wrong::NoPiece("3B".to_owned())));
        let lexicon =
            Lexicon::parse("words.toml", &codes(&of_another.replace("3B", "3A"))).unwrap();
        assert_eq!(lexicon.meaning("3A", Lang::En), Some("place"));
        let id = "large".to_owned();
        assert_eq!(
            fault(&format!("{small}large = {{ ja = [\"大\"] }}")),
            (3, Wrong::MissingLanguage { id: id.clone(), lang: Lang::En })
        );
        assert_eq!(
            fault(&format!("{small}large = {{ ja = [], en = \"L\" }}")),
            (3, Wrong::EmptyList { id: id.clone(), lang: Lang::Ja })
        );
        assert_eq!(
            fault(&format!("{small}large = {{ ja = [\"　\"], en = \"L\" }}")),
            (3, Wrong::BlankName(id))
        );
        assert_eq!(
            fault(&format!("{small}large = {{ ja = \"大\", en = \"L\", fr = \"G\" }}")),
            (3, Wrong::UnknownKey("fr".to_owned()))
        );
        assert_eq!(fault(&format!("{small}[words]\n")), (3, Wrong::UnknownKey("words".to_owned())));
        assert_eq!(
            fault("[section]\n\"3#x\" = { ja = 3, en = 3 }"),
            (2, kind("3#x", "a name or a list of names"))
        );
        assert_eq!(
            fault("[question]\n\"3#x\" = { ja = \"a\", en = \"b\" }"),
            (2, Wrong::NoQuestion("3#x".to_owned()))
        );
    }

    #[test]
    fn two_sections_have_two_marks() {
        let text =
            "[section]\na = { ja = \"手札\", en = \"a\" }\nb = { ja = \"手札：\", en = \"b\" }";
        assert_eq!(fault(text).0, 3);
    }
}
