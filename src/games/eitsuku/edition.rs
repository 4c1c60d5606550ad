//! The numbers of the rules, from `data/eitsuku/edition.toml`.

use serde::Deserialize;

use super::cards::{Budget, Budgets, EVENT_DECK, EventCard, Family, ROLE_DECK};
use crate::registration::edition;
use rules::{Denomination, Piece};

edition! {
    "eitsuku" {
        dated: String,
        /// The number of players (E1.1).
        players: Players { least: usize, most: usize, recommended: usize },
        supply: Budgets,
        worth: Budgets,
        /// The copies of each card in its deck (E1.3).
        decks: DeckSizes { role_copies: [u8; 6], event_copies: u8 },
        /// The opening hand (E1.4), and the sides of the die (E1.5).
        hand: Deal { small: u8, medium: u8, large: u8, events: u8, roles: u8, die: Vec<DieSide> },
        /// The length of a game (E2.1).
        flow: Flow { turns: u8 },
        /// The costs of placing a role (E3.3, E3.7).
        set: SetCosts { cost_above_number: u32, pieces_a_turn: u8 },
        /// The worth to put on the field for a budget card (E3.6).
        scout: ScoutCosts { medium: u32, large: u32 },
        /// The numbers of the event cards (E5).
        events: EventNumbers {
            chance_draws: u8, award: u8,
            monopoly_roles: usize, monopoly_number: u8, monopoly_cost: u32,
            network_draws: u8, network_returns: usize,
            strike_per_role: u32, promoter_least: u8, promoter_most: u8,
        },
        /// The requirements of a release (E3.8).
        release: Release { roles: usize, title: usize, roleplay: usize },
        /// The points of a film (E6).
        scoring: Scoring {
            late: i16, tie_in: i16, rush: i16,
            five_of_a_kind: i16, four_of_a_kind: i16, full_house: i16,
            three_of_a_kind: i16, two_pair: i16, one_pair: i16,
        },
    }
}

impl Edition {
    fn needs(&self) -> [(bool, &'static str, &'static str); 5] {
        let (players, decks) = (&self.players, &self.decks);
        let roles: usize = decks.role_copies.iter().map(|&copies| usize::from(copies)).sum();
        let events = usize::from(decks.event_copies) * EventCard::ALL.len();
        [
            (players.least >= 2 && players.most <= 6, "[players]", "2 to 6 can play (E1.1)"),
            (roles == ROLE_DECK, "role_copies", "a family has 15 cards (E1.3)"),
            (events == EVENT_DECK, "event_copies", "there are 60 event cards (E1.3)"),
            (self.hand.die.len() == 6, "die", "a die has six sides (E1.4)"),
            ((1..=12).contains(&self.flow.turns), "turns", "1 to 12 turns (E2.1)"),
        ]
    }
}

impl Budgets {
    /// The cards as a purse to pay from.
    pub fn purse(self) -> [Denomination; 3] {
        [Budget::Small, Budget::Medium, Budget::Large].map(|budget| Denomination {
            id: budget.id(),
            worth: EDITION.worth[budget].into(),
            count: self[budget],
        })
    }

    /// The total worth of the cards.
    pub fn worth(self) -> u32 {
        Budget::ALL.iter().map(|&b| u32::from(self[b]) * u32::from(EDITION.worth[b])).sum()
    }
}

/// A side of the dealing die.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum DieSide {
    Actor,
    Writer,
    Composer,
    Director,
    /// E1.5: the player chooses the family.
    Choice,
}

impl DieSide {
    /// The family, unless the player chooses it.
    pub fn family(self) -> Option<Family> {
        match self {
            Self::Actor => Some(Family::Actor),
            Self::Writer => Some(Family::Writer),
            Self::Composer => Some(Family::Composer),
            Self::Director => Some(Family::Director),
            Self::Choice => None,
        }
    }
}
