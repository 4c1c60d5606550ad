//! `shooter`: shoots the next player whenever it can.

use crate::answer::{anything, best, first_of, option};
use crate::gangster_paradise::cards::{Card, Category};
use crate::gangster_paradise::state::{GangsterParadise, State};
use rules::{Offer, Policy, Reply, Seat};

/// A policy that shoots the next player whenever it can, regardless of sides.
#[derive(Debug)]
pub(in crate::gangster_paradise) struct Shooter;

impl Policy<GangsterParadise> for Shooter {
    fn begin(&mut self, _: Seat, _: &mut dyn FnMut() -> State) {}

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        if offer.key.number > 1 {
            return Reply::LeftOut;
        }
        match (offer.key.section.as_str(), offer.key.name.as_str()) {
            ("turn", "card") => {
                let is_weapon =
                    |id: &str| Card::of_id(id).is_some_and(|card| card.is_of(Category::Weapon));
                best(offer, |id| is_weapon(id)).unwrap_or_else(|| anything(offer))
            }
            ("turn", "way") => first_of(offer, ["way-kill"]).unwrap_or_else(|| anything(offer)),
            ("turn", "on" | "bullet" | "item") => anything(offer),
            ("act", "do") => option(offer, "draw-more").unwrap_or(Reply::LeftOut),
            _ => Reply::LeftOut,
        }
    }
}
