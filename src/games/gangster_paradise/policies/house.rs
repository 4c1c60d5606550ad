//! `house`: plays the interest of its life.

use super::doings::{PlannedDeed, PlannedUse};
use super::interest::SeatView;
use crate::answer::{anything, first_of, option, worst_picks};
use crate::gangster_paradise::cards::{Card, Life};
use crate::gangster_paradise::chain::{AnnouncedAct, ChoiceKind, Effect};
use crate::gangster_paradise::damage::effects;
use crate::gangster_paradise::state::{GangsterParadise, State, WindowStage};
use rules::ask::Choice;
use rules::{Offer, Picks, Piece, Policy, Reply, Seat};

/// A policy that looks at the table at each question, and stores only its current plan.
#[derive(Debug, Default)]
pub(in crate::gangster_paradise) struct House {
    at: Option<SeatView>,
    planned: Option<PlannedUse>,
    deed: Option<PlannedDeed>,
}

impl Policy<GangsterParadise> for House {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> State) {
        self.at = Some(SeatView { seat, view: look() });
        (self.planned, self.deed) = (None, None);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        let Some(at) = &self.at else { return anything(offer) };
        if offer.key.number > 1 {
            // Following acts are planned after the first is resolved.
            return Reply::LeftOut;
        }
        let reply = match (offer.key.section.as_str(), offer.key.name.as_str()) {
            ("act", "do") => {
                let (deed, reply) = do_at_once(at, offer);
                self.deed = deed;
                return reply;
            }
            ("act", "card") => self.deed.and_then(|deed| option(offer, deed.card?.word())),
            ("act", "cards") => return worst_picks(offer, |id| worth(at, id)),
            ("act", "money") if matches!(offer.choice, Choice::Picks { .. }) => {
                return Reply::LeftOut;
            }
            ("act", "money") => first_of(offer, ["money", "fake-money"]),
            ("turn", "card") => {
                self.planned = at.planned_use();
                let planned = self.planned.and_then(|planned| option(offer, planned.card.word()));
                planned.or_else(|| option(offer, "end"))
            }
            ("turn", "way") => first_of(offer, ["way-kill", "way-take"]),
            ("turn", "on") | ("volley", "more") => {
                self.planned.and_then(|planned| option(offer, planned.on?.name()))
            }
            ("turn", "end") if at.shoots_on() => return Reply::LeftOut,
            ("turn", "end") => option(offer, "end"),
            ("turn", "money" | "reload") | ("act" | "volley" | "begin", _) => {
                return Reply::LeftOut;
            }
            ("turn", _) => return anything(offer),
            ("choose", _) => return choose(at, offer),
            _ => return react(at, offer),
        };
        reply.unwrap_or_else(|| anything(offer))
    }
}

fn worth(at: &SeatView, id: &str) -> i32 {
    Card::of_id(id).map_or(0, |card| at.worth(card))
}

/// Chooses an immediate deed: the planned one in the own turn, otherwise accepting a trade that gains more
/// than it costs (P3.5).
fn do_at_once(at: &SeatView, offer: &Offer<'_>) -> (Option<PlannedDeed>, Reply) {
    if at.view.active != at.seat || at.view.stage != WindowStage::Turn {
        let accepted = option(offer, "accept").filter(|_| gains_by_trade(at));
        return (None, accepted.unwrap_or(Reply::LeftOut));
    }
    let deed = at.planned_deed();
    let reply = deed.and_then(|deed| option(offer, deed.deed));
    (deed, reply.unwrap_or(Reply::LeftOut))
}

fn gains_by_trade(at: &SeatView) -> bool {
    let mut proposals = at.view.turn.proposals.iter();
    let Some(proposal) = proposals.find(|proposal| proposal.trade.partner == at.seat) else {
        return false;
    };
    let gets: i32 = proposal.trade.gives.iter().flatten().map(|card| at.worth(*card)).sum();
    let mut own: Vec<i32> =
        at.own().cards().filter(|card| !card.is_life()).map(|card| at.worth(card)).collect();
    own.sort_unstable();
    gets > own.iter().take(proposal.wants.into()).sum()
}

/// P3.4: gives and discards the cards of least worth, takes those of most.
fn choose(at: &SeatView, offer: &Offer<'_>) -> Reply {
    let WindowStage::Choice(choice) = &at.view.stage else { return anything(offer) };
    match choice.what {
        ChoiceKind::Discard | ChoiceKind::Give => worst_picks(offer, |id| worth(at, id)),
        ChoiceKind::Take | ChoiceKind::Torture | ChoiceKind::Plunder | ChoiceKind::Publish => {
            worst_picks(offer, |id| -worth(at, id))
        }
    }
}

/// P3.2: replies to a question about reactions.
fn react(at: &SeatView, offer: &Offer<'_>) -> Reply {
    let act = at.view.chain.as_ref().map(|chain| &chain.act);
    let is_hit = act.is_some_and(|act| act.on == Some(at.seat));
    let has_decoy = at.own().count(Card::is_decoy) > 0;
    let reply = match (offer.key.section.as_str(), offer.key.name.as_str()) {
        ("react", "decoy") => {
            let keeps = at.own().count(Card::is_boss) > 0;
            option(offer, "vanguard-first").filter(|_| keeps)
        }
        ("react", "grenade") => first(offer).filter(|_| at.is_fighter() && has_decoy),
        ("react", "tricks") if matches!(offer.choice, Choice::Picks { .. }) => {
            Some(picks(offer, |id| id == Card::Phantom.word()))
        }
        ("react", "tricks") => first(offer).filter(|_| is_hit),
        ("react", "alcohol") => None,
        ("react", _) | ("undertaker" | "doctor", "money") => first(offer),
        ("hero", _) => act.map(|act| picks(offer, |id| is_harm(at, act, id))),
        ("shield", _) => Some(picks(offer, |id| id == at.seat.name())),
        ("beauty", _) => act.and_then(|act| {
            let card = act.card.filter(|card| act.by != at.seat && at.worth(*card) > 3)?;
            let is_foe = at.own().life() != Some(Life::Gray) || at.gain_without(act.by) > 0;
            is_foe.then(|| picks(offer, |id| id == card.word()))
        }),
        ("bonus", _) => return worst_picks(offer, |id| -worth(at, id)),
        _ => None,
    };
    reply.unwrap_or(Reply::LeftOut)
}

/// The first option; `None` if there is none.
fn first(offer: &Offer<'_>) -> Option<Reply> {
    matches!(offer.choice, Choice::Option(options) if options.count() > 0)
        .then_some(Reply::Option(0))
}

/// The fitting options, up to the maximum.
fn picks(offer: &Offer<'_>, is_it: impl Fn(&str) -> bool) -> Reply {
    let Choice::Picks { options, max, .. } = offer.choice else { return Reply::LeftOut };
    let all = (0..options.count()).filter(|index| is_it(&options.id(*index)));
    let picked: Picks = all.take(max.into()).collect();
    if picked.is_empty() { Reply::LeftOut } else { Reply::Picks(picked) }
}

/// True if a damage effect of an act hits this seat, and is not just a discard (P5.1).
fn is_harm(at: &SeatView, act: &AnnouncedAct, ordinal: &str) -> bool {
    let mut effects = effects(&at.view, act).into_iter();
    let unit = effects.find(|(number, _)| number.id() == ordinal);
    unit.is_some_and(|(_, unit)| unit.effect != Effect::Discard && unit.on == at.seat)
}
