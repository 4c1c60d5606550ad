//! What a table is, before anything is done to it.

pub(crate) mod desk;
pub(crate) mod load;
pub(crate) mod obstacle;
pub(crate) mod open_window;
pub(crate) mod overrides;
pub(crate) mod people;
pub(crate) mod random;
pub(crate) mod struck;
pub(crate) mod vote;
