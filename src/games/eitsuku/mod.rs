//! えいつく (Eitsuku) ver. 6.1: making and releasing a film.
//!
//! The files follow `docs/rules/eitsuku.md`: E1 setup, E2 flow, E3 the five phases (with the event
//! cards of E5 where they strike), E6 scoring. E4 is the engine's procedure with this game's clauses.

/// The alternatives of a question, each with its id in `words.toml`.
macro_rules! alternatives {
    ($name:ident { $($member:ident => $id:literal),+ }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum $name { $($member,)+ }

        impl $crate::rules::Piece for $name {
            fn id(&self) -> smol_str::SmolStr {
                smol_str::SmolStr::new_static(match self { $(Self::$member => $id,)+ })
            }
        }
    };
}

mod action;
mod amend;
pub mod cards;
pub mod edition;
mod end;
mod flow;
mod grant;
pub mod happening;
mod moving;
mod play;
mod policies;
mod samples;
mod scoring;
mod scout;
mod set;
mod setup;
mod start;
pub mod state;
#[cfg(test)]
mod test_amend;

use std::ops::RangeInclusive;

use smol_str::SmolStr;

use crate::rules::{BySeat, Game, Place, Play, Procedure, Referee, Seat, Viewer};
use edition::EDITION;
use happening::Happening;
use state::{Options, State};

/// えいつく, as the engine plays it.
#[derive(Clone, Copy, Debug)]
pub struct Eitsuku;

impl Game for Eitsuku {
    const KEY: &'static str = "eitsuku";
    type Options = Options;
    type State = State;
    type Event = Happening;

    fn seats() -> RangeInclusive<usize> {
        EDITION.players.least..=EDITION.players.most
    }

    fn bare(options: &Options, seats: usize) -> State {
        State::bare(*options, seats)
    }

    fn setup(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        setup::setup(state, referee)
    }

    fn round(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        flow::round(state, referee)
    }

    fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        flow::turn(state, seat, referee)
    }

    fn amend(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        amend::amend(state, referee)
    }

    fn finish(state: &mut State) {
        state.over = true;
    }

    fn reshuffle(state: &mut State, referee: &mut Referee<'_, Self>) {
        setup::shuffle(state, referee);
    }

    fn asked(state: &State) -> BySeat<bool> {
        state.players.map(|seat, _| state.is_active(seat) && !state.over)
    }

    fn seen_by(state: &State, viewer: Viewer) -> State {
        state.seen_by(viewer)
    }

    fn event_seen_by(state: &State, event: &Happening, viewer: Viewer) -> Option<Happening> {
        Some(event.seen_by(state, viewer))
    }

    fn procedure(state: &State) -> Procedure {
        flow::procedure(state)
    }

    fn standing(state: &State) -> Option<Vec<Place>> {
        scoring::standing(state)
    }

    fn tally(event: &Happening, count: &mut dyn FnMut(&'static str, SmolStr)) {
        event.tally(count);
    }
}
