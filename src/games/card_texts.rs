//! The texts of a game's cards in both languages, from `data/<game>/cards.toml`, shown wherever a card is
//! offered, held or asked about. The rules themselves are in `docs/rules/<game>.md`.

use std::collections::BTreeSet;

use serde::Deserialize;
use smol_str::SmolStr;

use rules::Clause;
use rules::data::{DataFault, parse};
use rules::text::{Lang, Lexicon};

/// The maximum length of a short text in UTF-16 units, to fit below a menu entry on Discord.
const SHORT: usize = 100;

/// The texts of a game's cards.
#[derive(Clone, Debug, Default)]
pub struct CardTexts {
    cards: Vec<CardText>,
    listed: Vec<SmolStr>,
}

/// The texts of one card.
#[derive(Clone, Debug)]
pub struct CardText {
    /// The card's id in `words.toml`.
    pub id: SmolStr,
    /// The clause with the card's rule.
    pub clause: Clause,
    /// The kind of the card; empty in a game that has none.
    kind: InBoth,
    short: InBoth,
    text: InBoth,
}

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InBoth {
    pub(crate) ja: String,
    pub(crate) en: String,
}

impl InBoth {
    /// Writes a text in both languages.
    pub(crate) fn by(write: impl Fn(Lang) -> String) -> Self {
        let [ja, en] = Lang::ALL.map(write);
        Self { ja, en }
    }

    pub(crate) fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::Ja => &self.ja,
            Lang::En => &self.en,
        }
    }

    /// Returns the names of an id as [`Lexicon::with_pieces`] takes them.
    pub(crate) fn named<'n>(&'n self, id: &'n str) -> (&'n str, &'n str, &'n str) {
        (id, &self.ja, &self.en)
    }

    /// True if a name is the same in one of the languages.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.ja == other.ja || self.en.eq_ignore_ascii_case(&other.en)
    }

    /// Both texts, with `{cost}` replaced by the cost if there is one.
    fn costing(&self, cost: Option<u8>) -> Self {
        let filled = |text: &str| match cost {
            Some(cost) => text.replace("{cost}", &cost.to_string()),
            None => text.to_owned(),
        };
        Self { ja: filled(&self.ja), en: filled(&self.en) }
    }
}

/// Returns a sentence with its placeholders, names in braces, filled in.
pub(crate) fn fill(sentence: &str, values: &[(&str, String)]) -> String {
    let fill =
        |text: String, (name, value): &(&str, String)| text.replace(&format!("{{{name}}}"), value);
    values.iter().fold(sentence.to_owned(), fill)
}

/// The contents of `cards.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardFile {
    /// The groups of cards whose texts a player can list.
    listed: Vec<SmolStr>,
    card: Vec<CardEntry>,
}

/// A text and its cards.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardEntry {
    #[serde(default)]
    of: Vec<SmolStr>,
    group: Option<SmolStr>,
    clause: SmolStr,
    #[serde(default)]
    cost: Vec<u8>,
    short: InBoth,
    text: InBoth,
}

impl CardText {
    /// A card's texts, generated from its effects.
    pub(crate) fn by(
        id: &SmolStr,
        clause: &'static str,
        short: impl Fn(Lang) -> String,
        text: impl Fn(Lang) -> String,
    ) -> Self {
        let (kind, short, text) = (InBoth::default(), InBoth::by(short), InBoth::by(text));
        Self { id: id.clone(), clause: Clause::new(clause), kind, short, text }
    }

    /// The texts of a card of this kind; the whole text begins with the kind.
    pub(crate) fn of_kind(
        id: &SmolStr,
        clause: &'static str,
        kind: impl Fn(Lang) -> String,
        short: impl Fn(Lang) -> String,
    ) -> Self {
        let text = |lang| match lang {
            Lang::Ja => format!("{}\u{3002}{}\u{3002}", kind(lang), short(lang)),
            Lang::En => format!("{}: {}.", kind(lang), short(lang)),
        };
        Self { kind: InBoth::by(&kind), ..Self::by(id, clause, &short, text) }
    }

    /// True if the short text fits below a menu entry.
    pub(crate) fn fits(&self) -> bool {
        Lang::ALL.into_iter().all(|lang| self.short(lang).encode_utf16().count() <= SHORT)
    }

    /// The kind of the card; empty in a game that has none.
    pub fn kind(&self, lang: Lang) -> &str {
        self.kind.of(lang)
    }

    /// The effect on one line: the description of a menu entry.
    pub fn short(&self, lang: Lang) -> &str {
        self.short.of(lang)
    }

    /// The whole text of the effect.
    pub fn text(&self, lang: Lang) -> &str {
        self.text.of(lang)
    }
}

impl CardTexts {
    /// Generated texts, all of cards in the listed groups.
    pub(crate) fn written(listed: &[&str], cards: Vec<CardText>) -> Self {
        Self { cards, listed: listed.iter().map(SmolStr::new).collect() }
    }

    /// Parses a game's `cards.toml`, and checks it against the game's words and rules.
    pub fn parse(
        (file, text): (&str, &str),
        words: &Lexicon,
        rules: &str,
    ) -> Result<Self, DataFault> {
        let read: CardFile = parse(file, text)?;
        let mut texts = Self { cards: Vec::new(), listed: read.listed };
        let fault = |key: &str, what: String| DataFault::at_word(file, text, key, what);
        // The number of each clause stands in bold.
        let bold: BTreeSet<&str> = rules.split("**").collect();
        for entry in &read.card {
            if !bold.contains(&*entry.clause) {
                return Err(fault(&entry.clause, format!("there is no clause {}", entry.clause)));
            }
            let cost_missing = !entry.cost.is_empty() && entry.cost.len() != entry.of.len();
            let group = entry.group.iter().flat_map(|group| words.ids(group));
            let rest: Vec<&SmolStr> = group.filter(|id| texts.of(id).is_none()).collect();
            for (at, id) in entry.of.iter().chain(rest).enumerate() {
                if words.group(id).is_none() || texts.of(id).is_some() || cost_missing {
                    let what = format!("`{id}` is no piece, has a text already, or lacks a cost");
                    return Err(fault(id, what));
                }
                let cost = entry.cost.get(at).copied();
                let card = CardText {
                    id: id.clone(),
                    clause: Clause::from(&*entry.clause),
                    kind: InBoth::default(),
                    short: entry.short.costing(cost),
                    text: entry.text.costing(cost),
                };
                for lang in Lang::ALL {
                    let length = card.short(lang).encode_utf16().count();
                    if length > SHORT || length == 0 || card.text(lang).is_empty() {
                        let what = format!("a short text of `{id}` has 1 to {SHORT} characters");
                        return Err(fault(id, what));
                    }
                }
                texts.cards.push(card);
            }
        }
        match texts.listed.iter().find(|group| words.ids(group).any(|id| texts.of(id).is_none())) {
            Some(group) => Err(fault(group, format!("a card of `{group}` has no text"))),
            None => Ok(texts),
        }
    }

    /// `None` if this piece has no text. Finds the texts of a card.
    pub fn of(&self, id: &str) -> Option<&CardText> {
        self.cards.iter().find(|card| card.id == id)
    }

    /// Every card with a text, in the order of the file.
    pub fn all(&self) -> impl Iterator<Item = &CardText> {
        self.cards.iter()
    }

    /// The cards of the listed groups, in the order of the game's words.
    pub fn listed<'a>(&'a self, words: &'a Lexicon) -> impl Iterator<Item = &'a CardText> {
        let ids = self.listed.iter().flat_map(|group| words.ids(group));
        ids.filter_map(|id| self.of(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;

    #[test]
    fn every_card_says_what_it_does() {
        for game in GAMES {
            let (cards, words) = (game.cards(), game.lexicon());
            let groups = ["event", "role", "budget", "family", "challenge", "specialist", "card"];
            let held = groups.iter().flat_map(|group| words.ids(group));
            for id in held {
                // The event deck is not a card.
                let card = cards.of(id).or_else(|| (id == "event").then(|| &cards.cards[0]));
                let card = card.unwrap_or_else(|| panic!("{} {id} says nothing", game.key()));
                for lang in Lang::ALL {
                    assert!(!card.short(lang).contains('{'), "{}", card.short(lang));
                    assert!(!card.text(lang).contains('{'), "{}", card.text(lang));
                    assert!(card.short(lang).chars().count() <= SHORT);
                }
            }
            assert!(cards.listed(words).count() >= 15);
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let words = "[piece.card]\nace = { ja = \"A\", en = \"ace\" }\n";
        let words = Lexicon::parse("words.toml", words).unwrap();
        let read = |of: &str, clause: &str, short: &str| {
            let both = |text: &str| format!("{{ ja = \"{text}\", en = \"{text}\" }}");
            let (short, text) = (both(short), both("x"));
            let entry = format!("listed = []\n[[card]]\nof = [\"{of}\"]\nclause = \"{clause}\"\n");
            let file = format!("{entry}short = {short}\ntext = {text}\n");
            CardTexts::parse(("cards.toml", &file), &words, "**E1** One\n").map_err(|f| f.line)
        };
        assert!(read("ace", "E1", "x").is_ok());
        assert_eq!(read("two", "E1", "x").unwrap_err(), 3);
        assert_eq!(read("ace", "E2", "x").unwrap_err(), 4);
        assert_eq!(read("ace", "E1", &"x".repeat(101)).unwrap_err(), 3);
    }
}
