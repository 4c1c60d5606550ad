//! The reading of a set's file, entry by entry, so that all faults are shown at once.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use smol_str::SmolStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{SetFault, sentence, unknown, with_phrase};
use super::hash::{MARK_SIGN, SetHash, unmarked};
use super::names::{self, Name};
use super::sets::CardSet;
use crate::card_texts::InBoth;
use rules::data::nearest;
use rules::text::Lexicon;

/// The maximum size of a file in bytes.
pub const MAX_BYTES: usize = 512 * 1024;

/// The maximum number of syntax errors that are shown: in a file of another kind nearly every line is one.
const MAX_SYNTAX: usize = 5;

/// An entry of the file.
#[derive(Debug)]
pub(crate) struct SetEntry<T> {
    /// Its place in the text, in bytes.
    pub(crate) at: Range<usize>,
    /// The value of its key `id`, empty if it has none.
    pub(crate) id: String,
    pub(crate) read: T,
}

/// The name of a set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    #[serde(rename = "game")]
    _game: String,
    name: Name,
    version: u32,
}

/// A ready-made deck.
#[derive(Debug)]
pub(crate) struct ReadDeck {
    /// The places of its cards.
    pub(crate) cards: Vec<usize>,
    /// The number of its cards, with those that were left out as faulty; `None` if a row could not be read.
    pub(crate) count: Option<usize>,
}

/// A row of a ready-made deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Cards {
        count: usize,
        place: usize,
    },
    /// The card was left out as faulty.
    LeftOut {
        count: usize,
    },
    Faulty,
}

/// Returns the game that a file says it is for, `None` if it says none.
pub(crate) fn game_of(text: &str) -> Option<String> {
    let (table, _) = DeTable::parse_recoverable(text);
    let game = table.get_ref().get("set")?.get_ref().get("game")?.get_ref().as_str();
    game.map(str::to_owned)
}

/// A file that is being read, with the faults found so far.
pub(crate) struct SetReader<'t> {
    file: &'t str,
    text: &'t str,
    table: DeTable<'t>,
    faults: Vec<SetFault>,
    /// The mark of the set.
    mark: String,
    /// The names of the tables that were asked for.
    known: Vec<&'static str>,
    /// The ids of the entries that were left out as faulty: references to them are not reported as faults
    /// too.
    left_out: Vec<String>,
}

impl<'t> SetReader<'t> {
    /// Parses the file as TOML.
    ///
    /// # Errors
    /// If it is too large, or no TOML.
    pub(crate) fn new(file: &'t str, text: &'t str) -> Result<Self, Vec<SetFault>> {
        if text.len() > MAX_BYTES {
            let values = [("length", text.len().to_string()), ("right", MAX_BYTES.to_string())];
            return Err(vec![SetFault::new(file, 1, None, sentence("too-large", &values))]);
        }
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut reader = Self {
            file,
            text,
            table: table.into_inner(),
            faults: Vec::new(),
            mark: SetHash::of(text).mark(),
            known: Vec::new(),
            left_out: Vec::new(),
        };
        for error in errors {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().trim().to_owned();
            reader.fault(at, None, sentence("syntax", &[("input", message)]));
        }
        reader.faults.truncate(MAX_SYNTAX);
        if reader.faults.is_empty() { Ok(reader) } else { Err(reader.faults) }
    }

    /// Returns the id of a card, line or deck with the mark of the set.
    pub(crate) fn marked(&self, id: &str) -> SmolStr {
        SmolStr::new(format!("{id}{MARK_SIGN}{}", self.mark))
    }

    /// True if the entry with this id was left out as faulty.
    pub(crate) fn has_left_out(&self, id: &str) -> bool {
        self.left_out.iter().any(|known| known == id)
    }

    /// Notes a fault at this byte.
    pub(crate) fn fault(&mut self, at: usize, card: Option<&str>, what: InBoth) {
        let line = self.text.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
        let fault = SetFault::new(self.file, line, card.filter(|card| !card.is_empty()), what);
        self.faults.push(fault);
    }

    /// Notes a fault at the first place of an entry with this word in quotation marks.
    pub(crate) fn fault_in<T>(&mut self, entry: &SetEntry<T>, word: &str, what: InBoth) {
        let within = self.text.get(entry.at.clone()).unwrap_or_default();
        let at = within.find(&format!("\"{word}")).unwrap_or_default();
        self.fault(entry.at.start + at, Some(&entry.id), what);
    }

    /// Notes a fault of a card or deck at the first place with its id.
    pub(crate) fn fault_at(&mut self, id: &str, what: InBoth) {
        let at = self.text.find(&format!("\"{id}\"")).unwrap_or_default();
        self.fault(at, Some(id), what);
    }

    /// Refuses an id or a name that cannot be used, and a duplicate id. The words of the game cannot be names.
    pub(crate) fn check_names<T>(
        &mut self,
        entry: &SetEntry<T>,
        id: &str,
        name: &Name,
        is_new: bool,
        words: &Lexicon,
    ) {
        for (near, fault) in names::faults(id, name, is_new, words) {
            self.fault_in(entry, &near, fault);
        }
    }

    /// Refuses the id and the name of a card like [`Self::check_names`], and those of an earlier card.
    pub(crate) fn check_card<'c, T>(
        &mut self,
        entry: &SetEntry<T>,
        id: &str,
        name: &Name,
        by_id: &BTreeMap<String, usize>,
        mut names: impl Iterator<Item = &'c InBoth>,
        words: &Lexicon,
    ) {
        let (is_new, both) = (!by_id.contains_key(id), name.both());
        self.check_names(entry, id, name, is_new, words);
        if is_new && names.any(|other| other.is_same(&both)) {
            let values = [("input", both.ja.clone())];
            self.fault_in(entry, &both.ja, sentence("same-name", &values));
        }
    }

    /// Reads the name and the version of the set. A missing or faulty table is a fault.
    pub(crate) fn about(&mut self) -> (InBoth, u32) {
        self.known.push("set");
        let Some(value) = self.table.remove("set") else {
            self.fault(0, None, sentence("missing-key", &[("input", "[set]".to_owned())]));
            return Default::default();
        };
        let about: Option<SetEntry<About>> = self.entry(value);
        about.map_or_else(Default::default, |about| (about.read.name.both(), about.read.version))
    }

    /// Reads the entries of this name; every faulty one is a fault.
    pub(crate) fn entries<T: for<'d> Deserialize<'d>>(
        &mut self,
        name: &'static str,
    ) -> Vec<SetEntry<T>> {
        self.known.push(name);
        let Some(value) = self.table.remove(name) else { return Vec::new() };
        let at = value.span().start;
        let DeValue::Array(entries) = value.into_inner() else {
            self.fault(at, None, sentence("missing-part", &[("input", name.to_owned())]));
            return Vec::new();
        };
        let entries: Vec<_> =
            entries.into_iter().map(|entry| (id_of(&entry), self.entry(entry))).collect();
        let faulty = entries.iter().filter(|(_, entry)| entry.is_none());
        self.left_out.extend(faulty.map(|(id, _)| id.clone()));
        entries.into_iter().filter_map(|(_, entry)| entry).collect()
    }

    /// Reads an entry. Faulty keys are left out one by one, until only missing keys are at fault.
    fn entry<T: for<'d> Deserialize<'d>>(
        &mut self,
        mut value: Spanned<DeValue<'t>>,
    ) -> Option<SetEntry<T>> {
        let begin = value.span().start;
        let keys = value.get_ref().as_table();
        let end = keys.and_then(|keys| keys.values().map(|value| value.span().end).max());
        let at = begin..end.unwrap_or(begin);
        let id = id_of(&value);
        let mut left_out = false;
        loop {
            let error = match T::deserialize(value.clone().into_deserializer()) {
                Ok(read) if !left_out => return Some(SetEntry { at, id, read }),
                Ok(_) => return None,
                Err(error) => error,
            };
            let place = error.span().map_or(begin, |span| span.start);
            let is_missing = error.message().trim().starts_with("missing field");
            let is_of_entry = is_missing && place <= begin;
            if !(left_out && is_of_entry) {
                self.fault(place, Some(&id), of_parser(error.message().trim()));
            }
            let holds = |key: &Range<usize>, value: &Range<usize>| {
                (key.start.min(value.start)..key.end.max(value.end).max(key.start + 1))
                    .contains(&place)
            };
            let DeValue::Table(keys) = value.get_mut() else { return None };
            let faulty = keys.iter().find(|(key, value)| holds(&key.span(), &value.span()));
            let faulty = faulty.map(|(key, _)| key.get_ref().to_string())?;
            keys.remove(faulty.as_str());
            left_out = true;
        }
    }

    /// Reads the rows of a ready-made deck, with the places of the cards by their ids. A faulty row is a fault,
    /// and so is what `faults` finds in a row, by the place of its card and the copies up to and including it.
    pub(crate) fn deck<T, F: IntoIterator<Item = InBoth>>(
        &mut self,
        entry: &SetEntry<T>,
        rows: &[String],
        by_id: &BTreeMap<String, usize>,
        faults: impl Fn(usize, usize) -> F,
    ) -> ReadDeck {
        let (mut cards, mut left_out, mut is_read) = (Vec::new(), 0, true);
        for row in rows {
            match self.row(entry, row, by_id) {
                Row::Cards { count, place } => {
                    let laid = cards.iter().filter(|card| **card == place).count() + count;
                    for fault in faults(place, laid) {
                        self.fault_in(entry, row, fault);
                    }
                    cards.extend(std::iter::repeat_n(place, count.min(usize::from(u8::MAX))));
                }
                Row::LeftOut { count } => left_out += count,
                Row::Faulty => is_read = false,
            }
        }
        let count = is_read.then_some(cards.len() + left_out);
        ReadDeck { cards, count }
    }

    /// Reads a row of a ready-made deck, such as `"3 cut-in"`, with the places of the cards by their ids. A
    /// faulty one is a fault.
    fn row<T>(&mut self, entry: &SetEntry<T>, row: &str, by_id: &BTreeMap<String, usize>) -> Row {
        let counted = row.split_once(' ');
        let counted = counted.and_then(|(count, id)| Some((count.parse().ok()?, id)));
        let Some((count, id)): Option<(usize, &str)> = counted else {
            self.fault_in(entry, row, sentence("no-row", &[("input", row.to_owned())]));
            return Row::Faulty;
        };
        match by_id.get(id).copied() {
            Some(place) => Row::Cards { count, place },
            None if self.has_left_out(id) => Row::LeftOut { count },
            None => {
                let what = no_card(id, by_id.keys().map(String::as_str));
                self.fault_in(entry, row, what);
                Row::Faulty
            }
        }
    }

    /// Returns a set that was read without a fault. A table that was not asked for is one, and so is a card whose
    /// text is longer than a menu has room for.
    ///
    /// # Errors
    /// All faults by line.
    pub(crate) fn finish<S: CardSet>(mut self, set: S) -> Result<S, Vec<SetFault>> {
        for card in set.texts().all().filter(|card| !card.fits()) {
            self.fault_at(unmarked(&card.id), sentence("long-text", &[]));
        }
        let rest = std::mem::take(&mut self.table);
        for (key, _) in &rest {
            let what = unknown("unknown-key", key.get_ref(), self.known.iter().copied());
            self.fault(key.span().start, None, what);
        }
        self.faults.sort_by_key(|fault| fault.line);
        if self.faults.is_empty() { Ok(set) } else { Err(self.faults) }
    }
}

/// Returns the value of an entry's key `id`, empty if it has none.
fn id_of(entry: &Spanned<DeValue<'_>>) -> String {
    let id = entry.get_ref().get("id").and_then(|id| id.get_ref().as_str());
    id.unwrap_or_default().to_owned()
}

/// Returns the first unknown key and the known ones, if this is the parser's fault of an effect.
fn of_variant(message: &str) -> Option<(&str, &str)> {
    let keys = message.strip_prefix("unexpected keys in table: ")?;
    let (unknown, known) = keys.split_once(", available keys: ")?;
    Some((unknown.split(", ").next()?, known))
}

/// Returns the name of an expected type, as serde writes it, for a host.
fn type_name(expected: &str) -> InBoth {
    let number = |key, most: String| sentence(key, &[("right", most)]);
    match expected {
        "u8" => number("number", u8::MAX.to_string()),
        "u16" => number("number", u16::MAX.to_string()),
        "u32" => number("number", u32::MAX.to_string()),
        "i8" => number("signed", i8::MAX.to_string()),
        "i16" => number("signed", i16::MAX.to_string()),
        "a string" => sentence("text", &[]),
        "a boolean" => sentence("truth", &[]),
        "a sequence" => sentence("list", &[]),
        "an amount" => sentence("amount", &[]),
        "a speed" => sentence("speed", &[]),
        expected if expected.starts_with("struct ") => sentence("table", &[]),
        other => InBoth { ja: other.to_owned(), en: other.to_owned() },
    }
}

/// Returns the sentence for an error of the parser of an entry: translated for the serde messages that a host
/// can meet, unchanged for the others.
fn of_parser(message: &str) -> InBoth {
    if let Some((input, known)) = of_variant(message) {
        return unknown("unknown-key", input, known.split(", "));
    }
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let starts = |with: &str| message.starts_with(with);
    match words.split_first() {
        Some((input, known)) if starts("unknown field") => {
            unknown("unknown-key", input, known.iter().copied())
        }
        Some((input, known)) if starts("unknown variant") => {
            unknown("unknown-word", input, known.iter().copied())
        }
        Some((input, _)) if starts("missing field") => {
            sentence("missing-key", &[("input", (*input).to_owned())])
        }
        _ => {
            let typed = message.strip_prefix("invalid type: ");
            let typed = typed.or_else(|| message.strip_prefix("invalid value: "));
            match typed.and_then(|typed| typed.split_once(", expected ")) {
                Some((input, right)) => {
                    // The value alone, without serde's word for its type.
                    let input = input.split_once([' ', '`']).map_or(input, |(_, value)| value);
                    let (input, right) = (input.trim_matches('`').to_owned(), type_name(right));
                    with_phrase(&sentence("wrong-type", &[("input", input)]), "right", &right)
                }
                None => sentence("other", &[("input", message.to_owned())]),
            }
        }
    }
}

fn no_card<'a>(input: &str, known: impl Iterator<Item = &'a str>) -> InBoth {
    let near = nearest(input, known).map(str::to_owned);
    let near = near.map(|near| sentence("near", &[("input", near)])).unwrap_or_default();
    with_phrase(&sentence("no-card", &[("input", input.to_owned())]), "near", &near)
}
