//! The vocabulary of the engine: seats, questions, declarations, rulings and clauses.

pub mod game;
pub mod question;
pub mod record;
pub mod seat;
pub mod window;

pub(crate) use crate::vocabulary::question::Lapse;
