//! `house`: plans its film. Before the first answer of a turn it tries every aim (a number to gather, and a
//! turn of release) on a few guesses at the decks, and then plays the turn by the aim with the best result.

mod aim;
mod film;
mod gather;
mod lay;
mod moves;
mod outlook;
mod place;
mod plan;
mod strike;
mod table;

use plan::PlanOfTurn;

use super::payment::{Prefer, pay};
use crate::answer::{anything, best, first_of, option, worst_picks};
use crate::eitsuku::Eitsuku;
use crate::eitsuku::cards::Role;
use crate::eitsuku::state::State;
use moves::{Lay, Scout, Set};
use rules::dice::Stream;
use rules::{Offer, Policy, Reply, Seat};
use strike::StrikeReply;
use table::Turned;

/// The planning policy. Only its random stream outlives a turn.
#[derive(Debug)]
pub(in crate::eitsuku) struct House {
    chance: Stream,
    view: Option<(Seat, State)>,
    plan: Option<PlanOfTurn>,
}

impl House {
    /// Creates a policy that guesses with this random stream.
    pub(in crate::eitsuku) fn new(chance: Stream) -> Self {
        Self { chance, view: None, plan: None }
    }

    /// The plan of this turn, made on first use; `None` in the deal.
    fn plan(&mut self) -> Option<&PlanOfTurn> {
        if self.plan.is_none() {
            let (seat, view) = self.view.as_ref()?;
            self.plan = Some(PlanOfTurn::new(view, *seat, &mut self.chance));
        }
        self.plan.as_ref()
    }

    /// `None` if the plan has no offered answer; otherwise the planned reply.
    fn planned(&mut self, offer: &Offer<'_>) -> Option<Reply> {
        let index = usize::from(offer.key.number) - 1;
        let (section, name) = (offer.key.section.as_str(), offer.key.name.as_str());
        if let ("1" | "strike", "way" | "role") = (section, name) {
            return self.struck(offer, section == "1");
        }
        let plan = self.plan()?;
        let moves = &plan.moves;
        match (section, name) {
            ("2", _) => lay(offer, *moves.lays.get(index)?),
            ("turn", _) => turn(offer, plan.turned()?),
            ("3", "set" | "card" | "slot") => set(offer, *moves.sets.get(index)?),
            ("4", "scout" | "family") => scout(offer, *moves.scouts.get(index)?),
            ("chance", _) => option(offer, "use"),
            ("network", "kind") => option(offer, "roles"),
            ("network", draw) => {
                let index = ["first", "second", "third"].iter().position(|name| *name == draw)?;
                option(offer, moves.network.get(index)?.word())
            }
            ("return", _) => Some(worst_picks(offer, |id| role(id).map(|role| plan.liking(role)))),
            ("5", "end") => option(offer, if moves.release { "5B" } else { "5A" }),
            _ => None,
        }
    }

    /// The reply to a strike: `known` if the plan expects the strike, otherwise a standing answer.
    fn struck(&mut self, offer: &Offer<'_>, known: bool) -> Option<Reply> {
        let index = usize::from(offer.key.number) - 1;
        self.plan()?;
        let plan = self.plan.as_mut()?;
        let struck = plan.struck(index, known, &mut self.chance);
        match struck {
            StrikeReply::Pay => first_of(offer, ["B", "A"]),
            StrikeReply::Destroy(slot) => first_of(offer, ["A", slot.word()]),
        }
    }
}

/// The planned reply to a question of an event's placement.
fn lay(offer: &Offer<'_>, lay: Lay) -> Option<Reply> {
    match offer.key.name.as_str() {
        "card" => option(offer, lay.card.word()),
        "slot" => option(offer, lay.slot?.word()),
        "owner" => option(offer, lay.promoter?.0.name()),
        "number" => Some(Reply::Number(lay.promoter?.1.into())),
        _ => None,
    }
}

/// The planned reply to a question of a 方針転換 in use.
fn turn(offer: &Offer<'_>, turned: Turned) -> Option<Reply> {
    match offer.key.name.as_str() {
        "owner" => option(offer, turned.owner.name()),
        "event" => option(offer, turned.card.word()),
        "slot" => option(offer, turned.slot?.word()),
        _ => None,
    }
}

/// The planned reply to a question of a set action.
fn set(offer: &Offer<'_>, set: Set) -> Option<Reply> {
    match (set, offer.key.name.as_str()) {
        (Set::Draw, "set") => first_of(offer, ["3A", "3B"]),
        (Set::Place { .. }, "set") => first_of(offer, ["3B", "3A"]),
        (Set::Place { role, .. }, "card") => option(offer, role.word()),
        (Set::Place { slot, .. }, "slot") => option(offer, slot.word()),
        _ => None,
    }
}

/// The planned reply to a question of a scout action.
fn scout(offer: &Offer<'_>, scout: Scout) -> Option<Reply> {
    match (scout, offer.key.name.as_str()) {
        (Scout::Draw(_), "scout") => first_of(offer, ["4A", "4D", "4C", "4B"]),
        (Scout::Draw(family), "family") => option(offer, family.word()),
        (Scout::Take(budget), "scout") => {
            let ways = ["4B", "4C", "4D"];
            first_of(offer, [ways[budget.index()], "4D", "4C", "4B", "4A"])
        }
        _ => None,
    }
}

/// The role with this id.
fn role(id: &str) -> Option<Role> {
    Role::all().find(|role| role.word() == id)
}

impl Policy<Eitsuku> for House {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> State) {
        self.view = Some((seat, look()));
        self.plan = None;
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        match (offer.key.section.as_str(), offer.key.name.as_str()) {
            // Actors have two slots, so most of their cards are useful.
            ("setup", _) => option(offer, "actor").unwrap_or_else(|| anything(offer)),
            ("4", "pay") => pay(offer, Prefer::Large),
            (_, "pay") => pay(offer, Prefer::Small),
            ("turn", _) => self.planned(offer).unwrap_or(Reply::LeftOut),
            ("2", _) | ("3" | "4", "set" | "scout") => {
                let first = offer.key.number == 1 && offer.key.section != "2";
                let planned = self.planned(offer);
                planned.unwrap_or_else(|| if first { anything(offer) } else { Reply::LeftOut })
            }
            ("3", "card") => self.planned(offer).unwrap_or_else(|| {
                let plan = self.plan.as_ref();
                let like = |id: &str| plan.and_then(|plan| role(id).map(|role| plan.liking(role)));
                best(offer, |id| like(id)).unwrap_or(Reply::LeftOut)
            }),
            _ => self.planned(offer).unwrap_or_else(|| anything(offer)),
        }
    }
}
