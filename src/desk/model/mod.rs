//! The model of tables, people and decisions.

pub(crate) mod desk;
pub(crate) mod load;
pub(crate) mod obstacle;
pub(crate) mod open_window;
pub(crate) mod overrides;
pub(crate) mod people;
pub(crate) mod random;
pub(crate) mod struck;
pub(crate) mod vote;
