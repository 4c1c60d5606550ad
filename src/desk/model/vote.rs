//! A vote of the table.

use serde::{Deserialize, Serialize};

use crate::desk::model::overrides::Override;
use crate::ids::VoteNumber;
use crate::rules::Seat;
use crate::store::StoreError;
use crate::time::Time;

/// A vote of a table, as everybody there sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// Its number at the table, from 0.
    pub number: VoteNumber,
    /// Where the one sits who proposed it, if they sit there still.
    pub by: Option<Seat>,
    /// What the table decides if it passes.
    pub what: Override,
    /// Why, in their words, if they gave any.
    pub reason: String,
    /// When it closes.
    pub closes: Time,
    /// How many agree.
    pub yes: usize,
    /// How many do not.
    pub no: usize,
    /// How many have to agree.
    pub needed: usize,
    /// Whether one voice beside that of who proposed it is enough.
    pub second: bool,
    /// What came of it; none while it is open.
    pub outcome: Option<VoteOutcome>,
}

/// What came of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VoteOutcome {
    /// It has passed, and is carried out.
    Passed,
    /// So many do not agree that it cannot pass any more.
    Rejected,
    /// Its time is over.
    Expired,
    /// The window has closed, or what was to be decided cannot be any more.
    Overtaken,
}

impl VoteOutcome {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Overtaken => "overtaken",
        }
    }

    pub(in crate::desk) fn of(word: &str) -> Result<Self, StoreError> {
        let all = [Self::Passed, Self::Rejected, Self::Expired, Self::Overtaken];
        let found = all.into_iter().find(|outcome| outcome.word() == word);
        found.ok_or_else(|| StoreError::Unreadable(format!("{word:?} comes of no vote")))
    }
}
