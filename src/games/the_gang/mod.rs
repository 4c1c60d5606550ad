//! ザ・ギャング (The Gang): who holds the stronger hand, said with nothing but chips.
//!
//! The files follow `docs/rules/the_gang.md`: G1 heist, G2 chips (sealed) and live, G3 showdown
//! (with the ranking of hands), G4 modes, G5 challenges and guesses, G6 specialists and proposals.
//! G7 is the engine's procedure with this game's clauses.

pub mod acts;
mod amend;
pub mod cards;
pub mod challenges;
mod chips;
pub mod edition;
mod guesses;
pub mod happening;
mod heist;
mod live;
pub mod modes;
pub mod options;
pub mod percentile;
mod play;
mod policies;
mod proposals;
pub mod ranking;

mod samples;
pub mod showdown;
pub mod specialists;
pub mod state;
#[cfg(test)]
mod test_amend;
#[cfg(test)]
mod test_game;
#[cfg(test)]
mod test_play;
#[cfg(test)]
mod test_ranking;

use std::ops::RangeInclusive;

use smol_str::SmolStr;

use crate::rules::{BySeat, Game, Place, Play, Procedure, Referee, Seat, Viewer};
use edition::EDITION;
use happening::Happening;
use options::Options;
use state::{State, WindowStage};

/// The Gang, as the engine plays it.
#[derive(Clone, Copy, Debug)]
pub struct TheGang;

impl Game for TheGang {
    const KEY: &'static str = "the_gang";
    type Options = Options;
    type State = State;
    type Event = Happening;

    fn seats() -> RangeInclusive<usize> {
        EDITION.players.least..=EDITION.players.most
    }

    fn bare(options: &Options, seats: usize) -> State {
        State::bare(options, seats)
    }

    fn setup(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        heist::setup(state, referee);
        Ok(())
    }

    fn round(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        heist::round(state, referee)
    }

    fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        heist::turn(state, seat, referee)
    }

    fn act(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        acts::act(state, seat, referee)
    }

    fn is_shown(event: &Happening) -> bool {
        event.is_shown()
    }

    fn amend(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        amend::amend(state, referee)
    }

    fn finish(state: &mut State) {
        state.stage = WindowStage::Over;
    }

    fn reshuffle(state: &mut State, referee: &mut Referee<'_, Self>) {
        heist::reshuffle(state, referee);
    }

    fn asked(state: &State) -> BySeat<bool> {
        state.asked()
    }

    fn seen_by(state: &State, viewer: Viewer) -> State {
        state.seen_by(viewer)
    }

    fn event_seen_by(_: &State, event: &Happening, viewer: Viewer) -> Option<Happening> {
        Some(event.seen_by(viewer))
    }

    fn procedure(state: &State) -> Procedure {
        heist::procedure(state)
    }

    fn standing(state: &State) -> Option<Vec<Place>> {
        heist::standing(state)
    }

    fn tally(event: &Happening, count: &mut dyn FnMut(&'static str, SmolStr)) {
        event.tally(count);
    }
}
