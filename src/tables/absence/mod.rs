//! Who is missing, late or away, and what comes of it.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `settings` | what a host sets about those who miss a window |
//! | `fate` | the truth table: what comes of a seat in each condition on each occasion |
//! | `putting_off` | how far a window is put off, for somebody or on demand, and how often |
//! | `keeping` | how windows were kept by somebody, and what is required of it of those who join |
//! | `period` | a stretch of time, as a person says it |
//! | `words`, `read`, `fault` | a line that says what a host sets, from `data/desk/absence.toml` |

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
