//! The options of a table.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::cards::TableSet;
use super::edition::EDITION;
use crate::pieces::{option, pieces};
use rules::{Seat, Side};

/// The number of players (T1.1).
pub const PLAYERS: usize = 4;

/// Some seats, in an order.
pub type SeatList = ArrayVec<Seat, PLAYERS>;

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

pieces! {
    /// A side (T1.1).
    Team {
        A => "team-a",
        B => "team-b",
        C => "team-c",
        D => "team-d",
    }
}

impl Team {
    pub fn side(self) -> Side {
        Side::new(self.index())
    }
}

impl Format {
    /// The side of a seat (T1.1).
    pub fn team(self, seat: Seat) -> Team {
        let sides = match self {
            Self::TwoTwo => [0, 0, 1, 1],
            Self::Royal => [0, 1, 2, 3],
            Self::ThreeOne => [0, 0, 0, 1],
            Self::TwoOneOne => [0, 0, 1, 2],
        };
        Team::ALL[sides[seat.index() % PLAYERS]]
    }

    /// The sides, in the order of the seats.
    pub fn teams(self) -> &'static [Team] {
        let last = self.team(Seat::new(PLAYERS - 1));
        &Team::ALL[..=last.index()]
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

    /// True if a seat is the only one of its side, against more (T10.6).
    pub fn is_solo(&self, seat: Seat) -> bool {
        let team = self.format.team(seat);
        let members = Seat::all(PLAYERS).filter(|other| self.format.team(*other) == team);
        matches!(self.format, Format::ThreeOne | Format::TwoOneOne) && members.count() == 1
    }

    /// The number of additional cards in the deck of a player (T10.6).
    pub fn solo_stamina(&self, seat: Seat) -> usize {
        match self.solo_stamina {
            _ if !self.is_solo(seat) => 0,
            SoloStamina::Format if self.format == Format::ThreeOne => EDITION.solo.stamina,
            SoloStamina::Format | SoloStamina::None => 0,
            SoloStamina::Twenty => 20,
            SoloStamina::Forty => 40,
        }
    }
}
