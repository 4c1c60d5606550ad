//! The reason of a failure: a key for what an operator can fix, which the templates turn into a sentence,
//! and the system's own message.

use std::fmt::Display;
use std::io::{self, ErrorKind};

use desk::NotDone;
use rules::data::{Why, word_of};
use store::{BackupError, OpenError, RestoreError, StoreError};

/// A failure of a file or a database.
pub(super) trait Cause {
    /// Returns the key of the failure; `None` if there is none.
    fn word(&self) -> Option<&'static str>;
}

/// Returns the reason, for the macro `because` of `misuse.md`.
pub(super) fn why(error: &(impl Cause + Display)) -> Why {
    Why { is: error.word(), message: error.to_string() }
}

impl Cause for io::Error {
    fn word(&self) -> Option<&'static str> {
        word_of(self)
    }
}

impl Cause for StoreError {
    fn word(&self) -> Option<&'static str> {
        match self {
            Self::Full => Some("database-full"),
            Self::ReadOnly => Some("database-read-only"),
            Self::Unreachable(_) => Some("database-unreachable"),
            _ => None,
        }
    }
}

impl Cause for OpenError {
    fn word(&self) -> Option<&'static str> {
        match self {
            Self::Full => Some("database-full"),
            Self::ReadOnly(_) => Some("database-read-only"),
            Self::Damaged => Some("database-damaged"),
            Self::Foreign => Some("foreign"),
            Self::DiskError(_) => Some("disk-error"),
            Self::Unreachable(_) => Some("database-unreachable"),
            _ => None,
        }
    }
}

impl Cause for BackupError {
    fn word(&self) -> Option<&'static str> {
        match self {
            Self::File(error) if error.kind() == ErrorKind::NotFound => Some("folder-missing"),
            Self::File(error) => error.word(),
            // The copy has no room: the database is only read.
            Self::Store(StoreError::Full) => Some("full"),
            Self::Store(error) => error.word(),
            Self::Program(..) => Some("no-program"),
            Self::Exists | Self::Failed(..) => None,
        }
    }
}

impl Cause for RestoreError {
    fn word(&self) -> Option<&'static str> {
        match self {
            Self::Unwritten(error) if error.kind() == ErrorKind::NotFound => Some("no-place"),
            Self::Unread(error) | Self::Unwritten(error) => error.word(),
            Self::Open(OpenError::Newer { .. }) => Some("newer"),
            Self::Open(OpenError::Older) => Some("older"),
            Self::Open(error) => error.word(),
            Self::Program(error) => error.word(),
            Self::NoCopy => Some("no-copy"),
            Self::OtherKind => Some("other-kind"),
            Self::Damaged(_) => Some("damaged"),
            Self::InUse | Self::Holds(_) => None,
        }
    }
}

impl Cause for NotDone {
    fn word(&self) -> Option<&'static str> {
        match self {
            Self::Store(error) => error.word(),
            _ => None,
        }
    }
}
