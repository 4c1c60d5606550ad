//! The effect of an act as far as its seat can know: if several acts of one turn are sealed together, the
//! next is asked over that.

use crate::engine::referee::{Play, Referee, Run};
use crate::vocabulary::game::Game;
use crate::vocabulary::seat::{Seat, Viewer};

impl<G: Game> Referee<'_, G> {
    /// Runs a rule over a seat's view, and returns its result. In every kind of run the effects are dropped:
    /// there is no event, ruling or die, no other seat is asked, and the state stays. Open questions stay
    /// open: the rule that carries the act out decides them.
    pub fn imagine<T>(
        &mut self,
        state: &G::State,
        seat: Seat,
        mut body: impl FnMut(&mut G::State, &mut Self) -> Play<T>,
    ) -> Play<T> {
        let mut seen = G::seen_by(state, Viewer::Seat(seat));
        let before = self.imagines.replace(seat);
        let imagined = body(&mut seen, self);
        self.imagines = before;
        imagined
    }

    /// True if no die falls in this run, or at this place in it.
    pub(crate) fn throws_no_dice(&self) -> bool {
        matches!(self.run, Run::Interview(_)) || self.imagines.is_some()
    }

    /// True if the question goes to a seat other than the imagining one: it gets no answer now.
    pub(crate) fn is_imagined_of(&self, seat: Seat) -> bool {
        self.imagines.is_some_and(|imagines| imagines != seat)
    }
}
