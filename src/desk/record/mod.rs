//! What is kept of a table, and what is told of it.

pub(in crate::desk) mod acts;
pub(in crate::desk) mod event;
pub(in crate::desk) mod files;
pub(in crate::desk) mod letter;
pub(in crate::desk) mod obstacle;
pub(in crate::desk) mod samples;
pub(in crate::desk) mod tell;
pub(in crate::desk) mod values;
