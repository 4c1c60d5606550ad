//! Rows of the database, and the types of their columns.

pub(crate) mod columns;
pub(crate) mod record;
pub(crate) mod table;
pub(crate) mod window;
