//! The decisions of game masters.
//!
//! An override has a dry run first: the work is done in a transaction and rolled back, and the differences
//! are shown. An override has a reason, a log entry and a journal entry, and can be undone as long as nothing
//! has followed from it. The past never changes: a window asked or resolved again becomes a new window.

pub(crate) mod ballot;
pub(crate) mod decision;
pub(crate) mod gm_view;
pub(crate) mod history;
pub(crate) mod host;
pub(crate) mod judge;
pub(crate) mod making;
pub(crate) mod read;
pub(crate) mod seats;
pub(crate) mod show;
pub(crate) mod verbs;
pub(crate) mod vote;
pub(crate) mod windows;
