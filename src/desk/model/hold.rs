//! What is held back.

use crate::time::Time;

/// When a window opens whose announcement is held back.
pub(in crate::desk) const NEVER: Time = Time::from_milliseconds(i64::MAX / 4);
