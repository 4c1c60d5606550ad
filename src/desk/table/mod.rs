//! A table's life: forming, beginning, ending.

pub(crate) mod change;
pub(crate) mod form;
pub(crate) mod start;
