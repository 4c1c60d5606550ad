//! The check of the templates: every letter is written with samples, in every language.

pub(crate) mod check;
mod sampled;
pub mod samples;
