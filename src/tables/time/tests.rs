//! Plain milliseconds as times, for tests.

use std::cmp::Ordering;

use super::{Add, Span, Sub, Time};

/// Returns the time this many milliseconds after 1970 began.
pub(crate) fn time(milliseconds: i64) -> Time {
    Time(milliseconds)
}

/// Returns a length in milliseconds.
pub(crate) fn span(milliseconds: i64) -> Span {
    Span(milliseconds)
}

impl Add<i64> for Time {
    type Output = Self;

    fn add(self, milliseconds: i64) -> Self {
        self + Span(milliseconds)
    }
}

impl Sub<i64> for Time {
    type Output = Self;

    fn sub(self, milliseconds: i64) -> Self {
        self - Span(milliseconds)
    }
}

impl PartialEq<i64> for Time {
    fn eq(&self, milliseconds: &i64) -> bool {
        self.0 == *milliseconds
    }
}

impl PartialOrd<i64> for Time {
    fn partial_cmp(&self, milliseconds: &i64) -> Option<Ordering> {
        self.0.partial_cmp(milliseconds)
    }
}

impl PartialEq<i64> for Span {
    fn eq(&self, milliseconds: &i64) -> bool {
        self.0 == *milliseconds
    }
}
