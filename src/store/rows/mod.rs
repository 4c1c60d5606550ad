//! Rows, as the database keeps them, and the columns that they are made of.

pub(in crate::store) mod columns;
pub(in crate::store) mod record;
pub(in crate::store) mod table;
pub(in crate::store) mod window;
