//! Tests of the game beyond its stories.

mod play;
mod set;
