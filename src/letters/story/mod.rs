//! Stories: transcripts in the players' own words, run against the rules.
//!
//! `tests/stories/README.md` describes the format. A story passes if every ruling is as written, all other
//! expected lines came true, and every named clause was met.

mod compare;
mod parse;
mod run;

use crate::story::compare::Produced;

pub use crate::story::compare::{StoryDifference, StoryOutcome, update};
pub use crate::story::parse::{
    ActInWords, Beginning, Expected, Story, StoryFault, StoryOverride, StoryScene, parse,
};
pub use crate::story::run::{last_window, run};
