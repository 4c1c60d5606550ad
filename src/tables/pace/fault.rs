//! What a line that says a pace can have wrong.

use serde::Serialize;

use crate::time::Span;

/// Why a line says no pace. What was said is quoted as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PaceFault {
    /// A piece that means nothing here.
    #[error("{said:?} is no word of a pace")]
    Unknown {
        said: String,
        /// Words that look like it, best first.
        nearest: Vec<String>,
    },
    /// A piece that stands there without what belongs to it, such as a quiet without hours.
    #[error("{said:?} lacks what belongs to it")]
    Incomplete { said: String },
    /// A time of day that no clock shows.
    #[error("{said:?} is no time of day")]
    TimeOutOfRange {
        /// The time of day.
        said: String,
    },
    /// A time that comes on the day behind the one that is named, among others of the same days.
    #[error("{said:?} is of the next day, unlike other times")]
    OfNextDay { said: String },
    /// Nothing says when a window closes.
    #[error("nothing says when a window closes")]
    NoRhythm,
    /// Something that had been said already, or otherwise.
    #[error("{said:?} says something twice")]
    Twice {
        /// What was said second.
        said: String,
    },
    /// A period too short for anybody to declare.
    #[error("{said} ms is too short")]
    TooShort { said: Span, least: Span },
    /// A length of time in which everybody would forget the table.
    #[error("{said} ms is too long")]
    TooLong { said: Span, most: Span },
    /// A reminder that would come before the window opens.
    #[error("a reminder at {said} ms is none within {window} ms")]
    ReminderTooLong {
        /// How long before the deadline.
        said: Span,
        /// The time for which a window is open at most.
        window: Span,
    },
    /// No zone goes by this name.
    #[error("{said:?} is no zone")]
    UnknownZone {
        said: String,
        /// Names that look like it, best first.
        nearest: Vec<String>,
    },
    /// A date that no calendar has.
    #[error("there is no day {said:?}")]
    NoSuchDay { said: String },
    /// Quiet hours that begin when they end.
    #[error("{said:?} are no hours")]
    NoQuietHours { said: String },
    /// From a date to one before it.
    #[error("{said:?} ends before it begins")]
    EndsBeforeItBegins { said: String },
    /// Days of the week of which it is not clear whether windows close on them or not.
    #[error("it is not clear whether windows close on {said:?}")]
    CloseOrNot { said: String },
    /// Nothing could close for too long.
    #[error("no window could close for {most} days")]
    NoDayLeft { most: u32 },
}
