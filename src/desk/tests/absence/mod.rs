//! Who is missing, late, away or stood in for.

mod away;
pub(crate) mod deadline;
mod inactive;
mod reminders;
mod substitutes;
mod whereabouts;
