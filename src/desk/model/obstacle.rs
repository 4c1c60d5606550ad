//! An obstacle to the delivery of a table's letters, which a person must remove.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use tables::ids::Address;

/// An obstacle that a person must remove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obstacle {
    /// The word for the obstacle, such as `gone`.
    pub why: String,
    /// The address that has the obstacle.
    pub at: Address,
}

/// Formats the stored form: the word, a space and the address.
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.why, self.at)
    }
}

impl FromStr for Obstacle {
    type Err = Infallible;

    fn from_str(stored: &str) -> Result<Self, Infallible> {
        let (why, at) = stored.split_once(' ').unwrap_or((stored, ""));
        Ok(Self { why: why.to_owned(), at: at.into() })
    }
}
