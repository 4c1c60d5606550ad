//! The bot's token, permissions, commands and rate limits.

pub mod permissions;
pub(crate) mod rate_limiter;
pub(crate) mod register;
pub(crate) mod token;
