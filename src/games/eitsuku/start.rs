//! E3.1 and E5.13: the start phase. Income, then strikes.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use super::cards::{Budget, Budgets, EventCard, Role, Slot};
use super::edition::EDITION;
use super::happening::Happening;
use super::state::{Referee, State};
use crate::pieces::alternatives;
use rules::{Ask, Bar, Denomination, Key, Piece, Play, Seat};

// E5.13: destroy one own role, or pay.
alternatives! { Way { Destroy => "A", Pay => "B" } }

/// The player's exposure to strikes before the next declaration, as of the income.
pub(super) struct Exposure {
    exposed: bool,
    budgets: Budgets,
    roles: ArrayVec<(Slot, Role), 5>,
    /// The number after the answers to the strikes known at the opening.
    next: u8,
}

/// Resolves phase 1, the start of the turn.
pub(super) fn start(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<Exposure> {
    let phase = Key::part("1");
    referee.part(&phase, state, |state, referee| {
        income(state, seat, referee);
        Ok(())
    })?;
    referee.duty(&phase, state, |state, referee| {
        end_own_strikes(state, seat, referee);
        Ok(())
    })?;
    // A strike of this window was unknown at the declaration: the remaining answers meet it.
    let mut next = 1;
    for (owner, laid_now) in strikes(state, seat) {
        let number = next;
        next += u8::from(!laid_now);
        let part = if laid_now { Key::part("strike") } else { phase.clone().nth(number) };
        referee.duty(&part, state, |state, referee| meet(state, seat, owner, number, referee))?;
    }
    let player = &state.players[seat];
    let exposed = may_be_struck(state, seat);
    Ok(Exposure { exposed, budgets: player.budgets, roles: player.on_field(), next })
}

/// E3.1: the income: one small; if there is none, one medium; if neither, one large.
fn income(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("E3.1");
    let budget = Budget::ALL.iter().copied().find(|budget| state.supply[*budget] > 0);
    if let Some(budget) = budget {
        state.take_budget(seat, budget);
    }
    referee.tell(Happening::Income { seat, budget });
}

/// E5.13: destroys the player's own strikes in the start phase of the next turn.
fn end_own_strikes(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    while state.players[seat].unlay(|laid| laid.card == EventCard::Strike).is_some() {
        referee.cite("E5.13");
        referee.cite("E5.3");
        referee.tell(Happening::Spent { seat, card: EventCard::Strike });
    }
}

/// The owners of the strikes to meet, in turn order; true for a strike laid in this turn. A strike from an
/// earlier turn is not met if its owner plays before this seat, because it will be over; several of one owner
/// are met once, as they do not stack.
fn strikes(state: &State, seat: Seat) -> ArrayVec<(Seat, bool), 8> {
    let place = |seat: Seat| state.order.iter().position(|other| *other == seat);
    let of = |owner: Seat| {
        let mut strikes = state.players[owner].laid.iter().filter(|laid| {
            let over = laid.turn < state.turn && place(owner) < place(seat);
            laid.card == EventCard::Strike && !over
        });
        strikes.next().map(|laid| (owner, laid.turn == state.turn))
    };
    state.rivals(seat).into_iter().filter_map(of).collect()
}

/// E5.13: meets a strike: destroys one own role, or pays 2 for each role on the own field.
fn meet(
    state: &mut State,
    seat: Seat,
    owner: Seat,
    number: u8,
    referee: &mut Referee<'_>,
) -> Play<()> {
    referee.cite("E5.13");
    let roles = state.players[seat].on_field();
    let mut struck = (None, None, Budgets::default());
    let budgets = state.players[seat].budgets;
    if roles.is_empty() {
        // Another player's promoter may come before this turn.
        ask_in_case(seat, number, budgets, &roles, referee);
    } else {
        match answer(seat, number, budgets, &roles, referee)? {
            Some(StrikeAnswer::Destroy(slot)) => {
                let destroyed = state.players[seat].slots[slot.index()].take();
                if destroyed.is_some_and(|placed| placed.promoter.is_some()) {
                    referee.cite("E5.14");
                }
                struck = (Some(slot), destroyed, Budgets::default());
            }
            Some(StrikeAnswer::Pay(paid)) => {
                state.players[seat].budgets.subtract(paid);
                struck = (None, None, paid);
            }
            None => return Ok(()),
        }
    }
    let (slot, destroyed, paid) = struck;
    referee.tell(Happening::Struck { seat, owner, slot, destroyed, paid });
    Ok(())
}

enum StrikeAnswer {
    Destroy(Slot),
    Pay(Budgets),
}

/// The answer to this strike: the declared one, else the standing one, else a die among the possible ones.
/// Answers declared beyond the strikes known at the opening are for strikes of this window.
fn answer(
    seat: Seat,
    number: u8,
    budgets: Budgets,
    roles: &[(Slot, Role)],
    referee: &mut Referee<'_>,
) -> Play<Option<StrikeAnswer>> {
    let purse = budgets.purse();
    let cost = cost(roles);
    let affordable = budgets.worth() >= cost;
    let ways: &[Way] = if affordable { &[Way::Destroy, Way::Pay] } else { &[Way::Destroy] };
    let bar = Bar { option: Way::Pay, why: "strike-unaffordable", clause: "E5.13" };
    let bars: &[Bar<Way>] = if affordable { &[] } else { &[bar] };
    let mut part = Key::part("1").nth(number);
    let ask = Ask::new(part.named("way"), "E5.13").or_standing("strike").or_missing();
    let mut way = referee.choose_barring(seat, &ask, ways, bars)?;
    if way.is_none() {
        part = Key::part("strike");
        let ask = Ask::new(part.named("way"), "E5.13").or_missing();
        way = referee.choose_barring(seat, &ask, ways, bars)?;
    }
    which(seat, &part, way, (cost, &purse), roles, referee)
}

/// A role on the field, named by its slot or by its card (E7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedRole {
    Slot(Slot),
    Card(Role),
}

impl Piece for NamedRole {
    fn id(&self) -> SmolStr {
        match self {
            Self::Slot(slot) => slot.id(),
            Self::Card(role) => role.id(),
        }
    }
}

/// A: the role to destroy. A die decides among the slots.
fn role(
    seat: Seat,
    part: &Key,
    roles: &[(Slot, Role)],
    referee: &mut Referee<'_>,
) -> Play<Option<Slot>> {
    let ask = Ask::new(part.named("role"), "E5.13").or_missing();
    let slots: ArrayVec<NamedRole, 5> =
        roles.iter().map(|(slot, _)| NamedRole::Slot(*slot)).collect();
    let mut named: ArrayVec<NamedRole, 10> = slots.iter().copied().collect();
    named.extend(roles.iter().map(|(_, role)| NamedRole::Card(*role)));
    let among = match referee.hear(seat, &ask, &named, &[])? {
        Some(NamedRole::Slot(slot)) => return Ok(Some(slot)),
        // The same card may lie in both actor slots.
        Some(NamedRole::Card(card)) => {
            let here = roles.iter().filter(|(_, role)| *role == card);
            let here: ArrayVec<NamedRole, 5> =
                here.map(|(slot, _)| NamedRole::Slot(*slot)).collect();
            if let [NamedRole::Slot(slot)] = here.as_slice() {
                return Ok(Some(*slot));
            }
            here
        }
        None => slots,
    };
    Ok(match referee.decide(seat, &ask, &among) {
        Some(NamedRole::Slot(slot)) => Some(slot),
        _ => None,
    })
}

/// The role to destroy, or the payment.
fn which(
    seat: Seat,
    part: &Key,
    way: Option<Way>,
    (cost, purse): (u32, &[Denomination]),
    roles: &[(Slot, Role)],
    referee: &mut Referee<'_>,
) -> Play<Option<StrikeAnswer>> {
    match way {
        Some(Way::Destroy) => Ok(role(seat, part, roles, referee)?.map(StrikeAnswer::Destroy)),
        Some(Way::Pay) => {
            // E5.13: this payment does not count to the five cards of a turn.
            let ask = Ask::new(part.named("pay"), "E5.13").or_missing();
            // A payment of 0 now may be more before the turn.
            let ask = if cost == 0 { ask.in_case() } else { ask };
            let paid = referee.pay(seat, &ask, Some(cost), purse, None)?;
            Ok(paid.map(|pieces| StrikeAnswer::Pay(Budgets::from_pieces(pieces))))
        }
        None => Ok(None),
    }
}

/// True if a strike may be laid, by public knowledge, before this player's turn in this window: an earlier
/// player holds an event, and this player has a role to hit, or a promoter may come first.
fn may_be_struck(state: &State, seat: Seat) -> bool {
    let earlier = state.active().into_iter().take_while(|other| *other != seat);
    let placements: u8 = earlier
        .map(|other| {
            let player = &state.players[other];
            let held = player.events.count();
            if player.count(EventCard::Agency) > 0 { held } else { held.min(1) }
        })
        .sum();
    let roles = !state.players[seat].occupied().is_empty();
    placements >= if roles { 1 } else { 2 }
}

/// Asks for the answer to a strike that another player may lay before this turn, or to a known strike that
/// may find a role.
fn ask_in_case(
    seat: Seat,
    number: u8,
    budgets: Budgets,
    roles: &[(Slot, Role)],
    referee: &mut Referee<'_>,
) {
    let part = Key::part("1").nth(number);
    referee.standing(|referee| {
        let ask = Ask::new(part.named("way"), "E5.13").in_case_it_is_said();
        let way = referee.choose(seat, &ask, &[Way::Destroy, Way::Pay])?;
        which(seat, &part, way, (cost(roles), &budgets.purse()), roles, referee).map(drop)
    });
}

/// The cost of keeping all roles.
fn cost(roles: &[(Slot, Role)]) -> u32 {
    EDITION.events.strike_per_role * u32::try_from(roles.len()).expect("at most five")
}

impl Exposure {
    /// E5.13: "if struck: …" can be part of every declaration. A player who cannot be struck is not required
    /// to answer, but may.
    pub(super) fn ask_in_advance(self, seat: Seat, referee: &mut Referee<'_>) {
        let Self { exposed, budgets, roles, next } = self;
        ask_in_case(seat, next, budgets, &roles, referee);
        let part = Key::part("strike");
        referee.standing(|referee| {
            let ask = Ask::new(part.named("way"), "E5.13").or_missing();
            let ask = if exposed { ask } else { ask.or_nothing() };
            let way = referee.choose(seat, &ask, &[Way::Destroy, Way::Pay])?;
            which(seat, &part, way, (cost(&roles), &budgets.purse()), &roles, referee).map(drop)
        });
    }
}
