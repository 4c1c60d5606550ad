//! A vote of the table.

use serde::{Deserialize, Serialize};

use crate::model::overrides::Override;
use rules::Seat;
use tables::VoteOutcome;
use tables::ids::VoteNumber;
use tables::time::Time;

/// A vote of a table, as everybody at the table sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// The number of the vote at the table, from 0.
    pub number: VoteNumber,
    /// The seat of the proposer, `None` if they have left it.
    pub by: Option<Seat>,
    /// The name of the player whose seat the vote is about, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The decision if the vote passes.
    pub what: Override,
    /// The reason in the proposer's words, empty if none was given.
    pub reason: String,
    pub closes: Time,
    /// The number of votes in favour.
    pub yes: usize,
    /// The number of votes against.
    pub no: usize,
    /// The number of votes in favour that the vote needs to pass.
    pub needed: usize,
    /// True if one vote besides the proposer's is enough.
    pub second: bool,
    /// The outcome; `None` while the vote is open.
    pub outcome: Option<VoteOutcome>,
}

/// Returns the seat that a bot player is to take.
pub(crate) fn about(what: &Override) -> Option<Seat> {
    match what {
        Override::House { seat, .. } => Some(*seat),
        _ => None,
    }
}
