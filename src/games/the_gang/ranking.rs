//! G3.3: the strength of a hand. The best five of up to eight cards count; of fewer than five, all.
//!
//! ```
//! use shimekiri::games::the_gang::cards::{Card, Suit::*, Value::*};
//! use shimekiri::games::the_gang::ranking::{Hand, Ranking};
//!
//! let cards = [(Spades, King), (Hearts, Nine), (Clubs, King), (Clubs, Nine), (Clubs, Ace)];
//! let hand: Hand = cards.into_iter().map(|(suit, value)| Card::Of(suit, value)).collect();
//! let strength = hand.strength();
//! assert_eq!(strength.ranking(), Ranking::TwoPair);
//! assert_eq!(strength.made().as_slice(), [King, Nine]);
//! assert_eq!(strength.kickers().as_slice(), [Ace]);
//! ```

use arrayvec::ArrayVec;

use super::cards::{Card, Suit, VALUES, Value};
use crate::pieces::pieces;

/// The number of cards that count.
pub const BEST: usize = 5;

pieces! {
    /// 役: the ten rankings, the weakest first (G3.3).
    Ranking {
        /// ハイカード
        HighCard => "high-card",
        /// ワンペア
        Pair => "pair",
        /// ツーペア
        TwoPair => "two-pair",
        /// スリーカード
        ThreeOfAKind => "three-of-a-kind",
        /// ストレート
        Straight => "straight",
        /// フラッシュ
        Flush => "flush",
        /// フルハウス
        FullHouse => "full-house",
        /// フォーカード
        FourOfAKind => "four-of-a-kind",
        /// ストレートフラッシュ
        StraightFlush => "straight-flush",
        /// ロイヤルフラッシュ
        RoyalFlush => "royal-flush",
    }
}

impl Ranking {
    /// The number of the five cards that make the ranking; the others are kickers.
    fn cards(self) -> usize {
        match self {
            Self::HighCard => 1,
            Self::Pair => 2,
            Self::ThreeOfAKind => 3,
            Self::TwoPair | Self::FourOfAKind => 4,
            Self::Straight
            | Self::Flush
            | Self::FullHouse
            | Self::StraightFlush
            | Self::RoyalFlush => BEST,
        }
    }

    /// True if the ranking requires five cards of one suit.
    fn is_suited(self) -> bool {
        matches!(self, Self::Flush | Self::StraightFlush | Self::RoyalFlush)
    }
}

/// The strength of a hand. Equal strengths are a true tie: kickers count, suits do not (G3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength {
    ranking: Ranking,
    /// The values of the best five cards, in the order in which they decide.
    values: [Option<Value>; BEST],
}

impl Strength {
    /// A strength from the values that make the ranking, filled up with the highest of the rest.
    fn of<const MADE: usize>(ranking: Ranking, made: [Value; MADE], mut rest: Values) -> Self {
        let mut values = [None; BEST];
        let (cards, kickers) = values.split_at_mut(MADE);
        cards.copy_from_slice(&made.map(Some));
        kickers.fill_with(|| rest.take_highest());
        Self { ranking, values }
    }

    /// A strength from five values in a row, downwards from `high`; below the two is the ace.
    fn in_a_row(ranking: Ranking, high: Value) -> Self {
        let down = |down| Value::ALL[(high.index() + VALUES - down) % VALUES];
        Self::of(ranking, [0, 1, 2, 3, 4].map(down), Values::NONE)
    }

    pub fn ranking(self) -> Ranking {
        self.ranking
    }

    /// The values of the best five cards: those that make the ranking, then the kickers.
    pub fn values(self) -> ArrayVec<Value, BEST> {
        self.values.into_iter().flatten().collect()
    }

    /// The distinct values that make the ranking, the weightier first: the higher pair, the three of a full
    /// house, the top of a straight, the highest of a high card. Empty without cards.
    pub fn made(self) -> ArrayVec<Value, BEST> {
        let mut made = ArrayVec::new();
        for &value in self.values[..self.ranking.cards()].iter().flatten() {
            if made.last() != Some(&value) {
                made.push(value);
            }
        }
        made
    }

    /// The values of the cards that only break ties, the highest first.
    pub fn kickers(self) -> ArrayVec<Value, BEST> {
        self.values[self.ranking.cards()..].iter().copied().flatten().collect()
    }

    /// The might of the hand at the showdown, of the Muscle or of any other player.
    pub fn at_showdown(self, muscle: bool) -> Might {
        Might { ranking: self.ranking, muscle, strength: self }
    }
}

/// The strength that is compared at the showdown: the Muscle beats every other hand of its ranking, exact
/// ties included (G6.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Might {
    ranking: Ranking,
    muscle: bool,
    strength: Strength,
}

/// The pocket and board of a player, or any other up to eight different cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    /// The values of each suit, and of no suit.
    suits: [Values; 5],
}

impl Hand {
    /// Inserts a card that the hand does not contain yet.
    pub fn insert(&mut self, card: Card) {
        let suit = &mut self.suits[place(card)];
        *suit = suit.or(Values::of(card.value()));
    }

    /// True if the hand contains this card.
    pub fn contains(&self, card: Card) -> bool {
        self.suits[place(card)].and(Values::of(card.value())) != Values::NONE
    }

    /// The cards, in the order of the deck.
    pub fn cards(&self) -> impl Iterator<Item = Card> {
        Card::all().filter(|&card| self.contains(card))
    }

    /// The strength of the best five cards.
    pub fn strength(&self) -> Strength {
        let [once, twice, thrice, four_times, five_times] = self.times();
        let suited = self.flush().map(|suit| self.suits[suit.index()]);
        if let Some(high) = suited.and_then(Values::in_a_row) {
            let royal = high == Value::Ace;
            let ranking = if royal { Ranking::RoyalFlush } else { Ranking::StraightFlush };
            return Strength::in_a_row(ranking, high);
        }
        if let Some(four) = four_times.highest() {
            // G6.13: the fifth jack is a kicker.
            let rest = once.without(four).or(five_times);
            return Strength::of(Ranking::FourOfAKind, [four; 4], rest);
        }
        let three = thrice.highest();
        if let Some(three) = three
            && let Some(two) = twice.without(three).highest()
        {
            return Strength::of(Ranking::FullHouse, [three, three, three, two, two], Values::NONE);
        }
        if let Some(suited) = suited {
            return Strength::of(Ranking::Flush, [], suited);
        }
        if let Some(high) = once.in_a_row() {
            return Strength::in_a_row(Ranking::Straight, high);
        }
        if let Some(three) = three {
            return Strength::of(Ranking::ThreeOfAKind, [three; 3], once.without(three));
        }
        let mut pairs = twice;
        match (pairs.take_highest(), pairs.take_highest()) {
            (Some(high), Some(low)) => {
                let rest = once.without(high).without(low);
                Strength::of(Ranking::TwoPair, [high, high, low, low], rest)
            }
            (Some(pair), None) => Strength::of(Ranking::Pair, [pair; 2], once.without(pair)),
            _ => Strength::of(Ranking::HighCard, [], once),
        }
    }

    /// The best five cards, to show (G3.1): those that make the ranking, then the kickers. Among equally good
    /// cards the first of the deck is taken.
    pub fn best(&self) -> ArrayVec<Card, BEST> {
        let strength = self.strength();
        let suit = self.flush().filter(|_| strength.ranking.is_suited());
        let mut best = ArrayVec::new();
        for value in strength.values() {
            let is_it =
                |card: &Card| card.value() == value && (suit.is_none() || card.suit() == suit);
            let next = self.cards().find(|card| is_it(card) && !best.contains(card));
            best.extend(next);
        }
        best
    }

    /// The suit with at least five cards; `None` if there is none. Eight cards have one at most.
    fn flush(&self) -> Option<Suit> {
        Suit::ALL.iter().copied().find(|suit| self.suits[suit.index()].len() >= BEST)
    }

    /// The values that occur at least once, twice, and so on. Only the jack can occur five times.
    fn times(&self) -> [Values; 5] {
        let [mut once, mut twice, mut thrice, mut four_times, mut five_times] = [Values::NONE; 5];
        for suit in self.suits {
            five_times = five_times.or(four_times.and(suit));
            four_times = four_times.or(thrice.and(suit));
            thrice = thrice.or(twice.and(suit));
            twice = twice.or(once.and(suit));
            once = once.or(suit);
        }
        [once, twice, thrice, four_times, five_times]
    }
}

/// The index of a card's suit in a hand.
fn place(card: Card) -> usize {
    card.suit().map_or(Suit::ALL.len(), Suit::index)
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut hand = Self::default();
        hand.extend(cards);
        hand
    }
}

impl Extend<Card> for Hand {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        cards.into_iter().for_each(|card| self.insert(card));
    }
}

/// A set of values, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Values(u16);

impl Values {
    const NONE: Self = Self(0);

    fn of(value: Value) -> Self {
        Self(1 << value.index())
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn without(self, value: Value) -> Self {
        Self(self.0 & !Self::of(value).0)
    }

    fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    fn highest(self) -> Option<Value> {
        self.0.checked_ilog2().map(|index| Value::ALL[index as usize])
    }

    fn take_highest(&mut self) -> Option<Value> {
        let highest = self.highest()?;
        *self = self.without(highest);
        Some(highest)
    }

    /// The top of the highest five values in a row, the ace also below the two (G3.3); `None` if there are
    /// none.
    fn in_a_row(self) -> Option<Value> {
        // Bit 0 is the ace below the two. A bit remains if the next four above it are set.
        let ace_low = self.0 << 1 | self.0 >> Value::Ace.index();
        let lowest = (1..BEST).fold(ace_low, |rows, up| rows & ace_low >> up);
        lowest.checked_ilog2().map(|lowest| Value::ALL[lowest as usize + BEST - 2])
    }
}
