//! A table's life: forming, beginning, ending.

pub(in crate::desk) mod carried;
pub(in crate::desk) mod chairs;
pub(in crate::desk) mod change;
pub(in crate::desk) mod end;
pub(in crate::desk) mod form;
pub(in crate::desk) mod relocate;
pub(in crate::desk) mod start;
