//! W3.3, W8.1 and W11.2: setting items and equipment.

use super::happening::Happening;
use super::set::{Card, CardKind};
use super::state::{Character, Referee, State};
use crate::bars::{self, Hindrance};
use rules::{Ask, Bar, Key, Play, Reason, Seat};

/// The maximum number of cards set in one window.
const MOST: u8 = 9;

/// Asks for cards to set, one after the other, and sets them.
pub(super) fn ask(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let mut set_now: Vec<Card> = Vec::new();
    for number in 1..=MOST {
        let question = Ask::new(Key::new("gear", "card").nth(number), "W3.3").or_nothing();
        let (free, bars) = settable(&state.characters[seat], &set_now);
        // A card that another of this window keeps out is asked for, so that it is a fault (W9.4).
        let follows = |bar: &Bar<Card>| ["slot-taken", "over-capacity"].contains(&bar.why);
        if free.is_empty() && number > 1 && !bars.iter().any(follows) {
            break;
        }
        let Some(card) = referee.choose_barring(seat, &question, &free, &bars)? else { break };
        if let Some(instead) = replaced(&state.characters[seat], card) {
            let note = Reason::noted("replaces", &[card, instead]);
            referee.note_on(&question, note, "W13.3");
        }
        set(state, seat, card, referee);
        set_now.push(card);
    }
    Ok(())
}

/// Splits the hand into cards that can be set and cards that cannot, with the reason.
fn settable(character: &Character, set_now: &[Card]) -> (Vec<Card>, Vec<Bar<Card>>) {
    bars::split(character.distinct_hand(), |card| hindrance(character, card, set_now))
}

/// The reason that keeps a card from being set, with its clause.
fn hindrance(character: &Character, card: Card, set_now: &[Card]) -> Option<Hindrance> {
    let is_full = character.gear.len() >= character.capacity();
    match card.kind() {
        CardKind::Character { .. } | CardKind::Skill(_) => Some(("no-gear", "W3.3")),
        CardKind::Item(_) => is_full.then_some(("over-capacity", "W11.2")),
        CardKind::Equipment(piece) => {
            let is_theirs =
                piece.lines.is_empty() || character.line.is_some_and(|line| card.serves(line));
            let replaced = replaced(character, card);
            if !is_theirs {
                Some(("other-line", "W11.6"))
            } else if replaced.is_some_and(|replaced| set_now.contains(&replaced)) {
                Some(("slot-taken", "W11.2"))
            } else if replaced.is_none() && is_full {
                Some(("over-capacity", "W11.2"))
            } else {
                None
            }
        }
    }
}

/// The card that goes to the discard pile when another is set: the first set in its slot, if the slot is full
/// (W13.3).
fn replaced(character: &Character, card: Card) -> Option<Card> {
    let slot = card.equipment()?.slot;
    let is_full = character.in_slot(slot).count() >= slot.room();
    character.in_slot(slot).next().filter(|_| is_full)
}

fn set(state: &mut State, seat: Seat, card: Card, referee: &mut Referee<'_>) {
    let character = &mut state.characters[seat];
    let instead = replaced(character, card);
    referee.cite("W11.2");
    if let Some(instead) = instead {
        referee.cite("W13.3");
        character.take_off(instead);
    }
    let place = character.hand.iter().position(|held| *held == Some(card));
    if let Some(place) = place {
        character.hand.remove(place);
        character.gear.push(card);
    }
    referee.tell(Happening::Set { seat, card, instead });
}

/// W11.2: discards cards over capacity, the last set first.
pub(super) fn shed(state: &mut State, seat: Seat) {
    let character = &mut state.characters[seat];
    while character.gear.len() > character.capacity() {
        let Some(card) = character.gear.pop() else { break };
        character.discard.push(card);
    }
}
