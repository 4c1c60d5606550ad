//! The one place that reads the clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in milliseconds since 1970, UTC.
pub(crate) fn now() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
