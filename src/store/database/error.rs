//! What a database could not do, whichever it is.

use std::io;

use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

/// Something the database could not do. Nothing of what was to be written counts.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no room.
    #[error("the database has no room left")]
    Full,
    /// Nothing may be written to it.
    #[error("the database is read-only")]
    ReadOnly,
    /// It did not answer, or another program kept it too long.
    #[error("the database cannot be reached: {}", said(.0))]
    Unreachable(#[source] sqlx::Error),
    #[error("the database refused: {}", said(.0))]
    Database(#[source] sqlx::Error),
    /// What was read back is nothing we wrote.
    #[error("the database holds something unreadable: {0}")]
    Unreadable(String),
    /// The work itself came to grief.
    #[error("the work failed: {0}")]
    Failed(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if let Some(kind) = Self::kind(&error) {
            return kind;
        }
        let code = error.as_database_error().and_then(DatabaseError::code);
        match &error {
            _ if code.as_ref().is_some_and(|code| is_passing(code)) => Self::Unreachable(error),
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => {
                Self::Unreachable(error)
            }
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                Self::Unreadable(error.to_string())
            }
            _ => Self::Database(error),
        }
    }
}

/// What PostgreSQL says where a lock was not to be had in time.
const LOCKED: &str = "55P03";

/// Whether what has this code passes by itself: somebody else is at work for too long, or nobody
/// may connect just now.
pub(crate) fn is_passing(code: &str) -> bool {
    /// `SQLITE_BUSY` and `SQLITE_LOCKED`, of which a code may say more in its upper bits.
    const BUSY: [u32; 2] = [5, 6];
    /// A statement, or a transaction in which nothing happened, that took too long; a server that is
    /// stopped or starts; as many connections as it has.
    const POSTGRES: [&str; 7] = [LOCKED, "57014", "25P03", "57P01", "57P02", "57P03", "53300"];
    // PostgreSQL's have five characters, and SQLite's at most four.
    let embedded = code.len() < 5;
    let busy = |code: u32| BUSY.contains(&(code & 0xff));
    POSTGRES.contains(&code) || embedded && code.parse().is_ok_and(busy)
}

impl StoreError {
    /// What an operator can mend, if it is that.
    pub(crate) fn kind(error: &sqlx::Error) -> Option<Self> {
        /// `SQLITE_FULL`, and PostgreSQL's `disk_full`.
        const FULL: [&str; 2] = ["13", "53100"];
        /// `SQLITE_READONLY` with its kinds, and PostgreSQL's `read_only_sql_transaction`.
        const READ_ONLY: [&str; 8] = ["8", "264", "520", "776", "1032", "1288", "1544", "25006"];
        let sqlx::Error::Database(said) = error else { return None };
        let code = said.code()?;
        if FULL.contains(&&*code) {
            Some(Self::Full)
        } else if READ_ONLY.contains(&&*code) {
            Some(Self::ReadOnly)
        } else {
            None
        }
    }

    /// True if somebody else held for too long what was needed.
    pub(crate) fn is_locked(&self) -> bool {
        match self {
            Self::Unreachable(sqlx::Error::Database(said)) => {
                said.code().as_deref() == Some(LOCKED)
            }
            _ => false,
        }
    }

    /// The same for somebody else whose work came to grief with it: nothing is wrong with theirs.
    pub(crate) fn for_another(&self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::ReadOnly => Self::ReadOnly,
            error => Self::Unreachable(io::Error::other(error.to_string()).into()),
        }
    }

    /// True if others stood in each other's way, and this was the one to give way.
    pub(crate) fn is_deadlock(&self) -> bool {
        const DEADLOCK: &str = "40P01";
        match self {
            Self::Database(sqlx::Error::Database(said)) => said.code().as_deref() == Some(DEADLOCK),
            _ => false,
        }
    }
}

/// What an error says to a person: the database's own words, without where in its sources they stand.
pub(crate) fn said(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(said) => said.message().to_owned(),
        error => error.to_string(),
    }
}

/// A database that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be reached.
    #[error("{}", said(.0))]
    Unreachable(#[source] sqlx::Error),
    /// There is no room for what it needs.
    #[error("there is no room left")]
    Full,
    /// Nothing can be written to it.
    #[error("{}", said(.0))]
    ReadOnly(#[source] sqlx::Error),
    /// A newer program has been at work on it.
    #[error("its migration {found} is unknown here; the newest known one is {known}")]
    Newer {
        /// The number of a migration it has had.
        found: i64,
        /// The newest one known here.
        known: i64,
    },
    /// It holds tables, and none of them are of this program.
    #[error("it is another program's")]
    Foreign,
    /// It was made before the first release, and nothing reads it any more.
    #[error("it was made before the first release")]
    Older,
    /// The disk could not be read or written: it may be full, where the database says no more.
    #[error("{}", said(.0))]
    DiskError(#[source] sqlx::Error),
    /// What it says of itself is no text.
    #[error("its schema is damaged")]
    Damaged,
    /// It could not be brought up to date.
    #[error("{0}")]
    Migration(MigrateError),
    /// It is not what its migrations should have made of it.
    #[error("it lacks {0}")]
    Lacking(String),
}

impl From<sqlx::Error> for OpenError {
    fn from(error: sqlx::Error) -> Self {
        match StoreError::kind(&error) {
            Some(StoreError::Full) => Self::Full,
            Some(StoreError::ReadOnly) => Self::ReadOnly(error),
            _ if is_disk_error(&error) => Self::DiskError(error),
            _ => Self::Unreachable(error),
        }
    }
}

/// Whether a disk has failed, or has no room for what lies beside an embedded database.
fn is_disk_error(error: &sqlx::Error) -> bool {
    /// `SQLITE_IOERR`, of which a code may say more in its upper bits.
    const DISK: u32 = 10;
    code_of(error).is_some_and(|code| code & 0xff == DISK)
}

/// The code of SQLite's that an error has, if it has one; PostgreSQL's have five characters.
pub(crate) fn code_of(error: &sqlx::Error) -> Option<u32> {
    let sqlx::Error::Database(said) = error else { return None };
    said.code().filter(|code| code.len() < 5)?.parse().ok()
}
