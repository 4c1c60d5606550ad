//! T8.1: the cards, characters and ready-made decks of a set.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::vocabulary::{Cost, Effect, Keyword};
use crate::card_texts::InBoth;
use crate::cards::hash::MARK_SIGN;
use crate::pieces::pieces;

pieces! {
    /// An attribute of magic, and of characters (T3.7).
    Attribute {
        /// 火
        Fire => "fire",
        /// 水
        Water => "water",
        /// 風
        Wind => "wind",
        /// 地
        Earth => "earth",
    }
}

pieces! {
    /// The slot of a piece of equipment (T5.4). A character has one of each.
    Slot {
        /// 武器
        Weapon => "weapon",
        /// 盾
        Shield => "shield",
        /// 鎧
        Armour => "armour",
        /// 兜
        Helmet => "helmet",
        /// リング
        Ring => "ring",
        /// 騎乗: the slot of a ridden summon; no item has it.
        Mount => "mount",
    }
}

pieces! {
    /// The targets that an attack card can have.
    Aims {
        Character => "character",
        Summon => "summon",
        Any => "any",
    }
}

/// A tower (T4.1, T5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tower {
    pub attribute: Attribute,
    pub level: u8,
}

/// An attack card.
#[derive(Clone, Debug)]
pub struct Attack {
    /// `None` for −, which is fast enough for every target.
    pub speed: Option<i16>,
    pub damage: i16,
    pub aims: Aims,
}

/// A defence card. Its effects say what it does.
#[derive(Clone, Debug)]
pub struct Defence {
    /// `None` for −, which is fast enough for every attack.
    pub speed: Option<i16>,
}

/// The attribute and level of a magic card.
pub type Magic = Tower;

/// A summon.
#[derive(Clone, Debug)]
pub struct Summon {
    pub magic: Magic,
    pub speed: i16,
    pub attack: i16,
    pub defence: i16,
}

/// An item.
#[derive(Clone, Debug)]
pub struct Item {
    /// `None` for an item that is used and discarded.
    pub slot: Option<Slot>,
}

/// A character.
#[derive(Clone, Debug)]
pub struct Character {
    /// 初期手札: the number of cards in the opening hand.
    pub hand: usize,
    /// 格闘回数: the number of attack and motion cards in a turn.
    pub fights: u8,
    /// 魔法回数: the number of magic cards in a turn.
    pub spells: u8,
    /// スタミナ: the sizes of a deck.
    pub stamina: RangeInclusive<usize>,
    /// The attributes whose magic brings no resentment (T3.10).
    pub attributes: Vec<Attribute>,
}

/// A kind of card, with its printed values.
#[derive(Clone, Debug)]
pub enum CardKind {
    Character(Character),
    Attack(Attack),
    Defence(Defence),
    Motion,
    Instant(Magic),
    Shape(Magic),
    Summon(Summon),
    Item(Item),
}

impl CardKind {
    pub(super) fn character(&self) -> Option<&Character> {
        match self {
            Self::Character(character) => Some(character),
            _ => None,
        }
    }

    /// True for a card that stays in play.
    pub(super) fn is_permanent(&self) -> bool {
        matches!(self, Self::Shape(_) | Self::Summon(_) | Self::Item(Item { slot: Some(_) }))
    }
}

/// A printed card of a set.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The id in the file, with the mark of the set: no two cards of all sets have the same.
    pub(super) id: SmolStr,
    pub(super) place: usize,
    pub(super) name: InBoth,
    pub(super) kind: CardKind,
    pub(super) keywords: Vec<Keyword>,
    pub(super) cost: Cost,
    pub(super) upkeep: u8,
    pub(super) effects: Vec<Effect>,
}

impl Printed {
    /// The id and the name of the nth permanent of this card in play.
    pub(super) fn numbered(&self, nth: u8) -> (SmolStr, InBoth) {
        let (id, mark) = self.id.split_once(MARK_SIGN).unwrap_or((&self.id, ""));
        let InBoth { ja, en } = &self.name;
        let name = InBoth { ja: format!("{ja}{nth}"), en: format!("{en} {nth}") };
        (SmolStr::new(format!("{id}.{nth}{MARK_SIGN}{mark}")), name)
    }
}

/// A printed ready-made deck of a set.
#[derive(Clone, Debug)]
pub struct PrintedDeck {
    pub(super) id: SmolStr,
    pub(super) place: usize,
    pub(super) name: InBoth,
    /// The place of its character.
    pub(super) character: usize,
    /// The places of its cards, in the order of the set.
    pub(super) cards: Vec<usize>,
}

/// A set of cards.
#[derive(Clone, Debug)]
pub struct Set {
    pub(super) name: InBoth,
    pub(super) version: u32,
    pub(super) cards: Vec<Printed>,
    pub(super) decks: Vec<PrintedDeck>,
    /// The places of the cards by their ids in the file.
    pub(super) by_id: BTreeMap<String, usize>,
}
