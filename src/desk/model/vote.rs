//! A vote of the table.

use serde::{Deserialize, Serialize};

use crate::model::overrides::Override;
use rules::Seat;
use tables::VoteOutcome;
use tables::ids::VoteNumber;
use tables::time::Time;

/// A vote of a table, as everybody there sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// Its number at the table, from 0.
    pub number: VoteNumber,
    /// Where the one sits who proposed it, if they sit there still.
    pub by: Option<Seat>,
    /// The name of the player whose seat it is about, if anybody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// What the table decides if it passes.
    pub what: Override,
    /// Why, in their words, if they gave any.
    pub reason: String,
    /// The time when it closes.
    pub closes: Time,
    /// How many agree.
    pub yes: usize,
    /// How many do not.
    pub no: usize,
    /// How many have to agree.
    pub needed: usize,
    /// True if one voice beside that of who proposed it is enough.
    pub second: bool,
    /// What came of it; none while it is open.
    pub outcome: Option<VoteOutcome>,
}

/// The seat that somebody else is to take.
pub(crate) fn about(what: &Override) -> Option<Seat> {
    match what {
        Override::House { seat, .. } => Some(*seat),
        _ => None,
    }
}
