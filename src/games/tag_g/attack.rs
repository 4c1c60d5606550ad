//! T4: an attack under way, and its outcome in the current state.

use super::cards::{Card, Change, Value};
use super::happening::Happening;
use super::lasting::Influence;
use super::state::{PlannedAttack, State};
use super::things::{Aim, Means, Unit};
use super::values::Sum;
use rules::Seat;

/// An attack that is being resolved.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub attack: PlannedAttack,
    /// The player who attacks.
    pub user: Seat,
    /// The present target.
    pub on: Aim,
    /// The player who is attacked.
    pub attacked: Seat,
    pub blocker: Option<Unit>,
    pub defence: Option<(Seat, Card)>,
    /// The changes of this attack alone.
    pub changes: Vec<Change>,
    /// True if step 7 has done damage.
    pub damaged: bool,
    /// The number of triggers so far.
    pub triggers: usize,
    /// The line of the attack, published before the effects of the segment. `None` before the damage.
    pub struck: Option<Happening>,
}

impl Segment {
    /// An attack as it is declared, before anything happens in it.
    pub(super) fn foreseen(user: Seat, attack: PlannedAttack, attacked: Option<Seat>) -> Self {
        let (changes, triggers) = (Vec::new(), 0);
        let (blocker, defence, damaged) = (None, None, false);
        let attacked = attacked.unwrap_or(user);
        let (on, struck) = (attack.on, None);
        Self { attack, user, on, attacked, blocker, defence, changes, damaged, triggers, struck }
    }
}

/// The player whose character or permanent an attack is on.
pub(super) fn attacked(state: &State, on: Aim) -> Option<Seat> {
    match on {
        Aim::Character(seat) => Some(seat),
        Aim::Unit(unit) => state.permanent(unit).map(|permanent| permanent.controller),
    }
}

/// T4.11: true if the means of an attack are fast enough for a target.
pub(super) fn reaches(state: &State, by: Means, on: Aim) -> bool {
    state.speed_of(by).is_none_or(|speed| speed >= state.speed(on))
}

impl State {
    /// T4.14: the damage of the attack of a segment, and the part of it that is reduced.
    pub(super) fn damage(&self, segment: &Segment) -> (i16, i16) {
        let (printed, on, what) = match segment.attack.by {
            Means::Card(card) => {
                let printed = card.attack().map_or(0, |attack| attack.damage);
                (printed, Aim::Character(segment.user), Value::Damage)
            }
            Means::Unit(unit) => {
                let printed = unit.card.summon().map_or(0, |summon| summon.attack);
                (printed, Aim::Unit(unit), Value::Attack)
            }
        };
        let of_attack = segment.changes.iter().copied();
        let sum = Sum::of(self.changes(on, what).chain(of_attack));
        let before = sum.on(printed);
        let (mut less, mut is_whole) = (0, false);
        for is in self.influences(segment.on) {
            match is {
                Influence::Reduce(Some(by)) => less += i16::from(by),
                Influence::Reduce(None) => is_whole = true,
                _ => {}
            }
        }
        let after = sum.less(less).on(printed);
        if is_whole { (before, before) } else { (before, before - after) }
    }
}
