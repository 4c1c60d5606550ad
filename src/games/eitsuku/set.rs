//! E3.3 to E3.5: the set phase. Draw an event, or place a role.

use arrayvec::ArrayVec;

use super::cards::{Budgets, EventCard, Family, ROLES, Role, Slot};
use super::edition::EDITION;
use super::grant::{self, Grant};
use super::happening::Happening;
use super::state::{Placed, Referee, State};
use crate::pieces::alternatives;
use rules::ask::most;
use rules::{Ask, Bar, Key, Play, Seat};

alternatives! { Set { DrawEvent => "3A", PlaceRole => "3B" } }

/// Resolves phase 3. Returns the number of budget cards used (E3.7).
pub(super) fn set(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<u8> {
    // E5.7: 電撃発表 allows a second action.
    let granted = Grant { section: "3", by: EventCard::Scoop, clause: "E5.7" };
    grant::act(&granted, state, seat, 0, referee, set_once)
}

/// E3.3: resolves exactly one of 3A and 3B. Returns the number of budget cards used, `None` if nothing was
/// done.
fn set_once(
    state: &mut State,
    seat: Seat,
    part: &Key,
    used: u8,
    referee: &mut Referee<'_>,
) -> Play<Option<u8>> {
    let placeable = placeable(state, seat, used);
    let mut options: ArrayVec<Set, 2> = ArrayVec::new();
    let mut bars: ArrayVec<Bar<Set>, 2> = ArrayVec::new();
    if state.events.is_empty() {
        bars.push(Bar { option: Set::DrawEvent, why: "deck-empty", clause: "E3.6" });
    } else {
        options.push(Set::DrawEvent);
    }
    if placeable.is_empty() {
        bars.push(Bar { option: Set::PlaceRole, why: "no-role-affordable", clause: "E4.4" });
    } else {
        options.push(Set::PlaceRole);
    }
    let ask = Ask::new(part.named("set"), "E3.3");
    let ask = if part.number == 1 { ask } else { ask.or_nothing() };
    let given = referee.hear(seat, &ask, &options, &bars)?;
    let named = given.is_some();
    let way = given.or_else(|| {
        // E4.2: the die never replaces an occupied slot unless the player named 3B.
        let free = placeable.iter().any(|role| has_room(state, seat, *role));
        options.retain(|way| *way == Set::DrawEvent || free);
        referee.decide(seat, &ask, &options)
    });
    match way {
        Some(Set::DrawEvent) => {
            let cards = state.draw_event(seat).into_iter().collect();
            referee.tell(Happening::DrewEvents { seat, cards });
            Ok(Some(0))
        }
        Some(Set::PlaceRole) => place_role(state, seat, part, used, named, referee),
        None => Ok(None),
    }
}

/// The distinct affordable roles in the hand.
fn placeable(state: &State, seat: Seat, used: u8) -> ArrayVec<Role, ROLES> {
    let player = &state.players[seat];
    let most = most(&player.budgets.purse(), Some(EDITION.set.pieces_a_turn - used));
    let above = EDITION.set.cost_above_number + state.surcharge(seat);
    player.roles.kinds().filter(|role| u32::from(role.number) + above <= most).collect()
}

/// True if a role has an empty slot.
fn has_room(state: &State, seat: Seat, role: Role) -> bool {
    role.family.slots().iter().any(|slot| state.players[seat].slot(*slot).is_none())
}

/// 3B: places one role card and pays for it.
fn place_role(
    state: &mut State,
    seat: Seat,
    part: &Key,
    used: u8,
    named: bool,
    referee: &mut Referee<'_>,
) -> Play<Option<u8>> {
    let mut roles = placeable(state, seat, used);
    let held = state.players[seat].roles.known;
    let worth = state.players[seat].budgets.worth();
    let bars: ArrayVec<Bar<Role>, ROLES> = Role::all()
        .filter(|role| !roles.contains(role))
        .map(|role| {
            let (why, clause) = if held[role.index()] == 0 {
                ("not-held", "E4.4")
            } else if state.cost(seat, role) > worth {
                ("unaffordable", "E4.4")
            } else {
                ("five-cards", "E3.7")
            };
            Bar { option: role, why, clause }
        })
        .collect();
    let ask = Ask::new(part.named("card"), "E3.3");
    let role = referee.hear(seat, &ask, &roles, &bars)?.or_else(|| {
        roles.retain(|role| named || has_room(state, seat, *role));
        referee.decide(seat, &ask, &roles)
    });
    // E3.5: the printed number counts, and no change is given.
    let cost = role.map(|role| state.cost(seat, role));
    let slot = if let Some(role) = role {
        slot_for(state, seat, part, role, referee)?
    } else {
        // The die may still choose an actor.
        let ask = Ask::new(part.named("slot"), "E3.4").in_case_it_is_said();
        referee.choose(seat, &ask, Family::Actor.slots())?;
        None
    };
    let ask = Ask::new(part.named("pay"), "E3.3").within("E3.7");
    let purse = state.players[seat].budgets.purse();
    let limit = EDITION.set.pieces_a_turn - used;
    let paid = referee.pay(seat, &ask, cost, &purse, Some(limit))?;
    let (Some(role), Some(slot), Some(paid)) = (role, slot, paid) else { return Ok(None) };
    let paid = Budgets::from_pieces(paid);
    referee.cite("E3.4");
    cite_costs(state, seat, (role, slot), paid, referee);
    let player = &mut state.players[seat];
    player.budgets.subtract(paid);
    player.roles.take(role.index());
    let placed = Placed { number: role.number, promoter: None };
    let replaced = player.slots[slot.index()].replace(placed);
    referee.tell(Happening::PlacedRole { seat, role, slot, paid, replaced });
    Ok(Some(paid.count()))
}

/// E3.4: the slot that a role takes. A named slot is taken, occupied or not. If none is named: the first
/// empty one, the lead before the support; if both actor slots are occupied, one must be named.
fn slot_for(
    state: &State,
    seat: Seat,
    part: &Key,
    role: Role,
    referee: &mut Referee<'_>,
) -> Play<Option<Slot>> {
    let slots = role.family.slots();
    if slots.len() == 1 {
        return Ok(slots.first().copied());
    }
    let ask = Ask::new(part.named("slot"), "E3.4");
    let empty = slots.iter().copied().find(|slot| state.players[seat].slot(*slot).is_none());
    let Some(empty) = empty else { return referee.choose(seat, &ask, slots) };
    let named = referee.choose(seat, &ask.in_case_or(empty.word()), slots)?;
    Ok(named.or(Some(empty)))
}

fn cite_costs(
    state: &State,
    seat: Seat,
    (role, slot): (Role, Slot),
    paid: Budgets,
    referee: &mut Referee<'_>,
) {
    let player = &state.players[seat];
    if paid.worth() > state.cost(seat, role) || player.awards(slot) > 0 {
        referee.cite("E3.5");
    }
    if player.awards(slot) > 0 {
        referee.cite("E5.9");
    }
    if player.slot(slot).is_some_and(|placed| placed.promoter.is_some()) {
        referee.cite("E5.14");
    }
    let others = state.players.iter().filter(|(other, _)| *other != seat);
    if others.map(|(_, other)| other.count(EventCard::Monopoly)).sum::<u8>() > 0 {
        referee.cite("E5.11");
    }
    referee.cite("E3.7");
}
