//! The games of the house. No module outside of this folder names one, but by this list.

pub mod any;
pub mod eitsuku;
pub mod simulation;

use any::{AnyGame, Listed};

/// Every game that can be played.
pub const GAMES: &[&dyn AnyGame] = &[&Listed::<eitsuku::Eitsuku>::new()];

/// The game that goes by this word.
pub fn find(key: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.key() == key)
}

#[cfg(test)]
pub(crate) mod test_toy;
