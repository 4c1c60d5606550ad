//! The database itself: opening, backups and restores, and the path of each write.

pub(crate) mod backup;
pub(crate) mod connect;
pub(crate) mod error;
pub mod processes;
pub(crate) mod session;
pub(crate) mod store;
#[cfg(test)]
pub(crate) mod test_writer;

pub(crate) use crate::database::error::{Result, StoreError};
pub(crate) use crate::database::session::Session;
