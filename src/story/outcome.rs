//! What came of a story.

use std::collections::BTreeSet;

use crate::rules::Clause;

/// Something that is not as the story says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct StoryDifference {
    /// The line of the file.
    pub line: usize,
    pub what: String,
}

/// What a window of a story, or an act within it, brought.
#[derive(Clone, Debug, Default)]
pub struct Produced {
    /// The rulings, each as a line.
    pub rulings: Vec<String>,
    /// The events, each as a line.
    pub events: Vec<String>,
    /// How everything stands, each as a line.
    pub states: Vec<String>,
}

/// What came of a story.
#[derive(Clone, Debug, Default)]
pub struct StoryOutcome {
    /// Everything that is not as written.
    pub differences: Vec<StoryDifference>,
    /// What the deal brought, if there is one, then of each window its acts and its close.
    pub produced: Vec<Produced>,
    pub met: BTreeSet<Clause>,
}

pub(super) fn differs(line: usize, what: impl Into<String>) -> StoryDifference {
    StoryDifference { line, what: what.into() }
}
