//! The pace of a table: when its windows close.

/// When windows close. All times are milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// From the opening of a window to its deadline.
    pub period: i64,
    /// Whether a window closes as soon as everybody has sealed.
    pub early: bool,
}

impl Pace {
    /// The deadline of a window that opens at this time (milliseconds since 1970, UTC).
    pub fn deadline(&self, opened: i64) -> i64 {
        opened.saturating_add(self.period)
    }
}
