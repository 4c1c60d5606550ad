//! The views of a table, each as its viewer may see it.

pub(crate) mod dashboard;
pub(crate) mod figures;
pub(crate) mod line;
pub(crate) mod mine;
pub(crate) mod past;
pub(crate) mod receipts;
pub(crate) mod see;
pub(crate) mod show;
pub(crate) mod side;
pub(crate) mod statistics;
pub(crate) mod why;
