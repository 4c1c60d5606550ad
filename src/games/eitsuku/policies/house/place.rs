//! The set phase: the choice of a role to place.

use super::moves::{Draws, Moves, Set, TurnPlan};
use crate::eitsuku::edition::EDITION;
use crate::eitsuku::policies::payment::{Prefer, payment};

/// The least gain for which a role is placed before time is short: the budget and the set action would be
/// missing later.
pub(super) const WORTH_PLACING: i16 = 8;
impl TurnPlan<'_> {
    pub(super) fn set(&mut self, moves: &mut Moves, draws: &mut impl Draws) {
        let scoop = self.film.grants.scoop > 0;
        for _ in 0..=u8::from(scoop) {
            let set = self.best_placement().unwrap_or(Set::Draw);
            match set {
                Set::Draw => self.fresh.events.extend(draws.event()),
                Set::Place { role, slot, paid } => {
                    self.film.roles[role.index()] -= 1;
                    self.film.purse.subtract(paid);
                    self.film.numbers[slot.index()] = role.number;
                    self.used += paid.count();
                }
            }
            moves.sets.push(set);
        }
        self.film.grants.scoop -= u8::from(scoop);
    }

    fn best_placement(&self) -> Option<Set> {
        let limit = EDITION.set.pieces_a_turn - self.used;
        let mut best: Option<(i16, Set)> = None;
        for role in self.film.held() {
            let cost = self.film.cost(role);
            let Some(paid) = payment(cost, self.film.purse, limit, Prefer::Small) else { continue };
            for &slot in self.film.slots_for(role.family) {
                let gain = self.gain(|film| film.numbers[slot.index()] = role.number);
                let least = if self.aim.short { 1 } else { WORTH_PLACING };
                if gain >= least && best.is_none_or(|(before, _)| gain > before) {
                    best = Some((gain, Set::Place { role, slot, paid }));
                }
            }
        }
        best.map(|(_, set)| set)
    }
}
