//! T2.1: decks, ready-made ones and those of one's own.

use serde::{Deserialize, Serialize};

use super::cards::{COPIES, Card, Deck, TableSet};
use super::options::Options;
use crate::cards::deck::{self, WrittenDeck, distinct};
use rules::{ListFault, Reason, Seat};

/// A character card and the cards of its deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    pub character: Card,
    pub cards: Vec<Card>,
}

impl Packed {
    /// A ready-made deck; for a side of one with more cards (T10.6): further copies of its cards and of those of
    /// its character's other decks, up to the copies of T2.1.
    pub(super) fn of(options: &Options, deck: Deck, seat: Seat) -> Self {
        let (character, mut cards) = (deck.character(), deck.cards().collect::<Vec<Card>>());
        let size = cards.len() + options.solo_stamina(seat);
        let others = options.set.decks().filter(|other| other.character() == character);
        let pool = distinct(cards.iter().copied().chain(others.flat_map(Deck::cards)));
        for copies in 1..=COPIES {
            for card in &pool {
                if cards.len() < size && copies_of(&cards, *card) < copies {
                    cards.push(*card);
                }
            }
        }
        Self { character, cards }
    }

    /// T2.1: the distinct cards because of which the deck clashes with those of the partners.
    pub(super) fn clashes(&self, partners: &[(Seat, Self)]) -> Vec<Clash> {
        let same = partners.iter().find(|(_, it)| it.character == self.character);
        let character =
            same.map(|(with, _)| Clash { with: *with, card: self.character, copies: None });
        let clash = |card: Card| {
            let theirs = partners.iter().map(|(seat, deck)| (seat, copies_of(&deck.cards, card)));
            let (with, _) = theirs.clone().find(|(_, copies)| *copies > 0)?;
            let of_partners = theirs.map(|(_, copies)| copies).sum::<usize>();
            let copies = of_partners + copies_of(&self.cards, card);
            (copies > COPIES).then_some(Clash { with: *with, card, copies: Some(copies) })
        };
        let cards = distinct(self.cards.iter().copied());
        character.into_iter().chain(cards.into_iter().filter_map(clash)).collect()
    }
}

/// T2.1: the card that keeps a deck from a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clash {
    /// The partner whose deck has the card as well.
    pub with: Seat,
    /// A character, or a card with too many copies.
    pub card: Card,
    /// The number of copies on the side. `None` for a character.
    pub copies: Option<usize>,
}

fn copies_of(cards: &[Card], card: Card) -> usize {
    cards.iter().filter(|other| **other == card).count()
}

/// A deck of one's own, as far as it can be read, with every fault and its clause.
#[derive(Debug, Default)]
pub(super) struct OwnDeck {
    pub character: Option<Card>,
    pub cards: Vec<Card>,
    pub faults: Vec<(Reason, &'static str)>,
}

/// Reads a deck of one's own: its character and its cards. `more`: the additional cards of a side of one
/// (T10.6).
pub(super) fn read(text: &str, set: TableSet, more: usize) -> OwnDeck {
    let written = WrittenDeck::read(text, set.lexicon());
    let mut own = OwnDeck::default();
    own.faults.extend(written.faults.iter().map(|fault| (fault.clone(), "T2.1")));
    let mut characters = 0;
    for (place, row) in written.rows.iter().enumerate() {
        let Some(card) = Card::find(&row.card) else { continue };
        let wrong = if card.character().is_some() {
            own.character.get_or_insert(card);
            characters += row.count;
            (characters > 1).then_some(ListFault::OneCharacter)
        } else {
            own.cards.extend(std::iter::repeat_n(card, row.count.min(COPIES + 1)));
            let (limit, count) = (COPIES, written.copies(place));
            (count > limit).then_some(ListFault::TooMany { limit, count })
        };
        own.faults.extend(wrong.map(|wrong| (row.fault(wrong), "T2.1")));
    }
    let Some(character) = own.character.as_ref().and_then(|card| card.character()) else {
        own.faults.push((deck::fault(ListFault::NoCharacter), "T2.1"));
        return own;
    };
    let count = written.size() - characters;
    let (least, most) = (character.stamina.start() + more, character.stamina.end() + more);
    if !(least..=most).contains(&count) {
        own.faults.push((deck::fault(ListFault::Size { least, most, count }), "T2.1"));
    }
    own
}
