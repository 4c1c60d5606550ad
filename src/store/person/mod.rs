//! The data of people and servers, apart from their tables.

pub mod people;
pub mod server_defaults;
pub mod traces;
