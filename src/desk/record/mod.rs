//! The journal of a table, and the letters about it.

pub(crate) mod event;
pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod letter;
pub(crate) mod notice;
pub(crate) mod obstacle;
pub(crate) mod samples;
pub(crate) mod seating;
pub(crate) mod tell;
pub(crate) mod values;
