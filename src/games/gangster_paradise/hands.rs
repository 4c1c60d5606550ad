//! Moves of cards between hands, field and deck, with the public knowledge of them (P9.9); and BEAUTY, who
//! takes cards in use (P7.5).

pub(super) mod known;

use super::cards::{Card, Category};
use super::chain::Chain;
use super::happening::Happening;
use super::state::{Referee, SeatList, State};
use rules::{Key, Label, Seat};

/// Puts a card into a hand unseen, except for a marked back (P9.6).
pub(super) fn gain(state: &mut State, seat: Seat, card: Option<Card>) {
    state.turn.porno_is_new |= card == Some(Card::Porno);
    let player = &mut state.players[seat];
    player.hand.push(card);
    player.hand.sort_by_key(|held| (held.is_none(), *held));
    if let Some(card) = card.filter(|card| card.is_marked()) {
        player.known.gain(card);
    }
}

/// Puts a card into a hand, seen by all players.
pub(super) fn gain_openly(state: &mut State, seat: Seat, card: Card) {
    gain(state, seat, Some(card));
    if !card.is_marked() {
        state.players[seat].known.gain(card);
    }
}

/// Takes a card out of a hand, seen by all players. True if the hand had the card.
pub(super) fn lose(state: &mut State, seat: Seat, card: Card) -> bool {
    let is_lost = take(state, seat, card);
    if is_lost {
        state.players[seat].known.lose(card);
    }
    is_lost
}

fn take(state: &mut State, seat: Seat, card: Card) -> bool {
    let hand = &mut state.players[seat].hand;
    let place = hand.iter().position(|held| *held == Some(card));
    place.map(|place| hand.remove(place)).is_some()
}

/// Lays a card on the field.
pub(super) fn lay(state: &mut State, card: Card) {
    state.field.push(card);
    state.field.sort_unstable();
}

/// P0: discards a card from a hand to the field. True if the hand had the card.
pub(super) fn discard(state: &mut State, seat: Seat, card: Card) -> bool {
    let is_lost = lose(state, seat, card);
    if is_lost {
        lay(state, card);
    }
    is_lost
}

/// Takes a card off the field. True if the field had the card.
pub(super) fn take_off_field(state: &mut State, card: Card) -> bool {
    let place = state.field.iter().position(|other| *other == card);
    place.map(|place| state.field.remove(place)).is_some()
}

/// 拾う: picks up a card from the field into a hand. True if the field had the card.
pub(super) fn pick_up(state: &mut State, seat: Seat, card: Card) -> bool {
    let taken = take_off_field(state, card);
    if taken {
        gain_openly(state, seat, card);
    }
    taken
}

/// `None` if the field has no MONEY CARD; otherwise the one to pick up: `first` if the field has it, or else
/// MONEY before FAKE MONEY (P9.3).
pub(super) fn money_of(field: &[Card], first: Option<Card>) -> Option<Card> {
    first
        .filter(|card| field.contains(card))
        .or_else(|| field.iter().copied().find(|card| card.is_money()))
}

/// Moves a card between two hands, seen by these two players only.
pub(super) fn pass(state: &mut State, from: Seat, to: Seat, card: Card) {
    pass_before(state, from, to, card, &[]);
}

/// Moves a card between two hands, seen by these two players and by the others listed. Every other player
/// loses their knowledge of the hand that the card left.
pub(super) fn pass_before(state: &mut State, from: Seat, to: Seat, card: Card, others: &[Seat]) {
    if !take(state, from, card) {
        return;
    }
    gain(state, to, Some(card));
    if card.is_marked() {
        return state.players[from].known.lose(card);
    }
    let witnesses: SeatList = std::iter::once(to)
        .chain(others.iter().copied().filter(|other| ![from, to].contains(other)))
        .collect();
    state.players[from].known.lose_before(&witnesses, card);
    state.players[to].known.gain_from(from, card);
}

/// P2.1: draws the top of the deck into a hand. An empty deck gives nothing (P2.4).
pub(super) fn draw(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let Some(card) = state.deck.pop() else {
        referee.cite("P2.4");
        referee.tell(Happening::DeckEmpty { seat });
        return;
    };
    if card.is_some_and(Card::is_marked) {
        referee.cite("P9.6");
    }
    gain(state, seat, card);
    referee.tell(Happening::Drew { seat, card });
}

/// Turns up cards from the deck onto the field, and returns them.
pub(super) fn turn_up(state: &mut State, count: usize) -> Vec<Card> {
    let mut cards = Vec::new();
    for _ in 0..count {
        // In an interview the top cards are unknown.
        let Some(card) = state.deck.pop() else { break };
        if let Some(card) = card {
            lay(state, card);
            cards.push(card);
        }
    }
    cards
}

/// P0: draws random cards of a hand, without putting them anywhere; a marked back is never drawn.
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

/// Throws a die for one of `count` places, counted from 0.
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

/// True if a player can react: alive, or dying in this shot (P9.12).
pub(super) fn reacts(state: &State, seat: Seat) -> bool {
    let has_lost = |chain: &Chain| chain.has_lost(seat);
    state.players[seat].is_alive() || state.chain.as_ref().is_some_and(has_lost)
}

/// The player who can react with this card, of which there is one copy; `None` if nobody can.
pub(super) fn reacting_holder(state: &State, card: Card) -> Option<Seat> {
    let holds = |seat: &Seat| reacts(state, *seat) && state.players[*seat].holds(card);
    state.players.seats().find(holds)
}

/// True if BEAUTY takes this card from its user. BEAUTY is spent, and the use does not count (P9.15).
pub(super) fn beauty_takes(
    state: &mut State,
    user: Seat,
    card: Card,
    referee: &mut Referee<'_>,
) -> bool {
    let is_possible = card.is_of(Category::Specialist) && card != Card::Killer;
    let holder = reacting_holder(state, Card::Beauty).filter(|seat| *seat != user);
    let Some(seat) = holder.filter(|_| is_possible && card != Card::Beauty) else { return false };
    if !state.players[seat].answers.beauty.contains(&card) || !lose(state, user, card) {
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
