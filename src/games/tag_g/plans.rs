//! T7.1: the sealed turn: the attacks in order, the discards, and the upkeep that is let go.

use super::cards::card::too_fast;
use super::cards::{Aims, Card, CardKind};
use super::state::{Phase, PlannedAttack, Referee, State, WindowStage};
use super::things::{Aim, Means};
use super::{piles, turns};
use crate::bars::{self, Hindrance};
use crate::pieces::alternatives;
use rules::{Ask, Bar, Key, Play, Reason, Seat};

alternatives! { ExtraDraw { Draw => "draw-more" } }

/// T3.4: the number of fights that a player has in a turn.
pub(super) fn fights(state: &State, seat: Seat) -> u8 {
    state.players[seat].printed().map_or(0, |it| it.fights).saturating_add(solo_counts(state, seat))
}

/// T3.4: the number of spells that a player has in a turn.
pub(super) fn spells(state: &State, seat: Seat) -> u8 {
    state.players[seat].printed().map_or(0, |it| it.spells).saturating_add(solo_counts(state, seat))
}

/// T10.6
fn solo_counts(state: &State, seat: Seat) -> u8 {
    if state.options.is_solo(seat) { state.options.solo_counts as u8 } else { 0 }
}

/// Asks for the turn, and notes it.
pub(super) fn seal(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    if state.stage != WindowStage::Turn || state.turn.seat != seat {
        return Ok(());
    }
    if turns::may_draw(state, seat) {
        let ask = Ask::new(Key::new("draw", "extra"), "T3.2").or_nothing().or_missing();
        if referee.choose(seat, &ask, &[ExtraDraw::Draw])?.is_some() {
            let note = Reason::noted("drawn-at-the-close", &[ExtraDraw::Draw]);
            referee.note_on(&ask, note, "T3.2");
            turns::draw_more(state, seat, referee);
        }
    }
    if state.turn.skip != Some(Phase::Main) {
        attacks(state, seat, referee)?;
    }
    let_go(state, seat, referee)?;
    discards(state, seat, referee)
}

/// Asks for the attacks in their order, each a part of its own.
fn attacks(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    for number in 1..=u8::MAX {
        let (means, _) = means(state, seat);
        let key = Key::part("attack").nth(number);
        let stands =
            referee.part(&key, state, |state, referee| attack(state, seat, &key, referee))?;
        // A part that cannot stand does not end the list.
        if stands == Some(false) || stands.is_none() && usize::from(number) > 1 + means.len() {
            break;
        }
    }
    Ok(())
}

/// Asks for an attack. True if there is one.
fn attack(state: &mut State, seat: Seat, key: &Key, referee: &mut Referee<'_>) -> Play<bool> {
    let (means, bars) = means(state, seat);
    let with = Ask::new(key.named("with"), "T4.11").absent("not-before-you").or_nothing();
    let Some(by) = referee.choose_barring(seat, &with, &means, &bars)? else { return Ok(false) };
    let (targets, bars) = targets(state, seat, by);
    let ask = Ask::new(key.named("target"), "T4.11");
    let Some(on) = referee.choose_barring(seat, &ask, &targets, &bars)? else {
        state.turn.unaimed.push(by);
        return Ok(true);
    };
    referee.stands(key)?;
    let attack = PlannedAttack { number: key.number, by, on };
    // An earlier attack could change the damage.
    if referee.takes_notes() && state.turn.attacks.is_empty() && state.is_harmless(attack) {
        referee.note_on(&with, Reason::noted("no-damage", &[by]), "T4.14");
    }
    state.turn.attacks.push(attack);
    Ok(true)
}

/// The means of the attacks of the turn, with a target or without.
fn used(state: &State) -> impl Iterator<Item = Means> {
    let aimed = state.turn.attacks.iter().map(|attack| attack.by);
    aimed.chain(state.turn.unaimed.iter().copied())
}

/// The number of attack cards in the attacks of the turn.
fn planned_cards(state: &State) -> usize {
    used(state).filter(|used| matches!(used, Means::Card(_))).count()
}

/// The means of an attack that can be used, and those that cannot, with the reason.
pub(super) fn means(state: &State, seat: Seat) -> (Vec<Means>, Vec<Bar<Means>>) {
    let cards = state.players[seat].distinct_hand().into_iter().map(Means::Card);
    let means = cards.chain(state.summons(seat).map(Means::Unit));
    bars::split(means, |by| hindrance(state, seat, by))
}

/// The reason that keeps a card of the hand or a summon from being the means of an attack.
fn hindrance(state: &State, seat: Seat, by: Means) -> Option<Hindrance> {
    let planned = used(state).filter(|used| *used == by).count();
    let why = match by {
        Means::Card(card) => card_hindrance(state, seat, card, planned),
        Means::Unit(unit) => {
            let has_attacked = state.permanent(unit).is_none_or(|permanent| permanent.attacked);
            if has_attacked || planned > 0 { Some(("has-attacked", "T4.11")) } else { None }
        }
    };
    why.or_else(|| {
        let (targets, bars) = targets(state, seat, by);
        let bars = bars.iter().filter(|bar| targets.is_empty() && bar.clause == "T4.11");
        // A target that is too fast says more than one of the wrong kind.
        let bar = bars.min_by_key(|bar| (!bar.why.starts_with("too-fast"), bar.why))?;
        Some((bar.why, bar.clause))
    })
}

fn card_hindrance(state: &State, seat: Seat, card: Card, planned: usize) -> Option<Hindrance> {
    let held = state.players[seat].cards().filter(|held| *held == card).count();
    let spent = usize::from(state.turn.fights) + planned_cards(state);
    if matches!(card.kind(), CardKind::Defence(_)) {
        Some(("defence-no-attack", "T4.13"))
    } else if card.attack().is_none() {
        Some(("play-at-once", "T3.3"))
    } else if planned >= held {
        Some(("already-attacks", "T4.11"))
    } else if state.turn.spells > 0 {
        Some(("fight-after-spell", "T3.4"))
    } else if spent >= fights(state, seat).into() {
        Some(("no-fights-left", "T3.4"))
    } else if !piles::can_pay(state, seat, card.cost, true) {
        Some(("cannot-pay", "T3.3"))
    } else {
        None
    }
}

/// T4.11, T5.1: the targets of an attack, and those that it cannot have, with the reason.
pub(super) fn targets(state: &State, seat: Seat, by: Means) -> (Vec<Aim>, Vec<Bar<Aim>>) {
    let aims = match by {
        Means::Card(card) => card.attack().map_or(Aims::Any, |attack| attack.aims),
        Means::Unit(_) => Aims::Any,
    };
    let foes = state.foes(seat);
    let rest = state.players.seats().filter(|other| !foes.contains(other));
    let characters = foes.iter().copied().chain(rest).map(Aim::Character);
    let units = state.field.iter().map(|permanent| permanent.unit);
    let summons = units.filter(|unit| unit.is_summon()).map(Aim::Unit);
    bars::split(characters.chain(summons), |on| {
        let is_character = matches!(on, Aim::Character(_));
        let is_own = state.attacked(on).is_none_or(|of| state.team(of) == state.team(seat));
        let is_ridden = matches!(on, Aim::Unit(unit)
            if state.permanent(unit).is_some_and(|permanent| permanent.worn_by.is_some()));
        if matches!(on, Aim::Character(of) if !state.is_living(of)) {
            Some(("already-out", "T6.1"))
        } else if is_own {
            Some(("own-side", "T5.1"))
        } else if aims == Aims::Summon && is_character {
            Some(("only-summons", "T4.11"))
        } else if aims == Aims::Character && !is_character {
            Some(("only-characters", "T4.11"))
        } else if is_ridden {
            Some(("is-ridden", "T10.4"))
        } else if state.reaches(by, on) {
            None
        } else {
            Some((too_fast(state.speed_of(by).unwrap_or(0), state.speed(on)), "T4.11"))
        }
    })
}

/// T7.1: asks for the permanents whose next upkeep is not paid.
fn let_go(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let mut units = state.controlled(seat);
    units.retain(|unit| unit.card.upkeep > 0);
    if units.is_empty() {
        return Ok(());
    }
    let ask = Ask::new(Key::new("let-go", "what"), "T7.1").or_nothing().or_missing();
    let picked = referee.pick(seat, &ask, &units, units.len(), units.len())?;
    for permanent in &mut state.field {
        if permanent.controller == seat {
            permanent.let_go = picked.contains(&permanent.unit);
        }
    }
    Ok(())
}

/// T3.9: asks for the cards to discard, as many as are above the limit once the attacks are made.
fn discards(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let mut hand = state.players[seat].sorted_hand();
    for by in used(state) {
        if let Means::Card(card) = by
            && let Some(place) = hand.iter().position(|held| *held == card)
        {
            hand.remove(place);
        }
    }
    let excess = turns::excess(state, seat).saturating_sub(planned_cards(state));
    let count = excess.min(hand.len());
    if count == 0 {
        return Ok(());
    }
    let ask = Ask::new(Key::new("discard", "cards"), "T3.9").or_missing();
    state.turn.discards = referee.pick(seat, &ask, &hand, hand.len(), count)?.to_vec();
    Ok(())
}
