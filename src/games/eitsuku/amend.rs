//! The GM's moves: each is a section of its own, asked like the questions of a turn.
//!
//! Cards come from the decks and the supply and go back there, so none is made or lost; a card that goes back
//! lies on top, and is known. Only `empty` takes cards out of the game. `moving` holds the moves between
//! hands and fields.

use arrayvec::ArrayVec;

use super::cards::{Budget, EventCard, Family, HandCard, Role, Slot};
use super::edition::EDITION;
use super::end::release;
use super::moving::{self, GM, Gift, ask, several, who};
use super::state::{Kind, Laid, Placed, Referee, State};
use rules::{Piece, Play, Seat};

/// Carries out all declared moves.
pub(super) fn amend(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    give(state, referee)?;
    moving::take(state, referee)?;
    moving::transfer(state, referee)?;
    place(state, referee)?;
    lay(state, referee)?;
    promote(state, referee)?;
    moving::relocate(state, referee)?;
    moving::lift(state, referee)?;
    stack(state, referee)?;
    empty(state, referee)?;
    publish(state, referee)?;
    adjust("bonus", 1, state, referee)?;
    adjust("penalty", -1, state, referee)?;
    let ask = ask("set-turn", "turn");
    if let Some(turn) = referee.number(GM, &ask, 1, EDITION.flow.turns.into())? {
        state.turn = u8::try_from(turn).expect("at most twelve");
    }
    Ok(())
}

fn in_decks(state: &State) -> Vec<HandCard> {
    let roles = state.roles.iter().flatten().flatten().copied().map(HandCard::Role);
    roles.chain(state.events.iter().flatten().copied().map(HandCard::Event)).collect()
}

/// Takes a card out of its deck, the copy nearest the bottom.
fn take_from_deck(state: &mut State, card: HandCard) {
    match card {
        HandCard::Role(role) => {
            let family = role.family.index();
            take(&mut state.roles[family], role, &mut state.known.roles[family]);
        }
        HandCard::Event(event) => take(&mut state.events, event, &mut state.known.events),
    }
}

fn take<T: PartialEq + Copy, const N: usize>(
    deck: &mut ArrayVec<Option<T>, N>,
    card: T,
    known: &mut u8,
) {
    let index = deck.iter().position(|other| *other == Some(card));
    let index = index.expect("only what is in the deck is offered");
    *known -= u8::from(index >= deck.len() - usize::from(*known));
    deck.remove(index);
}

fn give(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "give", referee)? else { return Ok(()) };
    let mut gifts = Vec::new();
    for &budget in Budget::ALL {
        gifts.extend(std::iter::repeat_n(Gift::Budget(budget), state.supply[budget].into()));
    }
    gifts.extend(in_decks(state).into_iter().map(Gift::Card));
    for gift in several("give", &gifts, referee)? {
        match gift {
            Gift::Budget(budget) => state.take_budget(seat, budget),
            Gift::Card(card) => {
                take_from_deck(state, card);
                state.players[seat].hold(card);
            }
        }
    }
    Ok(())
}

fn place(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "place", referee)? else { return Ok(()) };
    let Some(slot) = referee.choose(GM, &ask("place", "slot"), Slot::ALL)? else { return Ok(()) };
    let deck = &state.roles[slot.family().index()];
    let roles: ArrayVec<Role, 15> = deck.iter().flatten().copied().collect();
    let Some(role) = referee.choose(GM, &ask("place", "role"), &roles)? else { return Ok(()) };
    take_from_deck(state, HandCard::Role(role));
    clear(state, seat, slot);
    let placed = Placed { number: role.number, promoter: None };
    state.players[seat].slots[slot.index()] = Some(placed);
    Ok(())
}

/// Puts the role or promoter in a slot back on top of its deck.
fn clear(state: &mut State, seat: Seat, slot: Slot) {
    if let Some(placed) = state.players[seat].slots[slot.index()].take() {
        state.lay_on_top(placed.card(slot));
    }
}

fn events_in_deck(state: &State) -> ArrayVec<EventCard, 15> {
    let there = |card: &EventCard| state.events.contains(&Some(*card));
    EventCard::ALL.iter().copied().filter(there).collect()
}

fn lay(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "lay", referee)? else { return Ok(()) };
    let mut events = events_in_deck(state);
    events.retain(|card| *card != EventCard::Promoter);
    let Some(card) = referee.choose(GM, &ask("lay", "event"), &events)? else { return Ok(()) };
    let slot = match card.award() {
        Some(Family::Actor) => referee.choose(GM, &ask("lay", "slot"), Family::Actor.slots())?,
        Some(family) => family.slots().first().copied(),
        None => None,
    };
    let kinds = [Kind::Roles, Kind::Events];
    let kind = match card {
        EventCard::Network => referee.choose(GM, &ask("lay", "kind"), &kinds)?,
        _ => None,
    };
    take_from_deck(state, HandCard::Event(card));
    let laid = Laid { card, turn: state.turn - 1, slot, kind, used: false };
    state.players[seat].laid.push(laid);
    Ok(())
}

fn promote(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "promote", referee)? else { return Ok(()) };
    let seats: ArrayVec<Seat, 8> = state.players.seats().collect();
    let Some(owner) = referee.choose(GM, &ask("promote", "owner"), &seats)? else { return Ok(()) };
    let Some(slot) = referee.choose(GM, &ask("promote", "slot"), Slot::ALL)? else { return Ok(()) };
    let events = &EDITION.events;
    let bounds = (i64::from(events.promoter_least), i64::from(events.promoter_most));
    let number = referee.number(GM, &ask("promote", "number"), bounds.0, bounds.1)?;
    let Some(number) = number.and_then(|number| u8::try_from(number).ok()) else { return Ok(()) };
    if events_in_deck(state).contains(&EventCard::Promoter) {
        take_from_deck(state, HandCard::Event(EventCard::Promoter));
        clear(state, owner, slot);
        let placed = Placed { number, promoter: Some(seat) };
        state.players[owner].slots[slot.index()] = Some(placed);
    }
    Ok(())
}

/// Lays cards on top of their decks; in each deck, the first named is drawn first.
fn stack(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let cards = in_decks(state);
    let picked = several("stack", &cards, referee)?;
    for &card in &picked {
        take_from_deck(state, card);
    }
    for &card in picked.iter().rev() {
        state.lay_on_top(card);
    }
    Ok(())
}

/// A deck or a part of the supply.
#[derive(Clone, Copy, PartialEq)]
enum AmendedPile {
    Roles(Family),
    Events,
    Supply(Budget),
}

impl Piece for AmendedPile {
    fn id(&self) -> smol_str::SmolStr {
        match self {
            Self::Roles(family) => family.id(),
            Self::Events => smol_str::SmolStr::new_static("event"),
            Self::Supply(budget) => budget.id(),
        }
    }
}

fn empty(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let mut piles: ArrayVec<AmendedPile, 8> =
        Family::ALL.iter().copied().map(AmendedPile::Roles).collect();
    piles.push(AmendedPile::Events);
    piles.extend(Budget::ALL.iter().copied().map(AmendedPile::Supply));
    match referee.choose(GM, &ask("empty", "deck"), &piles)? {
        Some(AmendedPile::Roles(family)) => {
            state.roles[family.index()].clear();
            state.known.roles[family.index()] = 0;
        }
        Some(AmendedPile::Events) => {
            state.events.clear();
            state.known.events = 0;
        }
        Some(AmendedPile::Supply(budget)) => state.supply[budget] = 0,
        None => {}
    }
    Ok(())
}

fn publish(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "release", referee)? else { return Ok(()) };
    let most = i64::from(state.turn);
    let Some(turn) = referee.number(GM, &ask("release", "turn"), 1, most)? else { return Ok(()) };
    let now = std::mem::replace(&mut state.turn, u8::try_from(turn).expect("at most twelve"));
    release(state, seat, None, referee);
    state.turn = now;
    Ok(())
}

/// The maximum number of points in one adjustment.
const POINTS: i64 = 99;

/// E4.7: adds or subtracts points, shown as the GM's in the final scores.
fn adjust(
    section: &'static str,
    sign: i16,
    state: &mut State,
    referee: &mut Referee<'_>,
) -> Play<()> {
    let Some(seat) = who(state, section, referee)? else { return Ok(()) };
    if let Some(points) = referee.number(GM, &ask(section, "points"), 1, POINTS)? {
        let points = i16::try_from(points).expect("at most 99");
        let adjusted = &mut state.players[seat].adjusted;
        *adjusted = adjusted.saturating_add(sign * points);
    }
    Ok(())
}
