//! What a person must mend before letters of a table arrive.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use tables::ids::Address;

/// Something that a person must mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obstacle {
    /// A word for what it is, such as `gone`.
    pub why: String,
    /// The address where it stands.
    pub at: Address,
}

/// How it is kept: its word, and where it stands.
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.why, self.at)
    }
}

impl FromStr for Obstacle {
    type Err = Infallible;

    fn from_str(kept: &str) -> Result<Self, Infallible> {
        let (why, at) = kept.split_once(' ').unwrap_or((kept, ""));
        Ok(Self { why: why.to_owned(), at: at.into() })
    }
}
