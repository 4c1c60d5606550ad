//! The conversation of one person about their tables, for all front ends: each verb is here once.
//!
//! A front end finds out which verb a line or a press means, and shows the [`ConversationAnswer`] in its own
//! way; it decides nothing itself.

mod acting;
mod declaring;
mod ending;
mod line;
mod looking;
mod person;
pub mod phrases;
mod refusal;
mod said_ahead;
mod side;
mod speaker;
mod table;

pub use acting::SaidAct;
pub use line::TypedLine;
pub use refusal::ConversationError;
pub use side::LINES_BESIDE;
pub use speaker::{Conversation, ConversationAnswer, NextStep, Speaker};
pub use table::{join, names_chair, table_code};
