//! Shimekiri (締切): a play-by-post game master.

pub mod rules;
