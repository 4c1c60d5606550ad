//! Missing, late and absent players, and substitutes.

mod away;
pub(crate) mod deadline;
mod inactive;
mod reminders;
mod substitutes;
mod whereabouts;
