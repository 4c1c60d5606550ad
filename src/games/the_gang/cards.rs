//! G0: the cards of the deck, and the Jack.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::pieces::pieces;
use rules::Piece;

pieces! {
    /// A suit. All are equal (G3.3); the order is that of the deck.
    Suit {
        /// ♠
        Spades => "spades",
        /// ♥
        Hearts => "hearts",
        /// ♦
        Diamonds => "diamonds",
        /// ♣
        Clubs => "clubs",
    }
}

pieces! {
    /// The value of a card, the lowest first.
    Value {
        /// 2
        Two => "two",
        /// 3
        Three => "three",
        /// 4
        Four => "four",
        /// 5
        Five => "five",
        /// 6
        Six => "six",
        /// 7
        Seven => "seven",
        /// 8
        Eight => "eight",
        /// 9
        Nine => "nine",
        /// 10
        Ten => "ten",
        /// J: the word `jack` is the specialist (G6.7).
        Jack => "knave",
        /// Q
        Queen => "queen",
        /// K
        King => "king",
        /// A: also below the two, but in a straight only (G3.3).
        Ace => "ace",
    }
}

/// The number of values.
pub const VALUES: usize = Value::ALL.len();

impl Value {
    /// True if this is a jack, a queen or a king.
    pub fn is_face(self) -> bool {
        matches!(self, Self::Jack | Self::Queen | Self::King)
    }

    /// The points of a card for the Math Whiz (G6.8): its number, 10 with a face, 11 for an ace.
    pub fn points(self) -> u8 {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
            Self::Five => 5,
            Self::Six => 6,
            Self::Seven => 7,
            Self::Eight => 8,
            Self::Nine => 9,
            Self::Ten | Self::Jack | Self::Queen | Self::King => 10,
            Self::Ace => 11,
        }
    }
}

/// A card that can be in a pocket or on the board. The order is that of the deck;
/// [`Strength`](super::ranking::Strength) compares hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    /// A card of the deck of 52.
    Of(Suit, Value),
    /// The specialist who counts as a jack of no suit (G6.13).
    Jack,
}

/// The ids of the cards of the deck: by suit, then by value.
const IDS: [[&str; VALUES]; 4] = [
    ["S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "SJ", "SQ", "SK", "SA"],
    ["H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9", "H10", "HJ", "HQ", "HK", "HA"],
    ["D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "DJ", "DQ", "DK", "DA"],
    ["C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "CJ", "CQ", "CK", "CA"],
];

impl Card {
    /// The 52 cards that are shuffled for a heist (G1.2), by suit and value.
    pub fn deck() -> impl Iterator<Item = Self> {
        Suit::ALL
            .iter()
            .flat_map(|&suit| Value::ALL.iter().map(move |&value| Self::Of(suit, value)))
    }

    /// The deck, and the Jack of no suit.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::deck().chain([Self::Jack])
    }

    /// The value of the card.
    pub fn value(self) -> Value {
        match self {
            Self::Of(_, value) => value,
            Self::Jack => Value::Jack,
        }
    }

    /// The suit; `None` for the Jack.
    pub fn suit(self) -> Option<Suit> {
        match self {
            Self::Of(suit, _) => Some(suit),
            Self::Jack => None,
        }
    }

    /// The id in `words.toml`: the letter of the suit and the value, such as `H10`, or `J`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Of(suit, value) => IDS[suit.index()][value.index()],
            Self::Jack => "J",
        }
    }
}

impl Piece for Card {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self.word())
    }
}

impl Serialize for Card {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let card = Self::all().find(|card| card.word() == word);
        card.ok_or_else(|| serde::de::Error::custom(format!("{word:?} is no card")))
    }
}

#[cfg(test)]
mod tests {
    use super::{Card, Suit, Value};

    #[test]
    fn every_card_is_written_and_read_by_its_own_id() {
        let mut cards: Vec<Card> = Card::all().collect();
        assert_eq!((Card::deck().count(), cards.len()), (52, 53));
        assert!(cards.is_sorted());
        for &card in &cards {
            let written = serde_json::to_value(card).unwrap();
            assert_eq!(written, card.word());
            assert_eq!(serde_json::from_value::<Card>(written).unwrap(), card);
        }
        cards.dedup_by_key(|card| card.word());
        assert_eq!(cards.len(), 53);
        assert_eq!(Card::Of(Suit::Hearts, Value::Ten).word(), "H10");
        let fault = serde_json::from_str::<Card>("\"H1\"").unwrap_err();
        assert_eq!(fault.to_string(), "\"H1\" is no card");
    }

    #[test]
    fn the_jack_of_no_suit_is_a_jack() {
        assert_eq!((Card::Jack.value(), Card::Jack.suit()), (Value::Jack, None));
    }

    #[test]
    fn the_points_of_a_suit_are_95() {
        assert_eq!(Value::ALL.iter().map(|value| value.points()).sum::<u8>(), 95);
        assert_eq!(Value::ALL.iter().filter(|value| value.is_face()).count(), 3);
    }
}
