//! W10: the cards, from files such as `data/guild_war/sets/starter.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use smol_str::SmolStr;

use super::edition::EDITION;
use super::effects::{Effect, Stat};
use crate::card_texts::InBoth;
use crate::cards::by_id::{by_id, table_set};
use crate::cards::hash::unmarked;
use crate::pieces::pieces;

table_set!("guild_war", Set);

pieces! {
    /// The slot of a piece of equipment (W11.2).
    Slot {
        /// 武器
        Weapon => "weapon",
        /// 盾
        Shield => "shield",
        /// 鎧
        Armour => "armour",
        /// 頭
        Head => "head",
        /// 足
        Feet => "feet",
        /// 装飾品
        Accessory => "accessory",
    }
}

impl Slot {
    /// The number of pieces that the slot holds (W11.2).
    pub fn room(self) -> usize {
        if self == Self::Accessory { EDITION.gear.accessories } else { 1 }
    }
}

pieces! {
    /// The characters that a card is used on (W6.1).
    Scope {
        /// 単体・敵
        OneEnemy => "one-enemy",
        /// 全体・敵
        AllEnemies => "all-enemies",
        /// 自身
        Oneself => "self",
        /// 単体・味方, oneself among them (W11.8)
        OneAlly => "one-ally",
        /// パーティー
        Party => "party",
    }
}

impl Scope {
    /// True if one character must be named.
    pub fn is_single(self) -> bool {
        matches!(self, Self::OneEnemy | Self::OneAlly)
    }

    /// W6.1: true if a card of this scope can be a response.
    pub fn responds(self) -> bool {
        matches!(self, Self::OneAlly | Self::Oneself | Self::Party)
    }
}

/// The values printed on a character card (W11.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stats {
    pub level: u8,
    pub vit: u8,
    pub atk: i16,
    pub matk: i16,
    pub def: i16,
    pub agi: i16,
    pub luk: u8,
    pub capacity: u8,
}

impl Stats {
    pub fn of(&self, stat: Stat) -> i16 {
        match stat {
            Stat::Atk => self.atk,
            Stat::Matk => self.matk,
            Stat::Def => self.def,
            Stat::Agi => self.agi,
        }
    }
}

/// The place of a line in its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinePlace(pub(super) usize);

/// A skill or an item.
#[derive(Clone, Debug)]
pub struct Usable {
    /// `None` for an item; otherwise the line of the skill.
    pub line: Option<LinePlace>,
    /// The earliest frame of use (W5.3).
    pub frame: u8,
    pub scope: Scope,
    pub effects: Vec<Effect>,
    /// True if the card may be used at rest (W8.1).
    pub rest: bool,
    /// True if the card goes to the discard pile after use.
    pub consumed: bool,
}

/// A piece of equipment.
#[derive(Clone, Debug)]
pub struct Equipment {
    pub slot: Slot,
    /// The lines that can set the piece; empty for all.
    pub lines: Vec<LinePlace>,
    pub bonus: BTreeMap<Stat, i16>,
    /// The value that normal attacks use (W5.4).
    pub normal: Stat,
}

/// A kind of card, with its printed values.
#[derive(Clone, Debug)]
pub enum CardKind {
    Character { line: LinePlace, stats: Stats },
    Skill(Usable),
    Item(Usable),
    Equipment(Equipment),
}

/// A printed card of a set.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The id in the file, with the mark of the set: no two cards of all sets have the same.
    pub(super) id: SmolStr,
    pub(super) place: usize,
    pub(super) name: InBoth,
    pub(super) kind: CardKind,
}

/// A printed line of a set.
#[derive(Clone, Debug)]
pub struct PrintedLine {
    /// The id in the file, with the mark of the set.
    pub(super) id: SmolStr,
    pub(super) place: LinePlace,
    pub(super) name: InBoth,
    /// The character card of level 1 (W3.1), by its place.
    pub(super) beginner: usize,
    /// The small ready-made deck (W1.2), by the places of its cards.
    pub(super) deck: Vec<usize>,
    /// The large ready-made deck; empty if the set has none for the line.
    pub(super) large_deck: Vec<usize>,
}

/// A set of cards.
#[derive(Clone, Debug)]
pub struct Set {
    pub(super) name: InBoth,
    pub(super) version: u32,
    pub(super) lines: Vec<PrintedLine>,
    pub(super) cards: Vec<Printed>,
    /// The places of the cards by their ids in the file.
    pub(super) by_id: BTreeMap<String, usize>,
}

impl Set {
    pub(super) fn line(&self, place: LinePlace) -> &PrintedLine {
        &self.lines[place.0]
    }
}

/// A line of characters.
#[derive(Clone, Copy, Debug)]
pub struct Line(&'static PrintedLine);

impl TableSet {
    /// All lines, in the order of the set.
    pub fn lines(self) -> impl Iterator<Item = Line> {
        self.0.set.lines.iter().map(Line)
    }

    /// The cards of the line's small ready-made deck (W1.2).
    pub fn deck(self, of: Line) -> impl Iterator<Item = Card> {
        self.at(&of.0.deck)
    }

    /// The cards of the line's large ready-made deck; none if the set has none for the line.
    pub(super) fn large_deck(self, of: Line) -> impl Iterator<Item = Card> {
        self.at(&of.0.large_deck)
    }

    fn at(self, places: &[usize]) -> impl Iterator<Item = Card> {
        places.iter().map(move |place| Card(&self.0.set.cards[*place]))
    }

    /// The line's character card of level 1 (W3.1).
    pub fn beginner(self, of: Line) -> Card {
        Card(&self.0.set.cards[of.0.beginner])
    }
}

impl Line {
    pub fn place(self) -> LinePlace {
        self.0.place
    }

    /// `None` if no known set has a line with this id.
    fn find(id: &str) -> Option<Self> {
        let (set, id) = set_of(id)?;
        set.lines.iter().find(|line| unmarked(&line.id) == id).map(Self)
    }
}

impl Card {
    /// `None` unless the card is a skill or an item; otherwise the printed part.
    pub fn usable(self) -> Option<&'static Usable> {
        match self.kind() {
            CardKind::Skill(usable) | CardKind::Item(usable) => Some(usable),
            CardKind::Character { .. } | CardKind::Equipment(_) => None,
        }
    }

    pub fn equipment(self) -> Option<&'static Equipment> {
        match self.kind() {
            CardKind::Equipment(equipment) => Some(equipment),
            _ => None,
        }
    }

    pub fn is_item(self) -> bool {
        matches!(self.kind(), CardKind::Item(_))
    }

    /// `None` unless the card is a character card; otherwise the printed values.
    pub fn stats(self) -> Option<&'static Stats> {
        match self.kind() {
            CardKind::Character { stats, .. } => Some(stats),
            _ => None,
        }
    }

    /// `None` unless the card is a character card of this line; otherwise the printed values.
    pub fn stats_of(self, of: Line) -> Option<&'static Stats> {
        match self.kind() {
            CardKind::Character { line, stats } if *line == of.place() => Some(stats),
            _ => None,
        }
    }

    /// True if a character of this line can use or set the card, or become it.
    pub fn serves(self, of: Line) -> bool {
        match self.kind() {
            CardKind::Character { line, .. } => *line == of.place(),
            CardKind::Skill(usable) => usable.line.is_none_or(|line| line == of.place()),
            CardKind::Item(_) => true,
            CardKind::Equipment(piece) => {
                piece.lines.is_empty() || piece.lines.contains(&of.place())
            }
        }
    }
}

by_id!(Line);
