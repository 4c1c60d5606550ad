//! The hash of a set, by which tables are bound to it.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// The number of hex digits in a mark.
const MARK: usize = 8;

/// The sign between the id of a card in its file and the mark of its set.
pub const MARK_SIGN: char = '@';

/// Returns the id of a card in its file, without the mark of the set.
pub(crate) fn unmarked(id: &str) -> &str {
    id.split_once(MARK_SIGN).map_or(id, |(id, _)| id)
}

/// The SHA-256 of a set's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetHash([u8; 32]);

impl SetHash {
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Returns the first hex digits, which the ids of the set's cards carry.
    pub fn mark(self) -> String {
        self.to_string()[..MARK].to_owned()
    }
}

impl fmt::Display for SetHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for SetHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The parse error of a text that is not a [`SetHash`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is no hash of a set, which has 64 hex digits")]
pub struct ParseSetHashError(String);

impl FromStr for SetHash {
    type Err = ParseSetHashError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        let read = hex::decode_to_slice(text, &mut bytes);
        read.map(|()| Self(bytes)).map_err(|_| ParseSetHashError(text.to_owned()))
    }
}
