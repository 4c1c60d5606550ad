//! The games in play: every story, every law, every policy.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod balance;
mod laws;
mod listed;
mod policies;
mod stories;
