//! The options of a table.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::edition::{Deck, EDITION};
use super::set::{Card, Line, TableSet};

/// The options of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl Default for Options {
    fn default() -> Self {
        let set = TableSet::default();
        Self {
            set,
            size: Size::Three,
            deck: DeckStyle::Limited,
            games: Games::One,
            event: Event::None,
            copies: Copies::Four,
            absences: Absences::Two,
        }
    }
}

/// A number of characters in a guild (W1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Size {
    #[serde(rename = "1v1")]
    One,
    #[serde(rename = "2v2")]
    Two,
    #[serde(rename = "3on3")]
    Three,
    #[serde(rename = "4v4")]
    Four,
    #[serde(rename = "5v5")]
    Five,
    #[serde(rename = "6v6")]
    Six,
}

impl Size {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] = &["1v1", "2v2", "3on3", "4v4", "5v5", "6v6"];

    /// The value that a host chooses.
    pub(super) fn word(self) -> &'static str {
        Self::VALUES[self as usize]
    }

    /// The number of seats of the table.
    pub fn seats(self) -> usize {
        2 * (self as usize + 1)
    }
}

/// A style of decks (W1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeckStyle {
    /// リミテッド
    Limited,
    /// スタンダード
    Standard,
    /// フルデッキ
    Full,
    /// コンストラクテッド: ready-made decks only.
    Constructed,
}

impl DeckStyle {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] =
        &["limited", "standard", "full", "constructed"];

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

/// An event, which is shown and not organised (W1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    None,
    /// トーナメント
    Elimination,
    /// 総当たり
    RoundRobin,
    /// スイスドロー
    Swiss,
}

impl Event {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] =
        &["none", "elimination", "round-robin", "swiss"];
}

/// A maximum number of copies of a card in a deck (W11.1). Ready-made decks of the built-in set have at most
/// three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Copies {
    #[serde(rename = "2")]
    Two,
    #[serde(rename = "3")]
    Three,
    #[serde(rename = "4")]
    Four,
}

impl Copies {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] = &["2", "3", "4"];

    pub fn get(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
        }
    }
}

/// The length of a match (W1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Games {
    /// A single game.
    #[serde(rename = "1")]
    One,
    /// Best of three (W2.4).
    #[serde(rename = "3")]
    Three,
}

impl Games {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] = &["1", "3"];

    /// The maximum number of games.
    pub fn most(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Three => 3,
        }
    }
}

/// A number of frames (W2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Absences {
    #[serde(rename = "1")]
    One,
    #[serde(rename = "2")]
    Two,
    #[serde(rename = "3")]
    Three,
}

impl Absences {
    /// The values that a host can choose.
    pub(super) const VALUES: &'static [&'static str] = &["1", "2", "3"];

    pub fn get(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}
