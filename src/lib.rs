//! Shimekiri (締切): a play-by-post game master.

pub mod data;
pub mod games;
pub mod letters;
pub mod rules;
