//! What is kept of somebody, and how they are forgotten.

pub(crate) mod forget;
pub(crate) mod kept;
pub(crate) mod said_ahead;
pub(crate) mod settings;
pub(crate) mod side;
