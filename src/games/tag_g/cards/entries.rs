//! T8.1: the entries of a set's file, one form for each kind of card.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use smol_str::SmolStr;

use super::card::{
    Aims, Attack, Attribute, CardKind, Character, Defence, Item, Magic, Printed, Slot, Summon,
};
use super::vocabulary::{Cost, Effect, Keyword};
use crate::cards::names::Name;

/// The name of a set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    #[serde(rename = "game")]
    _game: String,
    pub(super) name: Name,
    pub(super) version: u32,
}

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
pub(super) trait CardEntry: for<'d> Deserialize<'d> {
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
        pub(super) struct $name {
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
    |entry| CardKind::Defence(Defence { speed: entry.speed.0 }), 0;
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
    |entry| CardKind::Item(Item { slot: entry.slot }), entry.upkeep.unwrap_or(0);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CharacterEntry {
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
pub(super) struct DeckEntry {
    #[serde(rename = "id")]
    _id: String,
    pub(super) name: Name,
    pub(super) character: String,
    pub(super) cards: Vec<String>,
}
