//! The engine, and its test game of stages.

pub(crate) use shimekiri::rules::*;

#[path = "../../../src/rules/engine/test_stages.rs"]
pub(crate) mod test_stages;
