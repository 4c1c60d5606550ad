//! The database itself: how it is opened, copied and put back, and how what is written gets into it.

pub(crate) mod backup;
pub(crate) mod connect;
pub(crate) mod error;
pub(crate) mod patience;
pub(crate) mod processes;
pub(crate) mod reader;
pub(crate) mod restore;
pub(crate) mod schema;
pub(crate) mod session;
pub(crate) mod store;
#[cfg(test)]
pub(crate) mod test_writer;
pub(crate) mod unsaved;
pub(crate) mod writer;
