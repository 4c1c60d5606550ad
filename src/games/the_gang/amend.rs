//! The GM's moves: each is a section of its own, asked like everything else.
//!
//! Cards come from wherever they are, and what they replace goes under the deck. Every card is
//! offered at any time, so that no offer tells where one lies.

use arrayvec::ArrayVec;

use super::TheGang;
use super::cards::Card;
use super::edition::EDITION;
use super::modes::Extra;
use super::options::Mode;
use super::specialists::Specialist;
use super::state::{Hired, Stage, Star, State, Street};
use crate::rules::ask::Several;
use crate::rules::{Ask, Key, Piece, Play, Referee, Seat};

/// The moves are asked of the GM, who has no seat; this one stands for them.
const GM: Seat = Seat::new(0);

/// All moves; what is not said is not done.
pub(super) fn amend(state: &mut State, referee: &mut Referee<'_, TheGang>) -> Play<()> {
    let heists = EDITION.goals.vaults + state.most_alarms() - 1;
    if let Some(heist) = number("heist", 1, heists, referee)? {
        state.heist = heist;
    }
    effect(state, referee)?;
    pile(state, referee)?;
    pocket(state, referee)?;
    board(state, referee)?;
    top(state, referee)?;
    chips(state, referee)?;
    if let Some(vaults) = number("vaults", 0, EDITION.goals.vaults - 1, referee)? {
        state.vaults = vaults;
    }
    if let Some(alarms) = number("alarms", 0, state.most_alarms() - 1, referee)? {
        state.alarms = alarms;
    }
    if let Some(pass) = number("set-pass", 1, state.options.passes.get(), referee)? {
        let street = state.street.index();
        for (_, player) in state.players.iter_mut() {
            player.wishes[street].truncate(usize::from(pass) - 1);
        }
        state.stage = state.chips_of_pass(pass);
    }
    Ok(())
}

fn ask(section: &'static str, name: &'static str) -> Ask {
    Ask::new(Key::new(section, name), "G7.4").or_nothing()
}

fn number(
    section: &'static str,
    least: u8,
    most: u8,
    referee: &mut Referee<'_, TheGang>,
) -> Play<Option<u8>> {
    let said = referee.number(GM, &ask(section, "number"), least.into(), most.into())?;
    Ok(said.and_then(|said| u8::try_from(said).ok()))
}

/// So many of these, in order.
fn several<T: Piece>(
    section: &'static str,
    cards: &[T],
    most: usize,
    referee: &mut Referee<'_, TheGang>,
) -> Play<Several<T>> {
    referee.pick(GM, &ask(section, "cards"), cards, cards.len(), most)
}

fn cards(
    section: &'static str,
    most: usize,
    referee: &mut Referee<'_, TheGang>,
) -> Play<Several<Card>> {
    several(section, &Card::all().collect::<ArrayVec<Card, 53>>(), most, referee)
}

fn who(
    state: &State,
    section: &'static str,
    referee: &mut Referee<'_, TheGang>,
) -> Play<Option<Seat>> {
    let seats: ArrayVec<Seat, 8> = state.players.seats().collect();
    referee.choose(GM, &ask(section, "who"), &seats)
}

/// Takes a card away from wherever it is.
fn take(state: &mut State, card: Card) {
    let unknown = state.deck.len() - usize::from(state.known);
    if let Some(index) = state.deck.iter().position(|other| *other == Some(card)) {
        state.deck.remove(index);
        state.known -= u8::from(index >= unknown);
    }
    state.board.retain(|other| *other != card);
    for (_, player) in state.players.iter_mut() {
        player.pocket.retain(|other| *other != Some(card));
    }
}

/// Lays cards under the deck, but for the Jack, which is none of it.
fn put_under(state: &mut State, cards: impl IntoIterator<Item = Card>) {
    for card in cards.into_iter().filter(|card| *card != Card::Jack) {
        // A deck that the GM may not see can hold no more than it does.
        let _ = state.deck.try_insert(0, Some(card));
    }
}

/// What is in effect from now on: these challenges and this specialist.
fn effect(state: &mut State, referee: &mut Referee<'_, TheGang>) -> Play<()> {
    let extras: ArrayVec<Extra, 20> = Extra::all().collect();
    let picked = several("effect", &extras, extras.len(), referee)?;
    if picked.is_empty() {
        return Ok(());
    }
    state.piles = super::modes::piles(state);
    state.challenges.clear();
    state.specialist = None;
    for extra in picked {
        match extra {
            Extra::Challenge(card) => {
                state.piles.challenges.take_out(card);
                state.challenges.push(card);
            }
            Extra::Specialist(card) => {
                state.piles.specialists.take_out(card);
                let used = card.acts_at_once();
                state.specialist = Some(Hired { card, used, user: None, on: None });
            }
        }
    }
    // G4.3: one of a professional game acts in all of it, the first named if nothing is known.
    let first = state.challenges.first().filter(|_| state.options.mode == Mode::Professional);
    let permanent = state.permanent.filter(|card| state.challenges.contains(card));
    state.permanent = permanent.or(first.copied());
    state.challenges.sort_unstable();
    let coordinator = state.specialist.is_some_and(|hired| hired.card == Specialist::Coordinator);
    if coordinator && state.board.is_empty() {
        state.stage = Stage::Passing;
    }
    Ok(())
}

/// What is drawn next from the piles; of one pile, the first named comes first.
fn pile(state: &mut State, referee: &mut Referee<'_, TheGang>) -> Play<()> {
    let extras: ArrayVec<Extra, 20> = Extra::all().collect();
    for extra in several("pile", &extras, extras.len(), referee)?.into_iter().rev() {
        match extra {
            Extra::Challenge(card) => state.piles.challenges.lay_on_top(card),
            Extra::Specialist(card) => state.piles.specialists.lay_on_top(card),
        }
    }
    Ok(())
}

/// A pocket: these cards instead of those in it.
fn pocket(state: &mut State, referee: &mut Referee<'_, TheGang>) -> Play<()> {
    let Some(seat) = who(state, "pocket", referee)? else { return Ok(()) };
    let picked = cards("pocket", EDITION.cards.pocket_with_cameras, referee)?;
    if picked.is_empty() {
        return Ok(());
    }
    let old = std::mem::take(&mut state.players[seat].pocket);
    put_under(state, old.into_iter().flatten());
    for card in picked {
        take(state, card);
        state.players[seat].pocket.push(Some(card));
    }
    Ok(())
}

/// The board: these cards. How many they are says which round it is.
fn board(state: &mut State, referee: &mut Referee<'_, TheGang>) -> Play<()> {
    let most = state.board.capacity();
    let picked = cards("board", most, referee)?;
    if picked.is_empty() {
        return Ok(());
    }
    let old = std::mem::take(&mut state.board);
    put_under(state, old);
    for &card in &picked {
        take(state, card);
        state.board.push(card);
    }
    let mut turned_up = 0;
    for (street, count) in Street::ALL.iter().zip(EDITION.cards.board) {
        turned_up += count;
        if picked.len() >= turned_up {
            state.street = *street;
        }
    }
    state.lay_out_chips();
    Ok(())
}

/// What comes next from the deck, the first named first.
fn top(state: &mut State, referee: &mut Referee<'_, TheGang>) -> Play<()> {
    let picked = cards("top", 20, referee)?;
    for &card in picked.iter().rev().filter(|card| **card != Card::Jack) {
        take(state, card);
        if state.deck.try_push(Some(card)).is_ok() {
            state.known += 1;
        }
    }
    Ok(())
}

/// A chip for somebody, from the middle or from whoever holds it; of this round, if none is said.
fn chips(state: &mut State, referee: &mut Referee<'_, TheGang>) -> Play<()> {
    let Some(seat) = who(state, "chips", referee)? else { return Ok(()) };
    let street = referee.choose(GM, &ask("chips", "street"), Street::ALL)?;
    let stars: ArrayVec<Star, 6> = state.stars().collect();
    let star = referee.choose(GM, &ask("chips", "star"), &stars)?;
    let (street, Some(star)) = (street.unwrap_or(state.street), star) else { return Ok(()) };
    if let Some(holder) = state.holder_in(street, star) {
        state.players[holder].chips[street.index()] = None;
    }
    state.players[seat].chips[street.index()] = Some(star);
    Ok(())
}
