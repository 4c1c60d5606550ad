//! ザ・ギャング (The Gang): players compare the strength of their hands, using only chips.
//!
//! The files follow `docs/rules/the_gang.md`: G1 heist, G2 chips (sealed) and live, G3 showdown
//! (with the ranking of hands), G4 modes, G5 challenges and guesses, G6 specialists and proposals.
//! G7 is the engine's procedure with this game's clauses.

pub mod acts;
mod amend;
mod board;
pub mod cards;
mod challenges;
mod chips;
pub mod edition;
pub mod extra_cards;
mod guesses;
pub mod happening;
mod heist;
mod live;
mod modes;
pub mod options;
pub mod percentile;
mod play;
mod policies;
mod proposals;
pub mod ranking;
mod report;
mod showdown;
mod specialists;
pub mod state;
#[cfg(test)]
mod tests;

use super::registration::game;
use happening::Happening;
use options::Options;
use state::State;
pub use state::TheGang;

game! {
    TheGang = "the_gang" of Options, State, Happening {
        setup: heist::setup,
        round: heist::round,
        turn: heist::turn,
        act: acts::act,
        is_shown: Happening::is_shown,
        orders: chips::orders,
        ordered: chips::ordered,
        amend: amend::amend,
        reshuffle: heist::reshuffle,
        procedure: heist::procedure,
        standing: heist::standing,
        cards: "cards.toml",
    }
}
