//! ギャングスターパラダイス (Gangster Paradise): shots, lies and trades, after the boss has died.
//!
//! The files follow `docs/rules/gangster_paradise.md`: P1 setup; P2 turns, deeds (immediate acts) and offers
//! (trades); P3 flow (the windows and private choices), uses (sealed acts) and reactions; P4 chain and
//! resolve, hands (moves of cards and knowledge of them); P5 damage; P6 aftermath, looks and trades; P7 and
//! P8 victory.

mod aftermath;
mod amend;
mod board;
pub mod cards;
pub mod chain;
mod damage;
pub mod deeds;
pub mod edition;
mod flow;
mod hands;
pub mod happening;
mod looks;
mod offers;
pub mod options;
mod play;
mod policies;
mod reactions;
mod report;
mod resolve;
mod setup;
pub mod state;
mod trades;
mod turns;
mod uses;
mod victory;

use super::registration::game;
use happening::Happening;
use options::Options;
pub use state::GangsterParadise;
use state::State;

game! {
    GangsterParadise = "gangster_paradise" of Options, State, Happening {
        setup: setup::setup,
        round: flow::round,
        turn: flow::turn,
        act: deeds::act,
        is_shown: Happening::is_shown,
        may_take_back: deeds::may_take_back,
        at_stake: deeds::at_stake,
        orders: reactions::orders,
        ordered: reactions::ordered,
        amend: amend::amend,
        reshuffle: setup::reshuffle,
        procedure: flow::procedure,
        standing: victory::standing,
        cards: "cards.toml",
    }
}
