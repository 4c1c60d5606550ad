//! The parse faults of a pace.

use serde::Serialize;
use strum::VariantNames;

use crate::time::Span;

/// The reason why a line is not a pace. It quotes the input as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PaceFault {
    /// An unknown word.
    #[error("{said:?} is no word of a pace")]
    Unknown {
        said: String,
        /// Similar words, best first.
        nearest: Vec<String>,
    },
    /// A word without its value, such as "quiet" without hours.
    #[error("{said:?} lacks what belongs to it")]
    Incomplete { said: String },
    /// A time of day that no clock shows.
    #[error("{said:?} is no time of day")]
    TimeOutOfRange { said: String },
    /// A time on the day after the named one, among other times on the named day.
    #[error("{said:?} is of the next day, unlike other times")]
    OfNextDay { said: String },
    /// The line gives no closing times.
    #[error("nothing says when a window closes")]
    NoRhythm,
    /// A setting given twice.
    #[error("{said:?} says something twice")]
    Twice {
        /// The second value.
        said: String,
    },
    /// A period too short for a declaration.
    #[error("{said} ms is too short")]
    TooShort { said: Span, least: Span },
    /// A length of time above the maximum.
    #[error("{said} ms is too long")]
    TooLong { said: Span, most: Span },
    /// A reminder before the opening of the window.
    #[error("a reminder at {said} ms is none within {window} ms")]
    ReminderTooLong {
        /// The time of the reminder before the deadline.
        said: Span,
        /// The maximum length of a window.
        window: Span,
    },
    /// An unknown zone.
    #[error("{said:?} is no zone")]
    UnknownZone {
        said: String,
        /// Similar names, best first.
        nearest: Vec<String>,
    },
    /// A date that no calendar has.
    #[error("there is no day {said:?}")]
    NoSuchDay { said: String },
    /// Quiet hours with equal ends.
    #[error("{said:?} are no hours")]
    NoQuietHours { said: String },
    /// A range of dates that ends before it begins.
    #[error("{said:?} ends before it begins")]
    EndsBeforeItBegins { said: String },
    /// Days of the week that may be meant as closing days or as days off.
    #[error("it is not clear whether windows close on {said:?}")]
    CloseOrNot { said: String },
    /// A rhythm in which no window could close for too long.
    #[error("no window could close for {most} days")]
    NoDayLeft { most: u32 },
}
