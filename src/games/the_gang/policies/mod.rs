//! Who plays ザ・ギャング without a person. Neither hints at anything but by chips, and both mean
//! by more stars a stronger hand, so that people can read them.
//!
//! - `percentile` looks at its own hand: the share of all pockets that it beats now. Where several
//!   wish for the same chip it draws the line between them at the middle of what that chip means.
//! - `house` also reads the wishes of all, of every pass from the first round on: for every player
//!   it keeps how likely each pocket is ([`known`]), and wishes for the place of its hand among
//!   these.
//!
//! How well they do: `shimekiri simulate the_gang --policy house --seats 4 --games 10000`, with
//! `--option mode=master` for other modes; `heists` tells the share that succeeds.

mod anything;
mod doings;
mod guessing;
mod house;
mod known;
mod outlook;
mod percentile;
#[cfg(test)]
mod tests;

use super::state::{Star, State, TheGang};
use crate::answer::anything;
pub(super) use anything::Anything;
use doings::SeatView;
use rules::{Offer, Policy, Reply, Seat};

/// Looks at its own hand.
pub(super) fn percentile() -> Box<dyn Policy<TheGang>> {
    Box::new(ChipPlayer { wish: percentile::wish, take: percentile::free, sight: None })
}

/// Reads the wishes of all.
pub(super) fn house() -> Box<dyn Policy<TheGang>> {
    Box::new(ChipPlayer { wish: house::wish, take: house::take, sight: None })
}

/// Which chip is wished for (G2.3).
type WishPolicy = fn(&SeatView, &Offer<'_>) -> Option<Reply>;

/// Which chip is taken openly (G2.4).
type Take = fn(&SeatView) -> Option<Star>;

/// Plays by two ways to choose chips, and keeps nothing but its view.
struct ChipPlayer {
    wish: WishPolicy,
    take: Take,
    sight: Option<SeatView>,
}

impl Policy<TheGang> for ChipPlayer {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> State) {
        self.sight = Some(SeatView { seat, view: look() });
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        let Some(sight) = &self.sight else { return anything(offer) };
        let reply = match offer.key.section.as_str() {
            "chip" => (self.wish)(sight, offer),
            "act" => return sight.act(offer, self.take),
            _ => sight.card(offer),
        };
        reply.unwrap_or_else(|| anything(offer))
    }
}
