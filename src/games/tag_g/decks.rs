//! T2.1: decks, ready-made ones and those of one's own.

use serde::{Deserialize, Serialize};

use super::cards::{COPIES, Card, Deck, TableSet};
use super::options::Options;
use crate::cards::deck::{self, WrittenDeck, distinct};
use rules::{ListFault, Reason, Seat};

/// A character card and the cards of its deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed {
    pub character: Card,
    pub cards: Vec<Card>,
}

impl Packed {
    /// A ready-made deck; for a side of one with further copies of the cards of its character's decks (T10.6).
    pub(super) fn of(options: &Options, deck: Deck, seat: Seat) -> Self {
        let mut packed = Self { character: deck.character(), cards: deck.cards().collect() };
        let size = packed.cards.len() + options.solo_stamina(seat);
        packed.fill(size, &packed.of_character(options.set), &[]);
        packed
    }

    /// T2.1: the deck without the copies that are too many beside those of the partners, filled to its size with
    /// the cards of its character's decks, then with any others.
    pub(super) fn beside(self, partners: &[(Seat, Self)], set: TableSet) -> Self {
        let mut packed = Self { cards: Vec::new(), ..self };
        for card in &self.cards {
            if packed.copies(partners, *card) < COPIES {
                packed.cards.push(*card);
            }
        }
        let others = set.cards().filter(|card| card.character().is_none());
        for pool in [packed.of_character(set), others.collect()] {
            packed.fill(self.cards.len(), &pool, partners);
        }
        packed
    }

    /// The distinct cards of all ready-made decks of the character.
    fn of_character(&self, set: TableSet) -> Vec<Card> {
        let decks = set.decks().filter(|deck| deck.character() == self.character);
        distinct(decks.flat_map(Deck::cards))
    }

    /// Adds copies of these cards up to a size, as far as they obey T2.1.
    fn fill(&mut self, size: usize, pool: &[Card], partners: &[(Seat, Self)]) {
        for copies in 1..=COPIES {
            for card in pool {
                let fits =
                    self.copies(&[], *card) < copies && self.copies(partners, *card) < COPIES;
                if self.cards.len() < size && fits {
                    self.cards.push(*card);
                }
            }
        }
    }

    /// T2.1: true if every ready-made deck that a partner could play clashes with the deck.
    pub(super) fn leaves_none(&self, options: &Options, seat: Seat) -> bool {
        let own = [(seat, self.clone())];
        let others = options.set.decks().filter(|deck| deck.character() != self.character);
        let mut decks = others.map(|deck| Self::of(options, deck, seat));
        decks.all(|deck| !deck.clashes(&own).is_empty())
    }

    /// The copies of a card in the deck and in those of the partners.
    fn copies(&self, partners: &[(Seat, Self)], card: Card) -> usize {
        let decks = partners.iter().map(|(_, deck)| deck).chain([self]);
        decks.flat_map(|deck| &deck.cards).filter(|other| **other == card).count()
    }

    /// T2.1: the distinct cards because of which the deck clashes with those of the partners.
    pub(super) fn clashes(&self, partners: &[(Seat, Self)]) -> Vec<Clash> {
        let same = partners.iter().find(|(_, it)| it.character == self.character);
        let character =
            same.map(|(with, _)| Clash { with: *with, card: self.character, copies: None });
        let clash = |card: Card| {
            let (with, _) = partners.iter().find(|(_, deck)| deck.cards.contains(&card))?;
            let copies = self.copies(partners, card);
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

/// Reads a deck of one's own: its character and its cards. `more`: the additional cards of a side of one
/// (T10.6).
///
/// # Errors
/// Every fault of the deck.
pub(super) fn read(text: &str, set: TableSet, more: usize) -> Result<Packed, Vec<Reason>> {
    let mut written = WrittenDeck::read(text, set.lexicon());
    let mut faults = std::mem::take(&mut written.faults);
    let (mut own, mut cards, mut characters) = (None, Vec::new(), 0);
    for (place, row) in written.rows.iter().enumerate() {
        let Some(card) = Card::find(&row.card) else { continue };
        let wrong = if card.character().is_some() {
            own.get_or_insert(card);
            characters += row.count;
            (characters > 1).then_some(ListFault::OneCharacter)
        } else {
            cards.extend(std::iter::repeat_n(card, row.count.min(COPIES + 1)));
            let (limit, count) = (COPIES, written.copies(place));
            (count > limit).then_some(ListFault::TooMany { limit, count })
        };
        faults.extend(wrong.map(|wrong| row.fault(wrong)));
    }
    let printed = own.as_ref().and_then(|card: &Card| card.character());
    let (Some(character), Some(printed)) = (own, printed) else {
        faults.push(deck::fault(ListFault::NoCharacter));
        return Err(faults);
    };
    let count = written.size() - characters;
    let (least, most) = (printed.stamina.start() + more, printed.stamina.end() + more);
    if !(least..=most).contains(&count) {
        faults.push(deck::fault(ListFault::Size { least, most, count }));
    }
    if faults.is_empty() { Ok(Packed { character, cards }) } else { Err(faults) }
}
