//! The letters' own check: everything that can be told is told once, in every language.

pub(in crate::letters) mod check;
mod sampled;
pub mod samples;
