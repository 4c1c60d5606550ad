//! A film in the making, as its own player calculates it: field, hand and funds, without the other players.

use super::aim::PlanInShort;
use crate::eitsuku::cards::{Budget, Budgets, EventCard, Family, ROLES, Role, Slot};
use crate::eitsuku::edition::EDITION;
use crate::eitsuku::state::{Player, State};
use rules::Seat;

/// A rival is assumed to take the largest budget card in one of this many scout actions.
const SCOUTS_A_BUDGET: u8 = 2;
/// The highest number on a role card.
pub(super) const HIGHEST: u8 = 6;

/// The event cards in a hand, by their position.
pub(super) type Events = [u8; 15];

/// The planned film. Plain numbers, because it is copied for every future tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilmInPlan {
    /// The turn that is played next.
    pub(super) turn: u8,
    /// The printed numbers in the slots; 0 is an empty slot.
    pub(super) numbers: [u8; 5],
    /// The awards' addition to each slot.
    pub(super) awards: [u8; 5],
    /// The nameable roles in the hand.
    pub(super) roles: [u8; ROLES],
    /// The nameable events in the hand.
    pub(super) events: Events,
    pub(super) purse: Budgets,
    /// The supply, as far as it matters to this player.
    pub(super) supply: Budgets,
    /// The number of other players who draw on the supply.
    pub(super) rivals: u8,
    /// The cost of a role above its number.
    pub(super) extra: u32,
    /// The points apart from the roles: tie-ins, rush, own promoters.
    pub(super) points: i16,
    /// The granting events on the own field.
    pub(super) grants: Grants,
}

/// Events on the field that grant something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grants {
    /// 電撃発表: the number of copies, each of which grants a second set action.
    pub(super) scoop: u8,
    /// 地元の協力: the number of copies, each of which grants a second scout action.
    pub(super) local: u8,
    /// 新たなるチャンス: the number of events to draw at the ends of turns.
    pub(super) chance: u8,
    /// 広告代理店の努力: true if any number of events can be laid.
    pub(super) agency: bool,
    /// 独自の情報網: roles to put back at the end of this turn.
    pub(super) owed: usize,
}

impl FilmInPlan {
    /// The film of this seat.
    pub(super) fn of(state: &State, seat: Seat) -> Self {
        let player = &state.players[seat];
        let lowest = Role { family: Family::Actor, number: 1 };
        let by_slot = |number: &dyn Fn(Slot) -> u8| -> [u8; 5] {
            std::array::from_fn(|index| number(Slot::ALL[index]))
        };
        let scoring = &EDITION.scoring;
        Self {
            turn: state.turn,
            numbers: by_slot(&|slot| player.slot(slot).map_or(0, |placed| placed.number)),
            awards: by_slot(&|slot| player.awards(slot)),
            roles: player.roles.known,
            events: player.events.known,
            purse: player.budgets,
            supply: state.supply,
            rivals: u8::try_from(state.rivals(seat).len()).expect("at most five"),
            extra: state.cost(seat, lowest) - u32::from(lowest.number),
            points: i16::from(player.count(EventCard::TieIn)) * scoring.tie_in
                - i16::from(player.count(EventCard::Rush)) * scoring.rush * scoring.late
                - crate::eitsuku::scoring::promoters(state, seat),
            grants: Grants::of(player, state.turn),
        }
    }

    /// The number in a slot, awards included; 0 for an empty slot.
    pub(super) fn number(&self, slot: usize) -> u8 {
        if self.numbers[slot] == 0 { 0 } else { self.numbers[slot] + self.awards[slot] }
    }

    /// The number of roles on the field.
    pub(super) fn occupied(&self) -> usize {
        self.numbers.iter().filter(|number| **number > 0).count()
    }

    /// The number of families without a role on the field.
    pub(super) fn missing(&self) -> u8 {
        Family::ALL.iter().map(|family| u8::from(self.lacks(*family))).sum()
    }

    /// True if a family has no role on the field.
    pub(super) fn lacks(&self, family: Family) -> bool {
        family.slots().iter().all(|slot| self.numbers[slot.index()] == 0)
    }

    /// True if the film can be released (E3.8).
    pub(super) fn is_ready(&self) -> bool {
        self.missing() == 0 && self.occupied() >= EDITION.release.roles
    }

    /// Parts A, B and D of the score, if the film were released now (E6.1, E6.2, E6.4, and E5.2).
    pub(super) fn score(&self) -> i16 {
        let numbers: [u8; 5] = std::array::from_fn(|slot| self.number(slot));
        let sum: i16 = numbers.iter().map(|number| i16::from(*number)).sum();
        sum + combination(numbers) + self.points
    }

    /// The slots that a role may take if none is named: an empty one first (E3.4).
    pub(super) fn slots_for(&self, family: Family) -> &'static [Slot] {
        let slots = family.slots();
        match slots.iter().position(|slot| self.numbers[slot.index()] == 0) {
            Some(index) => &slots[index..=index],
            None => slots,
        }
    }

    /// The cost of a role.
    pub(super) fn cost(&self, role: Role) -> u32 {
        u32::from(role.number) + self.extra
    }

    /// The different nameable roles.
    pub(super) fn held(&self) -> impl Iterator<Item = Role> + '_ {
        (0..ROLES).filter(|index| self.roles[*index] > 0).map(Role::from_index)
    }

    /// E3.1
    pub(super) fn income(&mut self) {
        if let Some(&budget) = Budget::ALL.iter().find(|budget| self.supply[**budget] > 0) {
            self.take(budget);
        }
    }

    /// Removes the rivals' assumed takings of a turn from the supply: their income, and their scouting.
    pub(super) fn drain(&mut self) {
        let smallest = self.rivals;
        let largest = self.rivals / SCOUTS_A_BUDGET;
        let mut take = |budgets: &mut dyn Iterator<Item = &Budget>, mut count: u8| {
            for &budget in budgets {
                let taken = count.min(self.supply[budget]);
                self.supply[budget] -= taken;
                count -= taken;
            }
        };
        take(&mut Budget::ALL.iter(), smallest);
        take(&mut Budget::ALL.iter().rev(), largest);
    }

    /// Takes a budget card from the supply.
    pub(super) fn take(&mut self, budget: Budget) {
        self.supply[budget] -= 1;
        self.purse[budget] += 1;
    }

    /// The value of the film to a plan: its score, and its progress towards the aim.
    pub(super) fn promise(&self, aim: PlanInShort) -> i16 {
        let hits = (0..5).filter(|slot| aim.is_hit(self.number(*slot))).count();
        self.score() + PlanInShort::worth_of_hits(hits) + aim.worth_of_missing(self.missing())
    }
}

impl Grants {
    fn of(player: &Player, turn: u8) -> Self {
        let earlier = |card| {
            let laid = player.laid.iter().filter(|laid| laid.card == card && laid.turn < turn);
            laid.count()
        };
        Self {
            scoop: player.count(EventCard::Scoop),
            local: player.count(EventCard::Local),
            chance: player.count(EventCard::Chance) * EDITION.events.chance_draws,
            agency: earlier(EventCard::Agency) > 0,
            owed: earlier(EventCard::Network) * EDITION.events.network_returns,
        }
    }
}

/// The E6.2 bonus, by the number of equal pairs among five numbers, which identifies each combination; 0 is
/// no number. A plan scores many films, so this is faster than counting by number.
pub(super) fn combination(numbers: [u8; 5]) -> i16 {
    let mut pairs = 0;
    for (index, number) in numbers.iter().enumerate() {
        let alike = numbers[..index].iter().filter(|other| *number > 0 && *other == number);
        pairs += alike.count();
    }
    let scoring = &EDITION.scoring;
    match pairs {
        0 => 0,
        1 => scoring.one_pair,
        2 => scoring.two_pair,
        3 => scoring.three_of_a_kind,
        4 => scoring.full_house,
        6 => scoring.four_of_a_kind,
        _ => scoring.five_of_a_kind,
    }
}

#[cfg(test)]
mod tests {
    use super::combination;
    use crate::eitsuku::scoring::bonus;

    #[test]
    fn pairs_tell_the_combinations_apart() {
        for code in 0..7_u32.pow(5) {
            let mut rest = code;
            let numbers: [u8; 5] = std::array::from_fn(|_| {
                let number = rest % 7;
                rest /= 7;
                u8::try_from(number).unwrap()
            });
            let placed: Vec<u8> = numbers.into_iter().filter(|number| *number > 0).collect();
            assert_eq!(combination(numbers), bonus(&placed), "{numbers:?}");
        }
    }
}
