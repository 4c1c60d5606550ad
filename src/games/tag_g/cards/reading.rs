//! T8.1: the parsing of a set's file, one form for each kind of card, with every fault at once.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use smol_str::SmolStr;

use super::card::{
    Aims, Attack, Attribute, CardKind, Character, Magic, PHRASES, Printed, PrintedDeck, Set, Slot,
    Summon,
};
use super::vocabulary::{COPIES, Choice, Cost, Effect, FIELD, Keyword, What, Whose};
use super::{check, texts};
use crate::card_texts::{CardTexts, InBoth};
use crate::cards::fault::{SetFault, unknown};
use crate::cards::hash::unmarked;
use crate::cards::names::Name;
use crate::cards::reader::{SetEntry, SetReader};
use crate::cards::sets::{CardSet, ReadyMade};
use crate::tag_g::TagG;
use rules::Key;
use rules::text::Lexicon;

/// A printed speed: a number or `"none"` for −.
#[derive(Clone, Copy)]
struct Speed(Option<i16>);

impl<'de> Deserialize<'de> for Speed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Speed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a speed")
            }

            fn visit_i64<E: Error>(self, input: i64) -> Result<Speed, E> {
                // A number outside of the range is reported by the check of the card.
                Ok(Speed(Some(i16::try_from(input).unwrap_or(0))))
            }

            fn visit_str<E: Error>(self, input: &str) -> Result<Speed, E> {
                if input == "none" {
                    Ok(Speed(None))
                } else {
                    Err(E::unknown_variant(input, &["none"]))
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// The keys that entries of every kind of card have, and the printed part that they make.
trait CardEntry: for<'d> Deserialize<'d> {
    const TABLE: &'static str;

    fn name(&self) -> &Name;
    fn printed(&self, id: SmolStr, place: usize) -> Printed;
}

/// Declares the entry of a kind of card by its own keys, and its kind and upkeep.
macro_rules! entries {
    ($($name:ident = $table:literal { $($field:ident: $type:ty,)* }
       |$entry:ident| $kind:expr, $upkeep:expr;)*) => {$(
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name {
            #[serde(rename = "id")]
            _id: String,
            name: Name,
            $($field: $type,)*
            #[serde(default)]
            keywords: Vec<Keyword>,
            #[serde(default)]
            cost: Cost,
            #[serde(default)]
            effects: Vec<Effect>,
        }

        impl CardEntry for $name {
            const TABLE: &'static str = $table;

            fn name(&self) -> &Name {
                &self.name
            }

            fn printed(&self, id: SmolStr, place: usize) -> Printed {
                let $entry = self;
                Printed {
                    id,
                    place,
                    name: self.name.both(),
                    kind: $kind,
                    keywords: self.keywords.clone(),
                    cost: self.cost,
                    upkeep: $upkeep,
                    effects: self.effects.clone(),
                }
            }
        }
    )*};
}

entries! {
    AttackEntry = "attack" { speed: Speed, damage: u8, aims: Option<Aims>, }
    |entry| CardKind::Attack(Attack {
        speed: entry.speed.0,
        damage: entry.damage.into(),
        aims: entry.aims.unwrap_or(Aims::Any),
    }), 0;
    DefenceEntry = "defence" { speed: Speed, }
    |entry| CardKind::Defence(entry.speed.0), 0;
    MotionEntry = "motion" { }
    |_entry| CardKind::Motion, 0;
    InstantEntry = "instant" { attribute: Attribute, level: u8, }
    |entry| CardKind::Instant(Magic { attribute: entry.attribute, level: entry.level }), 0;
    ShapeEntry = "shape" { attribute: Attribute, level: u8, upkeep: Option<u8>, }
    |entry| CardKind::Shape(Magic { attribute: entry.attribute, level: entry.level }),
        entry.upkeep.unwrap_or(0);
    SummonEntry = "summon" {
        attribute: Attribute, level: u8, speed: i16, attack: u8, defence: u8, upkeep: Option<u8>,
    }
    |entry| CardKind::Summon(Summon {
        magic: Magic { attribute: entry.attribute, level: entry.level },
        speed: entry.speed,
        attack: entry.attack.into(),
        defence: entry.defence.into(),
    }), entry.upkeep.unwrap_or(0);
    ItemEntry = "item" { slot: Option<Slot>, upkeep: Option<u8>, }
    |entry| CardKind::Item(entry.slot), entry.upkeep.unwrap_or(0);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CharacterEntry {
    #[serde(rename = "id")]
    _id: String,
    name: Name,
    hand: u8,
    fights: u8,
    spells: u8,
    stamina: (u8, u8),
    attributes: Vec<Attribute>,
}

impl CardEntry for CharacterEntry {
    const TABLE: &'static str = "character";

    fn name(&self) -> &Name {
        &self.name
    }

    fn printed(&self, id: SmolStr, place: usize) -> Printed {
        let kind = CardKind::Character(Character {
            hand: self.hand.into(),
            fights: self.fights,
            spells: self.spells,
            stamina: self.stamina.0.into()..=self.stamina.1.into(),
            attributes: self.attributes.clone(),
        });
        let (keywords, effects) = (Vec::new(), Vec::new());
        let (name, cost) = (self.name.both(), Cost::default());
        Printed { id, place, name, kind, keywords, cost, upkeep: 0, effects }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeckEntry {
    #[serde(rename = "id")]
    _id: String,
    name: Name,
    character: String,
    cards: Vec<String>,
}

impl CardSet for Set {
    const CLAUSE: &'static str = "T8.1";
    const DECK: Key = Key::new("deck", "choice");

    fn parse(file: &str, text: &str) -> Result<Self, Vec<SetFault>> {
        let mut reader = SetReader::new(file, text)?;
        let (name, version) = reader.about();
        let (cards, decks, by_id) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut parsing = Parsing { reader, set: Self { name, version, cards, decks, by_id } };
        parsing.cards::<CharacterEntry>();
        parsing.cards::<AttackEntry>();
        parsing.cards::<DefenceEntry>();
        parsing.cards::<MotionEntry>();
        parsing.cards::<InstantEntry>();
        parsing.cards::<ShapeEntry>();
        parsing.cards::<SummonEntry>();
        parsing.cards::<ItemEntry>();
        parsing.decks();
        parsing.reader.finish(parsing.set)
    }

    fn name(&self) -> InBoth {
        self.name.clone()
    }

    fn lexicon(&self) -> Lexicon {
        let decks = self.decks.iter().map(|deck| deck.name.named(&deck.id));
        let cards = self.cards.iter().map(|card| card.name.named(&card.id));
        let lasting = self.cards.iter().filter(|card| card.is_permanent());
        let numbered = |card: &Printed, nth: u8| {
            let (ja, en) = (&card.name.ja, &card.name.en);
            let name = InBoth { ja: format!("{ja}{nth}"), en: format!("{en} {nth}") };
            (card.with_number(nth), name)
        };
        let field = lasting.flat_map(|card| (1..=FIELD).map(move |nth| numbered(card, nth)));
        let field: Vec<(SmolStr, InBoth)> = field.collect();
        let field = field.iter().map(|(id, name)| name.named(id));
        let lexicon = Lexicon::clone(TagG::words()).with_pieces("deck", decks);
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
        let on_player = [Choice { what: What::Character, of: Whose::Opposing }];
        let of = |kind: &&'static str| {
            let cards = self.cards.iter().filter(|card| card.kind.word() == *kind);
            // An instant is shown with a player as its target.
            let card = cards.min_by_key(|card| *kind == "instant" && card.choices() != on_player);
            card.or(self.cards.first()).map(|card| card.id.clone()).unwrap_or_default()
        };
        let kinds = ["character", "attack", "defence", "motion", "instant", "summon", "item"];
        let cards = kinds.iter().map(|kind| (*kind, of(kind)));
        let decks = ["deck", "second_deck"].into_iter().zip(&self.decks);
        cards.chain(decks.map(|(name, deck)| (name, deck.id.clone()))).collect()
    }
}

/// A set that is being parsed, with the faults found so far.
struct Parsing<'t> {
    reader: SetReader<'t>,
    set: Set,
}

impl Parsing<'_> {
    fn cards<E: CardEntry>(&mut self) {
        for entry in self.reader.entries::<E>(E::TABLE) {
            let place = self.set.cards.len();
            let printed = entry.read.printed(self.reader.marked(&entry.id), place);
            let (id, name) = (&entry.id, entry.read.name());
            let names = self.set.cards.iter().map(|card| &card.name);
            self.reader.check_card(&entry, id, name, &self.set.by_id, names, TagG::words());
            if let Some(name) = name.each().find(|name| name.ends_with(char::is_numeric)) {
                let values = [("input", name.clone())];
                self.reader.fault_in(&entry, name, PHRASES.sentence("ends-in-digit", &values));
            }
            for (near, fault) in check::card(&printed) {
                self.reader.fault_in(&entry, near, fault);
            }
            self.set.by_id.insert(id.clone(), place);
            self.set.cards.push(printed);
        }
    }

    fn decks(&mut self) {
        let entries: Vec<SetEntry<DeckEntry>> = self.reader.entries("deck");
        for entry in &entries {
            let (marked, name) = (self.reader.marked(&entry.id), &entry.read.name);
            let is_new = !self.set.decks.iter().any(|deck| deck.id == marked);
            self.reader.check_names(entry, &entry.id, name, is_new, TagG::words());
            let Some(character) = self.character(entry) else { continue };
            let cards = self.deck(entry, character);
            let (place, name) = (self.set.decks.len(), name.both());
            self.set.decks.push(PrintedDeck { id: marked, place, name, character, cards });
        }
        if let Some((deck, what)) = check::decks(&self.set) {
            self.reader.fault_at(unmarked(&deck), what);
        }
    }

    /// The place of a deck's character; none is a fault.
    fn character(&mut self, entry: &SetEntry<DeckEntry>) -> Option<usize> {
        let id = &entry.read.character;
        let place = self.set.by_id.get(id).copied();
        let found = place.filter(|place| self.set.cards[*place].character().is_some());
        if found.is_none() && !self.reader.has_left_out(id) {
            let of = self.set.cards.iter().filter(|card| card.character().is_some());
            let what = unknown("unknown-word", id, of.map(|card| unmarked(&card.id)));
            self.reader.fault_in(entry, id, what);
        }
        found
    }

    /// Parses the cards of a deck, within the stamina of its character and the copies of T2.1.
    fn deck(&mut self, entry: &SetEntry<DeckEntry>, character: usize) -> Vec<usize> {
        let cards = &self.set.cards;
        let faults = |place: usize, count: usize| {
            let is_character = cards[place].character().is_some();
            let character = is_character.then(|| PHRASES.sentence("character-in-deck", &[]));
            let values = [("most", COPIES.to_string()), ("count", count.to_string())];
            let too_many = (count > COPIES).then(|| PHRASES.sentence("copies", &values));
            character.into_iter().chain(too_many)
        };
        let mut deck = self.reader.deck(entry, &entry.read.cards, &self.set.by_id, faults);
        if let (Some(count), Some(character)) = (deck.count, cards[character].character())
            && !character.stamina.contains(&count)
        {
            let (least, most) = (character.stamina.start(), character.stamina.end());
            let sizes = [("least", *least), ("most", *most), ("count", count)];
            let values = sizes.map(|(name, number)| (name, number.to_string()));
            self.reader.fault_in(entry, &entry.id, PHRASES.sentence("deck-size", &values));
        }
        deck.cards.sort_unstable();
        deck.cards
    }
}
