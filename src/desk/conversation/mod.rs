//! The conversation of one person about their tables, for all front ends: each verb is here once.
//!
//! A front end finds out which verb a line or a press means, and shows the [`ConversationAnswer`] in its own
//! way; it decides nothing itself.

mod declaring;
pub mod phrases;
mod speaker;

pub use crate::conversation::declaring::SaidAct;
pub use crate::conversation::phrases::TypedLine;
pub use crate::conversation::speaker::{
    Conversation, ConversationAnswer, ConversationError, LINES_BESIDE, NextStep, Speaker, join,
    named_chair, names_chair, table_code,
};
