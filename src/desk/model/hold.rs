//! The words for why a table stands still, and for what is seen of it.

use crate::time::Time;

/// The word for a table that waits because nobody had kept its deadline.
pub(in crate::desk) const OUTAGE: &str = "outage";

/// The word for a table that stands still because a game master wanted it.
pub(in crate::desk) const PAUSE: &str = "pause";

/// The word for a table whose last result is not announced before it is published.
pub(in crate::desk) const REVIEW: &str = "review";

/// The word for a table that waits because nobody was there any more.
pub(in crate::desk) const DESERTED: &str = "deserted";

/// The word for a table that waits because its rules came to grief.
pub(in crate::desk) const RULES: &str = "rules";

/// The word for why a table waits.
pub(in crate::desk) fn word(what: &str) -> &'static str {
    [OUTAGE, PAUSE, REVIEW, DESERTED].into_iter().find(|word| *word == what).unwrap_or(RULES)
}

/// A table whose game masters see who has sealed, and not what.
pub(in crate::desk) const BLIND: &str = "blind";

/// A table whose game masters see what is sealed.
pub(in crate::desk) const OPEN: &str = "open";

/// When a window opens whose announcement is held back.
pub(in crate::desk) const NEVER: Time = Time::from_milliseconds(i64::MAX / 4);
