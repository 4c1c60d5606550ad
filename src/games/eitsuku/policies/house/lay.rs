//! The action phase: the choice of an event to lay, and its effect on the film.

use arrayvec::ArrayVec;

use super::moves::{Lay, Moves, TurnPlan};
use crate::eitsuku::cards::{EventCard, Family, Slot};
use crate::eitsuku::edition::EDITION;

/// The value of a second set action: about a turn (E6.3), if there is a role to place.
const SCOOP: i16 = 5;
/// The value of one more draw or budget card.
const LOCAL: i16 = 3;
/// The value of two more events, of which about one in two is useful.
const CHANCE: i16 = 5;
/// The value of a pick of three roles: about one in two brings the aimed number.
const NETWORK: i16 = 9;
/// The value of laying any number of events later, with a hand full of them.
const AGENCY: i16 = 2;
/// The number of events that make a hand full.
const AGENCY_HAND: u8 = 3;

impl TurnPlan<'_> {
    pub(super) fn action(&mut self, moves: &mut Moves) {
        let most = if self.film.grants.agency { moves.lays.capacity() } else { 1 };
        while moves.lays.len() < most {
            let Some(lay) = self.best_lay() else { break };
            self.lay(lay);
            moves.lays.push(lay);
        }
    }

    /// The event with the highest gain now; `None` if none gains.
    fn best_lay(&self) -> Option<Lay> {
        let held = EventCard::ALL.iter().filter(|card| self.film.events[card.index()] > 0);
        let best = held.flat_map(|card| self.ways(*card)).max_by_key(|(gain, _)| *gain);
        best.filter(|(gain, _)| *gain > 0).map(|(_, lay)| lay)
    }

    /// The ways to lay an event, with the gain of each.
    fn ways(&self, card: EventCard) -> ArrayVec<(i16, Lay), 6> {
        let plain = Lay { card, slot: None, promoter: None };
        let later = self.turns_left > 1;
        let scoring = &EDITION.scoring;
        let one = |gain| std::iter::once((gain, plain)).collect();
        match card {
            EventCard::TieIn => one(scoring.tie_in),
            EventCard::Rush => one(-scoring.late * scoring.rush),
            EventCard::Chance => one(if later { CHANCE } else { 0 }),
            EventCard::Network => one(if later { NETWORK } else { 0 }),
            EventCard::Local => one(if later { LOCAL } else { 0 }),
            EventCard::Scoop => one(if self.film.held().count() > 1 { SCOOP } else { 0 }),
            EventCard::Agency => {
                let full = later && self.film.events.iter().sum::<u8>() >= AGENCY_HAND;
                one(if full { AGENCY } else { 0 })
            }
            EventCard::Strike => one(self.table.strike),
            EventCard::Monopoly => one(if self.is_monopolist() { self.table.monopoly } else { 0 }),
            EventCard::Turnaround => {
                let gain = self.table.turned.map_or(0, |turned| turned.gain);
                one(if later { gain } else { 0 })
            }
            EventCard::Promoter => self.promoters(),
            _ => self.awards(card),
        }
    }

    fn is_monopolist(&self) -> bool {
        let events = &EDITION.events;
        let high = |slot: &usize| self.film.number(*slot) >= events.monopoly_number;
        (0..5).filter(high).count() >= events.monopoly_roles
    }

    fn awards(&self, card: EventCard) -> ArrayVec<(i16, Lay), 6> {
        let slots = card.award().map_or(&[][..], Family::slots);
        let placed = slots.iter().filter(|slot| self.film.numbers[slot.index()] > 0);
        let way = |slot: &Slot| {
            let gain = self.gain(|film| film.awards[slot.index()] += EDITION.events.award);
            (gain, Lay { card, slot: Some(*slot), promoter: None })
        };
        placed.map(way).collect()
    }

    /// The ways to lay a promoter: with the aimed number in any slot of the own film, or in the best slot of
    /// a rival.
    fn promoters(&self) -> ArrayVec<(i16, Lay), 6> {
        let card = EventCard::Promoter;
        let mut ways: ArrayVec<(i16, Lay), 6> = ArrayVec::new();
        for slot in Slot::ALL {
            let index = slot.index();
            let events = &EDITION.events;
            let number = self.aim.number.saturating_sub(self.film.awards[index]);
            let number = number.clamp(events.promoter_least, events.promoter_most);
            let gain = self.gain(|film| {
                film.numbers[index] = number;
                film.points -= i16::from(number);
            });
            let promoter = Some((self.table.seat, number));
            ways.push((gain, Lay { card, slot: Some(*slot), promoter }));
        }
        if let Some(wreck) = self.table.wreck {
            let promoter = Some((wreck.owner, wreck.number));
            ways.push((wreck.gain, Lay { card, slot: Some(wreck.slot), promoter }));
        }
        ways
    }

    fn lay(&mut self, lay: Lay) {
        let film = &mut *self.film;
        film.events[lay.card.index()] -= 1;
        let scoring = &EDITION.scoring;
        match (lay.card, lay.slot, lay.promoter) {
            (EventCard::TieIn, ..) => film.points += scoring.tie_in,
            (EventCard::Rush, ..) => film.points -= scoring.late * scoring.rush,
            (EventCard::Chance, ..) => film.grants.chance += EDITION.events.chance_draws,
            (EventCard::Local, ..) => film.grants.local += 1,
            (EventCard::Scoop, ..) => film.grants.scoop += 1,
            (EventCard::Promoter, Some(slot), Some((owner, number))) => {
                film.points -= i16::from(number);
                if owner == self.table.seat {
                    film.numbers[slot.index()] = number;
                }
            }
            (_, Some(slot), None) => film.awards[slot.index()] += EDITION.events.award,
            _ => {}
        }
    }
}
