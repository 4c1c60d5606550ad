//! The bot at Discord: its token, what it may do, its commands, and how much of it one person gets.

pub(in crate::discord) mod member_permissions;
pub(in crate::discord) mod obstacle;
pub mod permissions;
pub(in crate::discord) mod rate_limiter;
pub(in crate::discord) mod register;
pub(in crate::discord) mod token;
