//! W7.3 to W7.5: the outcome of a pool, as it comes or as it is foreseen.

use crate::pieces::pieces;
use rules::Seat;

pieces! {
    /// The outcome of a pool (W7.3 to W7.5).
    Verdict {
        /// W7.4: the power of the pool does not exceed AGI.
        Miss => "miss",
        /// W7.5: the power of the pool does not exceed DEF.
        Single => "single",
        /// W7.5: it hits.
        Hit => "hit",
        /// W7.3: the power of the pool exceeds DEF by far.
        Critical => "critical",
    }
}

/// The outcome of a pool, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub power: i16,
    pub agi: i16,
    pub def: i16,
    pub verdict: Verdict,
    /// The damage in HP cards.
    pub damage: u8,
}

/// The forecast of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub on: Seat,
    pub magic: bool,
    pub judged: Judgement,
}
