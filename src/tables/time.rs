//! A point in time and a length of time, both in whole milliseconds.
//!
//! Sums and differences saturate at the ends of time.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};
use std::time::Duration;

use serde::{Deserialize, Serialize};

#[cfg(test)]
pub(crate) use tests::{span, time};

/// The length of a second.
pub const SECOND: Span = Span::seconds(1);
/// The length of a minute.
pub const MINUTE: Span = Span::minutes(1);
/// The length of an hour.
pub const HOUR: Span = Span::hours(1);
/// 24 hours; a day of the calendar may have more or fewer.
pub const DAY: Span = Span::days(1);

/// A point in time, in milliseconds since 1970, UTC.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(i64);

/// A length of time, or the difference of two times, in milliseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Span(i64);

impl Time {
    /// The end of time.
    pub const END: Self = Self(i64::MAX);
    /// The beginning of time.
    pub const BEGINNING: Self = Self(i64::MIN);

    /// Creates the time this many milliseconds after 1970 began, UTC.
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds)
    }

    /// Returns the milliseconds since 1970 began, UTC.
    pub const fn milliseconds(self) -> i64 {
        self.0
    }

    /// Returns the time since the last multiple of `full`, counted from 1970, UTC.
    pub const fn beyond(self, full: Span) -> Span {
        Span(self.0.rem_euclid(full.0))
    }
}

impl Span {
    pub const ZERO: Self = Self(0);
    /// The shortest length, one millisecond.
    pub const INSTANT: Self = Self(1);

    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds)
    }

    pub const fn seconds(count: i64) -> Self {
        Self(count * 1000)
    }

    pub const fn minutes(count: i64) -> Self {
        Self::seconds(count * 60)
    }

    pub const fn hours(count: i64) -> Self {
        Self::minutes(count * 60)
    }

    /// Creates a length of this many times 24 hours.
    pub const fn days(count: i64) -> Self {
        Self::hours(count * 24)
    }

    /// Returns the length in milliseconds.
    pub const fn milliseconds(self) -> i64 {
        self.0
    }

    /// Returns the length as a duration, zero if it is negative.
    pub fn duration(self) -> Duration {
        Duration::from_millis(u64::try_from(self.0).unwrap_or(0))
    }
}

impl From<Duration> for Span {
    fn from(duration: Duration) -> Self {
        Self(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }
}

impl Add<Span> for Time {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Self;

    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;

    fn sub(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<i64> for Span {
    type Output = Self;

    fn mul(self, count: i64) -> Self {
        Self(self.0.saturating_mul(count))
    }
}

/// Multiplies with the number first.
impl Mul<Span> for i64 {
    type Output = Span;

    fn mul(self, span: Span) -> Span {
        span * self
    }
}

impl Div<i64> for Span {
    type Output = Self;

    fn div(self, parts: i64) -> Self {
        Self(self.0 / parts)
    }
}

impl Div for Span {
    type Output = i64;

    /// Returns how many times the other length fits in.
    fn div(self, other: Self) -> i64 {
        self.0 / other.0
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Self>>(spans: I) -> Self {
        spans.fold(Self::ZERO, Add::add)
    }
}

/// Writes the milliseconds.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Writes the milliseconds.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests;
