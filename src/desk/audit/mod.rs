//! What shows afterwards that all was as it should be: files, replays, hashes.

pub(in crate::desk) mod file;
pub(in crate::desk) mod inspect;
pub(in crate::desk) mod replay;
pub(in crate::desk) mod retell;
pub(in crate::desk) mod safely;
pub(in crate::desk) mod verify;
