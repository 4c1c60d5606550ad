//! T8.1: the handles of the cards and ready-made decks of known sets, which states and events hold.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use super::card::{
    Attack, CardKind, Character, Defence, Magic, Printed, PrintedDeck, Set, Slot, Summon,
};
use super::vocabulary::{Choice, Cost, Effect, Keyword, Moment};
use crate::cards::by_id::by_id;
use crate::cards::fault::SetFault;
use crate::cards::hash::{MARK_SIGN, unmarked};
use crate::cards::sets::{KnownSet, Sets};
use rules::text::{Lang, Lexicon};

/// The path and text of the built-in set's file.
pub(in crate::tag_g) const FILE: (&str, &str) =
    rules::built_in_file!("data/", "tag_g", "/sets/starter.toml");

/// The sets that this program knows.
pub(in crate::tag_g) static SETS: LazyLock<&Sets<Set>> = LazyLock::new(|| {
    let told = |faults: &Vec<SetFault>| panic!("built-in data: {}", faults[0].told(Lang::En));
    BUILT_IN.as_ref().unwrap_or_else(told)
});

/// The known sets, or every fault in the file of the built-in one.
pub(super) static BUILT_IN: LazyLock<Result<Sets<Set>, Vec<SetFault>>> =
    LazyLock::new(|| Sets::new(FILE));

/// A card of a known set.
#[derive(Clone, Copy, Debug)]
pub struct Card(&'static Printed);

/// A ready-made deck of a known set.
#[derive(Clone, Copy, Debug)]
pub struct Deck(&'static PrintedDeck);

/// The set of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableSet(&'static KnownSet<Set>);

impl Card {
    /// The id of the card.
    pub fn word(self) -> &'static str {
        &self.0.id
    }

    /// The id of the nth permanent of this card in play, from 1 to [`super::FIELD`]: a piece of the group
    /// `field`.
    pub fn with_number(self, nth: u8) -> SmolStr {
        self.0.numbered(nth).0
    }

    /// The card's kind, with its printed values.
    pub fn kind(self) -> &'static CardKind {
        &self.0.kind
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

    /// The printed speed: of an attack or defence card `None` for −, of any other card but a summon as well.
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
    /// All cards, in the order of the set.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        self.0.set.cards.iter().map(Card)
    }

    /// All ready-made decks, in the order of the set.
    pub fn decks(self) -> impl Iterator<Item = Deck> {
        self.0.set.decks.iter().map(Deck)
    }

    /// The words of the game with the names of the set.
    pub(in crate::tag_g) fn lexicon(self) -> &'static Lexicon {
        &self.0.about.lexicon
    }

    /// The name and the version of the set, for letters.
    pub(in crate::tag_g) fn about(self) -> serde_json::Value {
        let Set { name, version, .. } = &self.0.set;
        serde_json::json!({
            "ja": name.ja,
            "en": name.en,
            "version": version,
            "ours": self == Self::default(),
        })
    }
}

impl Default for TableSet {
    fn default() -> Self {
        Self(SETS.built_in())
    }
}

impl PartialEq for TableSet {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for TableSet {}

impl Serialize for TableSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.about.hash)
    }
}

impl<'de> Deserialize<'de> for TableSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let said = SmolStr::deserialize(deserializer)?;
        let known = SETS.called(&said).map(Self);
        known.ok_or_else(|| serde::de::Error::custom(format!("there is no set {said:?}")))
    }
}

/// Returns the set with a card or deck, and its id in the file. An id without a mark is of the
/// built-in set.
fn set_of(id: &str) -> Option<(&'static Set, &str)> {
    match id.split_once(MARK_SIGN) {
        Some((id, mark)) => SETS.of_mark(mark).map(|known| (&known.set, id)),
        None => Some((&SETS.built_in().set, id)),
    }
}

impl Card {
    /// `None` if no known set has a card with this id.
    pub fn find(id: &str) -> Option<Self> {
        let (set, id) = set_of(id)?;
        set.by_id.get(id).map(|place| Self(&set.cards[*place]))
    }
}

impl Deck {
    /// `None` if no known set has a deck with this id.
    pub fn find(id: &str) -> Option<Self> {
        let (set, id) = set_of(id)?;
        set.decks.iter().find(|deck| unmarked(&deck.id) == id).map(Self)
    }
}

by_id!(Card);
by_id!(Deck);
