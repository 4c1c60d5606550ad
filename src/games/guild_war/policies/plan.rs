//! The worth of a plan of a guild, in hundredths of an HP card.

use super::super::actions::{self, Occasion};
use super::super::deeds::{Action, Deed};
use super::super::effects::{Duration, Effect, Stat};
use super::super::forecast::Verdict;
use super::super::resolve::{self, Covers, Doing};
use super::super::set::{Card, Scope};
use super::super::state::{Modifier, State};
use super::worth::worth;
use rules::Seat;

/// The worth of felling a character, apart from the HP.
const FALL: i32 = 350;

/// The possible actions of a seat on an occasion.
pub(super) fn options(view: &State, seat: Seat, when: Occasion) -> Vec<Action> {
    let mut options = Vec::new();
    if when == Occasion::Step && actions::may_attack(view, seat) {
        let discarded = discarded(view, seat);
        for target in actions::targets(view, seat, Scope::OneEnemy) {
            options.push(Action { deed: Deed::Normal, target: Some(target), discarded });
        }
    }
    for card in actions::usable(view, seat, when) {
        let Some(usable) = card.usable() else { continue };
        let deed = Deed::Card(card);
        if usable.scope.is_single() {
            for target in actions::targets(view, seat, usable.scope) {
                options.push(Action { deed, target: Some(target), discarded: None });
            }
        } else {
            options.push(Action { deed, target: None, discarded: None });
        }
    }
    options
}

/// W5.4: the card of least worth; `None` with a weapon.
fn discarded(view: &State, seat: Seat) -> Option<Card> {
    let character = &view.characters[seat];
    let is_armed = character.weapon().is_some();
    let least = character.cards().min_by_key(|card| worth(view, seat, *card));
    least.filter(|_| !is_armed)
}

/// The effects of an action that are not attacks.
pub(super) fn lends(action: Action) -> impl Iterator<Item = &'static Effect> {
    let usable = match action.deed {
        Deed::Card(card) => card.usable(),
        Deed::Normal => None,
    };
    let effects = usable.into_iter().flat_map(|usable| &usable.effects);
    effects.filter(|effect| effect.attack().is_none())
}

/// The scope of an action.
pub(super) fn scope(action: Action) -> Scope {
    match action.deed {
        Deed::Card(card) => card.usable().map_or(Scope::Oneself, |usable| usable.scope),
        Deed::Normal => Scope::OneEnemy,
    }
}

/// The expected harm of these attacks, from the visible state.
pub(super) fn harm(view: &State, doings: &[Doing], covers: &Covers) -> i32 {
    let pools = resolve::foreseen_pools(view, doings, covers);
    let (mut total, mut target, mut left) = (0, None, 0);
    for pool in &pools {
        if target != Some(pool.on) {
            left = hp(view, pool.on);
            target = Some(pool.on);
        }
        let came_to = resolve::judge(view, pool);
        if came_to.verdict == Verdict::Miss || left == 0 {
            continue;
        }
        let lost = i32::from(came_to.damage).min(left);
        left -= lost;
        let is_weak = 25 - 25 * left / vit(view, pool.on).max(1);
        total += lost * (100 + is_weak);
        total += if left == 0 { FALL } else { follows(pool.hits()) };
    }
    total
}

/// The worth of the effects after a hit.
fn follows<'e>(effects: impl Iterator<Item = &'e Effect>) -> i32 {
    let of = |effect: &Effect| match effect {
        Effect::Disable { .. } => 160,
        Effect::Poison { .. } => 120,
        Effect::Discard { .. } => 70,
        Effect::Break => 50,
        _ => 40,
    };
    effects.map(of).sum()
}

fn hp(view: &State, seat: Seat) -> i32 {
    i32::try_from(view.characters[seat].hp.len()).unwrap_or(i32::MAX)
}

fn vit(view: &State, seat: Seat) -> i32 {
    i32::try_from(view.characters[seat].vit()).unwrap_or(i32::MAX)
}

/// The worth of a plan to its guild.
pub(super) fn value(view: &mut State, plan: &[Doing], is_second: bool) -> i32 {
    let before: Vec<(Seat, usize)> =
        view.characters.iter().map(|(seat, it)| (seat, it.modifiers.len())).collect();
    let mut value = 0;
    for doing in plan {
        let is_free = doing.action.deed == Deed::Normal && doing.action.discarded.is_none();
        value -= if is_free { 0 } else { 75 };
        for effect in lends(doing.action) {
            for on in resolve::reached(view, *doing, scope(doing.action)) {
                value += lent(view, on, effect, is_second, doing.seat);
            }
        }
    }
    value += harm(view, plan, &Covers::new());
    for (seat, count) in before {
        view.characters[seat].modifiers.truncate(count);
    }
    value
}

/// The worth of an effect that is not an attack; a changed value then counts for the attacks of the plan.
fn lent(view: &mut State, on: Seat, effect: &Effect, is_second: bool, by: Seat) -> i32 {
    match *effect {
        Effect::Modify { stat, amount, until } => {
            let now = view.now();
            view.characters[on].modifiers.push(Modifier { stat, amount, until: now });
            let amount = i32::from(amount);
            let is_shield = matches!(stat, Stat::Def | Stat::Agi);
            match (amount < 0, until) {
                (true, _) => -amount,
                // A value that ends with the own step protects no character.
                (false, Duration::Step) => 0,
                (false, Duration::Frame) if is_shield => amount * if is_second { 1 } else { 2 },
                (false, Duration::Frame) => amount * 2 / 3,
            }
        }
        Effect::Heal { cards } => {
            let missing = (vit(view, on) - hp(view, on)).max(0);
            95 * missing.min(i32::from(cards))
        }
        Effect::Draw { cards } => {
            let character = &view.characters[on];
            let held = character.hand.len() - usize::from(on == by && !character.hand.is_empty());
            let room = character.luk().saturating_sub(held);
            75 * i32::try_from(room.min(cards.into())).unwrap_or(0)
        }
        Effect::Hide { .. } => {
            if hp(view, by) <= 3 {
                160
            } else {
                80
            }
        }
        Effect::Cleanse => {
            let character = &view.characters[on];
            let is_disabled = !view.is_able(on) && !character.down;
            let poison = i32::try_from(character.poison.len()).unwrap_or(0);
            150 * i32::from(is_disabled) + 50 * poison
        }
        _ => 0,
    }
}
