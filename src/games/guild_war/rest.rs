//! W8: the rest.

use super::actions::{self, Occasion, spend};
use super::deeds::{Action, Deed};
use super::edition::EDITION;
use super::happening::Happening;
use super::resolve::{self, Doing};
use super::set::Card;
use super::state::{Guild, Referee, State, WindowStage};
use super::verbs::{self, Source};
use super::{gear, prepare, winning};
use rules::{Ask, Bar, Key, Label, Play, Seat};

/// W8.1, W12.10: poison strikes, all characters draw, and the window opens.
pub(super) fn begin(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("W8.1");
    for seat in in_order(state) {
        poison(state, seat, referee);
    }
    if winning::check_downs(state, referee) {
        return;
    }
    state.stage = WindowStage::Rest;
    for seat in in_order(state) {
        if !state.characters[seat].down {
            let draw = &EDITION.draw;
            let is_first = Guild::of(seat) == state.first;
            verbs::draw(state, seat, if is_first { draw.first } else { draw.second }, referee);
        }
    }
}

/// W8.2: the seats, first guild first.
pub(super) fn in_order(state: &State) -> Vec<Seat> {
    let guilds = [state.first, state.first.other()];
    guilds.iter().flat_map(|guild| state.members(*guild)).collect()
}

/// W12.10: takes one HP card for each poison.
fn poison(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let strikes = state.characters[seat].poison.len();
    if strikes == 0 || state.characters[seat].down {
        return;
    }
    referee.cite("W12.10");
    let cards = resolve::lose(state, seat, u8::try_from(strikes).unwrap_or(u8::MAX));
    let poison = &mut state.characters[seat].poison;
    for rests in poison.iter_mut() {
        *rests -= 1;
    }
    poison.retain(|rests| *rests > 0);
    referee.tell(Happening::PoisonStruck { seat, cards });
    resolve::fall(state, seat, referee);
}

/// W8.1: asks for the actions of a character at rest, and W8.3: its discards.
pub(super) fn rest(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    if state.is_able(seat) && !referee.is_skipped(seat) {
        level_up(state, seat, referee)?;
        gear::ask(state, seat, referee)?;
        use_card(state, seat, referee)?;
        lay_hp(state, seat, referee)?;
    } else if !state.characters[seat].down && !referee.is_skipped(seat) {
        refuse(state, seat, referee)?;
    }
    if !state.characters[seat].down {
        adjust(state, seat, referee)?;
    }
    if referee.is_skipped(seat) { Ok(()) } else { prepare::order(state, seat, referee) }
}

/// W7.7: the questions of a rest to a disabled character, each with every card barred.
fn refuse(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let bar = |option| Bar { option, why: "disabled", clause: "W7.7" };
    let bars: Vec<Bar<Card>> =
        state.characters[seat].distinct_hand().into_iter().map(bar).collect();
    for section in ["level", "gear", "rest", "hp"] {
        let ask = Ask::new(Key::new(section, "card"), "W7.7").or_nothing();
        referee.choose_barring(seat, &ask, &[], &bars)?;
    }
    Ok(())
}

/// W8.1: raises the level by a character card of the hand.
fn level_up(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let character = &state.characters[seat];
    let (Some(line), Some(before)) = (character.line, character.card) else { return Ok(()) };
    let (mut free, mut bars) = (Vec::new(), Vec::new());
    for option in character.distinct_hand().into_iter().filter(|card| card.stats().is_some()) {
        match option.stats_of(line).map(|stats| stats.level) {
            None => bars.push(Bar { option, why: "other-line", clause: "W11.6" }),
            Some(level) if level <= character.level() => {
                bars.push(Bar { option, why: "not-higher", clause: "W8.1" });
            }
            Some(level) if level > state.highest_level() => {
                bars.push(Bar { option, why: "level-too-high", clause: "W8.1" });
            }
            Some(_) => free.push(option),
        }
    }
    let ask = Ask::new(Key::new("level", "card"), "W8.1").or_nothing();
    if let Some(card) = referee.choose_barring(seat, &ask, &free, &bars)? {
        let character = &mut state.characters[seat];
        character.give_up(card);
        character.card = Some(card);
        // W13.2: the card of level 1 is not part of the deck.
        if before != state.options.set.beginner(line) {
            character.discard.push(before);
            referee.cite("W13.2");
        }
        gear::shed(state, seat);
        referee.tell(Happening::LeveledUp { seat, card, before });
    }
    Ok(())
}

/// W8.1: uses one skill or item at rest.
fn use_card(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let Some(action) = actions::ask(state, seat, Occasion::Rest, referee)? else { return Ok(()) };
    spend(state, seat, action);
    let Action { deed, target, .. } = action;
    referee.tell(Happening::UsedAtRest { seat, deed, target });
    let Deed::Card(card) = deed else { return Ok(()) };
    let Some(usable) = card.usable() else { return Ok(()) };
    let source = Source { by: seat, now: state.now() };
    for effect in &usable.effects {
        for on in resolve::reached(state, Doing { seat, action }, usable.scope) {
            verbs::apply(state, source, on, effect, referee);
        }
    }
    Ok(())
}

/// W8.1: sets a card of the hand as HP. With HP at VIT, from the beginning or by
/// another player's healing, the card is returned (W9.3).
fn lay_hp(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let character = &state.characters[seat];
    let hand = character.distinct_hand();
    let is_full = character.hp.len() >= character.vit();
    let bar = |option: &Card| Bar { option: *option, why: "hp-full", clause: "W8.1" };
    let bars: Vec<Bar<Card>> = if is_full { hand.iter().map(bar).collect() } else { Vec::new() };
    let free: &[Card] = if is_full { &[] } else { &hand };
    let ask = Ask::new(Key::new("hp", "card"), "W8.1").or_nothing().or_missing();
    if let Some(card) = referee.choose_barring(seat, &ask, free, &bars)? {
        let character = &mut state.characters[seat];
        if character.hp.len() < character.vit() {
            character.give_up(card);
            character.hp.push(Some(card));
            referee.tell(Happening::LaidHp { seat });
        }
    }
    Ok(())
}

/// W8.3: discards down to LUK cards; undeclared discards go by die.
fn adjust(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let character = &state.characters[seat];
    let over = character.hand.len().saturating_sub(character.luk());
    if over == 0 {
        return Ok(());
    }
    let hand: Vec<Card> = character.cards().collect();
    let ask = Ask::new(Key::new("adjust", "cards"), "W8.3").or_missing();
    let cards = referee.pick(seat, &ask, &hand, hand.len(), over)?.to_vec();
    lay_down(state, seat, cards, referee);
    Ok(())
}

fn lay_down(state: &mut State, seat: Seat, cards: Vec<Card>, referee: &mut Referee<'_>) {
    for card in &cards {
        state.characters[seat].throw_away(*card);
    }
    if !cards.is_empty() {
        referee.tell(Happening::Adjusted { seat, cards });
    }
}

/// W8.3: discards by die the cards that a player was made to draw after their own rest.
pub(super) fn adjust_late(state: &mut State, referee: &mut Referee<'_>) {
    for seat in in_order(state) {
        let mut cards = Vec::new();
        let mut number = 1;
        while !state.characters[seat].down
            && state.characters[seat].hand.len() > state.characters[seat].luk()
        {
            let hand: Vec<Card> = state.characters[seat].cards().collect();
            let label = Label::of(seat, Key::new("adjust", "late").nth(number));
            let Some(card) = verbs::by_die(&label, &hand, referee) else { break };
            state.characters[seat].throw_away(card);
            cards.push(card);
            number += 1;
        }
        if !cards.is_empty() {
            referee.cite("W8.3");
            referee.tell(Happening::Adjusted { seat, cards });
        }
    }
}
