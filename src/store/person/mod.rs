//! The data of people and servers, apart from their tables.

pub mod people;
pub mod traces;
