//! What is kept of somebody, and how they are forgotten.

pub(in crate::desk) mod forget;
pub(in crate::desk) mod kept;
pub(in crate::desk) mod next_declarations;
pub(in crate::desk) mod orders;
pub(in crate::desk) mod settings;
