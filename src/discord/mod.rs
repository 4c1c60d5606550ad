//! Discord: the same desk, behind slash commands and threads.
//!
//! [`api`] sends and [`gateway`] hears; nothing else speaks to Discord. Secrets that cross the wire,
//! which are the bot's [`Token`] and the token of each interaction, stand in no log, no error and no
//! `Debug` of these modules; [`gateway::log_directives`] keeps the libraries below to the same.

pub mod api;
pub mod gateway;
mod token;

pub use api::{Api, Unsent};
pub use gateway::{Ended, Gateway, GatewayState};
pub use token::{NoToken, Token};
