//! The audit of tables: files, replays and hashes.

pub(crate) mod file;
pub(crate) mod inspect;
pub(crate) mod replay;
pub(crate) mod retell;
pub(crate) mod safely;
pub(crate) mod verify;
