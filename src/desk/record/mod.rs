//! The journal of a table, and the letters about it.

pub(crate) mod event;
pub(crate) mod letter;
pub(crate) mod notice;
pub(crate) mod obstacle;
pub(crate) mod values;
