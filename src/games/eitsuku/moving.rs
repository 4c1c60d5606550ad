//! The GM's moves between hands and fields, which neither make nor lose cards, and the questions of all
//! moves.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use super::cards::{Budget, EventCard, HandCard, Slot};
use super::state::{Player, Referee, State};
use rules::{Ask, Key, Piece, Play, Seat};

/// The seat that stands for the GM, who has none, in the questions of a move.
pub(super) const GM: Seat = Seat::new(0);

pub(super) fn ask(section: &'static str, name: &'static str) -> Ask {
    Ask::new(Key::new(section, name), "E4.7").or_nothing()
}

pub(super) fn who(
    state: &State,
    section: &'static str,
    referee: &mut Referee<'_>,
) -> Play<Option<Seat>> {
    let seats: ArrayVec<Seat, 8> = state.players.seats().collect();
    referee.choose(GM, &ask(section, "who"), &seats)
}

/// A card that can be given, taken or handed on: a budget card, or a card of a deck or a hand.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Gift {
    Budget(Budget),
    Card(HandCard),
}

impl Piece for Gift {
    fn id(&self) -> smol_str::SmolStr {
        match self {
            Self::Budget(budget) => budget.id(),
            Self::Card(card) => card.id(),
        }
    }
}

/// Asks the GM for any number of these cards.
pub(super) fn several<T: Piece>(
    section: &'static str,
    cards: &[T],
    referee: &mut Referee<'_>,
) -> Play<rules::ask::Several<T>> {
    let most = cards.len().min(rules::ask::MAX_PICKS);
    referee.pick(GM, &ask(section, "cards"), cards, cards.len(), most)
}

/// All cards in a hand.
fn in_hand(player: &Player) -> Vec<Gift> {
    let mut gifts = Vec::new();
    for &budget in Budget::ALL {
        gifts.extend(std::iter::repeat_n(Gift::Budget(budget), player.budgets[budget].into()));
    }
    let cards = player.roles.nameable().map(HandCard::Role);
    let cards = cards.chain(player.events.nameable().map(HandCard::Event));
    gifts.extend(cards.map(Gift::Card));
    gifts
}

/// Takes cards out of a hand, back to the supply and onto the decks; in each deck, the last named is drawn
/// first.
pub(super) fn take(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "take", referee)? else { return Ok(()) };
    for gift in several("take", &in_hand(&state.players[seat]), referee)? {
        match gift {
            Gift::Budget(budget) => {
                state.players[seat].budgets[budget] -= 1;
                state.supply[budget] += 1;
            }
            Gift::Card(card) => state.put_back(seat, card),
        }
    }
    Ok(())
}

/// Moves cards from one hand into another.
pub(super) fn transfer(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "transfer", referee)? else { return Ok(()) };
    let Some(to) = referee.choose(GM, &ask("transfer", "to"), &others(state, seat))? else {
        return Ok(());
    };
    for gift in several("transfer", &in_hand(&state.players[seat]), referee)? {
        match gift {
            Gift::Budget(budget) => {
                state.players[seat].budgets[budget] -= 1;
                state.players[to].budgets[budget] += 1;
            }
            Gift::Card(card) => {
                state.players[seat].let_go(card);
                state.players[to].hold(card);
            }
        }
    }
    Ok(())
}

fn others(state: &State, seat: Seat) -> ArrayVec<Seat, 8> {
    state.players.seats().filter(|other| *other != seat).collect()
}

/// A card on a field: a role by its slot, or an event.
#[derive(Clone, Copy, PartialEq)]
enum OnField {
    Slot(Slot),
    Event(EventCard),
}

impl Piece for OnField {
    fn id(&self) -> SmolStr {
        match self {
            Self::Slot(slot) => slot.id(),
            Self::Event(card) => card.id(),
        }
    }
}

/// The position of a named card on a field.
#[derive(Clone, Copy)]
enum Found {
    Slot(Slot),
    /// An index into the laid events.
    Laid(usize),
}

fn on_field(
    state: &State,
    section: &'static str,
    seat: Seat,
    referee: &mut Referee<'_>,
) -> Play<Option<Found>> {
    let player = &state.players[seat];
    let mut cards: Vec<OnField> = player.occupied().into_iter().map(OnField::Slot).collect();
    let laid = EventCard::ALL.iter().copied().filter(|card| player.count(*card) > 0);
    cards.extend(laid.map(OnField::Event));
    let card = match referee.choose(GM, &ask(section, "card"), &cards)? {
        None => return Ok(None),
        Some(OnField::Slot(slot)) => return Ok(Some(Found::Slot(slot))),
        Some(OnField::Event(card)) => card,
    };
    // Awards are distinguished by their slots; other events of a kind are identical.
    let mut slots: ArrayVec<Slot, 5> = Slot::ALL.iter().copied().collect();
    slots.retain(|slot| player.laid.iter().any(|l| l.card == card && l.slot == Some(*slot)));
    let slot = match slots.as_slice() {
        [] => None,
        [slot] => Some(*slot),
        slots => match referee.choose(GM, &ask(section, "from"), slots)? {
            None => return Ok(None),
            slot => slot,
        },
    };
    let named = player.laid.iter().position(|laid| laid.card == card && laid.slot == slot);
    Ok(named.map(Found::Laid))
}

/// Moves a card to another field, or to another slot.
pub(super) fn relocate(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "move", referee)? else { return Ok(()) };
    match on_field(state, "move", seat, referee)? {
        None => Ok(()),
        Some(Found::Slot(slot)) => move_role(state, seat, slot, referee),
        Some(Found::Laid(index)) => move_event(state, seat, index, referee),
    }
}

fn move_role(state: &mut State, seat: Seat, from: Slot, referee: &mut Referee<'_>) -> Play<()> {
    let Some(placed) = state.players[seat].slot(from) else { return Ok(()) };
    let fits = |slot: Slot| placed.promoter.is_some() || slot.family() == from.family();
    let room = |state: &State, seat: Seat| -> ArrayVec<Slot, 5> {
        let empty = |slot: &Slot| fits(*slot) && state.players[seat].slot(*slot).is_none();
        Slot::ALL.iter().copied().filter(empty).collect()
    };
    let mut seats: ArrayVec<Seat, 8> = state.players.seats().collect();
    seats.retain(|seat| !room(state, *seat).is_empty());
    let Some(to) = referee.choose(GM, &ask("move", "to"), &seats)? else { return Ok(()) };
    let slots = room(state, to);
    let Some(slot) = referee.choose(GM, &ask("move", "slot"), &slots)? else { return Ok(()) };
    state.players[seat].slots[from.index()] = None;
    state.players[to].slots[slot.index()] = Some(placed);
    Ok(())
}

fn move_event(state: &mut State, seat: Seat, index: usize, referee: &mut Referee<'_>) -> Play<()> {
    let mut laid = state.players[seat].laid[index];
    let slots = laid.card.award().map_or(&[][..], |family| family.slots());
    // On the same field, only an award can move.
    let mut seats = others(state, seat);
    if slots.len() > 1 {
        seats = state.players.seats().collect();
    }
    let Some(to) = referee.choose(GM, &ask("move", "to"), &seats)? else { return Ok(()) };
    laid.slot = match slots {
        [] => None,
        [slot] => Some(*slot),
        slots => match referee.choose(GM, &ask("move", "slot"), slots)? {
            None => return Ok(()),
            slot => slot,
        },
    };
    state.players[seat].laid.remove(index);
    state.players[to].laid.push(laid);
    Ok(())
}

/// Returns a card from a field to the hand that it came from: a promoter to its own player, not the owner of
/// the field.
pub(super) fn lift(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "lift", referee)? else { return Ok(()) };
    let (owner, card) = match on_field(state, "lift", seat, referee)? {
        None => return Ok(()),
        Some(Found::Slot(slot)) => {
            let Some(placed) = state.players[seat].slots[slot.index()].take() else {
                return Ok(());
            };
            (placed.promoter.unwrap_or(seat), placed.card(slot))
        }
        Some(Found::Laid(index)) => {
            (seat, HandCard::Event(state.players[seat].laid.remove(index).card))
        }
    };
    state.players[owner].hold(card);
    Ok(())
}
