//! The GM's moves: each is a section of its own, asked like the questions of a turn. Cards come from wherever
//! they are, and every card is offered at any time, so that no offer reveals a card's place.

use super::cards::{Card, Life};
use super::hands::known::Known;
use super::hands::{gain, lay, lose, take_off_field};
use super::happening::Happening;

use super::state::{Referee, State};
use rules::ask::Several;
use rules::{Ask, Key, Play, Seat};

/// The seat that stands for the GM, who has none, in the questions of a move.
const GM: Seat = Seat::new(0);

/// The maximum number of cards in a move.
const MOST: usize = 30;

/// The maximum points to set: more than a set of games brings.
const MOST_POINTS: u8 = 99;

/// Carries out all declared moves.
pub(super) fn amend(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    hand(state, referee)?;
    if let Some(cards) = cards("field", referee)? {
        let old = std::mem::take(&mut state.field);
        put_under(state, old);
        for card in take(state, &cards) {
            lay(state, card);
        }
    }
    if let Some(cards) = cards("top", referee)? {
        for card in take(state, &cards).into_iter().rev() {
            state.deck.push(Some(card));
        }
    }
    front(state, referee)?;
    if let Some(seat) = who(state, "known", referee)? {
        let player = &mut state.players[seat];
        let cards: Vec<Card> = player.cards().filter(|card| !card.is_life()).collect();
        player.known.show(&cards);
    }
    if let Some(seat) = who(state, "revealed", referee)? {
        // BLACK alone can be revealed (P2.5); for any other life the move does nothing.
        state.players[seat].revealed = state.players[seat].life() == Some(Life::Black);
    }
    if let Some(seat) = who(state, "dead", referee)? {
        kill(state, seat);
    }
    if let Some(seat) = who(state, "alive", referee)? {
        revive(state, seat);
    }
    if let Some(seat) = who(state, "turn-of", referee)? {
        state.active = seat;
        state.turn.following.clear();
    }
    if let Some(seat) = who(state, "first", referee)? {
        state.first = seat;
    }
    if let Some(seat) = who(state, "unused", referee)? {
        state.players[seat].uses.clear();
    }
    if let Some(round) = number("round", 1, 20, referee)? {
        state.round = round;
    }
    if let Some(actions) = number("actions", 0, 9, referee)? {
        state.turn.actions = actions;
    }
    points(state, referee)
}

fn ask(section: &'static str, name: &'static str) -> Ask {
    Ask::new(Key::new(section, name), "P4.4").or_nothing()
}

fn number(
    section: &'static str,
    least: u8,
    most: u8,
    referee: &mut Referee<'_>,
) -> Play<Option<u8>> {
    let given = referee.number(GM, &ask(section, "number"), least.into(), most.into())?;
    Ok(given.and_then(|given| u8::try_from(given).ok()))
}

fn who(state: &State, section: &'static str, referee: &mut Referee<'_>) -> Play<Option<Seat>> {
    let seats: Vec<Seat> = state.players.seats().collect();
    referee.choose(GM, &ask(section, "who"), &seats)
}

/// Every card, repeated by its number of copies.
fn all() -> Vec<Card> {
    let all = Card::ALL.iter();
    all.flat_map(|card| std::iter::repeat_n(*card, card.printed().copies)).collect()
}

fn cards(section: &'static str, referee: &mut Referee<'_>) -> Play<Option<Several<Card>>> {
    let all = all();
    let picked = referee.pick(GM, &ask(section, "cards"), &all, all.len(), MOST)?;
    Ok(Some(picked).filter(|picked| !picked.is_empty()))
}

/// Takes cards from the field, the deck or hands. A card that is not found is left out.
fn take(state: &mut State, cards: &[Card]) -> Vec<Card> {
    cards.iter().copied().filter(|card| !card.is_life() && take_one(state, *card)).collect()
}

fn take_one(state: &mut State, card: Card) -> bool {
    if take_off_field(state, card) {
        return true;
    }
    let in_deck = state.deck.iter().rposition(|other| *other == Some(card));
    // In a deck whose cards are hidden, any hidden card is taken.
    if let Some(place) = in_deck.or_else(|| state.deck.iter().position(Option::is_none)) {
        state.deck.remove(place);
        return true;
    }
    state.players.seats().any(|seat| lose(state, seat, card))
}

/// Puts cards under the deck.
fn put_under(state: &mut State, cards: impl IntoIterator<Item = Card>) {
    let under: Vec<Option<Card>> = cards.into_iter().map(Some).collect();
    state.deck.splice(0..0, under);
}

/// Replaces the cards in a hand; the life stays, unless another is named. Cards that stay remain as well
/// known as before, and the holder is shown the new hand.
fn hand(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "hand", referee)? else { return Ok(()) };
    let Some(cards) = cards("hand", referee)? else { return Ok(()) };
    let life = cards.iter().find(|card| card.is_life()).copied();
    let player = &mut state.players[seat];
    let old = std::mem::take(&mut player.hand);
    let (lives, mut old): (Vec<Option<Card>>, Vec<Option<Card>>) =
        old.into_iter().partition(|held| held.is_some_and(Card::is_life));
    let is_alive = player.is_alive();
    let stays = lives.first().copied().filter(|_| life.is_none()).or_else(|| {
        // A life hidden from the viewer is still in the hand.
        let hidden = old.iter().position(|held| is_alive && life.is_none() && held.is_none())?;
        Some(old.remove(hidden))
    });
    let mut hand: Vec<Option<Card>> = stays.into_iter().collect();
    let mut others = Vec::new();
    for card in cards {
        match old.iter().position(|held| *held == Some(card)) {
            Some(place) => hand.push(old.remove(place)),
            None => others.push(card),
        }
    }
    let known: Vec<Card> = hand.iter().copied().flatten().collect();
    player.known.keep(&known);
    player.hand = hand;
    put_under(state, old.into_iter().flatten());
    if let Some(life) = life {
        gain(state, seat, Some(life));
    }
    for card in take(state, &others) {
        gain(state, seat, Some(card));
    }
    state.turn.porno_is_new = false;
    let player = &mut state.players[seat];
    player.hand.sort_by_key(|held| (held.is_none(), *held));
    referee.tell(Happening::Dealt { seat, cards: player.hand.clone() });
    Ok(())
}

/// Replaces the crimes in front of a player.
fn front(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "front", referee)? else { return Ok(()) };
    let Some(cards) = cards("front", referee)? else { return Ok(()) };
    let old = std::mem::take(&mut state.players[seat].front);
    put_under(state, old);
    state.players[seat].front = take(state, &cards);
    Ok(())
}

/// Sets a player's points in the set (P8.1).
fn points(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "points", referee)? else { return Ok(()) };
    if let Some(points) = number("points", 0, MOST_POINTS, referee)? {
        state.players[seat].points = points;
    }
    Ok(())
}

/// Revives a player with the lost life; the other cards stay on the field.
fn revive(state: &mut State, seat: Seat) {
    if let Some(life) = state.players[seat].lost.take() {
        gain(state, seat, Some(life.card()));
    }
}

/// Kills a player: the hand is laid on the field.
fn kill(state: &mut State, seat: Seat) {
    let player = &mut state.players[seat];
    player.lost = player.life().or(Some(Life::Red));
    let hand = std::mem::take(&mut player.hand);
    player.known = Known::default();
    for card in hand.into_iter().flatten().filter(|card| !card.is_life()) {
        lay(state, card);
    }
}
