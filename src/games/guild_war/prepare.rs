//! W3: the preparation.

use super::edition::EDITION;
use super::happening::Happening;
use super::options::Event;
use super::set::Card;
use super::state::{Character, Guild, Order, Referee, State, WindowStage};
use super::{decks, gear};
use rules::{Ask, Key, Label, Play, Seat};

/// Resets the characters: cards are dealt only after the decks are chosen.
#[expect(clippy::unnecessary_wraps, reason = "other games ask in their setup")]
pub(super) fn setup(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    referee.cite("W1.1");
    if state.options.event != Event::None {
        referee.cite("W1.4");
    }
    (state.stage, state.frame) = (WindowStage::Decks, 0);
    for (_, character) in state.characters.iter_mut() {
        *character = Character::default();
    }
    Ok(())
}

/// W3.1, W3.2: sets the characters, shuffles the decks, draws the hands and lays HP.
pub(super) fn deal(state: &mut State, referee: &mut Referee<'_>) {
    for clause in ["W3.1", "W3.2", "W3.4", "W10.1", "W10.2", "W11.1", "W13.1"] {
        referee.cite(clause);
    }
    for seat in state.characters.seats() {
        let line = state.characters[seat].line;
        let set = state.options.set;
        let Some(line) = line.or_else(|| set.lines().next()) else { continue };
        let own = std::mem::take(&mut state.characters[seat].own_deck);
        let mut deck: Vec<Option<Card>> = decks::of(&state.options, line, &own);
        referee.shuffle(&Label::of(seat, Key::new("deck", "order")), &mut deck);
        let card = set.beginner(line);
        let character = &mut state.characters[seat];
        *character = Character {
            line: Some(line),
            card: Some(card),
            own_deck: own,
            deck,
            ..Character::default()
        };
        let left = character.deck.len() - EDITION.prepare.hand;
        character.hand = character.deck.drain(left..).rev().collect();
        character.lay_hp();
        let (cards, hp) = (character.hand.clone(), character.laid);
        referee.tell(Happening::Entered { seat, line, card, cards, hp });
    }
    state.stage = WindowStage::Prepare;
}

/// W3.4: deals the next game of the match, with the same decks.
pub(super) fn deal_again(state: &mut State, referee: &mut Referee<'_>) {
    (state.frame, state.first, state.absences) = (0, Guild::A, [0; 2]);
    deal(state, referee);
}

/// W3.3, W4.3: asks for gear, and asks the captain for the order.
pub(super) fn prepare(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    gear::ask(state, seat, referee)?;
    order(state, seat, referee)
}

/// W4.3: asks the captain for the order that the guild takes if it may choose. Without an answer the order
/// stays.
pub(super) fn order(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let guild = Guild::of(seat);
    if state.captain(guild) != Some(seat) {
        return Ok(());
    }
    let ask = Ask::new(Key::new("order", "take"), "W4.3").or_nothing();
    let chosen = referee.choose(seat, &ask, Order::ALL)?;
    let order = &mut state.orders[guild.index()];
    *order = chosen.or(*order);
    Ok(())
}
