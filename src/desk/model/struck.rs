//! A turn that came to something its player has not declared.

use serde::{Deserialize, Serialize};

use rules::Seat;
use tables::absence::{Condition, Deed};

/// A turn that came to something its player has not declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Struck {
    pub seat: Seat,
    /// How it stood.
    pub condition: Condition,
    /// What is done.
    pub deed: Deed,
    /// How many windows it has missed in a row, this one among them.
    pub misses: u32,
    /// After how many no window waits for it any more; 0 for never.
    pub most: u8,
    /// True if from now on no window waits for it.
    pub inactive: bool,
    /// True if nothing was sealed in the window, as all that was asked was done at once.
    pub openly: bool,
    /// True if the whole table is told.
    pub public: bool,
}
