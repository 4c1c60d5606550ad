//! Hands compared with another crate's ranking, and the hands that the crate does not support: fewer than
//! five cards, eight cards, the Jack of no suit and the Muscle.

use arrayvec::ArrayVec;
use aya_poker::base::{CARDS, Hand as TheirHand};
use aya_poker::{PokerHandRank, poker_rank};
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::the_gang::cards::{Card, Suit, Value};
use crate::the_gang::ranking::{BEST, Hand, Ranking, Strength};

/// The same cards in our hand and in the other crate's.
#[derive(Clone, Copy)]
struct Both {
    ours: Hand,
    theirs: TheirHand,
}

impl Both {
    fn new() -> Self {
        Self { ours: Hand::default(), theirs: TheirHand::new() }
    }

    /// Adds a card of the deck. The order of the suits does not matter.
    fn with(mut self, card: Card) -> Self {
        let suit = card.suit().expect("the deck has no other");
        self.ours.insert(card);
        self.theirs.insert_unchecked(&CARDS[4 * card.value().index() + suit.index()]);
        self
    }
}

fn deck() -> Vec<Card> {
    Card::deck().collect()
}

/// Checks every hand with `more` cards added.
fn every(deck: &[Card], more: usize, hand: Both, check: &mut dyn FnMut(Both)) {
    if more == 0 {
        return check(hand);
    }
    for (index, &card) in deck.iter().enumerate() {
        every(&deck[index + 1..], more - 1, hand.with(card), check);
    }
}

/// Our strength for each rank of the other crate.
struct Ranks(Vec<Option<Strength>>);

impl Ranks {
    fn new() -> Self {
        Self(vec![None; usize::from(u16::MAX) + 1])
    }

    /// Asserts that a tie in the other crate is a tie here.
    fn compare(&mut self, hand: Both) -> Strength {
        let PokerHandRank(rank) = poker_rank(&hand.theirs);
        let ours = hand.ours.strength();
        let first = *self.0[usize::from(rank)].get_or_insert(ours);
        assert!(first == ours, "{:?} is {ours:?}, not {first:?}", hand.theirs);
        ours
    }

    /// Asserts that the order of the ranks is the same here. Returns the number of ranks met.
    fn ascend(&self) -> usize {
        let met: Vec<Strength> = self.0.iter().flatten().copied().collect();
        assert!(met.is_sorted_by(|below, above| below < above));
        met.len()
    }
}

#[test]
fn every_hand_of_five_cards_is_ranked_as_others_rank_it() {
    let (mut ranks, mut counts) = (Ranks::new(), [0; 10]);
    every(&deck(), 5, Both::new(), &mut |hand| {
        counts[ranks.compare(hand).ranking().index()] += 1;
    });
    assert_eq!(ranks.ascend(), 7_462);
    let known = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4];
    assert_eq!(counts, known);
}

#[test]
fn two_million_hands_of_seven_cards_are_ranked_as_others_rank_them() {
    let (mut ranks, mut deck) = (Ranks::new(), deck());
    let mut chance = SmallRng::seed_from_u64(7);
    for _ in 0..2_000_000 {
        let mut hand = Both::new();
        for place in 0..7 {
            deck.swap(place, chance.random_range(place..52));
            hand = hand.with(deck[place]);
        }
        ranks.compare(hand);
    }
    // Seven cards have 4,824 possible ranks.
    assert!((4_700..=4_824).contains(&ranks.ascend()), "{}", ranks.ascend());
}

#[test]
fn of_fewer_than_five_cards_what_is_there_counts() {
    let known: [&[usize]; 5] = [
        &[1],
        &[52],
        &[1_248, 78],
        &[18_304, 3_744, 0, 52],
        &[183_040, 82_368, 2_808, 2_496, 0, 0, 0, 13],
    ];
    for (cards, known) in known.into_iter().enumerate() {
        let mut counts = [0; 10];
        every(&deck(), cards, Both::new(), &mut |hand| {
            let strength = hand.ours.strength();
            counts[strength.ranking().index()] += 1;
            assert_eq!(strength.values().len(), cards);
        });
        let (possible, others) = counts.split_at(known.len());
        assert_eq!(possible, known);
        assert!(others.iter().all(|&count| count == 0));
    }
}

fn hand(text: &str) -> Hand {
    let find = |word| Card::all().find(|card| card.word() == word).unwrap();
    text.split_whitespace().map(find).collect()
}

/// A hand, its ranking, the values that make it, its kickers, and the best five cards in the order shown.
const SHOWN: &[[&str; 5]] = &[
    ["", "high-card", "", "", ""],
    ["H7", "high-card", "seven", "", "H7"],
    ["HA SK", "high-card", "ace", "king", "HA SK"],
    ["S2 H3 S4 H5 D7 C8 D9", "high-card", "nine", "eight seven five four", "D9 C8 D7 H5 S4"],
    ["S2 H2", "pair", "two", "", "S2 H2"],
    ["S2 H2 CK D4 HJ", "pair", "two", "king knave four", "S2 H2 CK HJ D4"],
    ["S9 H9 CK DK", "two-pair", "king nine", "", "DK CK S9 H9"],
    ["S9 H9 CK DK S5 H5 CA", "two-pair", "king nine", "ace", "DK CK S9 H9 CA"],
    ["S9 H9 CK DK SJ HJ", "two-pair", "king knave", "nine", "DK CK SJ HJ S9"],
    ["S9 H9 C9 DK", "three-of-a-kind", "nine", "king", "S9 H9 C9 DK"],
    ["SA H2 C3 D4 S5 HK", "straight", "five four three two ace", "", "S5 D4 C3 H2 SA"],
    ["SA H2 C3 DQ SK HJ C10", "straight", "ace king queen knave ten", "", "SA SK DQ HJ C10"],
    ["SK HA C2 D3 S4 H6", "high-card", "ace", "king six four three", "HA SK H6 S4 D3"],
    ["S2 S5 S9 SJ SK HA", "flush", "king knave nine five two", "", "SK SJ S9 S5 S2"],
    ["S2 H2 C2 S9 H9 C9 D5", "full-house", "nine two", "", "S9 H9 C9 S2 H2"],
    ["S2 H2 C2 S9 H9 SK HK", "full-house", "two king", "", "S2 H2 C2 SK HK"],
    ["S2 H2 C2 D2", "four-of-a-kind", "two", "", "S2 H2 D2 C2"],
    ["S2 H2 C2 D2 S9 H9 C9 D9", "four-of-a-kind", "nine", "two", "S9 H9 D9 C9 S2"],
    ["HA H2 H3 H4 H5 S6 H7", "straight-flush", "five four three two ace", "", "H5 H4 H3 H2 HA"],
    ["D9 D10 DJ DQ DK SA", "straight-flush", "king queen knave ten nine", "", "DK DQ DJ D10 D9"],
    ["D9 D10 DJ DQ DK DA", "royal-flush", "ace king queen knave ten", "", "DA DK DQ DJ D10"],
    // G6.13: the Jack never counts for a flush; five jacks are four of a kind with a jack kicker.
    ["J", "high-card", "knave", "", "J"],
    ["J SJ", "pair", "knave", "", "SJ J"],
    ["J S2 S5 S9 SK", "high-card", "king", "knave nine five two", "SK J S9 S5 S2"],
    ["J S9 S10 SQ SK", "straight", "king queen knave ten nine", "", "SK SQ J S10 S9"],
    ["J S10 SQ SK SA", "straight", "ace king queen knave ten", "", "SA SK SQ J S10"],
    ["J S9 S10 SJ SQ SK", "straight-flush", "king queen knave ten nine", "", "SK SQ SJ S10 S9"],
    ["J S2 S5 S9 SJ SK", "flush", "king knave nine five two", "", "SK SJ S9 S5 S2"],
    ["J SJ HJ DJ CJ S10 H10 D10", "four-of-a-kind", "knave", "knave", "SJ HJ DJ CJ J"],
    ["J SJ HJ DJ CJ S10 H10 DQ", "four-of-a-kind", "knave", "queen", "SJ HJ DJ CJ DQ"],
];

#[test]
fn a_hand_can_be_said_and_shown() {
    for [cards, ranking, made, kickers, best] in SHOWN {
        let hand = hand(cards);
        let strength = hand.strength();
        let words =
            |values: &[Value]| values.iter().map(|v| v.word()).collect::<Vec<_>>().join(" ");
        assert_eq!(strength.ranking().word(), *ranking, "{cards}");
        assert_eq!(words(&strength.made()), *made, "{cards}");
        assert_eq!(words(&strength.kickers()), *kickers, "{cards}");
        let shown: Vec<&str> = hand.best().iter().map(|card| card.word()).collect();
        assert_eq!(shown.join(" "), *best, "{cards}");
    }
}

#[test]
fn the_muscle_beats_its_ranking_and_nothing_above() {
    let might = |cards, muscle| hand(cards).strength().at_showdown(muscle);
    let muscle = might("S2 H2 C3 D4 S5", true);
    assert!(muscle > might("SA HA CK DQ SJ", false));
    assert!(muscle > might("D2 C2 H3 S4 H5", false));
    assert!(muscle < might("S2 H2 C3 D3 S4", false));
    assert!(muscle > might("SA HK CQ DJ S9", false));
    assert_eq!(might("S2 H2 C3 D4 S5", false), might("D2 C2 H3 S4 H5", false));
}

/// A number of different cards, in any order.
fn cards(count: impl Into<prop::sample::SizeRange>) -> impl Strategy<Value = Vec<Card>> {
    subsequence(Card::all().collect::<Vec<_>>(), count).prop_shuffle()
}

/// The remaining cards without one of them, for each card.
fn without_one(cards: &[Card]) -> impl Iterator<Item = Vec<Card>> {
    let without = |away| cards.iter().copied().filter(|&card| card != away).collect();
    cards.iter().map(move |&away| without(away))
}

/// The strength of the best five of these cards, by trying all.
fn strongest_five(cards: &[Card]) -> Strength {
    if cards.len() <= BEST {
        return cards.iter().copied().collect::<Hand>().strength();
    }
    without_one(cards).map(|fewer| strongest_five(&fewer)).max().unwrap()
}

proptest! {
    #[test]
    fn the_best_five_count(cards in cards(6..=8)) {
        let hand: Hand = cards.iter().copied().collect();
        prop_assert_eq!(hand.strength(), strongest_five(&cards));
    }

    #[test]
    fn of_eight_cards_the_best_seven_count(cards in cards(8)) {
        let sevens = without_one(&cards).map(|seven| seven.into_iter().collect::<Hand>().strength());
        let hand: Hand = cards.iter().copied().collect();
        prop_assert_eq!(Some(hand.strength()), sevens.max());
    }

    #[test]
    fn the_order_of_the_cards_does_not_matter(mut cards in cards(0..=8)) {
        let hand: Hand = cards.iter().copied().collect();
        cards.sort_unstable();
        prop_assert_eq!(hand.cards().collect::<Vec<_>>(), cards.clone());
        prop_assert_eq!(hand, cards.into_iter().collect::<Hand>());
    }

    #[test]
    fn another_card_never_weakens_a_hand(cards in cards(1..=8)) {
        let (last, fewer) = cards.split_last().unwrap();
        let mut hand: Hand = fewer.iter().copied().collect();
        let before = hand.strength();
        hand.insert(*last);
        prop_assert!(before <= hand.strength());
    }

    #[test]
    fn the_cards_that_are_shown_are_worth_the_whole_hand(cards in cards(0..=8)) {
        let hand: Hand = cards.iter().copied().collect();
        let best = hand.best();
        prop_assert!(best.iter().all(|&card| hand.contains(card)));
        prop_assert_eq!(best.len(), cards.len().min(BEST));
        prop_assert_eq!(best.iter().copied().collect::<Hand>().strength(), hand.strength());
        let values: ArrayVec<Value, BEST> = best.iter().map(|card| card.value()).collect();
        prop_assert_eq!(values, hand.strength().values());
    }

    /// G6.13: unless suits matter, the Jack counts as one of the four.
    #[test]
    fn the_jack_counts_as_a_jack(cards in cards(0..=7), suit: Index) {
        let jack = Card::Of(*suit.get(Suit::ALL), Value::Jack);
        prop_assume!(!cards.contains(&Card::Jack) && !cards.contains(&jack));
        let with = |card| cards.iter().copied().chain([card]).collect::<Hand>().strength();
        let (suited, unsuited) = (with(jack), with(Card::Jack));
        prop_assert!(unsuited <= suited);
        if !matches!(suited.ranking(), Ranking::Flush | Ranking::StraightFlush | Ranking::RoyalFlush) {
            prop_assert_eq!(unsuited, suited);
        }
    }
}
