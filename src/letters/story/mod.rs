//! Stories: transcripts in the players' own words, run against the rules.
//!
//! `tests/stories/README.md` describes the format. A story passes if every ruling is as written, all other
//! expected lines came true, and every named clause was met.

mod act;
mod compare;
mod parse;
mod run;
mod update;
mod written;

pub use compare::StoryDifference;
pub use parse::{StoryFault, parse};
pub use run::{StoryOutcome, last_window, run};
pub use update::update;
pub use written::{ActInWords, Beginning, Expected, Story, StoryOverride, StoryScene};
