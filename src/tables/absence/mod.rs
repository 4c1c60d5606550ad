//! Missing, late and absent players, and their treatment.
//!
//! | file | content |
//! | --- | --- |
//! | `settings` | a host's settings about players who miss a window; records of windows, and the minimum for new players |
//! | `fate` | the truth table of the fates of seats, and the limits on putting a window off |
//! | `period` | a period of absence, as a person types it |
//! | `read` | the parser of the settings in a line, with `data/desk/absence.toml` |

mod fate;
mod period;
mod read;
mod settings;
#[cfg(test)]
mod test_fate;
#[cfg(test)]
mod test_period;
#[cfg(test)]
mod test_putting_off;
#[cfg(test)]
mod test_read;

pub use crate::absence::fate::{
    Condition, Deed, Fate, LEAST_ROOM, LONGEST_AWAY, LONGEST_PAUSE, MOST_EXTENDED, MOST_PAUSED,
    MOST_PUT_OFF, Means, OBJECTION, Occasion, PutOff, put_off, room,
};
pub use crate::absence::period::{Period, PeriodFault};
pub use crate::absence::read::{AbsenceFault, check, says_none};
pub use crate::absence::settings::{Absence, Away, Inactive, Keeping, Minimum, Tally, Unmet};
