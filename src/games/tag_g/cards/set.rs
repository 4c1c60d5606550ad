//! T8.1: the parsing of a set's file, with every fault at once.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::card::{CardKind, PrintedDeck, Set};
use super::entries::{
    About, AttackEntry, CardEntry, CharacterEntry, DeckEntry, DefenceEntry, InstantEntry,
    ItemEntry, MotionEntry, ShapeEntry, SummonEntry,
};
use super::handles::BUILT_IN;
use super::vocabulary::{COPIES, FIELD};
use super::words::words;
use super::{check, texts};
use crate::card_texts::{CardTexts, InBoth};
use crate::cards::fault::{SetFault, sentence};
use crate::cards::hash::{MARK_SIGN, SetHash, unmarked};
use crate::cards::reader::{Row, SetEntry, SetReader};
use crate::cards::sets::{CardSet, ReadyMade};
use rules::Key;
use rules::data::DataFault;
use rules::text::Lexicon;

/// The faults of the built-in set and of the sentences about sets.
pub(in crate::tag_g) fn faults() -> Vec<DataFault> {
    let set = BUILT_IN.as_ref().err().into_iter().flatten().cloned();
    texts::check().into_iter().chain(set.map(DataFault::from)).collect()
}

impl CardSet for Set {
    const CLAUSE: &'static str = "T8.1";
    const DECK: Key = Key::new("deck", "choice");

    fn parse(file: &str, text: &str) -> Result<Self, Vec<SetFault>> {
        Parsing::of(file, text)
    }

    fn name(&self) -> InBoth {
        self.name.clone()
    }

    fn lexicon(&self) -> Lexicon {
        let decks = self.decks.iter().map(|deck| (&*deck.id, &*deck.name.ja, &*deck.name.en));
        let cards = self.cards.iter().map(|card| (&*card.id, &*card.name.ja, &*card.name.en));
        let lasting = self.cards.iter().filter(|card| card.kind.is_permanent());
        let field: Vec<_> =
            lasting.flat_map(|card| (1..=FIELD).map(|n| card.numbered(n))).collect();
        let field = field.iter().map(|(id, name)| (&**id, &*name.ja, &*name.en));
        let lexicon = Lexicon::clone(words()).with_pieces("deck", decks);
        lexicon.with_pieces("card", cards).with_pieces("field", field)
    }

    fn texts(&self) -> CardTexts {
        texts::texts(self)
    }

    fn decks(&self) -> Vec<ReadyMade> {
        let card = |place: &usize| self.cards[*place].id.clone();
        let of = |deck: &PrintedDeck| ReadyMade::of(deck.id.clone(), deck.cards.iter().map(card));
        self.decks.iter().map(of).collect()
    }

    fn examples(&self) -> BTreeMap<&'static str, SmolStr> {
        let first = self.cards.first().map(|card| card.id.clone()).unwrap_or_default();
        let of = |is_it: fn(&CardKind) -> bool| {
            let card = self.cards.iter().find(|card| is_it(&card.kind));
            card.map_or_else(|| first.clone(), |card| card.id.clone())
        };
        let deck = |at: usize| self.decks.get(at).map(|deck| deck.id.clone()).unwrap_or_default();
        BTreeMap::from([
            ("deck", deck(0)),
            ("second_deck", deck(1)),
            ("character", of(|kind| matches!(kind, CardKind::Character(_)))),
            ("attack", of(|kind| matches!(kind, CardKind::Attack(_)))),
            ("defence", of(|kind| matches!(kind, CardKind::Defence(_)))),
            ("motion", of(|kind| matches!(kind, CardKind::Motion))),
            ("instant", of(|kind| matches!(kind, CardKind::Instant(_)))),
            ("summon", of(|kind| matches!(kind, CardKind::Summon(_)))),
            ("item", of(|kind| matches!(kind, CardKind::Item(_)))),
        ])
    }
}

/// A set that is being parsed, with the faults found so far.
struct Parsing<'t> {
    reader: SetReader<'t>,
    mark: String,
    set: Set,
}

impl<'t> Parsing<'t> {
    /// Parses a set, and checks it against the rules.
    ///
    /// # Errors
    /// Every fault of the file.
    fn of(file: &'t str, text: &'t str) -> Result<Set, Vec<SetFault>> {
        let mut reader = SetReader::new(file, text)?;
        let about: Option<About> = reader.table("set");
        let (name, version) =
            about.map_or_else(Default::default, |about| (about.name.both(), about.version));
        let (cards, decks, by_id) = (Vec::new(), Vec::new(), BTreeMap::new());
        let set = Set { name, version, cards, decks, by_id };
        let mut parsing = Self { reader, mark: SetHash::of(text).mark(), set };
        parsing.cards::<CharacterEntry>();
        parsing.cards::<AttackEntry>();
        parsing.cards::<DefenceEntry>();
        parsing.cards::<MotionEntry>();
        parsing.cards::<InstantEntry>();
        parsing.cards::<ShapeEntry>();
        parsing.cards::<SummonEntry>();
        parsing.cards::<ItemEntry>();
        parsing.decks();
        parsing.texts();
        let known = [
            "set",
            "character",
            "attack",
            "defence",
            "motion",
            "instant",
            "shape",
            "summon",
            "item",
            "deck",
        ];
        let faults = parsing.reader.finish(&known);
        if faults.is_empty() { Ok(parsing.set) } else { Err(faults) }
    }

    fn cards<E: CardEntry>(&mut self) {
        for entry in self.reader.entries::<E>(E::TABLE) {
            let place = self.set.cards.len();
            let printed = entry.read.printed(self.marked(&entry.id), place);
            let (id, name) = (&entry.id, entry.read.name());
            let is_new = !self.set.by_id.contains_key(id);
            self.reader.check_names(&entry, id, name, is_new, words());
            if let Some(name) = name.each().find(|name| name.ends_with(char::is_numeric)) {
                let values = [("input", name.clone())];
                self.reader.fault_in(&entry, name, texts::fault("ends-in-digit", &values));
            }
            if is_new && self.set.cards.iter().any(|card| card.name.is_same(&printed.name)) {
                let values = [("input", printed.name.ja.clone())];
                self.reader.fault_in(&entry, &printed.name.ja, sentence("same-name", &values));
            }
            for fault in check::card(&printed) {
                self.reader.fault_in(&entry, &fault.near, fault.what);
            }
            self.set.by_id.insert(id.clone(), place);
            self.set.cards.push(printed);
        }
    }

    fn decks(&mut self) {
        let entries: Vec<SetEntry<DeckEntry>> = self.reader.entries("deck");
        for entry in &entries {
            let (id, name) = (&entry.id, &entry.read.name);
            let marked = self.marked(id);
            let is_new = !self.set.decks.iter().any(|deck| deck.id == marked);
            self.reader.check_names(entry, id, name, is_new, words());
            let Some(character) = self.character(entry) else { continue };
            let cards = self.deck(entry, character);
            let place = self.set.decks.len();
            self.set.decks.push(PrintedDeck {
                id: marked,
                place,
                name: name.both(),
                character,
                cards,
            });
        }
        if let Some((deck, what)) = check::decks(&self.set) {
            self.reader.fault_at(unmarked(&deck), what);
        }
    }

    /// The place of a deck's character; none is a fault.
    fn character(&mut self, entry: &SetEntry<DeckEntry>) -> Option<usize> {
        let id = &entry.read.character;
        let place = self.set.by_id.get(id).copied();
        let is_character = |place: &usize| self.set.cards[*place].kind.character().is_some();
        let found = place.filter(is_character);
        if found.is_none() && !self.reader.has_left_out(id) {
            let of = self.set.cards.iter().filter(|card| card.kind.character().is_some());
            let what =
                crate::cards::fault::unknown("unknown-word", id, of.map(|card| unmarked(&card.id)));
            self.reader.fault_in(entry, id, what);
        }
        found
    }

    /// Parses the cards of a deck, within the stamina of its character and the copies of T2.1.
    fn deck(&mut self, entry: &SetEntry<DeckEntry>, character: usize) -> Vec<usize> {
        let (mut cards, mut left_out, mut is_read): (Vec<usize>, usize, bool) =
            (Vec::new(), 0, true);
        for row in &entry.read.cards {
            let (count, place) = match self.reader.row(entry, row, &self.set.by_id) {
                Row::Cards { count, place } => (count, place),
                Row::LeftOut { count } => {
                    left_out += count;
                    continue;
                }
                Row::Faulty => {
                    is_read = false;
                    continue;
                }
            };
            if self.set.cards[place].kind.character().is_some() {
                self.reader.fault_in(entry, row, texts::fault("character-in-deck", &[]));
            }
            let laid = cards.iter().filter(|card| **card == place).count() + count;
            if laid > COPIES {
                let values = [("most", COPIES.to_string()), ("count", laid.to_string())];
                self.reader.fault_in(entry, row, texts::fault("copies", &values));
            }
            cards.extend(std::iter::repeat_n(place, count.min(usize::from(u8::MAX))));
        }
        let count = cards.len() + left_out;
        let stamina = self.set.cards[character].kind.character().map(|card| card.stamina.clone());
        if let Some(stamina) = stamina.filter(|stamina| is_read && !stamina.contains(&count)) {
            let sizes = [("least", *stamina.start()), ("most", *stamina.end()), ("count", count)];
            let values = sizes.map(|(name, number)| (name, number.to_string()));
            self.reader.fault_in(entry, &entry.id, texts::fault("deck-size", &values));
        }
        cards.sort_unstable();
        cards
    }

    /// Refuses a card whose text is longer than a menu has room for.
    fn texts(&mut self) {
        let long = self.set.cards.iter().filter(|card| !texts::fits(card));
        let long: Vec<String> = long.map(|card| unmarked(&card.id).to_owned()).collect();
        for id in long {
            self.reader.fault_at(&id, texts::fault("text", &[]));
        }
    }

    fn marked(&self, id: &str) -> SmolStr {
        SmolStr::new(format!("{id}{MARK_SIGN}{}", self.mark))
    }
}
