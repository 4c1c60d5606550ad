//! Discord: the same desk, behind slash commands and threads.
//!
//! [`api`] sends. Secrets that cross the wire, which are the bot's [`Token`] and the token of each
//! interaction, stand in no log, no error and no `Debug` of these modules.

pub mod api;
mod token;

pub use api::{Api, Unsent};
pub use token::{NoToken, Token};
