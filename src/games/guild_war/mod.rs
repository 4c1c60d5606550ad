//! ギルドウォー (Guild War): two guilds of one to six, whose attacks add up.
//!
//! The files follow `docs/rules/guild_war.md`: W1 decks, W2 winning, W3 prepare and gear, W4 initiative, W5 and W6
//! steps and actions, W7 resolve and forecast, W8 rest, W9 flow, W10 set, reading and texts, W12 effects (the vocabulary of a set)
//! and verbs (their execution).

pub mod actions;
mod amend;
mod decks;
pub mod deeds;
pub mod edition;
pub mod effects;
mod flow;
pub mod forecast;
mod gear;
pub mod happening;
mod initiative;
pub mod options;
mod play;
mod policies;
mod prepare;
mod reading;
mod report;
pub mod resolve;
mod rest;
pub mod set;
pub mod state;
mod steps;
#[cfg(test)]
mod tests;
mod texts;
mod verbs;
pub mod winning;

use super::registration::game;
use happening::Happening;
use options::Options;
pub use state::GuildWar;
use state::State;

game! {
    GuildWar = "guild_war" of Options, State, Happening {
        setup: prepare::setup,
        round: flow::round,
        turn: flow::turn,
        amend: amend::amend,
        reshuffle: flow::reshuffle,
        procedure: flow::procedure,
        standing: winning::standing,
        sides: State::sides,
        sets: set,
    }
}
