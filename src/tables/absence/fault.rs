//! What a line about those who are missing can have wrong.

use serde::Serialize;

use crate::time::Span;

/// Why a line does not say what becomes of those who are missing. What was said is quoted as it was
/// written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum AbsenceFault {
    /// A piece that means nothing here.
    #[error("{said:?} is no word of this")]
    Unknown {
        said: String,
        /// A word that looks like it, if there is one.
        nearest: Option<String>,
    },
    /// A piece that stands there without what belongs to it, such as a grace without a time.
    #[error("{said:?} lacks what belongs to it")]
    Incomplete { said: String },
    /// A piece that does not belong to what stands before it.
    #[error("{said:?} does not belong there")]
    Unfitting { said: String },
    /// Something that had been said already, or otherwise.
    #[error("{said:?} says something twice")]
    Twice {
        /// What was said second.
        said: String,
    },
    /// More than there can be.
    #[error("{said} is more than {most}")]
    TooMany { said: i64, most: i64 },
    /// A grace in which everybody would forget the table.
    #[error("{said} ms is too long")]
    TooLong { said: Span, most: Span },
}
