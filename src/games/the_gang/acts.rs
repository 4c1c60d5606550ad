//! Immediate, open deeds in a window: live chips (G2.4), proposals (G6.12) and guesses (G5.13). All of them
//! depend on public knowledge only.

use arrayvec::ArrayVec;

use super::state::{Referee, State, WindowStage, ask_openly};
use super::{guesses, live, proposals};
use crate::pieces::pieces;
use rules::{Bar, Play, Seat};

pieces! {
    /// An immediate deed.
    Deed {
        /// G2.4: takes a chip.
        Take => "take",
        /// G2.4: puts the chip back into the middle.
        Return => "return",
        /// G2.4.1: accepts the chips as they lie.
        Ok => "ok",
        /// G6.12: proposes a use of the specialist.
        Propose => "propose",
        /// G6.12: agrees to the proposal.
        Agree => "agree",
        /// G6.12.1: objects to the proposal.
        Object => "object",
        /// G6.12.2: withdraws the proposal.
        Withdraw => "withdraw",
        /// G5.13: makes the guess.
        Guess => "guess",
    }
}

impl Deed {
    /// True if a seat can do the deed now.
    fn is_open_to(self, state: &State, seat: Seat) -> bool {
        let proposal = state.proposal.as_ref();
        match self {
            Self::Take => !live::takeable(state, seat).is_empty(),
            Self::Return => live::may_return(state, seat),
            Self::Ok => live::may_say_ok(state, seat),
            Self::Propose => proposal.is_none() && proposals::usable(state).is_some(),
            Self::Agree => state.is_to_answer(seat),
            Self::Object => proposal.is_some_and(|proposal| proposal.by != seat),
            Self::Withdraw => proposal.is_some_and(|proposal| proposal.by == seat),
            Self::Guess => {
                matches!(state.stage, WindowStage::Guessing { .. }) && state.guesser(seat)
            }
        }
    }
}

impl Deed {
    /// `None` if the reason is not worth showing; otherwise the reason why the deed is no longer possible.
    fn bar(self, state: &State, seat: Seat) -> Option<Bar<Self>> {
        let bar = |why, clause| Some(Bar { option: self, why, clause });
        match self {
            Self::Take | Self::Return if live::is_out_of_moves(state, seat) => {
                bar("no-moves", "G2.4")
            }
            Self::Propose if proposals::is_used_up(state) => bar("specialist-used", "G6.12"),
            _ => None,
        }
    }
}

/// The clause that allows deeds in this window.
fn clause(state: &State) -> &'static str {
    match state.stage {
        WindowStage::Taking => "G2.4",
        WindowStage::Guessing { .. } => "G5.13",
        _ => "G6.12",
    }
}

pub(super) fn act(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let (deeds, others): (ArrayVec<Deed, 8>, ArrayVec<Deed, 8>) =
        Deed::ALL.iter().copied().partition(|deed| deed.is_open_to(state, seat));
    let bars: ArrayVec<Bar<Deed>, 8> =
        others.into_iter().filter_map(|deed| deed.bar(state, seat)).collect();
    if deeds.is_empty() && bars.is_empty() {
        return Ok(());
    }
    let what = ask_openly("do", clause(state)).or_nothing();
    match referee.choose_barring(seat, &what, &deeds, &bars)? {
        Some(Deed::Take) => live::take(state, seat, referee)?,
        Some(Deed::Return) => live::put_back(state, seat, referee),
        Some(Deed::Ok) => live::say_ok(state, seat, referee),
        Some(Deed::Propose) => proposals::propose(state, seat, referee)?,
        Some(Deed::Agree) => proposals::agree(state, seat, referee),
        Some(Deed::Object) => proposals::object(state, seat, referee),
        Some(Deed::Withdraw) => proposals::withdraw(state, seat, referee),
        Some(Deed::Guess) => {
            if let WindowStage::Guessing { about } = state.stage {
                guesses::guess(state, seat, about, referee)?;
            }
        }
        None => {}
    }
    Ok(())
}
