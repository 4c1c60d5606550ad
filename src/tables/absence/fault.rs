//! The parse faults of a line of absence settings.

use serde::Serialize;

use crate::time::Span;

/// The reason why a line of absence settings cannot be parsed. It quotes the input as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum AbsenceFault {
    /// An unknown word.
    #[error("{said:?} is no word of this")]
    Unknown {
        said: String,
        /// The most similar word, `None` if there is none.
        nearest: Option<String>,
    },
    /// A word without its value, such as a grace without a time.
    #[error("{said:?} lacks what belongs to it")]
    Incomplete { said: String },
    /// A value that does not fit the word before it.
    #[error("{said:?} does not belong there")]
    Unfitting { said: String },
    /// A setting given twice.
    #[error("{said:?} says something twice")]
    Twice {
        /// The second value.
        said: String,
    },
    /// A count above the maximum.
    #[error("{said} is more than {most}")]
    TooMany { said: i64, most: i64 },
    /// A grace above the maximum.
    #[error("{said} ms is too long")]
    TooLong { said: Span, most: Span },
}
