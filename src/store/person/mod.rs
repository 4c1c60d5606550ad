//! The data of people and servers, apart from their tables.

pub(crate) mod people;
pub(crate) mod server_defaults;
pub(crate) mod traces;
