//! The data of a table: its windows and their declarations, its journal, decisions and votes.

pub(crate) mod absences;
pub(crate) mod calls;
pub(crate) mod figures;
pub(crate) mod obstacles;
pub(crate) mod overrides;
pub(crate) mod said_ahead;
pub(crate) mod sets;
pub(crate) mod side_lines;
pub(crate) mod statistics;
pub(crate) mod tables;
pub(crate) mod transfer;
pub(crate) mod votes;
pub(crate) mod whole_window;
pub(crate) mod windows;
