//! Sets of cards that are data: files of hosts, read without building the program again.
//!
//! A table is bound to a set by the hash of its text. The game has its own vocabulary and rules for the cards;
//! here is what any game needs: the reading of a file with all its faults, the sets known to this program, and
//! the reading of a deck.

use crate::GAMES;
use crate::any::AnyGame;
use fault::{SetFault, sentence, unknown};
use sets::AnySets;

pub(crate) mod by_id;
pub mod deck;
pub mod fault;
pub mod hash;
pub(crate) mod names;
pub(crate) mod phrases;
pub mod reader;
pub mod sets;

/// Returns the sets of the game that a file says it is for.
///
/// # Errors
/// If it says none, or one that is not played with sets.
pub fn sets_for(
    file: &str,
    text: &str,
) -> Result<(&'static dyn AnyGame, &'static dyn AnySets), Vec<SetFault>> {
    // A file that is not TOML says nothing.
    reader::SetReader::new(file, text)?;
    let with_sets = || GAMES.iter().filter_map(|game| Some((*game, game.sets()?)));
    let fault = |what| vec![SetFault::new(file, 1, None, what)];
    let Some(input) = reader::game_of(text) else {
        let input = [("input", "[set] game".to_owned())];
        return Err(fault(sentence("missing-key", &input)));
    };
    let known = with_sets().find(|(game, _)| game.key() == input);
    let keys = GAMES.iter().filter(|game| game.sets().is_some()).map(|game| game.key());
    known.ok_or_else(|| fault(unknown("unknown-word", &input, keys)))
}
