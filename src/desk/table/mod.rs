//! A table's life: forming, beginning, ending.

pub(crate) mod form;
pub(crate) mod start;
