//! Letters about seats for which players are sought.

use crate::letters::template::letters::DESK;
use crate::letters::template::typed::letters;
use crate::letters::template::views::Moment;
use crate::rules::Seat;

letters! {
    /// Letters about seats for which players are sought.
    LETTERS in DESK;

    /// The seats for which players are sought.
    "sought" pub struct Sought<'a> { pub seats: &'a [Seat] }

    /// Who is away, and until when.
    "absent" pub struct WhoIsAway<'a> { pub away: &'a [(Seat, Moment)] }
}
