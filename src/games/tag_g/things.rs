//! Targets of attacks and effects, each with the id by which a declaration names it; and what lasts on them for a
//! while (T3.11).

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::cards::card::NUMBER_SIGN;
use super::cards::{Card, Change, Forbidden, Value};
use crate::pieces::stored_by_id;
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

    pub fn is_summon(self) -> bool {
        self.card.summon().is_some()
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

/// The means of an attack: a card of the hand, or a summon; and the source of any effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    Card(Card),
    Unit(Unit),
}

impl Means {
    /// The card, in play or not.
    pub fn card(self) -> Card {
        match self {
            Self::Card(card) | Self::Unit(Unit { card, .. }) => card,
        }
    }

    /// The attacking character or summon.
    pub fn attacker(self, user: Seat) -> Aim {
        match self {
            Self::Card(_) => Aim::Character(user),
            Self::Unit(unit) => Aim::Unit(unit),
        }
    }
}

/// A thing that an effect names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Aim(Aim),
    /// A card in a discard pile.
    Card(Card),
}

impl Thing {
    /// `None` for a card in a discard pile.
    pub fn aim(self) -> Option<Aim> {
        if let Self::Aim(aim) = self { Some(aim) } else { None }
    }
}

/// Gives an enum of pieces the id of its piece.
macro_rules! named {
    ($name:ident { $($member:ident: $find:expr,)+ }) => {
        impl Piece for $name {
            fn id(&self) -> SmolStr {
                match self { $(Self::$member(piece) => piece.id(),)+ }
            }
        }

        impl $name {
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
named! { Thing { Aim: Aim::find, Card: Card::find, } }

stored_by_id! { Unit Aim Means Thing }

/// The end of a change (T3.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    Segment,
    Turn,
    /// The beginning of the next turn of this player.
    TurnOf(Seat),
}

/// A change of the state of a character or permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Influence {
    Modify {
        what: Value,
        by: Change,
    },
    Forbid(Forbidden),
    /// Less damage of attacks; `None` for all of it.
    Reduce(Option<u8>),
    /// A number of resentment.
    Resent(u8),
}

/// A change that lasts for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lasting {
    pub on: Aim,
    pub is: Influence,
    pub until: Until,
}
