//! A turn with an outcome that its player has not declared.

use serde::{Deserialize, Serialize};

use rules::Seat;
use tables::absence::{Condition, Deed};

/// A turn with an outcome that its player has not declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Struck {
    pub seat: Seat,
    pub condition: Condition,
    pub deed: Deed,
    /// The number of windows missed in a row, including this one.
    pub misses: u32,
    /// The number of missed windows after which no window waits for the seat; 0 for never.
    pub most: u8,
    /// True if no window waits for the seat from now on.
    pub inactive: bool,
    /// True if nothing was sealed in the window, as everything asked was done openly and immediately.
    pub openly: bool,
    /// True if the whole table is shown this.
    pub public: bool,
}
