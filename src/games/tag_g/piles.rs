//! The piles: cards that move between them, and permanents that come and go (T4.15, T4.16).

use super::cards::{Card, Cost, FIELD, Keyword};
use super::happening::{Happening, Why};
use super::state::{Cards, Permanent, Player, Referee, State};
use super::things::{Aim, Unit};
use rules::{Key, Label, Seat};

/// A pile of a player.
pub(super) type Pile = fn(&mut Player) -> &mut Cards;

pub(super) const DAMAGE: Pile = |player| &mut player.damage;
pub(super) const DISCARD: Pile = |player| &mut player.discard;
pub(super) const HAND: Pile = |player| &mut player.hand;
pub(super) const RESENTMENT: Pile = |player| &mut player.resentment;

/// T4.15: moves cards from the top of stamina one at a time. A player who cannot falls (T6.1).
pub(super) fn move_stamina(state: &mut State, seat: Seat, count: usize, to: Pile) -> Cards {
    let mut moved = Vec::new();
    for _ in 0..count {
        let player = &mut state.players[seat];
        let Some(card) = player.stamina.pop() else {
            state.falling.push(seat);
            break;
        };
        player.healed = player.healed.min(player.stamina.len());
        to(player).push(card);
        moved.push(card);
    }
    moved
}

/// T3.2: draws cards from stamina.
pub(super) fn draw(
    state: &mut State,
    seat: Seat,
    count: usize,
    extra: bool,
    referee: &mut Referee<'_>,
) {
    let cards = move_stamina(state, seat, count, HAND);
    if !cards.is_empty() {
        referee.tell(Happening::Drew { seat, cards, damage: false, extra });
    }
}

/// Heals a character: cards of the damage pile, its top first, go under the stamina.
pub(super) fn heal(state: &mut State, seat: Seat, count: usize) -> Cards {
    let player = &mut state.players[seat];
    let left = player.damage.len().saturating_sub(count);
    // The first to be healed lies highest.
    let cards = player.damage.split_off(left);
    player.stamina.splice(0..0, cards.iter().copied());
    player.healed += cards.len();
    cards
}

/// Discards cards of a hand by die.
pub(super) fn discard_by_die(
    state: &mut State,
    seat: Seat,
    count: usize,
    why: Why,
    referee: &mut Referee<'_>,
) {
    let mut places: Vec<usize> = (0..state.players[seat].hand.len()).collect();
    state.throws = state.throws.wrapping_add(1);
    let label = Label::of(seat, Key::new("effect", "discard").nth(state.throws));
    referee.shuffle(&label, &mut places);
    places.truncate(count);
    places.sort_unstable();
    let player = &mut state.players[seat];
    let cards: Vec<_> = places.into_iter().rev().map(|place| player.hand.remove(place)).collect();
    player.discard.extend(&cards);
    if !cards.is_empty() {
        referee.cite("T10.7");
        referee.tell(Happening::Discarded { seat, cards, why });
    }
}

/// True if a player can pay a cost. `held`: the card of the hand for which the cost is paid.
pub(super) fn can_pay(state: &State, seat: Seat, cost: Cost, held: bool) -> bool {
    let player = &state.players[seat];
    let in_hand = player.hand.len().saturating_sub(held.into());
    player.stamina.len() >= cost.stamina.into() && in_hand >= cost.discard.into()
}

/// Pays a cost that can be paid. Stamina that is paid is not damage.
pub(super) fn pay(state: &mut State, seat: Seat, cost: Cost, referee: &mut Referee<'_>) {
    if cost.stamina > 0 {
        let cards = move_stamina(state, seat, cost.stamina.into(), DISCARD);
        referee.tell(Happening::Paid { seat, cards });
    }
    if cost.discard > 0 {
        discard_by_die(state, seat, cost.discard.into(), Why::Cost, referee);
    }
}

/// T4.10, T10.2: lays a used card on the discard pile, or among the resentment.
pub(super) fn lay_used(state: &mut State, seat: Seat, card: Card, referee: &mut Referee<'_>) {
    // No used card goes to a gauge (T5.5).
    referee.cite("T5.5");
    let player = &mut state.players[seat];
    if card.has(Keyword::Resentment) && !player.defeated {
        referee.cite("T10.2");
        referee.cite("T3.10");
        player.resentment.push(Some(card));
        referee.tell(Happening::Resented { seat, cards: vec![Some(card)], stamina: false });
    } else {
        player.discard.push(Some(card));
    }
}

/// Brings a permanent into play, with the lowest free number of its card.
pub(super) fn lay_down(state: &mut State, user: Seat, card: Card, worn_by: Option<Seat>) -> Unit {
    let is_free = |number: &u8| state.permanent(Unit { card, number: *number }).is_none();
    let number = (1..=FIELD).find(is_free).unwrap_or(FIELD);
    let unit = Unit { card, number };
    state.field.push(Permanent {
        unit,
        owner: user,
        controller: worn_by.unwrap_or(user),
        worn_by,
        damage: 0,
        attacked: false,
        blocked: false,
        aimed: false,
        let_go: false,
    });
    unit
}

/// Takes a permanent off the field to its owner's discard pile, without being destroyed.
pub(super) fn leave(state: &mut State, unit: Unit) {
    if let Some(permanent) = take_off(state, unit) {
        state.players[permanent.owner].discard.push(Some(unit.card));
    }
}

pub(super) fn take_off(state: &mut State, unit: Unit) -> Option<Permanent> {
    let place = state.field.iter().position(|permanent| permanent.unit == unit)?;
    state.lasting.retain(|lasting| lasting.on != Aim::Unit(unit));
    Some(state.field.remove(place))
}
