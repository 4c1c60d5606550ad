//! How cards move, and what everybody knows of where they are (P9.9); and BEAUTY, who takes what is
//! being used (P7.5).

use super::cards::{Card, Category};
use super::chain::Chain;
use super::happening::Happening;
use super::state::{HeldCard, Referee, SeatList, State};
use rules::{Key, Label, Seat};

/// Puts a card into a hand.
pub(super) fn gain(state: &mut State, seat: Seat, held: HeldCard) {
    state.turn.porno_is_new |= held.card == Some(Card::Porno);
    let hand = &mut state.players[seat].hand;
    hand.push(held);
    hand.sort_by_key(|held| (held.card.is_none(), held.card));
}

/// Puts a card into a hand before everybody's eyes.
pub(super) fn gain_openly(state: &mut State, seat: Seat, card: Card) {
    gain(state, seat, HeldCard { shown: true, ..HeldCard::of(card) });
}

/// Takes a card out of a hand, one that everybody knows if there is one.
pub(super) fn lose(state: &mut State, seat: Seat, card: Card) -> Option<HeldCard> {
    let hand = &mut state.players[seat].hand;
    let is_it = |held: &HeldCard| held.card == Some(card);
    let shown = hand.iter().position(|held| is_it(held) && held.shown);
    let place = shown.or_else(|| hand.iter().position(is_it))?;
    Some(hand.remove(place))
}

/// Lays a card on the field.
pub(super) fn lay(state: &mut State, card: Card) {
    state.field.push(card);
    state.field.sort_unstable();
}

/// P0: out of a hand to the field; whether it was there.
pub(super) fn discard(state: &mut State, seat: Seat, card: Card) -> bool {
    let lost = lose(state, seat, card).is_some();
    if lost {
        lay(state, card);
    }
    lost
}

/// Takes a card off the field; whether it lay there.
pub(super) fn take_off_field(state: &mut State, card: Card) -> bool {
    let place = state.field.iter().position(|other| *other == card);
    place.map(|place| state.field.remove(place)).is_some()
}

/// 拾う: from the field into a hand; whether it lay there.
pub(super) fn pick_up(state: &mut State, seat: Seat, card: Card) -> bool {
    let taken = take_off_field(state, card);
    if taken {
        gain_openly(state, seat, card);
    }
    taken
}

/// The MONEY CARD of the field that is picked up: this one if it lies there, or else MONEY before
/// FAKE MONEY (P9.3).
pub(super) fn money_of(field: &[Card], first: Option<Card>) -> Option<Card> {
    first
        .filter(|card| field.contains(card))
        .or_else(|| field.iter().copied().find(|card| card.is_money()))
}

/// Out of one hand into another, seen by these two alone.
pub(super) fn pass(state: &mut State, from: Seat, to: Seat, card: Card) -> bool {
    if lose(state, from, card).is_none() {
        return false;
    }
    let mut held = HeldCard::of(card);
    if !held.shown {
        held.known.push(from);
    }
    gain(state, to, held);
    true
}

/// What others knew of the cards of a hand counts no more, as one of them has gone unseen: but for
/// the life and a marked back, which go nowhere unseen.
pub(super) fn forget(state: &mut State, seat: Seat, witnesses: &[Seat]) {
    for held in &mut state.players[seat].hand {
        if held.card.is_none_or(|card| card.is_life() || card.is_marked()) {
            continue;
        }
        if std::mem::take(&mut held.shown) {
            held.known = witnesses.iter().copied().filter(|other| *other != seat).collect();
        } else {
            held.known.retain(|other| witnesses.contains(other));
        }
    }
}

/// P2.1: the top of the deck into a hand. An empty deck gives nothing (P2.4).
pub(super) fn draw(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let Some(card) = state.deck.pop() else {
        referee.cite("P2.4");
        referee.tell(Happening::DeckEmpty { seat });
        return;
    };
    let held = card.map_or_else(
        || HeldCard { card: None, shown: false, known: SeatList::new() },
        HeldCard::of,
    );
    if card.is_some_and(Card::is_marked) {
        referee.cite("P9.6");
    }
    gain(state, seat, held);
    referee.tell(Happening::Drew { seat, card });
}

/// The top of the deck to the field, so often; what came.
pub(super) fn turn_up(state: &mut State, count: usize) -> Vec<Card> {
    let mut cards = Vec::new();
    for _ in 0..count {
        // In an interview nobody knows what comes.
        let Some(card) = state.deck.pop() else { break };
        if let Some(card) = card {
            lay(state, card);
            cards.push(card);
        }
    }
    cards
}

/// P0: so many random cards of a hand; a marked back is never among them.
pub(super) fn random(
    state: &mut State,
    seat: Seat,
    count: usize,
    is_among: impl Fn(Card) -> bool,
    referee: &mut Referee<'_>,
) -> Vec<Card> {
    if state.players[seat].count(Card::is_marked) > 0 {
        referee.cite("P9.6");
    }
    let cards = state.players[seat].cards();
    let mut left: Vec<Card> = cards.filter(|card| !card.is_marked() && is_among(*card)).collect();
    let mut drawn = Vec::new();
    for _ in 0..count.min(left.len()) {
        let place = throw(state, seat, left.len(), referee);
        drawn.push(left.remove(place));
    }
    drawn
}

/// One of so many places by die, counted from 0.
pub(super) fn throw(
    state: &mut State,
    seat: Seat,
    count: usize,
    referee: &mut Referee<'_>,
) -> usize {
    if count < 2 {
        return 0;
    }
    state.throws = state.throws.saturating_add(1);
    let label = Label::of(seat, Key::new("random", "card").nth(state.throws));
    let sides = u32::try_from(count).expect("a hand");
    referee.throw(&label, sides).map_or(0, |shown| shown as usize - 1)
}

/// Whether somebody can react: alive, or dead only once the deaths of this shot are handled (P9.12).
pub(super) fn reacts(state: &State, seat: Seat) -> bool {
    let has_lost = |chain: &Chain| chain.has_lost(seat);
    state.players[seat].is_alive() || state.chain.as_ref().is_some_and(has_lost)
}

/// Who can react with this card, of which there is one.
pub(super) fn reacting_holder(state: &State, card: Card) -> Option<Seat> {
    let holds = |seat: &Seat| reacts(state, *seat) && state.players[*seat].holds(card);
    state.players.seats().find(holds)
}

/// Whether BEAUTY takes this card from whoever is using it. She is spent, and the use does not count
/// (P9.15).
pub(super) fn beauty_takes(
    state: &mut State,
    user: Seat,
    card: Card,
    referee: &mut Referee<'_>,
) -> bool {
    let is_possible = card.is_of(Category::Specialist) && card != Card::Killer;
    let holder = reacting_holder(state, Card::Beauty).filter(|seat| *seat != user);
    let Some(seat) = holder.filter(|_| is_possible && card != Card::Beauty) else { return false };
    if !state.players[seat].answers.beauty.contains(&card) || lose(state, user, card).is_none() {
        return false;
    }
    referee.cite("P7.5");
    referee.cite("P9.15");
    discard(state, seat, Card::Beauty);
    gain_openly(state, seat, card);
    referee.tell(Happening::Reacted { seat, card: Card::Beauty, on: Some(user) });
    referee.tell(Happening::TookCard { seat, from: user, card });
    true
}
