//! Letters about seats for which players are sought.

use crate::template::letters::DESK;
use crate::template::typed::letters;
use crate::template::views::Moment;
use rules::Seat;

letters! {
    /// Letters about seats for which players are sought.
    LETTERS in DESK;

    /// The seats for which players are sought.
    "sought" pub struct Sought<'a> { pub seats: &'a [Seat] }

    /// Who is away, and until when.
    "absent" pub struct WhoIsAway<'a> { pub away: &'a [(Seat, Moment)] }
}
