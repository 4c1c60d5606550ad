//! T8.1: the handles of the cards and ready-made decks of known sets, which states and events hold.

use smol_str::SmolStr;

use super::card::{
    Attack, CardKind, Character, Defence, Magic, Printed, PrintedDeck, Set, Slot, Summon,
};
use super::vocabulary::{Choice, Cost, Effect, Keyword, Moment};
use crate::cards::by_id::{by_id, table_set};
use crate::cards::hash::unmarked;

table_set!("tag_g", Set);

/// A ready-made deck of a known set.
#[derive(Clone, Copy, Debug)]
pub struct Deck(&'static PrintedDeck);

impl Card {
    /// The id of the nth permanent of this card in play, from 1 to [`super::FIELD`]: a piece of the group
    /// `field`.
    pub fn with_number(self, nth: u8) -> SmolStr {
        self.0.numbered(nth).0
    }

    pub fn has(self, keyword: Keyword) -> bool {
        self.0.keywords.contains(&keyword)
    }

    /// The cost of its use.
    pub fn cost(self) -> Cost {
        self.0.cost
    }

    /// The upkeep of the permanent, in cards of stamina; 0 for none.
    pub fn upkeep(self) -> usize {
        self.0.upkeep.into()
    }

    /// All effects in the order of the card.
    pub fn effects(self) -> &'static [Effect] {
        &self.0.effects
    }

    /// The effects at a moment, with their places in [`Card::effects`].
    pub fn at(self, moment: Moment) -> impl Iterator<Item = (usize, &'static Effect)> {
        self.effects().iter().enumerate().filter(move |(_, effect)| effect.at == moment)
    }

    /// The targets that are named when the card is played, each once: none to two.
    pub fn choices(self) -> Vec<Choice> {
        choices(self.effects().iter().filter(|effect| effect.at != Moment::Main))
    }

    /// The targets that are named when an ability is used, each once: none to two.
    pub fn choices_of(self, ability: usize) -> Vec<Choice> {
        choices(self.effects().get(ability))
    }

    /// `None` unless the card is a character card.
    pub fn character(self) -> Option<&'static Character> {
        self.kind().character()
    }

    /// The printed speed; `None` for − on an attack or defence card, and for any other card except a summon.
    pub fn speed(self) -> Option<i16> {
        match self.kind() {
            CardKind::Attack(attack) => attack.speed,
            CardKind::Defence(defence) => defence.speed,
            CardKind::Summon(summon) => Some(summon.speed),
            _ => None,
        }
    }

    /// `None` unless the card is an attack card.
    pub fn attack(self) -> Option<&'static Attack> {
        match self.kind() {
            CardKind::Attack(attack) => Some(attack),
            _ => None,
        }
    }

    /// `None` unless the card is a defence card.
    pub fn defence(self) -> Option<&'static Defence> {
        match self.kind() {
            CardKind::Defence(defence) => Some(defence),
            _ => None,
        }
    }

    /// `None` unless the card is a summon.
    pub fn summon(self) -> Option<&'static Summon> {
        match self.kind() {
            CardKind::Summon(summon) => Some(summon),
            _ => None,
        }
    }

    /// `None` unless the card is magic. Its attribute and level, which are those of its tower (T3.7).
    pub fn magic(self) -> Option<Magic> {
        match self.kind() {
            CardKind::Instant(magic) | CardKind::Shape(magic) => Some(*magic),
            CardKind::Summon(summon) => Some(summon.magic),
            _ => None,
        }
    }

    /// `None` unless the card is equipment.
    pub fn slot(self) -> Option<Slot> {
        match self.kind() {
            CardKind::Item(item) => item.slot,
            _ => None,
        }
    }

    /// True for an attack, defence or motion card.
    pub fn is_fight(self) -> bool {
        matches!(self.kind(), CardKind::Attack(_) | CardKind::Defence(_) | CardKind::Motion)
    }

    /// True for an item, equipment or not.
    pub fn is_item(self) -> bool {
        matches!(self.kind(), CardKind::Item(_))
    }

    /// True for a card that stays in play.
    pub fn is_permanent(self) -> bool {
        self.kind().is_permanent()
    }
}

pub(super) fn choices<'e>(effects: impl IntoIterator<Item = &'e Effect>) -> Vec<Choice> {
    let mut choices = Vec::new();
    let named = effects.into_iter().flat_map(|effect| &effect.does);
    for choice in named.filter_map(|verb| verb.on().choice()) {
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    choices
}

impl Deck {
    /// The id of the deck.
    pub fn word(self) -> &'static str {
        &self.0.id
    }

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
}

impl TableSet {
    /// All ready-made decks, in the order of the set.
    pub fn decks(self) -> impl Iterator<Item = Deck> {
        self.0.set.decks.iter().map(Deck)
    }
}

impl Deck {
    /// `None` if no known set has a deck with this id.
    pub fn find(id: &str) -> Option<Self> {
        let (set, id) = set_of(id)?;
        set.decks.iter().find(|deck| unmarked(&deck.id) == id).map(Self)
    }
}

by_id!(Deck);
