//! The check of the templates: every letter is written with samples, in every language.

pub(crate) mod check;
pub mod samples;
