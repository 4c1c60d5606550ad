//! The timeouts of a database.

use std::time::Duration;

/// The timeout for another program that writes to the same SQLite file.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The timeout of a statement in a file, including the wait for other programs.
pub(crate) const FILE_ANSWER: Duration = Duration::from_mins(1);

/// The timeout of a connection to a server.
pub(crate) const LETTING_IN: Duration = Duration::from_secs(10);

/// The timeout of a statement on a server: longer than the server's own, so that its error message arrives.
pub(crate) const ANSWER: Duration = Duration::from_secs(20);

/// The timeout of a ping to a server.
pub(crate) const SIGN: Duration = Duration::from_secs(2);
