//! A deck of one's own, written as text: one card per line, with its number of copies.
//!
//! `3 Cut In`, `3x Cut In`, `Cut In x3`, `Cut In (3)` and `斬り込み 3枚` are the same, full-width digits too. A card without
//! a number is one copy; a part of a name in whole words, which no other card has, is enough. `#` and `//` begin a comment; commas separate cards like lines do.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use rules::data::nearest;
use rules::text::{Lexicon, fold};
use rules::{ListFault, Reason};

/// The maximum length of a deck's text in characters.
pub const MAX_CHARS: usize = 4000;

/// The maximum number of copies in a line: a larger number is not read as a count.
const MOST: usize = 999;

/// The minimum length of a part of a name in characters.
const SHORTEST_PART: usize = 2;

/// The group of the cards in a set's words.
const CARDS: &str = "card";

/// The signs between a name and its number of copies.
const TIMES: [char; 5] = ['x', '×', '✕', '*', '枚'];

/// A row of a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckRow {
    /// The line of the text, from 1.
    pub line: usize,
    /// The text of the row.
    pub input: String,
    pub count: usize,
    /// The id of the card.
    pub card: SmolStr,
}

/// A deck as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenDeck {
    pub rows: Vec<DeckRow>,
    /// The rows that name no card.
    pub faults: Vec<Reason>,
    /// The number of copies in those rows.
    unknown: usize,
}

/// A card of a deck and the number of its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copies<C> {
    pub card: C,
    pub count: usize,
}

/// Counts the copies of cards, in the order of their set.
pub(crate) fn counted<C: Copy + Ord>(cards: &[C]) -> Vec<Copies<C>> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    let copies = cards.chunk_by(|one, other| one == other);
    copies.map(|copies| Copies { card: copies[0], count: copies.len() }).collect()
}

/// Returns cards in the order of their set, equal ones once.
pub(crate) fn distinct<C: Copy + Ord>(cards: impl IntoIterator<Item = C>) -> Vec<C> {
    let mut cards: Vec<C> = cards.into_iter().collect();
    cards.sort_unstable();
    cards.dedup();
    cards
}

impl DeckRow {
    /// Returns a fault of the row.
    pub fn fault(&self, wrong: ListFault) -> Reason {
        Reason::Listed { line: Some(self.line), input: self.input.clone(), wrong }
    }
}

/// Returns a fault of a deck as a whole.
pub fn fault(wrong: ListFault) -> Reason {
    Reason::Listed { line: None, input: String::new(), wrong }
}

impl WrittenDeck {
    /// Reads a deck with the names of a set's cards in both languages.
    pub fn read(text: &str, words: &Lexicon) -> Self {
        let mut deck = Self::default();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('#').next().unwrap_or_default();
            let text = text.split("//").next().unwrap_or_default();
            for input in text.split([',', '、', '，', ';', '；']) {
                let input = input.trim().trim_start_matches(['・', '•', '*']).trim();
                let input = input.strip_prefix("- ").unwrap_or(input).trim();
                if input.is_empty() {
                    continue;
                }
                if let Some((count, card)) = row(input, words) {
                    deck.rows.push(DeckRow { line, input: input.to_owned(), count, card });
                } else {
                    deck.faults.push(unknown(line, input, words));
                    deck.unknown += count(input);
                }
            }
        }
        deck
    }

    /// Returns the number of cards, including those of an unknown name.
    pub fn size(&self) -> usize {
        self.rows.iter().map(|row| row.count).sum::<usize>() + self.unknown
    }

    /// Returns the number of copies of a card up to and including a row.
    pub fn copies(&self, row: usize) -> usize {
        let card = &self.rows[row].card;
        self.rows[..=row].iter().filter(|other| other.card == *card).map(|other| other.count).sum()
    }
}

/// Returns the number of copies and the card of a row: a number before or after a name, or a name alone.
fn row(input: &str, words: &Lexicon) -> Option<(usize, SmolStr)> {
    let input = fold(input);
    let number = |digits: &str| digits.parse().ok().filter(|count| (1..=MOST).contains(count));
    let behind = input.trim_start_matches(|c: char| c.is_ascii_digit());
    let before = &input[..input.len() - behind.len()];
    let named = |name: &str| card(name.trim_start_matches(TIMES).trim(), words);
    let first = || Some((number(before)?, card(behind.trim(), words).or_else(|| named(behind))?));
    let alone = || Some((1, card(&input, words)?));
    let last = || {
        // `Cut In (4)`, `Cut In: 4` and `Cut In 4x` are written as well.
        let bare = input.trim_end_matches(')').trim_end_matches(TIMES).trim_end();
        let name = bare.trim_end_matches(|c: char| c.is_ascii_digit());
        let count = number(&bare[name.len()..])?;
        let name = name.trim_end_matches(['(', ':', ' ']);
        let times = name.trim_end_matches(TIMES).trim_end();
        Some((count, card(name, words).or_else(|| card(times, words))?))
    };
    first().or_else(alone).or_else(last)
}

/// Returns the card with this name in any language, or the only card whose name contains the text.
fn card(name: &str, words: &Lexicon) -> Option<SmolStr> {
    let is_card = |id: &&SmolStr| words.group(id) == Some(CARDS);
    let named = words.called(name).find(is_card);
    let part = fold(name);
    let is_long = part.chars().count() >= SHORTEST_PART;
    let contains = |id: &&SmolStr| is_long && words.names(id).any(|it| has(&fold(it), &part));
    let mut containing = words.ids(CARDS).filter(contains);
    named.or_else(|| containing.next().filter(|_| containing.next().is_none())).cloned()
}

/// True if a name contains a part, which neither begins nor ends within a word of Latin letters.
fn has(name: &str, part: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    name.match_indices(part).any(|(at, _)| {
        let (before, behind) = (&name[..at], &name[at + part.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(behind.chars().next())
    })
}

/// Returns the number of copies of a row that names no card: its first number, or one.
fn count(input: &str) -> usize {
    let input = fold(input);
    let mut numbers = input.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
    numbers.next().and_then(|it| it.parse().ok()).filter(|it| (1..=MOST).contains(it)).unwrap_or(1)
}

/// Returns the fault of a row that names no card, with the most similar name.
fn unknown(line: usize, input: &str, words: &Lexicon) -> Reason {
    let is_part = |c: char| c.is_ascii_digit() || TIMES.contains(&c) || c.is_whitespace();
    let folded = fold(input);
    let name = folded.trim_matches(is_part);
    let near = nearest(name, words.ids(CARDS).flat_map(|id| words.names(id)));
    let wrong = ListFault::Unknown { near: near.map(SmolStr::new) };
    Reason::Listed { line: Some(line), input: input.to_owned(), wrong }
}
