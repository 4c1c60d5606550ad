//! タッグルールG (Tag Rule G): two to four sides of four players, whose stamina is deck and life.
//!
//! The files follow `docs/rules/tag_g.md`: T2 setup and decks; T3 turns with their order, deeds (immediate acts) and
//! plans (the sealed turn); T4 segment (the ten steps of an attack) and values (speeds and damage); T6 defeat; T7
//! flow (the windows) and reactions; T8 cards (the vocabulary of a set) and effects (its execution).

mod amend;
pub mod cards;
mod decks;
pub mod deeds;
mod defeat;
pub mod edition;
mod effects;
mod flow;
pub mod happening;
pub mod options;
mod orders;
mod piles;
mod plans;
mod play;
mod policies;
mod reactions;
mod report;
mod segment;
mod setup;
pub mod state;
#[cfg(test)]
mod tests;
pub mod things;
mod turns;
mod values;

use super::registration::game;
use happening::Happening;
use options::Options;
use state::State;
pub use state::TagG;

game! {
    TagG = "tag_g" of Options, State, Happening {
        setup: setup::setup,
        round: flow::round,
        turn: flow::turn,
        act: deeds::act,
        is_shown: Happening::is_shown,
        may_take_back: deeds::may_take_back,
        at_stake: deeds::at_stake,
        orders: orders::orders,
        ordered: orders::ordered,
        amend: amend::amend,
        reshuffle: flow::reshuffle,
        procedure: flow::procedure,
        standing: defeat::standing,
        sides: State::sides,
        sets: card,
    }
}

use cards::card;
