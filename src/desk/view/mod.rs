//! The views of a table, each as its viewer may see it.

pub(crate) mod dashboard;
pub(crate) mod past;
pub(crate) mod see;
pub(crate) mod show;
pub(crate) mod statistics;
