//! The moves of one turn, decided by an aim and applied to the plan's own film. A card drawn in a turn cannot
//! be named in it (E2.4), so the moves of the coming turn follow from the aim.

use arrayvec::ArrayVec;

use super::aim::PlanInShort;
use super::film::FilmInPlan;
use super::table::OtherSeats;
use crate::eitsuku::cards::{Budget, Budgets, EventCard, Family, Role, Slot};
use crate::eitsuku::edition::EDITION;
use rules::Seat;

/// An event to lay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lay {
    pub(super) card: EventCard,
    /// The slot of an award or a promoter.
    pub(super) slot: Option<Slot>,
    /// The field of a promoter, and its number.
    pub(super) promoter: Option<(Seat, u8)>,
}

/// A set action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Draw,
    Place { role: Role, slot: Slot, paid: Budgets },
}

/// A scout action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scout {
    Draw(Family),
    Take(Budget),
}

/// The policy's moves in one turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    pub(super) lays: ArrayVec<Lay, 4>,
    pub(super) sets: ArrayVec<Set, 2>,
    pub(super) scouts: ArrayVec<Scout, 2>,
    /// The families that a network draws from.
    pub(super) network: ArrayVec<Family, 3>,
    pub(super) release: bool,
}

/// The source of drawn cards: a guess at the decks, or nothing.
pub(super) trait Draws {
    fn role(&mut self, family: Family) -> Option<usize>;
    fn event(&mut self) -> Option<usize>;
}

/// A source without cards, for deciding the moves themselves.
pub(super) struct Nothing;

impl Draws for Nothing {
    fn role(&mut self, _: Family) -> Option<usize> {
        None
    }

    fn event(&mut self) -> Option<usize> {
        None
    }
}

/// Plays one turn after the start phase.
pub(super) fn play(
    film: &mut FilmInPlan,
    aim: PlanInShort,
    table: &OtherSeats,
    draws: &mut impl Draws,
) -> Moves {
    let turns_left = (aim.until + 1).saturating_sub(film.turn).max(1);
    let mut aim = aim;
    aim.short = turns_left <= film.missing().max(1);
    let mut turn = TurnPlan { film, aim, table, turns_left, used: 0, fresh: Fresh::default() };
    let mut moves = Moves::default();
    turn.action(&mut moves);
    turn.set(&mut moves, draws);
    turn.scout(&mut moves, draws);
    turn.end(&mut moves, draws);
    moves
}

/// Cards drawn in the turn.
#[derive(Default)]
pub(super) struct Fresh {
    pub(super) roles: ArrayVec<usize, 8>,
    pub(super) events: ArrayVec<usize, 8>,
}

/// A turn under way on the plan's own film.
pub(super) struct TurnPlan<'a> {
    pub(super) film: &'a mut FilmInPlan,
    pub(super) aim: PlanInShort,
    pub(super) table: &'a OtherSeats,
    pub(super) turns_left: u8,
    /// The number of budget cards used (E3.7).
    pub(super) used: u8,
    pub(super) fresh: Fresh,
}

impl TurnPlan<'_> {
    /// The film's gain in promise from a change.
    pub(super) fn gain(&self, change: impl FnOnce(&mut FilmInPlan)) -> i16 {
        let mut changed = *self.film;
        change(&mut changed);
        changed.promise(self.aim) - self.film.promise(self.aim)
    }

    fn end(&mut self, moves: &mut Moves, draws: &mut impl Draws) {
        let film = &mut *self.film;
        // E5.4: one copy is used up at a time.
        let chance = film.grants.chance.min(EDITION.events.chance_draws);
        film.grants.chance -= chance;
        for _ in 0..chance {
            self.fresh.events.extend(draws.event());
        }
        let network = moves.lays.iter().any(|lay| lay.card == EventCard::Network);
        if network {
            let wishes = self.wishes();
            let liked_first = wishes.iter().rev().map(|(_, family)| *family);
            moves.network = liked_first
                .chain(Family::ALL.iter().copied())
                .take(EDITION.events.network_draws.into())
                .collect();
            for &family in &moves.network {
                self.fresh.roles.extend(draws.role(family));
            }
        }
        self.put_back();
        self.film.grants.owed = usize::from(network) * EDITION.events.network_returns;
        self.fresh.roles.drain(..).for_each(|role| self.film.roles[role] += 1);
        self.fresh.events.drain(..).for_each(|event| self.film.events[event] += 1);
        moves.release = self.film.turn >= self.aim.until && self.film.is_ready();
        self.film.turn += 1;
    }

    /// E5.12: puts the least liked roles back.
    fn put_back(&mut self) {
        for _ in 0..self.film.grants.owed {
            let least = self.film.held().min_by_key(|role| liking(self.film, self.aim, *role));
            if let Some(role) = least {
                self.film.roles[role.index()] -= 1;
            }
        }
    }
}

/// The liking for a role in the hand: the film's promise with the role placed; 0 if it has no slot.
pub(super) fn liking(film: &FilmInPlan, aim: PlanInShort, role: Role) -> i16 {
    let placed = |slot: &Slot| {
        let mut changed = *film;
        changed.numbers[slot.index()] = role.number;
        changed.promise(aim)
    };
    film.slots_for(role.family).iter().map(placed).max().unwrap_or(0)
}
