//! What is kept of people and servers, beside what they do at tables.

pub(crate) mod people;
pub(crate) mod server_defaults;
pub(crate) mod traces;
