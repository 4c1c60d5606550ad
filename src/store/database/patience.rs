//! How long a database is waited for.

use std::time::Duration;

/// The time for which another program that writes to the same SQLite file is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The time that a statement in a file may take, waiting for other programs and all.
pub(crate) const FILE_ANSWER: Duration = Duration::from_mins(1);

/// The time that a server may take to let somebody in.
pub(crate) const LETTING_IN: Duration = Duration::from_secs(10);

/// How long a server may take over a statement before its line counts as silent: longer than the
/// server itself allows, so that what it has to say about it arrives.
pub(crate) const ANSWER: Duration = Duration::from_secs(20);

/// The time that a server may take to say that it is there.
pub(crate) const SIGN: Duration = Duration::from_secs(2);
