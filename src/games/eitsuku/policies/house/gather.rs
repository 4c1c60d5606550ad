//! The scout phase: the choice between drawing from a family and taking budget.

use arrayvec::ArrayVec;

use super::film::HIGHEST;
use super::moves::{Draws, Moves, Scout, TurnPlan};
use super::place::WORTH_PLACING;
use crate::eitsuku::cards::{Budget, Family, Role, Slot};
use crate::eitsuku::edition::EDITION;
use rules::ask::most;

/// Families by the strength of the wish to draw from them.
pub(super) type Wishes = ArrayVec<(i16, Family), 4>;

/// The wish for a card that is certain to be drawn.
const SURE: i16 = 100;
/// The wish for a family without which the film will be late.
const URGENT: i16 = 1000;

impl TurnPlan<'_> {
    pub(super) fn scout(&mut self, moves: &mut Moves, draws: &mut impl Draws) {
        let local = self.film.grants.local > 0;
        let mut wishes = self.wishes();
        for _ in 0..=u8::from(local) {
            let scout = self.best_scout(&mut wishes);
            match scout {
                Some(Scout::Draw(family)) => self.fresh.roles.extend(draws.role(family)),
                Some(Scout::Take(budget)) => {
                    self.film.take(budget);
                    // The cards put on the field return only in the end phase (E3.8).
                    self.used = EDITION.set.pieces_a_turn;
                }
                None => break,
            }
            moves.scouts.extend(scout);
        }
        self.film.grants.local -= u8::from(local);
    }

    /// Chooses budget if no role in the hand is affordable, else the most wished family, else budget.
    fn best_scout(&self, wishes: &mut Wishes) -> Option<Scout> {
        let budget = || self.best_budget().map(Scout::Take);
        let urgent = wishes.last().is_some_and(|(wish, _)| *wish >= URGENT);
        let poor = || self.film.purse.worth() < self.cheapest_hope();
        if !urgent
            && poor()
            && let Some(budget) = budget()
        {
            return Some(budget);
        }
        wishes.pop().map(|(_, family)| Scout::Draw(family)).or_else(budget)
    }

    /// The cost of the cheapest role in the hand that is worth placing; 0 if there is none.
    fn cheapest_hope(&self) -> u32 {
        let hopes = self.film.held().filter(|role| {
            let fits = |slot: &Slot| {
                self.gain(|film| film.numbers[slot.index()] = role.number) >= WORTH_PLACING
            };
            self.film.slots_for(role.family).iter().any(fits)
        });
        hopes.map(|role| self.film.cost(role)).min().unwrap_or(0)
    }

    /// The largest budget card that can be taken.
    fn best_budget(&self) -> Option<Budget> {
        let limit = EDITION.set.pieces_a_turn - self.used;
        let shown = most(&self.film.purse.purse(), Some(limit));
        let price = |budget| match budget {
            Budget::Small => 0,
            Budget::Medium => EDITION.scout.medium,
            Budget::Large => EDITION.scout.large,
        };
        let takes = |budget: &&Budget| self.film.supply[**budget] > 0 && price(**budget) <= shown;
        Budget::ALL.iter().rev().find(takes).copied()
    }

    /// The families worth drawing from, the most wished last.
    pub(super) fn wishes(&self) -> Wishes {
        let mut wishes = Wishes::new();
        for &family in Family::ALL {
            let left = self.table.left(family);
            if left == 0 {
                continue;
            }
            let held = |role: Role| self.film.roles[role.index()];
            let in_hand: u8 = (1..=HIGHEST).map(|number| held(Role { family, number })).sum();
            let urgent = self.film.lacks(family) && in_hand == 0 && self.is_late();
            let mut wish = if urgent { URGENT } else { 0 };
            for slot in family.slots() {
                let index = slot.index();
                if self.aim.is_hit(self.film.number(index)) {
                    continue;
                }
                let number = self.aim.number.saturating_sub(self.film.awards[index]);
                if !(1..=HIGHEST).contains(&number) {
                    continue;
                }
                let role = Role { family, number };
                if held(role) == 0 {
                    wish += SURE * i16::from(self.table.unseen[role.index()]) / left;
                }
            }
            if wish > 0 {
                wishes.push((wish, family));
            }
        }
        wishes.sort_unstable_by_key(|(wish, _)| *wish);
        wishes
    }

    /// True if the missing families must be gathered now.
    fn is_late(&self) -> bool {
        self.turns_left <= self.film.missing() + 1
    }
}
