//! The answers of a bot player at rest and before the first frame.

use super::super::actions::Occasion;
use super::super::deeds::Action;
use super::super::resolve::Doing;
use super::super::set::Card;
use super::plan::{options, value};
use super::sight::SeatView;
use super::worth::{bonus, worth};
use crate::answer::{anything, best, option, worst_picks};
use rules::{Offer, Reply};
use smol_str::SmolStr;

/// The worth that a card used at rest must add.
const LEAST: i32 = 15;

/// Uses the card that is worth most, if not wasted.
pub(super) fn action(sight: &mut SeatView) -> Option<Action> {
    let SeatView { seat, view } = sight;
    let mut best = None;
    for action in options(view, *seat, Occasion::Rest) {
        let worth = value(view, &[Doing { seat: *seat, action }], false);
        if worth > LEAST && best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, action));
        }
    }
    best.map(|(_, action)| action)
}

/// Replies to the other questions.
pub(super) fn reply(sight: &SeatView, offer: &Offer<'_>) -> Reply {
    let reply = match offer.key.section.as_str() {
        "gear" => gear(sight, offer),
        "level" => best(offer, |id| Card::find(id).and_then(Card::stats).map(|stats| stats.level)),
        "hp" => hp(sight, offer),
        "adjust" => Some(worst_picks(offer, |id| worth_of(sight, id))),
        _ => None,
    };
    match (reply, offer.key.section.as_str()) {
        (Some(reply), _) => reply,
        (None, "gear" | "hp" | "level") => Reply::LeftOut,
        (None, _) => anything(offer),
    }
}

fn worth_of(sight: &SeatView, id: &SmolStr) -> i32 {
    Card::find(id).map_or(0, |card| worth(&sight.view, sight.seat, card))
}

/// Sets equipment that is better than the one in its slot, and then items.
fn gear(sight: &SeatView, offer: &Offer<'_>) -> Option<Reply> {
    let character = &sight.view.characters[sight.seat];
    let gain = |id: &SmolStr| -> i32 {
        let Some(card) = Card::find(id) else { return 0 };
        let Some(piece) = card.equipment() else { return 1 };
        let set: i16 = character.in_slot(piece.slot).filter_map(Card::equipment).map(bonus).sum();
        i32::from(bonus(piece)) - i32::from(set)
    };
    let id = match best(offer, gain)? {
        Reply::Option(index) => match offer.choice {
            rules::ask::Choice::Option(options) => options.id(index),
            _ => return None,
        },
        _ => return None,
    };
    option(offer, &id).filter(|_| gain(&id) > 0)
}

/// Lays the card of least worth as HP, if HP is missing.
fn hp(sight: &SeatView, offer: &Offer<'_>) -> Option<Reply> {
    let character = &sight.view.characters[sight.seat];
    let missing = character.vit().saturating_sub(character.hp.len());
    if missing == 0 {
        return None;
    }
    let limit = 140
        + if missing >= 3 { 50 } else { 0 }
        + if character.hp.len() <= 3 { 70 } else { 0 }
        + if character.hand.len() > character.luk() { 100 } else { 0 };
    let least = character.cards().min_by_key(|card| worth(&sight.view, sight.seat, *card))?;
    let is_little = worth(&sight.view, sight.seat, least) < limit;
    let can_spare = character.hand.len() > 1 || character.hp.len() <= 3;
    option(offer, least.word()).filter(|_| is_little && can_spare)
}
