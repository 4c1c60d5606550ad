//! The policies of ザ・ギャング. All of them give hints by chips only, and mean a stronger hand by more stars, so
//! that people can understand them.
//!
//! - `percentile` uses its own hand: the share of all pockets that it beats now. Several wishes for the same
//!   chip are separated by lines through the meaning of that chip.
//! - `house` also uses the wishes of all players, of every pass from the first round on: it stores the
//!   likelihood of each pocket for every player ([`known`]), and wishes for the place of its hand among
//!   these.
//!
//! To measure them: `shimekiri simulate the_gang --policy house --seats 4 --games 10000`, with `--option
//! mode=master` for other modes; `heists` shows the share of successes.

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

/// Creates the policy that uses its own hand.
pub(super) fn percentile() -> Box<dyn Policy<TheGang>> {
    Box::new(ChipPlayer { wish: percentile::wish, take: percentile::free, sight: None })
}

/// Creates the policy that uses the wishes of all players.
pub(super) fn house() -> Box<dyn Policy<TheGang>> {
    Box::new(ChipPlayer { wish: house::wish, take: house::take, sight: None })
}

/// Chooses a wish (G2.3).
type WishPolicy = fn(&SeatView, &Offer<'_>) -> Option<Reply>;

/// Chooses a live chip (G2.4).
type Take = fn(&SeatView) -> Option<Star>;

/// A policy made of two functions that choose chips. It stores only its view.
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
