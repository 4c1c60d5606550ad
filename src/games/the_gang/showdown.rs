//! G3: the showdown.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::cards::{Card, Value};
use super::happening::Happening;
use super::ranking::{Might, Ranking};
use super::specialists::Specialist;
use super::state::{PLAYERS, Star, State, Street};
use super::{TheGang, guesses, heist, proposals};
use crate::rules::{Referee, Seat};

/// A hand that is shown (G3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    pub seat: Seat,
    /// The red chip; none in a position that the GM has built without one.
    pub star: Option<Star>,
    pub pocket: ArrayVec<Card, 4>,
    /// What it is worth with the board.
    pub ranking: Ranking,
    /// The values that make the ranking.
    pub made: ArrayVec<Value, 5>,
    /// The values that only break ties.
    pub kickers: ArrayVec<Value, 5>,
    /// The best five cards.
    pub best: ArrayVec<Card, 5>,
    /// Whether it is that of the Muscle (G6.14).
    pub muscle: bool,
    /// Whether it is at least as strong as the one shown before it (G3.2).
    pub fits: bool,
}

/// How a showdown went, or goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Showdown {
    pub heist: u8,
    /// The hands shown so far, by ascending red chips.
    pub rows: ArrayVec<Shown, PLAYERS>,
    /// What came of it, once it is over.
    pub success: Option<bool>,
}

impl Showdown {
    /// Whether the order of the red chips is right, as far as hands are shown (G3.2).
    pub fn is_in_order(&self) -> bool {
        self.rows.iter().all(|shown| shown.fits)
    }
}

/// The players by ascending red chips (G3.1).
fn order(state: &State) -> ArrayVec<Seat, PLAYERS> {
    let mut order: ArrayVec<Seat, PLAYERS> = state.players.seats().collect();
    order.sort_by_key(|&seat| state.players[seat].chips[Street::River.index()]);
    order
}

/// Whose hand is shown last, as that of the highest red chip.
pub(super) fn last(state: &State) -> Option<Seat> {
    order(state).last().copied()
}

/// G3.1, G3.2: all hands but the last are shown; then the guesses, if there are any (G5.13).
pub(super) fn begin(state: &mut State, referee: &mut Referee<'_, TheGang>) {
    proposals::put_away(state, referee);
    for clause in ["G3.1", "G3.2", "G3.3"] {
        referee.cite(clause);
    }
    state.showdown = Some(Showdown { heist: state.heist, rows: ArrayVec::new(), success: None });
    if let Some((_, others)) = order(state).split_last() {
        for &seat in others {
            show(state, seat, referee);
        }
    }
    if !is_in_order(state) || !guesses::ask(state, referee) {
        end(state, referee);
    }
}

fn is_in_order(state: &State) -> bool {
    state.showdown.as_ref().is_some_and(Showdown::is_in_order)
}

/// What counts of a player's hand.
fn might(state: &State, seat: Seat) -> Might {
    state.hand(seat).strength().at_showdown(is_muscle(state, seat))
}

/// Whether a player has the Muscle (G6.10).
pub(super) fn is_muscle(state: &State, seat: Seat) -> bool {
    let muscle = state.specialist.filter(|hired| hired.card == Specialist::Muscle);
    muscle.is_some_and(|hired| hired.user == Some(seat))
}

/// G3.1: shows a hand. It must be at least as strong as the one before.
fn show(state: &mut State, seat: Seat, referee: &mut Referee<'_, TheGang>) {
    let (might, hand) = (might(state, seat), state.hand(seat));
    let strength = hand.strength();
    let muscle = is_muscle(state, seat);
    let before = state.showdown.as_ref().and_then(|showdown| showdown.rows.last());
    let fits = before.is_none_or(|before| self::might(state, before.seat) <= might);
    if muscle {
        referee.cite("G6.10");
        referee.cite("G6.14");
    }
    let player = &mut state.players[seat];
    player.shown = true;
    let pocket: ArrayVec<Card, 4> = player.pocket.iter().flatten().copied().collect();
    if pocket.contains(&Card::Jack) {
        referee.cite("G6.13");
    }
    let shown = Shown {
        seat,
        star: player.chips[Street::River.index()],
        pocket,
        ranking: strength.ranking(),
        made: strength.made(),
        kickers: strength.kickers(),
        best: hand.best(),
        muscle,
        fits,
    };
    referee.tell(Happening::Shown(shown.clone()));
    if let Some(showdown) = &mut state.showdown {
        showdown.rows.push(shown);
    }
}

/// G3.2: the last hand is shown, the guesses are held against it, and a vault turns gold or an
/// alarm red.
pub(super) fn end(state: &mut State, referee: &mut Referee<'_, TheGang>) {
    let Some(seat) = last(state) else { return };
    show(state, seat, referee);
    let order = is_in_order(state);
    let success = guesses::prove(state, seat, referee) && order;
    if let Some(showdown) = &mut state.showdown {
        showdown.success = Some(success);
    }
    if success {
        state.vaults += 1;
    } else {
        state.alarms += 1;
    }
    let (heist, vaults, alarms) = (state.heist, state.vaults, state.alarms);
    referee.tell(Happening::HeistEnded { heist, success, order, vaults, alarms });
    heist::end(state, success, referee);
}
