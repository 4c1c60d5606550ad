//! Tables: one match with its people, its pace and its open window. Pure: times come from outside.

pub mod pace;
mod table;

pub use pace::{Announce, Every, Outage, Pace, PaceFault, Quiet, TimeOfDay, Weekdays};
pub use table::{Closed, NotNow, Occupant, Table, Why};
