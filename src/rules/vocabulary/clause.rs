//! The address of a rule.

use std::fmt;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// A numbered clause of a game's rules in `docs/rules/<game>.md`, such as `E3.4`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Clause(SmolStr);

impl Clause {
    /// Returns the clause with this number.
    pub const fn new(number: &'static str) -> Self {
        Self(SmolStr::new_static(number))
    }

    /// Returns the number as it is cited.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Clause {
    fn from(number: &str) -> Self {
        Self(number.into())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
