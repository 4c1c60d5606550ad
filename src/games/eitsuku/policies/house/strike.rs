//! E5.13: the cheaper answer to a strike.

use super::film::FilmInPlan;
use super::outlook::Outlook;
use crate::eitsuku::cards::{EventCard, Slot};
use crate::eitsuku::edition::EDITION;
use crate::eitsuku::policies::payment::{Prefer, payment};
use crate::eitsuku::state::State;
use rules::Seat;

/// An answer to a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StrikeReply {
    /// Destroys the role in this slot.
    Destroy(Slot),
    /// Pays for all roles.
    Pay,
}

impl StrikeReply {
    /// Applies the answer to the film. False if the payment is unaffordable.
    pub(super) fn befall(self, film: &mut FilmInPlan) -> bool {
        match self {
            Self::Destroy(slot) => film.numbers[slot.index()] = 0,
            Self::Pay => {
                let roles = u32::try_from(film.occupied()).expect("at most five");
                let price = roles * EDITION.events.strike_per_role;
                let Some(paid) = payment(price, film.purse, u8::MAX, Prefer::Small) else {
                    return false;
                };
                film.purse.subtract(paid);
            }
        }
        true
    }
}

/// The number of strikes that this seat will meet: those of rivals later in turn order, and those laid in
/// this turn; several of one rival are met once.
pub(super) fn coming(state: &State, seat: Seat) -> usize {
    let place = |seat: Seat| state.order.iter().position(|other| *other == seat);
    let strikes = |rival: &&Seat| {
        let later = place(**rival) > place(seat);
        state.players[**rival]
            .laid
            .iter()
            .any(|laid| laid.card == EventCard::Strike && (later || laid.turn == state.turn))
    };
    state.rivals(seat).iter().filter(strikes).count()
}

/// The answer with the best outlook for the film.
pub(super) fn answer(film: &FilmInPlan, outlook: &Outlook<'_>) -> StrikeReply {
    let occupied = Slot::ALL.iter().filter(|slot| film.numbers[slot.index()] > 0);
    let ways =
        std::iter::once(StrikeReply::Pay).chain(occupied.map(|slot| StrikeReply::Destroy(*slot)));
    let outcome = |way: StrikeReply| {
        let mut film = *film;
        way.befall(&mut film).then(|| (way, outlook.best(&film).1))
    };
    ways.filter_map(outcome)
        .max_by_key(|(_, value)| *value)
        .map_or(StrikeReply::Pay, |(way, _)| way)
}

/// The answer that destroys the role with the smallest number.
pub(super) fn least(film: &FilmInPlan) -> StrikeReply {
    let occupied = Slot::ALL.iter().copied().filter(|slot| film.numbers[slot.index()] > 0);
    occupied
        .min_by_key(|slot| film.numbers[slot.index()])
        .map_or(StrikeReply::Pay, StrikeReply::Destroy)
}
