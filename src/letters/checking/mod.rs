//! The letters' own check: everything that can be told is told once, in every language.

pub(crate) mod check;
mod sampled;
pub mod samples;
