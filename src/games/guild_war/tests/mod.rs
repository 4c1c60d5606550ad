//! Tests of the game apart from its stories.

mod play;
mod set;
