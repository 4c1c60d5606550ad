//! Missing, late and absent players, and their treatment.
//!
//! | file | content |
//! | --- | --- |
//! | `settings` | a host's settings about players who miss a window |
//! | `fate` | the truth table of the fates of seats, and the limits on putting a window off |
//! | `keeping` | records of windows, and the minimum for new players |
//! | `period` | a period of absence, as a person types it |
//! | `words`, `read`, `fault` | the parser of the settings in a line, with `data/desk/absence.toml` |

mod fate;
mod fault;
mod keeping;
mod period;
mod read;
mod settings;
mod words;

#[cfg(test)]
mod test_fate;
#[cfg(test)]
mod test_period;
#[cfg(test)]
mod test_putting_off;
#[cfg(test)]
mod test_read;

pub use fate::{
    Condition, Deed, Fate, LEAST_ROOM, LONGEST_AWAY, LONGEST_PAUSE, MOST_EXTENDED, MOST_PAUSED,
    MOST_PUT_OFF, Means, OBJECTION, Occasion, PutOff, put_off, room,
};
pub use fault::AbsenceFault;
pub use keeping::{Keeping, Minimum, Tally, Unmet};
pub use period::{Period, PeriodFault};
pub use settings::{Absence, Away, Inactive};
pub use words::{check, says_none};
