//! Tests of the engine with a test game.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;
mod decided;
mod frames;
mod plans;
mod press;
mod reserves;
mod saved;
