//! A table's life: forming, beginning, ending.

pub(crate) mod carried;
pub(crate) mod chairs;
pub(crate) mod change;
pub(crate) mod end;
pub(crate) mod form;
pub(crate) mod relocate;
pub(crate) mod start;
