//! What a table is, before anything is done to it.

pub(in crate::desk) mod desk;
pub(in crate::desk) mod load;
pub(in crate::desk) mod obstacle;
pub(in crate::desk) mod open_window;
pub(in crate::desk) mod overrides;
pub(in crate::desk) mod people;
pub(in crate::desk) mod random;
pub(in crate::desk) mod struck;
pub(in crate::desk) mod vote;
