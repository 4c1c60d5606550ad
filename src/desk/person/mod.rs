//! The stored data of a person: export, deletion, standing orders and settings.

pub(crate) mod kept;
pub(crate) mod said_ahead;
