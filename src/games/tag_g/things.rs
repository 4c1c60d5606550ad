//! Targets of attacks and effects, each with the id by which a declaration names it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use super::cards::Card;
use super::cards::card::NUMBER_SIGN;
use rules::{Piece, Seat};

/// A permanent on the field: a card, with a number that no other permanent of the card has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub card: Card,
    /// The number, from 1.
    pub number: u8,
}

impl Unit {
    /// Returns the permanent with this id.
    pub fn find(id: &str) -> Option<Self> {
        let (card, rest) = id.split_once(NUMBER_SIGN)?;
        let place = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, mark) = rest.split_at(place);
        let card = Card::find(&format!("{card}{mark}"))?;
        Some(Self { card, number: number.parse().ok()? })
    }
}

impl Piece for Unit {
    fn id(&self) -> SmolStr {
        self.card.with_number(self.number)
    }
}

/// A character or a permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The character of a seat.
    Character(Seat),
    Unit(Unit),
}

/// The means of an attack: a card of the hand, or a summon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    Card(Card),
    Unit(Unit),
}

/// A thing that an effect names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Character(Seat),
    Unit(Unit),
    /// A card in a discard pile.
    Card(Card),
}

impl From<Aim> for Thing {
    fn from(aim: Aim) -> Self {
        match aim {
            Aim::Character(seat) => Self::Character(seat),
            Aim::Unit(unit) => Self::Unit(unit),
        }
    }
}

impl Thing {
    /// `None` for a card in a discard pile.
    pub fn aim(self) -> Option<Aim> {
        match self {
            Self::Character(seat) => Some(Aim::Character(seat)),
            Self::Unit(unit) => Some(Aim::Unit(unit)),
            Self::Card(_) => None,
        }
    }
}

/// Finds the parts of an id.
trait Named: Sized {
    fn find(id: &str) -> Option<Self>;
}

impl Named for Unit {
    fn find(id: &str) -> Option<Self> {
        Self::find(id)
    }
}

/// Gives an enum of pieces the id of its piece, by which it is stored.
macro_rules! named {
    ($name:ident { $($member:ident: $find:expr,)+ }) => {
        impl Piece for $name {
            fn id(&self) -> SmolStr {
                match self { $(Self::$member(piece) => piece.id(),)+ }
            }
        }

        impl Named for $name {
            fn find(id: &str) -> Option<Self> {
                None$(.or_else(|| $find(id).map(Self::$member)))+
            }
        }
    };
}

fn seat(id: &str) -> Option<Seat> {
    id.parse().ok()
}

named! { Aim { Character: seat, Unit: Unit::find, } }
named! { Means { Card: Card::find, Unit: Unit::find, } }
named! { Thing { Character: seat, Unit: Unit::find, Card: Card::find, } }

macro_rules! stored_by_id {
    ($($name:ident)+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.id())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let id = SmolStr::deserialize(deserializer)?;
                let found = <Self as Named>::find(&id);
                found.ok_or_else(|| serde::de::Error::custom(format!("{id:?} is in no set")))
            }
        }
    )+};
}

stored_by_id! { Unit Aim Means Thing }
