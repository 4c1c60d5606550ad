//! `greedy`: places the highest affordable role in every turn, and releases a film as soon as possible.

use super::payment::{Prefer, pay};
use crate::answer::{anything, best, first_of, offers, option, worst_picks};
use crate::eitsuku::Eitsuku;
use crate::eitsuku::cards::{Family, Role, Slot};
use crate::eitsuku::edition::EDITION;
use crate::eitsuku::state::{Player, State};
use rules::ask::most;
use rules::{Offer, Policy, Reply, Seat};

/// The events that the policy lays as soon as possible, the most wanted first: certain points, then more
/// cards, then harm to others. Events that need a plan stay in the hand.
const EVENTS: [&str; 11] = [
    "tie-in",
    "rush",
    "actor-award",
    "writer-award",
    "composer-award",
    "director-award",
    "network",
    "chance",
    "scoop",
    "local",
    "strike",
];

/// A policy without a plan, which looks at its hand and field at the start of each turn.
#[derive(Debug, Default)]
pub(in crate::eitsuku) struct Greedy {
    player: Option<Player>,
    /// The cost of a role above its number.
    extra: u32,
}

impl Greedy {
    /// The number in a slot, without awards.
    fn number(&self, slot: Slot) -> Option<u8> {
        self.player.as_ref()?.slot(slot).map(|placed| placed.number)
    }

    fn has_room(&self, family: Family) -> bool {
        family.slots().iter().any(|slot| self.number(*slot).is_none())
    }

    /// The held roles with room on the field, affordable or not.
    fn hopes(&self) -> impl Iterator<Item = Role> {
        let held = self.player.iter().flat_map(|player| player.roles.kinds());
        held.filter(|role| self.has_room(role.family))
    }

    fn lacks(&self, family: Family) -> bool {
        family.slots().iter().all(|slot| self.number(*slot).is_none())
    }

    /// The rank of a role: the larger, the sooner it is placed.
    fn rank(&self, role: Role) -> (bool, bool, u8) {
        (self.lacks(role.family), self.has_room(role.family), role.number)
    }

    fn can_pay(&self, cost: u32, limit: Option<u8>) -> bool {
        self.player.as_ref().is_some_and(|player| most(&player.budgets.purse(), limit) >= cost)
    }

    /// The answer to a strike: the lowest role is destroyed, unless paying costs no more than replacing it.
    fn strike(&self) -> &'static str {
        let numbers = || Slot::ALL.iter().filter_map(|slot| self.number(*slot));
        let roles = u32::try_from(numbers().count()).unwrap_or_default();
        let price = roles * EDITION.events.strike_per_role;
        let lowest = numbers().min().map_or(0, |number| u32::from(number) + self.extra);
        if self.can_pay(price, None) && price <= lowest { "B" } else { "A" }
    }

    fn set(&self, offer: &Offer<'_>) -> Reply {
        let limit = Some(EDITION.set.pieces_a_turn);
        let affords = |role: Role| self.can_pay(u32::from(role.number) + self.extra, limit);
        let way = if self.hopes().any(affords) { ["3B", "3A"] } else { ["3A", "3B"] };
        first_of(offer, way).unwrap_or(Reply::LeftOut)
    }

    /// Places the highest role of a missing family, else the highest with room, else the highest.
    fn card(&self, offer: &Offer<'_>) -> Reply {
        let like = |id: &str| role(id).map(|role| self.rank(role));
        best(offer, |id| like(id)).unwrap_or(Reply::LeftOut)
    }

    /// Draws from a family without a role, else takes budget, else draws for a second actor.
    fn scout(&self, offer: &Offer<'_>) -> Reply {
        let budget = ["4D", "4C", "4B"];
        let ways = if self.missing().is_some() {
            ["4A", budget[0], budget[1], budget[2]]
        } else {
            [budget[0], budget[1], budget[2], "4A"]
        };
        first_of(offer, ways).unwrap_or(Reply::LeftOut)
    }

    /// A family without a role on the field or in the hand.
    fn missing(&self) -> Option<Family> {
        let has = |family: Family| self.hopes().any(|role| role.family == family);
        Family::ALL.iter().copied().find(|family| self.lacks(*family) && !has(*family))
    }
}

/// The role with this id.
fn role(id: &str) -> Option<Role> {
    Role::all().find(|role| role.word() == id)
}

/// The slot with this id.
fn slot(id: &str) -> Option<Slot> {
    Slot::ALL.iter().copied().find(|slot| slot.word() == id)
}

impl Policy<Eitsuku> for Greedy {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> State) {
        let view = look();
        let lowest = Role { family: Family::Actor, number: 1 };
        self.extra = view.cost(seat, lowest) - u32::from(lowest.number);
        self.player = Some(view.players[seat].clone());
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        match (offer.key.section.as_str(), offer.key.name.as_str()) {
            ("1" | "strike", "way") => {
                first_of(offer, [self.strike(), "A"]).unwrap_or(Reply::LeftOut)
            }
            ("1" | "strike", "role") | ("2" | "3", "slot") => {
                let low = |id: &str| std::cmp::Reverse(slot(id).and_then(|slot| self.number(slot)));
                best(offer, |id| low(id)).unwrap_or(Reply::LeftOut)
            }
            ("2", "card") => first_of(offer, EVENTS).unwrap_or(Reply::LeftOut),
            ("3", "set") => self.set(offer),
            ("3", "card") => self.card(offer),
            ("4", "scout") => self.scout(offer),
            ("4", "family") | ("network" | "setup", _) => self
                .missing()
                .and_then(|family| option(offer, family.word()))
                .unwrap_or_else(|| anything(offer)),
            ("5", "end") if offers(offer, "5B") => option(offer, "5B").unwrap_or(Reply::LeftOut),
            ("return", _) => worst_picks(offer, |id| role(id).map(|role| role.number)),
            ("turn", _) => Reply::LeftOut,
            (_, "pay") => pay(offer, Prefer::Small),
            _ => anything(offer),
        }
    }
}
