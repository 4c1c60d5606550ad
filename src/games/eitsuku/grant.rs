//! E5.4, E5.7, E5.8: a phase that an event card allows a second time.

use super::cards::EventCard;
use super::state::{Referee, State};
use rules::{Key, Play, Seat};

/// A second action granted by a card.
pub(super) struct Grant {
    pub(super) section: &'static str,
    pub(super) by: EventCard,
    pub(super) clause: &'static str,
}

/// One action of a phase, with the seat, the part and the number of budget cards used before. Returns the
/// number of budget cards it used, `None` if nothing was done.
type Action = fn(&mut State, Seat, &Key, u8, &mut Referee<'_>) -> Play<Option<u8>>;

/// Acts once, and a second time if a card grants one and the player wants it. Leaving the second action out
/// is not an omission, and a copy of the card is used up only if the second action was carried out (E5.4).
/// Takes and returns the number of budget cards used so far.
pub(super) fn act(
    grant: &Grant,
    state: &mut State,
    seat: Seat,
    mut used: u8,
    referee: &mut Referee<'_>,
    action: Action,
) -> Play<u8> {
    let granted = state.players[seat].count(grant.by) > 0;
    if granted {
        referee.cite(grant.clause);
        referee.cite("E5.4");
    }
    for number in 1..=1 + u8::from(granted) {
        let part = Key::part(grant.section).nth(number);
        let done = referee
            .part(&part, state, |state, referee| action(state, seat, &part, used, referee))?;
        if let Some(pieces) = done.flatten() {
            used += pieces;
            if number == 2 {
                state.use_up(seat, grant.by);
            }
        }
    }
    Ok(used)
}
