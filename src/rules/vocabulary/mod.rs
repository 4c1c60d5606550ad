//! The vocabulary of the engine: seats, questions, declarations, rulings and clauses.

pub mod clause;
pub mod declaration;
pub mod game;
pub mod press;
pub mod question;
pub mod record;
pub mod round;
pub mod ruling;
pub mod seat;
pub mod window;
