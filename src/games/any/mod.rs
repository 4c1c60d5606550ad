//! Type-erased games, for desks, terminals and letters.
//!
//! [`AnyGame`] and [`AnyContest`] are the same for every game, with states and events as JSON.

mod contest;
mod game;
mod listed;

pub use crate::playable::{
    CardsBefore, Edition, GameFiles, GameOption, Misfit, Playable, RANDOM, policy,
};
pub use contest::{AnyContest, OpenedContest, Told};
pub use game::{AnyGame, SetOption, TableOptionsError};
pub use listed::Listed;
