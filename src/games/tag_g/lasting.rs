//! T3.11: changes of characters and permanents that last for a while.

use serde::{Deserialize, Serialize};

use super::cards::{Change, Forbidden, Value};
use super::things::Aim;
use rules::Seat;

/// The end of a change (T3.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    Segment,
    Turn,
    /// The beginning of the next turn of this player.
    TurnOf(Seat),
}

/// A change of the state of a character or permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Influence {
    Modify {
        what: Value,
        by: Change,
    },
    Forbid(Forbidden),
    /// Less damage of attacks; `None` for all of it.
    Reduce(Option<u8>),
    /// A number of resentment.
    Resent(u8),
}

/// A change that lasts for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lasting {
    pub on: Aim,
    pub is: Influence,
    pub until: Until,
}
