//! What an act will leave, as far as its seat can know: where several acts of one turn are sealed at
//! once, the next is asked over that.

use crate::engine::referee::{Play, Referee, Run};
use crate::vocabulary::game::Game;
use crate::vocabulary::seat::{Seat, Viewer};

impl<G: Game> Referee<'_, G> {
    /// Runs this over what a seat knows, and gives what it gives. Whatever the run, nothing of it has
    /// happened: it is not told, nothing is ruled, no die falls, nobody else is asked, and the state
    /// stays what it is. What the seat has left open, no die decides: that is for the rule that
    /// carries the act out.
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

    /// Whether no die falls in this run, or at this place in it.
    pub(crate) fn throws_no_dice(&self) -> bool {
        matches!(self.run, Run::Interview(_)) || self.imagines.is_some()
    }

    /// True if what is asked of a seat is nobody's to answer now, as another is imagining.
    pub(crate) fn is_imagined_of(&self, seat: Seat) -> bool {
        self.imagines.is_some_and(|imagines| imagines != seat)
    }
}
