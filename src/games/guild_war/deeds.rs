//! Actions of a character: a card or a normal attack, and its target.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::set::{Card, Scope};
use rules::{Piece, Seat};

/// A card in use, or a normal attack (W5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Normal,
    Card(Card),
}

impl Deed {
    fn find(id: &str) -> Option<Self> {
        if id == NORMAL { Some(Self::Normal) } else { Card::find(id).map(Self::Card) }
    }

    /// The card in use; `None` for a normal attack.
    pub fn card(self) -> Option<Card> {
        match self {
            Self::Normal => None,
            Self::Card(card) => Some(card),
        }
    }

    /// The characters that the deed can be used on (W5.4).
    pub fn scope(self) -> Scope {
        let scope =
            self.card().map(|card| card.usable().map_or(Scope::Oneself, |usable| usable.scope));
        scope.unwrap_or(Scope::OneEnemy)
    }
}

/// The id of a normal attack.
pub(super) const NORMAL: &str = "normal-attack";

impl Piece for Deed {
    fn id(&self) -> SmolStr {
        match self {
            Self::Normal => SmolStr::new_static(NORMAL),
            Self::Card(card) => card.id(),
        }
    }
}

crate::pieces::stored_by_id!(Deed);

/// A declared action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    pub deed: Deed,
    /// The single target; `None` if the action names none.
    pub target: Option<Seat>,
    /// The card that a normal attack without a weapon discards (W5.4).
    pub discarded: Option<Card>,
}
