//! From which draft a panel was drawn, so that a press on an older one is known.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::ids::WindowNumber;
use crate::rules::Declaration;

/// A short hash of a window and a draft in it, written as eight hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision(u32);

impl Revision {
    /// That of this draft in this window of a table.
    ///
    /// # Panics
    /// Never: a declaration is plain data.
    pub fn of(window: WindowNumber, draft: &Declaration) -> Self {
        let said = serde_json::to_vec(draft).expect("a declaration is plain data");
        let mut hash = Sha256::new();
        hash.update(window.get().to_be_bytes());
        hash.update(said);
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash.finalize());
        Self(u32::from_be_bytes([a, b, c, d]))
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// A text that is no revision.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a revision is eight hex digits")]
pub struct ParseRevisionError;

impl FromStr for Revision {
    type Err = ParseRevisionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let revision = u32::from_str_radix(text, 16).map(Self).ok();
        revision.filter(|revision| revision.to_string() == text).ok_or(ParseRevisionError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Answer, Key, Value};

    #[test]
    fn another_window_or_another_draft_is_another_revision() {
        let mut said = Declaration::default();
        let empty = Revision::of(WindowNumber::new(3), &said);
        said.set(Key::new("3", "set"), Answer::Given(Value::Choice("3A".into())));
        let drafted = Revision::of(WindowNumber::new(3), &said);
        assert_ne!(empty, drafted);
        assert_ne!(drafted, Revision::of(WindowNumber::new(4), &said));
        assert_eq!(drafted.to_string().parse(), Ok(drafted));
        for text in ["", "12", "0000000g", "+0000001", "000000001"] {
            assert_eq!(text.parse::<Revision>(), Err(ParseRevisionError), "{text}");
        }
    }
}
