//! The data of a table: its windows and their declarations, its journal, decisions and votes.

pub mod absences;
pub mod calls;
pub mod figures;
pub mod obstacles;
pub mod overrides;
pub mod said_ahead;
pub mod sets;
pub mod side_lines;
pub mod statistics;
pub(crate) mod tables;
pub mod transfer;
pub mod votes;
pub(crate) mod whole_window;
pub(crate) mod windows;
