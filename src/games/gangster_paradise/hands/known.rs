//! P9.9: the known part of a hand: a minimum number of cards of each kind, without identifying equal ones.

use serde::{Deserialize, Serialize};

use crate::gangster_paradise::cards::Card;
use rules::{Seat, Viewer};

/// The cards of a hand that other players know. Each list is in the order of the cards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The publicly known cards.
    by_all: Vec<Card>,
    /// The cards known to single players. Of each kind, the longer of this list and `by_all` counts.
    by_one: Vec<(Seat, Vec<Card>)>,
}

impl Known {
    /// The publicly known cards.
    pub fn by_all(&self) -> &[Card] {
        &self.by_all
    }

    /// The cards that this viewer knows; for [`Viewer::All`] those that any player knows.
    pub fn by(&self, viewer: Viewer) -> Vec<Card> {
        let mut known = self.by_all.clone();
        for (seat, seen) in &self.by_one {
            if matches!(viewer, Viewer::All) || viewer == Viewer::Seat(*seat) {
                join(&mut known, seen);
            }
        }
        known
    }

    /// Records that all players see these cards together.
    pub(in crate::gangster_paradise) fn show(&mut self, cards: &[Card]) {
        join(&mut self.by_all, cards);
    }

    /// Records that all players see one more copy of this card.
    pub(in crate::gangster_paradise) fn show_another(&mut self, card: Card) {
        add(&mut self.by_all, card);
    }

    /// Records that one player sees these cards together.
    pub(in crate::gangster_paradise) fn see(&mut self, seat: Seat, cards: &[Card]) {
        join(self.seen_by(seat), cards);
    }

    /// Records a card that comes in, seen by all players.
    pub(in crate::gangster_paradise) fn gain(&mut self, card: Card) {
        add(&mut self.by_all, card);
        for (_, seen) in self.by_one.iter_mut().filter(|(_, seen)| seen.contains(&card)) {
            add(seen, card);
        }
    }

    /// Records a card that comes in, known to this player.
    pub(in crate::gangster_paradise) fn gain_from(&mut self, seat: Seat, card: Card) {
        let mut known = self.by(Viewer::Seat(seat));
        add(&mut known, card);
        *self.seen_by(seat) = known;
    }

    /// Records a card that leaves, seen by all players.
    pub(in crate::gangster_paradise) fn lose(&mut self, card: Card) {
        remove(&mut self.by_all, card);
        self.by_one.iter_mut().for_each(|(_, seen)| remove(seen, card));
        self.by_one.retain(|(_, seen)| !seen.is_empty());
    }

    /// Records a card that leaves, known to the witnesses only. For the others any card may have left, except
    /// the life and a marked back, which never leave unseen.
    pub(in crate::gangster_paradise) fn lose_before(&mut self, witnesses: &[Seat], card: Card) {
        for witness in witnesses {
            let mut known = self.by(Viewer::Seat(*witness));
            remove(&mut known, card);
            *self.seen_by(*witness) = known;
        }
        let stays = |card: &Card| card.is_life() || card.is_marked();
        self.by_all.retain(stays);
        for (_, seen) in self.by_one.iter_mut().filter(|(seat, _)| !witnesses.contains(seat)) {
            seen.retain(stays);
        }
        self.by_one.retain(|(_, seen)| !seen.is_empty());
    }

    /// Limits the knowledge to these cards.
    pub(in crate::gangster_paradise) fn keep(&mut self, cards: &[Card]) {
        let lists = self.by_one.iter_mut().map(|(_, seen)| seen);
        for list in lists.chain([&mut self.by_all]) {
            let mut left = cards.to_vec();
            list.retain(|card| {
                let place = left.iter().position(|other| other == card);
                place.map(|place| left.remove(place)).is_some()
            });
        }
    }

    /// Keeps the public knowledge and what this viewer alone knows.
    pub(in crate::gangster_paradise) fn cover(&mut self, viewer: Viewer) {
        self.by_one.retain(|(seat, _)| viewer == Viewer::Seat(*seat));
    }

    fn seen_by(&mut self, seat: Seat) -> &mut Vec<Card> {
        let place = self.by_one.iter().position(|(other, _)| *other == seat);
        let place = place.unwrap_or_else(|| {
            self.by_one.push((seat, Vec::new()));
            self.by_one.len() - 1
        });
        &mut self.by_one[place].1
    }
}

fn add(cards: &mut Vec<Card>, card: Card) {
    let place = cards.partition_point(|other| *other <= card);
    cards.insert(place, card);
}

fn remove(cards: &mut Vec<Card>, card: Card) {
    if let Some(place) = cards.iter().position(|other| *other == card) {
        cards.remove(place);
    }
}

/// Raises the count of each kind to that of the longer list.
fn join(cards: &mut Vec<Card>, others: &[Card]) {
    let count = |cards: &[Card], card: Card| cards.iter().filter(|other| **other == card).count();
    for card in others {
        if count(cards, *card) < count(others, *card) {
            add(cards, *card);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Seat = Seat::new(0);
    const OTHER: Seat = Seat::new(1);

    fn by(known: &Known, seat: Seat) -> Vec<Card> {
        known.by(Viewer::Seat(seat))
    }

    #[test]
    fn a_card_that_is_seen_twice_may_be_the_same() {
        let mut known = Known::default();
        known.see(ONE, &[Card::Money]);
        known.see(ONE, &[Card::Money, Card::Gun]);
        assert_eq!(by(&known, ONE), [Card::Money, Card::Gun]);
        known.see(ONE, &[Card::Money, Card::Money]);
        assert_eq!(by(&known, ONE), [Card::Money, Card::Money, Card::Gun]);
        assert_eq!(by(&known, OTHER), []);
    }

    #[test]
    fn one_that_everybody_knows_may_be_the_one_that_was_looked_at() {
        let mut known = Known::default();
        known.gain(Card::Gangster);
        known.gain(Card::Gangster);
        known.see(ONE, &[Card::Gangster]);
        assert_eq!(by(&known, ONE), [Card::Gangster, Card::Gangster]);
    }

    #[test]
    fn what_comes_in_is_counted_beside_what_was_known() {
        let mut known = Known::default();
        known.see(ONE, &[Card::Money]);
        known.gain(Card::Money);
        known.gain_from(OTHER, Card::Money);
        assert_eq!(by(&known, ONE), [Card::Money, Card::Money]);
        assert_eq!(by(&known, OTHER), [Card::Money, Card::Money]);
        assert_eq!(known.by_all(), [Card::Money]);
    }

    #[test]
    fn one_of_two_equal_cards_that_leaves_may_be_the_one_that_was_known() {
        let mut known = Known::default();
        known.gain_from(ONE, Card::Money);
        known.lose(Card::Money);
        assert_eq!(by(&known, ONE), []);
    }

    #[test]
    fn a_card_that_leaves_unseen_leaves_its_witnesses_what_they_knew() {
        let mut known = Known::default();
        known.show(&[Card::BlackLife, Card::Money, Card::Gun]);
        known.see(OTHER, &[Card::Spy]);
        known.lose_before(&[ONE], Card::Gun);
        assert_eq!(by(&known, ONE), [Card::BlackLife, Card::Money]);
        assert_eq!(by(&known, OTHER), [Card::BlackLife]);
    }
}
