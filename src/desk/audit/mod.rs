//! What shows afterwards that all was as it should be: files, replays, hashes.

pub(crate) mod file;
pub(crate) mod inspect;
pub(crate) mod replay;
pub(crate) mod retell;
pub(crate) mod safely;
pub(crate) mod verify;
