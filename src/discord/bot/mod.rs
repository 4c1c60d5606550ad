//! The bot at Discord: its token, what it may do, its commands, and how much of it one person gets.

pub(crate) mod member_permissions;
pub(crate) mod obstacle;
pub mod permissions;
pub(crate) mod rate_limiter;
pub(crate) mod register;
pub(crate) mod token;
