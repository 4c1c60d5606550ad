//! The database itself: how it is opened, copied and put back, and how what is written gets into it.

pub(in crate::store) mod backup;
pub(in crate::store) mod connect;
pub(in crate::store) mod error;
pub(in crate::store) mod patience;
pub(in crate::store) mod processes;
pub(in crate::store) mod reader;
pub(in crate::store) mod restore;
pub(in crate::store) mod schema;
pub(in crate::store) mod session;
pub(in crate::store) mod store;
#[cfg(test)]
pub(in crate::store) mod test_writer;
pub(in crate::store) mod unsaved;
pub(in crate::store) mod writer;
