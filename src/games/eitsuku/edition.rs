//! The numbers of the rules, from `data/eitsuku/edition.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::cards::{Budgets, EVENT_DECK, EventCard, Family, ROLE_DECK};
use crate::data::{DataFault, built_in, parse};

/// Where the numbers are, and what stands there.
pub const FILE: (&str, &str) =
    ("data/eitsuku/edition.toml", include_str!("../../../data/eitsuku/edition.toml"));

/// The edition that is built in. `shimekiri check` and a test hold it against its rules.
pub static EDITION: LazyLock<Edition> = LazyLock::new(|| built_in(Edition::parse(FILE.0, FILE.1)));

/// Every number of the rules; each field's clause stands in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edition {
    pub edition: String,
    pub source: String,
    pub dated: String,
    pub players: Players,
    pub supply: Budgets,
    pub worth: Budgets,
    pub decks: DeckSizes,
    pub hand: Deal,
    pub flow: Flow,
    pub set: SetCosts,
    pub scout: ScoutCosts,
    pub events: EventNumbers,
    pub release: Release,
    pub scoring: Scoring,
}

/// How many can play (E1.1).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    pub least: usize,
    pub most: usize,
    pub recommended: usize,
}

/// How often each card lies in its deck (E1.3).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckSizes {
    pub role_copies: [u8; 6],
    pub event_copies: u8,
}

/// What is dealt (E1.4), and what the die gives (E1.5).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    pub small: u8,
    pub medium: u8,
    pub large: u8,
    pub events: u8,
    pub roles: u8,
    pub die: Vec<DieSide>,
}

/// What a side of the dealing die gives.
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

/// How long a game is (E2.1).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    pub turns: u8,
}

/// What it costs to place a role (E3.3, E3.7).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetCosts {
    pub cost_above_number: u32,
    pub pieces_a_turn: u8,
}

/// What must be put on the field for a budget card (E3.6).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoutCosts {
    pub medium: u32,
    pub large: u32,
}

/// The numbers of the event cards (E5).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventNumbers {
    pub chance_draws: u8,
    pub award: u8,
    pub monopoly_roles: usize,
    pub monopoly_number: u8,
    pub monopoly_cost: u32,
    pub network_draws: u8,
    pub network_returns: usize,
    pub strike_per_role: u32,
    pub promoter_least: u8,
    pub promoter_most: u8,
}

/// What a release takes (E3.8).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    pub roles: usize,
    pub title: usize,
    pub roleplay: usize,
}

/// What a film is worth (E6).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoring {
    pub late: i16,
    pub tie_in: i16,
    pub rush: i16,
    pub five_of_a_kind: i16,
    pub four_of_a_kind: i16,
    pub full_house: i16,
    pub three_of_a_kind: i16,
    pub two_pair: i16,
    pub one_pair: i16,
}

impl Edition {
    /// Reads an edition and holds it against what the rules need.
    ///
    /// # Errors
    /// The file, the line and what would be right.
    pub fn parse(file: &str, text: &str) -> Result<Self, DataFault> {
        let edition: Self = parse(file, text)?;
        let fault = |key, right| Err(DataFault::at_key(file, text, key, right));
        if edition.players.least < 2 || edition.players.most > 6 {
            return fault("[players]", "2 to 6 can play (E1.1)");
        }
        if edition.decks.role_copies.iter().map(|&n| usize::from(n)).sum::<usize>() != ROLE_DECK {
            return fault("role_copies", "a family has 15 cards (E1.3)");
        }
        if usize::from(edition.decks.event_copies) * EventCard::ALL.len() != EVENT_DECK {
            return fault("event_copies", "there are 60 event cards (E1.3)");
        }
        if edition.hand.die.len() != 6 {
            return fault("die", "a die has six sides (E1.4)");
        }
        if !(1..=12).contains(&edition.flow.turns) {
            return fault("turns", "1 to 12 turns (E2.1)");
        }
        Ok(edition)
    }
}
