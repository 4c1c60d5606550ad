//! What is kept of a table: its windows and what was declared in them, its journal, decisions and votes.

pub(in crate::store) mod absences;
pub(in crate::store) mod calls;
pub(in crate::store) mod figures;
pub(in crate::store) mod obstacles;
pub(in crate::store) mod overrides;
pub(in crate::store) mod said_ahead;
pub(in crate::store) mod statistics;
pub(in crate::store) mod tables;
pub(in crate::store) mod transfer;
pub(in crate::store) mod votes;
pub(in crate::store) mod whole_window;
pub(in crate::store) mod windows;
