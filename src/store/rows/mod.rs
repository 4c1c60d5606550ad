//! Rows, as the database keeps them, and the columns that they are made of.

pub(crate) mod columns;
pub(crate) mod record;
pub(crate) mod table;
pub(crate) mod window;
