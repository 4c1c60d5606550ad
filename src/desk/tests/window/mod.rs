//! Declarations and acts in a window, and its close.

mod act;
mod announcement;
mod excepted;
mod hidden;
pub(super) mod kinds;
mod next_declarations;
mod orders;
mod outage;
mod presses;
mod progress;
mod race;
mod receipts;
mod side_worlds;
mod sides;
mod statements;
mod why;
mod worlds;
