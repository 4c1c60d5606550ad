//! Letters about seats that look for players, and about absent players.

use crate::template::letters::DESK;
use crate::template::typed::letters;
use crate::template::views::Moment;
use rules::Seat;

letters! {
    /// Letters about seats that look for players, and about absent players.
    LETTERS in DESK;

    /// The seats that look for players.
    "sought" pub struct Sought<'a> { pub seats: &'a [Seat] }

    /// The seats whose players are away, each with the end of the absence.
    "absent" pub struct WhoIsAway<'a> { pub away: &'a [(Seat, Moment)] }
}
