//! What makes a game a member of a list, and the game of stages as one.

pub(crate) use shimekiri::games::{any, playable};

#[path = "../../../src/games/test_stages.rs"]
pub(crate) mod test_stages;
