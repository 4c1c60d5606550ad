mod away;
pub(in crate::desk) mod deadline;
mod inactive;
mod reminders;
mod substitutes;
mod whereabouts;
