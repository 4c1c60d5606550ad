//! The plan of a simulation.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use rules::Seat;

/// The mode of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Questions are answered as they come up.
    Quick,
    /// Declarations are sealed, as people do.
    Sealed,
}

/// The plan of a simulation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The seed of all randomness.
    pub seed: u64,
    /// The mode of play.
    pub mode: Mode,
    /// The policies, one for each seat: a name, or a name with fixed answers (`house:deck.line=shade`).
    pub policies: Vec<SmolStr>,
    /// True if the policies move on by a seat from game to game.
    pub rotate: bool,
    /// The host's options; defaults for those missing, all default if null.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub options: Json,
}

/// A plan that the game does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The game cannot be played with this number of seats.
    #[error("{least} to {most} can play, not {seats}")]
    Seats { least: usize, most: usize, seats: usize },
    /// The game has no policy of this name.
    #[error("there is no policy {0:?}")]
    Policy(SmolStr),
    /// The game refuses the options.
    #[error("{0}")]
    Options(String),
}

impl Plan {
    /// The index of the policy that plays this seat in this game.
    pub fn position(&self, seat: Seat, game: u64) -> usize {
        let count = self.policies.len();
        let moved = if self.rotate { game % count as u64 } else { 0 };
        // The value is less than the number of seats.
        (seat.index() + usize::try_from(moved).unwrap_or_default()) % count
    }

    /// A seed of 32 bytes for one purpose in one game.
    pub fn seed(&self, purpose: &str, game: u64) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"shimekiri simulation v1\n");
        hash.update(purpose.as_bytes());
        hash.update(b"\n");
        hash.update(self.seed.to_le_bytes());
        hash.update(game.to_le_bytes());
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_move_on_by_a_seat() {
        let policies = ["a", "b", "c"].map(SmolStr::new_static).to_vec();
        let mut plan =
            Plan { seed: 0, mode: Mode::Quick, policies, rotate: true, options: Json::Null };
        let at = |plan: &Plan, game| -> Vec<usize> {
            Seat::all(3).map(|seat| plan.position(seat, game)).collect()
        };
        assert_eq!(at(&plan, 4), [1, 2, 0]);
        plan.rotate = false;
        assert_eq!(at(&plan, 4), [0, 1, 2]);
    }
}
