//! How a template becomes text: where it is from, and what it can call.

pub(in crate::letters) mod filters;
pub(in crate::letters) mod letters;
pub(in crate::letters) mod picture;
pub(in crate::letters) mod reader;
pub(in crate::letters) mod sources;
pub(crate) mod typed;
pub(crate) mod views;
