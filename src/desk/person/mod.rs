//! What is kept of somebody, and how they are forgotten.

pub(in crate::desk) mod forget;
pub(in crate::desk) mod kept;
pub(in crate::desk) mod said_ahead;
pub(in crate::desk) mod settings;
