//! The worth of cards and of what they do, in tenths of a card of stamina.

use super::super::cards::{
    Amount, Card, CardKind, Change, Choice, Effect, Moment, Target, Value, Verb, What, Whose,
};
use super::super::effects;
use super::super::state::State;
use super::super::things::{Aim, Thing};
use rules::Seat;

/// The rest of the stamina below which a player spares it.
const SPARE: usize = 7;

/// The worth of a card that is played at once, with the best things to name.
pub(super) fn played(view: &State, seat: Seat, card: Card) -> i32 {
    let does = card.effects.iter().map(|effect| {
        let times = if matches!(effect.at, Moment::Use | Moment::Enters) { 1 } else { 2 };
        times * of_effect(view, seat, effect)
    });
    let printed = match card.kind() {
        CardKind::Summon(summon) => 18 * i32::from(summon.attack) + 6 * i32::from(summon.defence),
        CardKind::Shape(_) => 10,
        CardKind::Item(_) => 5,
        _ => 0,
    };
    let cost = card.cost;
    let upkeep = i32::from(card.upkeep);
    printed + does.sum::<i32>()
        - 10 * i32::from(cost.stamina)
        - 8 * i32::from(cost.discard)
        - 15 * upkeep
}

/// The worth of an effect.
pub(super) fn of_effect(view: &State, seat: Seat, effect: &Effect) -> i32 {
    effect.does.iter().map(|verb| of_verb(view, seat, *verb)).sum::<i32>()
        - 10 * i32::from(effect.cost.stamina)
        - 8 * i32::from(effect.cost.discard)
        - 30 * i32::from(effect.cost.this)
}

fn number(view: &State, seat: Seat, amount: Amount) -> i32 {
    view.amount(seat, amount).map_or(6, i32::from)
}

/// 1 for an effect on one's own side, −1 for one on opponents, 0 for one on nobody.
fn side(view: &State, seat: Seat, target: Target) -> i32 {
    let of = |choice: Choice, count: usize| {
        let count = i32::try_from(count).unwrap_or(1);
        if choice.of == Whose::Opposing { -count } else { count }
    };
    match target {
        Target::User | Target::This => 1,
        Target::Partner => i32::try_from(view.partners(seat).len()).unwrap_or(1),
        Target::Attacked | Target::Attacker | Target::Blocker => -1,
        Target::One(choice) => of(choice, effects::nameable(view, seat, choice).len().min(1)),
        Target::All(choice) => of(choice, effects::all(view, seat, choice).len()),
    }
}

fn of_verb(view: &State, seat: Seat, verb: Verb) -> i32 {
    let side = side(view, seat, verb.on());
    let what = match verb.on() {
        Target::One(choice) | Target::All(choice) => Some(choice.what),
        _ => None,
    };
    let player = &view.players[seat];
    match verb {
        Verb::Damage { amount, .. } | Verb::Resent { amount, .. } => {
            -10 * side * number(view, seat, amount)
        }
        Verb::Reduce { amount, .. } => 8 * side.abs() * number(view, seat, amount),
        Verb::Heal { amount, .. } => {
            let most = i32::try_from(player.damage.len()).unwrap_or(0);
            let room = if what == Some(What::Summon) { 2 } else { most };
            9 * side * number(view, seat, amount).min(room)
        }
        Verb::Draw { amount, .. } => {
            let worth = if player.stamina.len() > SPARE { 6 } else { -10 };
            worth * side * number(view, seat, amount)
        }
        Verb::Discard { amount, .. } => -7 * side * number(view, seat, amount),
        Verb::Return { .. } | Verb::Forbid { .. } => 8,
        Verb::Destroy { .. } => -28 * side,
        Verb::Modify { what, by, .. } => {
            let by = match by {
                Change::Add(add) => i32::from(add),
                Change::Times(times) => 3 * i32::from(times),
                Change::Divide(_) => -3,
            };
            side * by * if what == Value::Speed { 6 } else { 8 }
        }
    }
}

/// The worth of naming a thing for a verb of this choice: the weakest opponent, the most wounded of the own
/// side, the strongest summon.
pub(super) fn of_thing(view: &State, seat: Seat, thing: Thing) -> i32 {
    match thing {
        Thing::Aim(Aim::Character(of)) => {
            let stamina = i32::try_from(view.players[of].stamina.len()).unwrap_or(0);
            let damage = i32::try_from(view.players[of].damage.len()).unwrap_or(0);
            let is_own = view.team(of) == view.team(seat);
            100 - stamina + if is_own && damage == 0 { -90 } else { 0 }
        }
        Thing::Aim(Aim::Unit(unit)) => i32::from(4 * view.attack(unit) + view.defence(unit)),
        Thing::Card(card) => held(view, seat, card),
    }
}

/// The worth of keeping a card in the hand.
pub(super) fn held(view: &State, seat: Seat, card: Card) -> i32 {
    match card.kind() {
        CardKind::Attack(attack) => 10 * i32::from(attack.damage),
        CardKind::Defence(_) => 35 + 8 * i32::from(super::super::orders::saved(card).min(6)),
        _ => played(view, seat, card) - 10 * card.magic().map_or(0, |magic| i32::from(magic.level)),
    }
}
