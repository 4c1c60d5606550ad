//! The stored data of a person: export, deletion, standing orders and settings.

pub(crate) mod forget;
pub(crate) mod kept;
pub(crate) mod said_ahead;
pub(crate) mod settings;
pub(crate) mod side;
