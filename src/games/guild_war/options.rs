//! The options of a table.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::edition::{Deck, EDITION};
use super::set::{Card, Line, TableSet};
use crate::pieces::option;

/// The options of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The set of cards (W10.2).
    pub set: TableSet,
    /// The number of characters in each guild (W1.1).
    pub size: Size,
    /// The style of the decks (W1.2).
    pub deck: DeckStyle,
    /// The number of games in a match (W1.3).
    pub games: Games,
    /// The event of the match (W1.4).
    pub event: Event,
    /// The maximum number of copies of a card in a deck (W11.1).
    pub copies: Copies,
    /// The number of frames in a row without a card that loses the game for a guild (W2.2).
    pub absences: Absences,
}

impl Options {
    /// The cards of a line's ready-made deck: in full-deck style the large one, if there is one (W1.2).
    pub fn ready_made(&self, line: Line) -> impl Iterator<Item = Card> {
        let large = self.set.large_deck(line).filter(|_| self.deck == DeckStyle::Full);
        let mut large = large.peekable();
        let small = large.peek().is_none().then(|| self.set.deck(line));
        large.chain(small.into_iter().flatten())
    }
}

option! {
    /// A number of characters in a guild (W1.1).
    Size {
        One => "1v1",
        Two => "2v2",
        #[default]
        Three => "3on3",
        Four => "4v4",
        Five => "5v5",
        Six => "6v6",
    }
}

impl Size {
    /// The value that a host chooses.
    pub(super) fn word(self) -> &'static str {
        Self::VALUES[self as usize]
    }

    /// The number of seats of the table.
    pub fn seats(self) -> usize {
        2 * (self as usize + 1)
    }
}

option! {
    /// A style of decks (W1.2).
    DeckStyle {
        /// リミテッド
        #[default]
        Limited => "limited",
        /// スタンダード
        Standard => "standard",
        /// フルデッキ
        Full => "full",
        /// コンストラクテッド: ready-made decks only.
        Constructed => "constructed",
    }
}

impl DeckStyle {
    /// The numbers of cards that a deck of one's own can have.
    pub fn sizes(self) -> RangeInclusive<usize> {
        let Deck { least, most, .. } = EDITION.deck;
        match self {
            Self::Limited | Self::Constructed => least..=least,
            Self::Standard => least..=most,
            Self::Full => most..=most,
        }
    }
}

option! {
    /// An event, which is shown and not organised (W1.4).
    Event {
        #[default]
        None => "none",
        /// トーナメント
        Elimination => "elimination",
        /// 総当たり
        RoundRobin => "round-robin",
        /// スイスドロー
        Swiss => "swiss",
    }
}

option! {
    /// A maximum number of copies of a card in a deck (W11.1). Ready-made decks of the built-in set have at most
    /// three.
    Copies {
        Two => "2",
        Three => "3",
        #[default]
        Four => "4",
    }
}

impl Copies {
    pub fn get(self) -> usize {
        self as usize + 2
    }
}

option! {
    /// The length of a match (W1.3).
    Games {
        /// A single game.
        #[default]
        One => "1",
        /// Best of three (W2.4).
        Three => "3",
    }
}

impl Games {
    /// The maximum number of games.
    pub fn most(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Three => 3,
        }
    }
}

option! {
    /// A number of frames (W2.2).
    Absences {
        One => "1",
        #[default]
        Two => "2",
        Three => "3",
    }
}

impl Absences {
    pub fn get(self) -> u8 {
        self as u8 + 1
    }
}
