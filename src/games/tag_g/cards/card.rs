//! T8.1: the cards, characters and ready-made decks of a set, and the handles that states and events hold.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::vocabulary::{Choice, Cost, Effect, Keyword, Moment};
use crate::card_texts::InBoth;
use crate::cards::by_id::{by_id, table_set};
use crate::cards::hash::{MARK_SIGN, unmarked};
use crate::pieces::pieces;

/// The sign between the id of a card and the number of a permanent.
pub const NUMBER_SIGN: char = '.';

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
    /// A defence card with its speed; `None` for −, which is fast enough for every attack.
    Defence(Option<i16>),
    Motion,
    Instant(Magic),
    Shape(Magic),
    Summon(Summon),
    /// An item with the slot of a piece of equipment; `None` for an item that is used and discarded.
    Item(Option<Slot>),
}

impl CardKind {
    /// The kind's word in a set, and the clause about its cards.
    pub(super) fn word_and_clause(&self) -> (&'static str, &'static str) {
        match self {
            Self::Character(_) => ("character", "T10.1"),
            Self::Attack(_) => ("attack", "T4.11"),
            Self::Defence(_) => ("defence", "T4.13"),
            Self::Motion => ("motion", "T3.4"),
            Self::Instant(_) => ("instant", "T3.6"),
            Self::Shape(_) => ("shape", "T3.6"),
            Self::Summon(_) => ("summon", "T3.6"),
            Self::Item(_) => ("item", "T3.5"),
        }
    }

    /// The kind's word in a set.
    pub(super) fn word(&self) -> &'static str {
        self.word_and_clause().0
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
    /// The cost of its use.
    pub cost: Cost,
    /// The upkeep of the permanent, in cards of stamina; 0 for none.
    pub upkeep: u8,
    /// All effects in the order of the card.
    pub effects: Vec<Effect>,
}

impl Printed {
    /// The id of the nth permanent of this card in play, from 1 to [`super::FIELD`]: a piece of the group
    /// `field`.
    pub fn with_number(&self, nth: u8) -> SmolStr {
        let place = self.id.find(MARK_SIGN).unwrap_or(self.id.len());
        let (id, mark) = self.id.split_at(place);
        SmolStr::new(format!("{id}{NUMBER_SIGN}{nth}{mark}"))
    }

    pub fn has(&self, keyword: Keyword) -> bool {
        self.keywords.contains(&keyword)
    }

    /// The effects at a moment.
    pub fn at(&self, moment: Moment) -> impl Iterator<Item = &Effect> {
        self.effects.iter().filter(move |effect| effect.at == moment)
    }

    /// The targets that are named when the card is played, each once: none to two.
    pub fn choices(&self) -> Vec<Choice> {
        choices(self.effects.iter().filter(|effect| effect.at != Moment::Main))
    }

    /// `None` unless the card is a character card.
    pub fn character(&self) -> Option<&Character> {
        if let CardKind::Character(character) = &self.kind { Some(character) } else { None }
    }

    /// The printed speed; `None` for − on an attack or defence card, and for any other card except a summon.
    pub fn speed(&self) -> Option<i16> {
        match &self.kind {
            CardKind::Attack(attack) => attack.speed,
            CardKind::Defence(speed) => *speed,
            CardKind::Summon(summon) => Some(summon.speed),
            _ => None,
        }
    }

    /// `None` unless the card is an attack card.
    pub fn attack(&self) -> Option<&Attack> {
        if let CardKind::Attack(attack) = &self.kind { Some(attack) } else { None }
    }

    /// `None` unless the card is a summon.
    pub fn summon(&self) -> Option<&Summon> {
        if let CardKind::Summon(summon) = &self.kind { Some(summon) } else { None }
    }

    /// `None` unless the card is magic. Its attribute and level, which are those of its tower (T3.7).
    pub fn magic(&self) -> Option<Magic> {
        match &self.kind {
            CardKind::Instant(magic) | CardKind::Shape(magic) => Some(*magic),
            CardKind::Summon(summon) => Some(summon.magic),
            _ => None,
        }
    }

    /// `None` unless the card is equipment.
    pub fn slot(&self) -> Option<Slot> {
        if let CardKind::Item(slot) = self.kind { slot } else { None }
    }

    /// True for a card that stays in play.
    pub fn is_permanent(&self) -> bool {
        matches!(self.kind, CardKind::Shape(_) | CardKind::Summon(_)) || self.slot().is_some()
    }
}

/// The targets that are named for some effects, each once.
pub fn choices<'e>(effects: impl IntoIterator<Item = &'e Effect>) -> Vec<Choice> {
    let mut choices = Vec::new();
    let named = effects.into_iter().flat_map(|effect| &effect.does);
    for choice in named.filter_map(|verb| verb.on().choice()) {
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    choices
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

table_set!("tag_g", Set);

/// A ready-made deck of a known set.
#[derive(Clone, Copy, Debug)]
pub struct Deck(&'static PrintedDeck);

impl Deck {
    /// The character card.
    pub fn character(self) -> Card {
        self.card(self.0.character)
    }

    /// The cards without the character card, in the order of the set.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        self.0.cards.iter().map(move |place| self.card(*place))
    }

    fn card(self, place: usize) -> Card {
        let set = set_of(&self.0.id).map_or(&SETS.built_in().set, |(set, _)| set);
        Card(&set.cards[place])
    }

    /// `None` if no known set has a deck with this id.
    pub fn find(id: &str) -> Option<Self> {
        let (set, id) = set_of(id)?;
        set.decks.iter().find(|deck| unmarked(&deck.id) == id).map(Self)
    }
}

impl TableSet {
    /// All ready-made decks, in the order of the set.
    pub fn decks(self) -> impl Iterator<Item = Deck> {
        self.0.set.decks.iter().map(Deck)
    }
}

by_id!(Deck);

/// The highest number that a reason names.
const MOST: usize = 19;

/// The reasons of a word: for each first word, one for each number.
type Reasons = Vec<Vec<&'static str>>;

fn bar<T: Display>(word: &str, first: impl Iterator<Item = T>) -> Reasons {
    let of = |first: T| {
        let reason = |number| &*format!("{word} {first} {number}").leak();
        (0..=MOST).map(reason).collect()
    };
    first.map(of).collect()
}

fn of(reasons: &Reasons, slow: i16, fast: i16) -> &'static str {
    let place = |speed: i16| usize::try_from(speed).unwrap_or(0).min(MOST);
    reasons[place(slow)][place(fast)]
}

/// T4.11: an attack of the first speed does not reach a target of the second.
pub fn too_fast(slow: i16, fast: i16) -> &'static str {
    static REASONS: LazyLock<Reasons> = LazyLock::new(|| bar("too-fast", 0..=MOST));
    of(&REASONS, slow, fast)
}

/// T4.12, T4.13: an answer of the first speed is too slow for an attack of the second.
pub fn too_slow(slow: i16, fast: i16) -> &'static str {
    static REASONS: LazyLock<Reasons> = LazyLock::new(|| bar("too-slow", 0..=MOST));
    of(&REASONS, slow, fast)
}

/// T3.6: a magic card lacks the tower of the level before.
pub fn no_tower(magic: Magic) -> &'static str {
    static REASONS: LazyLock<Reasons> =
        LazyLock::new(|| bar("no-tower", Attribute::ALL.iter().map(|it| it.word())));
    REASONS[magic.attribute.index()][usize::from(magic.level.saturating_sub(1)).min(MOST)]
}
