//! `percentile`: wishes for the chip nearest to the share of pockets that its own beats now.

use super::super::percentile::{BEST, nearest, percentile};
use super::super::state::Star;
use super::doings::SeatView;
use crate::answer::option;
use rules::{Offer, Reply, Seat};

/// Chooses a wish: the first by percentile alone. After it, players who wished for fewer stars lie below, and
/// players with equal wishes share the range: the place is scaled to the meaning of the wish.
pub(super) fn wish(sight: &SeatView, offer: &Offer<'_>) -> Option<Reply> {
    let SeatView { seat, view } = sight;
    let count = u32::try_from(view.players.count()).ok()?;
    let wishes = |seat: Seat| &view.players[seat].wishes[view.street.index()];
    let mut place = (percentile(&sight.pocket(), &view.board) * count).min(BEST * count - 1);
    for (pass, own) in wishes(*seat).iter().enumerate() {
        let others = || view.players.seats().filter_map(|seat| *wishes(seat).get(pass)?);
        let Some(own) = *own else { continue };
        let below = others().filter(|other| *other < own).count();
        let alike = others().filter(|other| *other == own).count();
        let within = place % BEST;
        place = u32::try_from(below).ok()? * BEST + within * u32::try_from(alike).ok()?;
    }
    let free: Vec<Star> =
        view.stars().filter(|star| option(offer, star.word()).is_some()).collect();
    let star = nearest(place / count, view.players.count(), &free)?;
    option(offer, star.word())
}

/// Live chips (G2.4): takes the nearest chip in the middle once, and keeps it.
pub(super) fn free(sight: &SeatView) -> Option<Star> {
    let SeatView { seat, view } = sight;
    view.held(*seat).or_else(|| {
        nearest(percentile(&sight.pocket(), &view.board), view.players.count(), &view.middle())
    })
}
