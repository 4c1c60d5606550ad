//! What the engine speaks of: seats, questions, declarations, what is told and by which clause.

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
