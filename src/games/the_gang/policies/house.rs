//! `house`: learns from the chips of all players, and wishes for the place of its hand among all.

use super::super::showdown::is_muscle;
use super::super::state::Star;
use super::doings::SeatView;
use super::known::KnownToAll;
use super::outlook::Level;
use crate::answer::option;
use rules::{Offer, Reply};

fn level(sight: &SeatView, known: &KnownToAll) -> Option<Level> {
    known.outlook.level(&sight.pocket(), is_muscle(&sight.view, sight.seat))
}

/// Wishes for the chip that the other players would expect of this hand.
pub(super) fn wish(sight: &SeatView, offer: &Offer<'_>) -> Option<Reply> {
    let known = KnownToAll::of(&sight.view);
    option(offer, known.lines().star(level(sight, &known)?)?.word())
}

/// Live chips (G2.4): takes the chip of the hand's place from anywhere, as long as a move is left after it;
/// then keeps the held chip, or takes the nearest in the middle.
pub(super) fn take(sight: &SeatView) -> Option<Star> {
    let SeatView { seat, view } = sight;
    let (known, player) = (KnownToAll::of(view), &view.players[*seat]);
    let place = known.place(*seat, level(sight, &known)?);
    let away = |star: &Star| usize::from(star.get()).abs_diff(place);
    if player.moves + 1 < view.options.moves.get() {
        let is_fixed = |star| view.holder(star).is_some_and(|holder| view.players[holder].fixed);
        return view.stars().filter(|star| !is_fixed(*star)).min_by_key(away);
    }
    view.held(*seat).or_else(|| view.middle().into_iter().min_by_key(away))
}
