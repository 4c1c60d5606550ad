//! The audit of tables: files, replays and hashes.

pub(crate) mod file;
pub(crate) mod replay;
pub(crate) mod retell;
pub(crate) mod verify;
