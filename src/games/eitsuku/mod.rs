//! えいつく (Eitsuku) ver. 6.1: making and releasing a film.
//!
//! The files follow `docs/rules/eitsuku.md`: E1 setup, E2 flow, E3 the five phases (with the event
//! cards of E5 where they strike), E6 scoring. E4 is the engine's procedure with this game's clauses.

mod action;
mod amend;
mod board;
pub mod cards;
pub mod edition;
mod end;
mod flow;
mod grant;
pub mod happening;
mod moving;
mod orders;
mod play;
mod policies;
mod report;
mod scoring;
mod scout;
mod set;
mod setup;
mod start;
pub mod state;
#[cfg(test)]
mod test_amend;

use super::registration::game;
use happening::Happening;
pub use state::Eitsuku;
use state::{Options, State};

game! {
    Eitsuku = "eitsuku" of Options, State, Happening {
        setup: setup::setup,
        round: flow::round,
        turn: flow::turn,
        orders: orders::orders,
        amend: amend::amend,
        reshuffle: setup::shuffle,
        procedure: flow::procedure,
        standing: scoring::standing,
        cards: "cards.toml",
    }
}
