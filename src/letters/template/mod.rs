//! How a template becomes text: where it is from, and what it can call.

pub(crate) mod filters;
pub mod letters;
pub(crate) mod picture;
pub(crate) mod reader;
pub(crate) mod sources;
pub mod typed;
pub(crate) mod views;
