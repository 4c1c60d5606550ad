//! Discord: the same desk, behind slash commands and threads.

pub mod permissions;
