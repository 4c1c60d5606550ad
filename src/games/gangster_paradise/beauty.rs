//! P7.5: BEAUTY, who takes what is being used; and who can still react at all.

use super::cards::{Card, Category};
use super::chain::Chain;
use super::hands::{discard, gain_openly, lose};
use super::happening::Happening;
use super::state::{Referee, State};
use crate::rules::Seat;

/// Whether somebody can react: alive, or dead only once the deaths of this shot are handled (P9.12).
pub(super) fn reacts(state: &State, seat: Seat) -> bool {
    let has_lost = |chain: &Chain| chain.has_lost(seat);
    state.players[seat].is_alive() || state.chain.as_ref().is_some_and(has_lost)
}

/// Who can react with this card, of which there is one.
pub(super) fn reacting_holder(state: &State, card: Card) -> Option<Seat> {
    let holds = |seat: &Seat| reacts(state, *seat) && state.players[*seat].holds(card);
    state.players.seats().find(holds)
}

/// Whether BEAUTY takes this card from whoever is using it. She is spent, and the use does not count
/// (P9.15).
pub(super) fn takes(state: &mut State, user: Seat, card: Card, referee: &mut Referee<'_>) -> bool {
    let is_possible = card.is_of(Category::Specialist) && card != Card::Killer;
    let holder = reacting_holder(state, Card::Beauty).filter(|seat| *seat != user);
    let Some(seat) = holder.filter(|_| is_possible && card != Card::Beauty) else { return false };
    if !state.players[seat].answers.beauty.contains(&card) || lose(state, user, card).is_none() {
        return false;
    }
    referee.cite("P7.5");
    referee.cite("P9.15");
    discard(state, seat, Card::Beauty);
    gain_openly(state, seat, card);
    referee.tell(Happening::Reacted { seat, card: Card::Beauty, on: Some(user) });
    referee.tell(Happening::TookCard { seat, from: user, card });
    true
}
