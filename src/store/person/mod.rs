//! What is kept of people and servers, beside what they do at tables.

pub(in crate::store) mod people;
pub(in crate::store) mod server_defaults;
pub(in crate::store) mod traces;
