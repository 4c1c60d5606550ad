//! The GM's moves: each is a section of its own, asked like the questions of a turn.
//!
//! Every card is offered at any time, so that no offer reveals a card's place. A named card comes from its
//! place in the owner's cards, and replaced cards go under the deck.

use super::edition::EDITION;
use super::effects::Stat;
use super::set::Card;
use super::state::{Guild, Modifier, Referee, State, WindowStage};
use crate::moves::Moves;
use crate::pieces::alternatives;
use rules::ask::Several;
use rules::{Piece, Play, Seat};
use smol_str::SmolStr;

alternatives! {
    Window {
        First => "window-first",
        Second => "window-second",
        Rest => "window-rest"
    }
}

/// An answer to the question who is disabled, or hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Seat(Seat),
    Nobody,
}

impl Piece for Who {
    fn id(&self) -> SmolStr {
        match self {
            Self::Seat(seat) => seat.id(),
            Self::Nobody => SmolStr::new_static("nobody"),
        }
    }
}

const GM: Moves = Moves("W9.6");

/// The maximum change of a value in a move.
const CHANGE: i16 = 200;

/// The maximum number of cards in a move.
const MOST: usize = 20;

/// Carries out all declared moves.
pub(super) fn amend(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    frame(state, referee)?;
    character(state, referee)?;
    gear(state, referee)?;
    hand(state, referee)?;
    top(state, referee)?;
    hp(state, referee)?;
    discard_pile(state, referee)?;
    disabled(state, referee)?;
    hidden(state, referee)?;
    poison(state, referee)?;
    modifier(state, referee)?;
    absences(state, referee)?;
    wins(state, referee)
}

fn cards(state: &State, section: &'static str, referee: &mut Referee<'_>) -> Play<Several<Card>> {
    let all: Vec<Card> = state.options.set.cards().flat_map(|card| [card; 2]).collect();
    GM.pick((section, "cards"), &all, MOST, referee)
}

/// Sets the frame, its first guild, and the open window.
fn frame(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let given = GM.number(("set-frame", "number"), (1, EDITION.frames.last.into()), referee)?;
    let first = GM.choose(("set-frame", "first"), Guild::ALL, referee)?;
    let windows = [Window::First, Window::Second, Window::Rest];
    let window = GM.choose(("set-frame", "window"), &windows, referee)?;
    if given.is_none() && first.is_none() && window.is_none() {
        return Ok(());
    }
    state.frame = given.unwrap_or(state.frame).max(1);
    state.first = first.unwrap_or(state.first);
    state.stage = match window {
        None | Some(Window::First) => WindowStage::Step { second: false },
        Some(Window::Second) => WindowStage::Step { second: true },
        // After the last frame there is no rest (W8.1).
        Some(Window::Rest) if state.frame >= EDITION.frames.last => {
            WindowStage::Step { second: true }
        }
        Some(Window::Rest) => WindowStage::Rest,
    };
    for (_, character) in state.characters.iter_mut() {
        (character.plan, character.used) = (None, false);
    }
    Ok(())
}

/// Sets a character card; another line brings its own deck.
fn character(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("character", &state.characters, referee)? else { return Ok(()) };
    let all: Vec<Card> = state.options.set.cards().filter(|card| card.stats().is_some()).collect();
    let chosen = GM.choose(("character", "card"), &all, referee)?;
    let line = chosen
        .and_then(|card| state.options.set.lines().find(|line| card.stats_of(*line).is_some()));
    let (Some(card), Some(line)) = (chosen, line) else { return Ok(()) };
    if state.characters[seat].line != Some(line) {
        state.characters[seat] = super::state::Character::of(&state.options, line);
    }
    state.characters[seat].card = Some(card);
    super::gear::shed(state, seat);
    Ok(())
}

/// Takes a card from its owner's deck, discard pile or HP; from the deck first, if it may be there.
fn take(state: &mut State, seat: Seat, card: Card) {
    let character = &mut state.characters[seat];
    let is_it = |held: &Option<Card>| *held == Some(card);
    let known = character.deck.iter().rposition(is_it);
    if let Some(place) = known.or_else(|| character.deck.iter().rposition(Option::is_none)) {
        character.deck.remove(place);
    } else if let Some(place) = character.discard.iter().position(|held| *held == card) {
        character.discard.remove(place);
    } else if let Some(place) = character.hp.iter().position(is_it) {
        character.hp[place] = character.deck.pop().flatten();
    }
}

/// Sets these cards, and no others.
fn gear(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("set-gear", &state.characters, referee)? else { return Ok(()) };
    let old: Vec<Option<Card>> = state.characters[seat].gear.drain(..).map(Some).collect();
    put_under(state, seat, old);
    for card in cards(state, "set-gear", referee)? {
        if card.is_item() || card.equipment().is_some() {
            take(state, seat, card);
            state.characters[seat].gear.push(card);
        }
    }
    super::gear::shed(state, seat);
    Ok(())
}

fn put_under(state: &mut State, seat: Seat, cards: Vec<Option<Card>>) {
    state.characters[seat].deck.splice(0..0, cards);
}

/// Replaces the cards of a hand.
fn hand(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("hand", &state.characters, referee)? else { return Ok(()) };
    let picked = cards(state, "hand", referee)?;
    let old = std::mem::take(&mut state.characters[seat].hand);
    put_under(state, seat, old);
    for card in picked {
        take(state, seat, card);
        state.characters[seat].hand.push(Some(card));
    }
    Ok(())
}

/// Lays cards on top of a deck, the first named on top.
fn top(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("top", &state.characters, referee)? else { return Ok(()) };
    let picked = cards(state, "top", referee)?;
    for card in &picked {
        take(state, seat, *card);
    }
    state.characters[seat].deck.extend(picked.into_iter().rev().map(Some));
    Ok(())
}

/// Sets the number of HP cards: new ones come from the deck, surplus goes to the discard pile.
fn hp(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("set-hp", &state.characters, referee)? else { return Ok(()) };
    let character = &mut state.characters[seat];
    let cards = character.hp.len() + character.deck.len();
    let most = i16::try_from(character.vit().min(cards)).unwrap_or(0);
    let given = GM.number(("set-hp", "number"), (0, most), referee)?;
    let Some(count) = given else { return Ok(()) };
    while character.hp.len() > count {
        let lost = character.hp.pop().flatten();
        character.discard.extend(lost);
    }
    while character.hp.len() < count {
        let Some(card) = character.deck.pop() else { break };
        character.hp.push(card);
    }
    character.down = character.hp.is_empty();
    Ok(())
}

/// Replaces the cards of a discard pile.
fn discard_pile(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("discard-pile", &state.characters, referee)? else { return Ok(()) };
    let picked = cards(state, "discard-pile", referee)?;
    let old = state.characters[seat].discard.drain(..).map(Some).collect();
    put_under(state, seat, old);
    for card in picked {
        take(state, seat, card);
        state.characters[seat].discard.push(card);
    }
    Ok(())
}

/// W7.7: makes these characters, and no others, 行動不能 to the end of this frame.
fn disabled(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let picked = several(state, "disabled", referee)?;
    let until = state.end_of_frame();
    for (seat, character) in state.characters.iter_mut().filter(|_| !picked.is_empty()) {
        character.disabled = picked.contains(&Who::Seat(seat)).then_some(until);
    }
    Ok(())
}

/// W12.7: hides these characters, and no others, to the end of this frame.
fn hidden(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let picked = several(state, "hidden", referee)?;
    let until = state.end_of_frame();
    for (seat, character) in state.characters.iter_mut().filter(|_| !picked.is_empty()) {
        character.hidden = picked.contains(&Who::Seat(seat)).then_some(until);
    }
    Ok(())
}

fn several(state: &State, section: &'static str, referee: &mut Referee<'_>) -> Play<Several<Who>> {
    let seats = state.characters.seats().map(Who::Seat);
    let all: Vec<Who> = seats.chain([Who::Nobody]).collect();
    GM.pick((section, "who"), &all, all.len(), referee)
}

/// W12.10: sets the number of rests in which a poison strikes; 0 ends all poison.
fn poison(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("poison", &state.characters, referee)? else { return Ok(()) };
    let most = EDITION.frames.last.into();
    if let Some(rests) = GM.number(("poison", "number"), (0, most), referee)? {
        state.characters[seat].poison = Vec::from_iter((rests > 0).then_some(rests));
    }
    Ok(())
}

/// W12.2: changes a value to the end of this frame; earlier changes of the value end.
fn modifier(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("modifier", &state.characters, referee)? else { return Ok(()) };
    let chosen = GM.choose(("modifier", "stat"), Stat::ALL, referee)?;
    let amount = GM.number(("modifier", "amount"), (-CHANGE, CHANGE), referee)?;
    let (Some(value), Some(amount)) = (chosen, amount) else { return Ok(()) };
    let until = state.end_of_frame();
    let modifiers = &mut state.characters[seat].modifiers;
    modifiers.retain(|modifier| modifier.stat != value);
    if amount != 0 {
        modifiers.push(Modifier { stat: value, amount, until });
    }
    Ok(())
}

/// W2.2: sets the number of frames in a row without a card of a guild.
fn absences(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(guild) = GM.choose(("absences", "who"), Guild::ALL, referee)? else {
        return Ok(());
    };
    let most = i16::from(state.options.absences.get()) - 1;
    if let Some(frames) = GM.number(("absences", "number"), (0, most), referee)? {
        state.absences[guild.index()] = frames;
    }
    Ok(())
}

/// W2.4: sets the number of games that a guild has won, as long as the match goes on.
fn wins(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(guild) = GM.choose(("set-wins", "who"), Guild::ALL, referee)? else {
        return Ok(());
    };
    let most = (state.options.games.most() / 2).into();
    if let Some(wins) = GM.number(("set-wins", "number"), (0, most), referee)? {
        state.wins[guild.index()] = wins;
        let least = state.wins.iter().sum();
        state.played = state.played.max(least).min(state.options.games.most() - 1);
    }
    Ok(())
}
