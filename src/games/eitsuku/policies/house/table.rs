//! The plan's view of the other players: the unseen cards, and the best harm to a rival.

use crate::eitsuku::cards::{EventCard, Family, ROLES, Role, Slot};
use crate::eitsuku::edition::EDITION;
use crate::eitsuku::state::State;
use rules::Seat;

use super::film::{FilmInPlan, HIGHEST};

/// The value of a strike for each role that it hits: two coins, or about a turn for a whole role.
const STRIKE_ROLE: i16 = 1;
/// The value of 話題の独占 for each active rival: one more coin for every role.
const MONOPOLY: i16 = 1;
/// The divisor of a rival's loss: only one of several rivals is hit, and can repair the loss.
const WRECK_PART: i16 = 3;

/// A promoter on a rival's field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wreck {
    pub(super) owner: Seat,
    pub(super) slot: Slot,
    pub(super) number: u8,
    pub(super) gain: i16,
}

/// An event on a rival's field that 方針転換 can destroy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turned {
    pub(super) owner: Seat,
    pub(super) card: EventCard,
    /// The slot of an award or a promoter.
    pub(super) slot: Option<Slot>,
    pub(super) gain: i16,
}

/// The rest of the table, as the plan's seat sees it.
#[derive(Clone, Debug)]
pub(super) struct OtherSeats {
    /// The seat of the plan.
    pub(super) seat: Seat,
    /// Unseen roles by position: in a deck, in a hand, or destroyed. 0 for a family whose deck is empty,
    /// because none will be drawn.
    pub(super) unseen: [u8; ROLES],
    /// Unseen events by position.
    pub(super) unseen_events: [u8; 15],
    /// The gain of a strike.
    pub(super) strike: i16,
    /// The gain of 話題の独占.
    pub(super) monopoly: i16,
    /// The best promoter on a rival's field.
    pub(super) wreck: Option<Wreck>,
    /// The event of a rival whose destruction gains most.
    pub(super) turned: Option<Turned>,
}

impl OtherSeats {
    /// Reads the table as this seat sees it.
    pub(super) fn of(state: &State, seat: Seat) -> Self {
        let rivals = state.rivals(seat);
        let roles =
            |rival: &Seat| i16::try_from(state.players[*rival].occupied().len()).unwrap_or(0);
        Self {
            seat,
            unseen: unseen(state, seat),
            unseen_events: unseen_events(state, seat),
            strike: rivals.iter().map(roles).sum::<i16>() * STRIKE_ROLE,
            monopoly: i16::try_from(rivals.len()).unwrap_or(0) * MONOPOLY,
            wreck: rivals.iter().filter_map(|rival| wreck(state, *rival)).max_by_key(|w| w.gain),
            turned: rivals.iter().filter_map(|rival| turned(state, *rival)).max_by_key(|t| t.gain),
        }
    }

    /// The number of unseen roles of a family.
    pub(super) fn left(&self, family: Family) -> i16 {
        let first = Role { family, number: 1 }.index();
        self.unseen[first..first + usize::from(HIGHEST)].iter().map(|count| i16::from(*count)).sum()
    }
}

fn unseen(state: &State, seat: Seat) -> [u8; ROLES] {
    let mut unseen: [u8; ROLES] = std::array::from_fn(|index| {
        let role = Role::from_index(index);
        let empty = state.roles[role.family.index()].is_empty();
        if empty { 0 } else { EDITION.decks.role_copies[usize::from(role.number) - 1] }
    });
    let mut see = |role: Role, count: u8| {
        let left = &mut unseen[role.index()];
        *left = left.saturating_sub(count);
    };
    for role in Role::all() {
        see(role, state.players[seat].roles.known[role.index()]);
    }
    for (_, player) in state.players.iter() {
        for slot in Slot::ALL {
            if let Some(placed) = player.slot(*slot).filter(|placed| placed.promoter.is_none()) {
                see(Role { family: slot.family(), number: placed.number }, 1);
            }
        }
    }
    unseen
}

fn unseen_events(state: &State, seat: Seat) -> [u8; 15] {
    let laid = |card| state.players.iter().map(|(_, player)| player.count(card)).sum::<u8>();
    std::array::from_fn(|index| {
        let seen = laid(EventCard::ALL[index]) + state.players[seat].events.known[index];
        EDITION.decks.event_copies.saturating_sub(seen)
    })
}

/// The slot in which the lowest promoter costs a rival most.
fn wreck(state: &State, owner: Seat) -> Option<Wreck> {
    let film = FilmInPlan::of(state, owner);
    let number = EDITION.events.promoter_least;
    let worst = |slot: &Slot| {
        let mut wrecked = film;
        wrecked.numbers[slot.index()] = number;
        let loss = film.score() - wrecked.score();
        Wreck { owner, slot: *slot, number, gain: loss / WRECK_PART - i16::from(number) }
    };
    let occupied = Slot::ALL.iter().filter(|slot| film.numbers[slot.index()] > 0);
    occupied.map(worst).max_by_key(|wreck| wreck.gain)
}

/// The event whose loss costs a rival most; `None` if none costs anything.
fn turned(state: &State, owner: Seat) -> Option<Turned> {
    let (film, scoring) = (FilmInPlan::of(state, owner), &EDITION.scoring);
    let player = &state.players[owner];
    let laid = player.laid.iter().map(|laid| (laid.card, laid.slot));
    let is_promoter =
        |slot: &Slot| player.slot(*slot).is_some_and(|placed| placed.promoter.is_some());
    let promoters = Slot::ALL.iter().copied().filter(is_promoter);
    let targets = laid.chain(promoters.map(|slot| (EventCard::Promoter, Some(slot))));
    let costs = |(card, slot): (EventCard, Option<Slot>)| {
        let mut without = film;
        match (card, slot) {
            (EventCard::TieIn, _) => without.points -= scoring.tie_in,
            (EventCard::Rush, _) => without.points += scoring.late * scoring.rush,
            (EventCard::Promoter, Some(slot)) => without.numbers[slot.index()] = 0,
            (_, Some(slot)) => {
                let award = &mut without.awards[slot.index()];
                *award = award.saturating_sub(EDITION.events.award);
            }
            _ => {}
        }
        Turned { owner, card, slot, gain: (film.score() - without.score()) / WRECK_PART }
    };
    targets.map(costs).filter(|turned| turned.gain > 0).max_by_key(|turned| turned.gain)
}
