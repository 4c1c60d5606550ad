//! E4.10: standing orders.

use super::end::{Chance, End};
use super::start::Way;
use super::state::{Referee, State};
use rules::{Ask, Key, Play, Seat};

/// Asks for the standing orders: the answer to a strike, the use of the events of E5.5, and the end of a
/// turn. A release that is not possible yet is not a fault: the turn ends with 5A.
pub(super) fn orders(_: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let strike = Ask::new(Key::new("strike", "way"), "E5.13");
    referee.choose(seat, &strike, &[Way::Destroy, Way::Pay])?;
    let chance = Ask::new(Key::new("chance", "use"), "E5.5");
    referee.choose(seat, &chance, &[Chance::Use, Chance::Keep])?;
    let end = Ask::new(Key::new("5", "end"), "E3.8");
    referee.choose(seat, &end, &[End::TakeBack, End::Release])?;
    Ok(())
}
