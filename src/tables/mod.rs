//! Tables: one match with its people, its pace and its open window. Pure: times come from outside.

pub mod pace;
mod table;

pub use pace::Pace;
pub use table::{Closed, NotNow, Occupant, Table, Why};
