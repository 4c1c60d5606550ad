//! The options of a table.

use serde::{Deserialize, Serialize};

use super::cards::TableSet;
use super::edition::EDITION;
use crate::pieces::option;

/// The options of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The set of cards (T8.1).
    pub set: TableSet,
    /// The sides (T1.1).
    pub format: Format,
    /// The number of reaction windows in a turn (T7.2).
    pub reaction: Reaction,
    /// The number of additional cards for the sides that come later (T2.2).
    pub second_hand: SecondHand,
    /// The cycle of sides of different size (T2.6).
    pub solo_turns: SoloTurns,
    /// The number of additional cards in the deck of a side of one (T10.6).
    pub solo_stamina: SoloStamina,
    /// The number of additional cards in the hand of a side of one (T10.6).
    pub solo_hand: SoloMore,
    /// The number of additional fights and spells of a side of one (T10.6).
    pub solo_counts: SoloMore,
}

option! {
    /// The sides of a game (T1.1).
    Format {
        /// P1 and P2 against P3 and P4.
        #[default]
        TwoTwo => "2v2",
        /// バトルロイヤル: everybody for themselves.
        Royal => "royal",
        /// P1, P2 and P3 against P4.
        ThreeOne => "3v1",
        /// P1 and P2, P3, P4.
        TwoOneOne => "2v1v1",
    }
}

impl Format {
    /// True if the sides differ in size.
    pub fn is_uneven(self) -> bool {
        matches!(self, Self::ThreeOne | Self::TwoOneOne)
    }
}

option! {
    /// The number of reaction windows in a turn (T7.2).
    Reaction {
        /// One for all attacks of a turn.
        #[default]
        Turn => "turn",
        /// One for each attack.
        Attack => "attack",
    }
}

option! {
    /// Additional cards in the first hand (T2.2).
    SecondHand {
        #[default]
        None => "0",
        One => "1",
        Two => "2",
    }
}

option! {
    /// The cycle of sides of different size (T2.6).
    SoloTurns {
        /// `each` for 3v1, `block` for 2v1v1.
        #[default]
        Format => "format",
        /// A side has the turns of all its players, one after the other.
        Block => "block",
        /// A side has the turn of one of its players, then the next side.
        Each => "each",
    }
}

option! {
    /// Additional cards in the deck of a side of one (T10.6).
    SoloStamina {
        /// As many as the edition says for 3v1, none for 2v1v1.
        #[default]
        Format => "format",
        None => "0",
        Twenty => "20",
        Forty => "40",
    }
}

option! {
    /// An additional card in the hand, or an additional fight and spell, of a side of one (T10.6).
    SoloMore {
        #[default]
        None => "0",
        One => "1",
    }
}

impl Options {
    /// True if a side has one turn at a time, and not the turns of all its players (T2.6).
    pub fn takes_turns(&self) -> bool {
        match self.solo_turns {
            SoloTurns::Format => self.format == Format::ThreeOne,
            SoloTurns::Block => false,
            SoloTurns::Each => true,
        }
    }

    /// The number of additional cards in the deck of a side of one (T10.6).
    pub fn solo_stamina(&self) -> usize {
        match self.solo_stamina {
            SoloStamina::Format if self.format == Format::ThreeOne => EDITION.solo.stamina,
            SoloStamina::Format | SoloStamina::None => 0,
            SoloStamina::Twenty => 20,
            SoloStamina::Forty => 40,
        }
    }
}
