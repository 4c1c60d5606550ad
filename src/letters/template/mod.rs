//! The template engine: the sources of templates, their filters and their fields.

pub(crate) mod filters;
pub mod letters;
pub(crate) mod picture;
pub(crate) mod reader;
pub(crate) mod sources;
pub mod typed;
pub(crate) mod views;
