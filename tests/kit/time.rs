//! Tests say times in plain milliseconds.

use tables::time::{Span, Time};

/// So many milliseconds after 1970 began.
pub const fn time(milliseconds: i64) -> Time {
    Time::from_milliseconds(milliseconds)
}

/// So many milliseconds.
pub const fn span(milliseconds: i64) -> Span {
    Span::from_milliseconds(milliseconds)
}
