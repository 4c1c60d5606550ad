//! Times in plain milliseconds, for tests.

use tables::time::{Span, Time};

/// Returns the time this many milliseconds after 1970-01-01 UTC.
pub const fn time(milliseconds: i64) -> Time {
    Time::from_milliseconds(milliseconds)
}

/// Returns a span of this many milliseconds.
pub const fn span(milliseconds: i64) -> Span {
    Span::from_milliseconds(milliseconds)
}
