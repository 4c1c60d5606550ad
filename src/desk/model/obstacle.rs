//! What a person must mend before letters of a table arrive.

use crate::ids::Address;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Something that a person must mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obstacle {
    /// A word for what it is, such as `gone`.
    pub why: String,
    /// The address where it stands.
    pub at: Address,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.why, self.at)
    }
}
