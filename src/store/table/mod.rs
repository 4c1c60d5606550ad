//! The data of a table: its windows and their declarations, its journal, decisions and votes.

pub mod absences;
pub mod figures;
pub mod overrides;
pub mod said_ahead;
pub mod tables;
pub mod transfer;
pub mod votes;
pub mod windows;
