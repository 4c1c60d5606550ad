//! The worth of a card of the hand to its holder, in hundredths of an HP card.

use super::super::effects::Effect;
use super::super::set::{Card, CardKind, Equipment, Line, Usable};
use super::super::state::{Character, State};
use rules::Seat;

/// The worth of a card to this seat.
pub(super) fn worth(view: &State, seat: Seat, card: Card) -> i32 {
    let character = &view.characters[seat];
    match card.kind() {
        CardKind::Character { stats, .. } => {
            let is_near = stats.level <= view.highest_level().saturating_add(20);
            match stats.level > character.level() {
                true if is_near => 180,
                true => 100,
                false => 10,
            }
        }
        CardKind::Equipment(piece) => worth_of_gear(character, piece),
        CardKind::Item(_) => 110,
        CardKind::Skill(usable) if usable.line != character.line.map(Line::place) => 0,
        CardKind::Skill(usable) => {
            let is_late = usable.frame > view.frame.saturating_add(3);
            worth_of_skill(usable) - if is_late { 50 } else { 0 }
        }
    }
}

fn worth_of_gear(character: &Character, piece: &Equipment) -> i32 {
    let is_theirs = piece.lines.is_empty()
        || character.line.is_some_and(|line| piece.lines.contains(&line.place()));
    if !is_theirs {
        return 0;
    }
    let set = character.in_slot(piece.slot).filter_map(Card::equipment);
    if set.map(bonus).any(|bonus_set| bonus_set >= bonus(piece)) { 20 } else { 120 }
}

/// The sum of the values that a piece of equipment adds.
pub(super) fn bonus(piece: &Equipment) -> i16 {
    piece.bonus.values().sum()
}

fn worth_of_skill(usable: &Usable) -> i32 {
    let of = |effect: &Effect| match effect {
        Effect::Attack(attack) => {
            let spread = if usable.scope.is_single() { 0 } else { 80 };
            let follows = i32::try_from(attack.hit.len()).unwrap_or(0) * 30;
            50 + 45 * i32::from(attack.damage) + spread + follows
        }
        Effect::Heal { .. } => 160,
        _ if usable.scope.responds() => 150,
        _ => 70,
    };
    usable.effects.iter().map(of).max().unwrap_or(0).max(70)
}
