//! The errors of a database, common to both kinds.

use std::io;

use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

/// A result, by default of a statement or a transaction.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A failed operation of the database, which has stored nothing.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk is full.
    #[error("the database has no room left")]
    Full,
    /// The database is read-only.
    #[error("the database is read-only")]
    ReadOnly,
    /// The database did not answer, or another program locked it for too long.
    #[error("the database cannot be reached: {}", message(.0))]
    Unreachable(#[source] sqlx::Error),
    #[error("the database refused: {}", message(.0))]
    Database(#[source] sqlx::Error),
    /// The database contains data that this program does not write.
    #[error("the database holds something unreadable: {0}")]
    Unreadable(String),
    /// The piece of work itself failed.
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

/// The PostgreSQL code for a lock timeout.
const LOCKED: &str = "55P03";

/// True if an error with this code passes by itself: another program works too long, or no connection is
/// possible now.
pub(crate) fn is_passing(code: &str) -> bool {
    /// `SQLITE_BUSY` and `SQLITE_LOCKED`, whose extended codes use the upper bits.
    const BUSY: [u32; 2] = [5, 6];
    /// A statement, or an idle transaction, that took too long; a server that stops or starts; too many
    /// connections.
    const POSTGRES: [&str; 7] = [LOCKED, "57014", "25P03", "57P01", "57P02", "57P03", "53300"];
    // PostgreSQL codes have five characters, SQLite codes at most four.
    let embedded = code.len() < 5;
    let busy = |code: u32| BUSY.contains(&(code & 0xff));
    POSTGRES.contains(&code) || embedded && code.parse().is_ok_and(busy)
}

impl StoreError {
    /// Returns the error if an operator can fix it, `None` otherwise.
    pub(crate) fn kind(error: &sqlx::Error) -> Option<Self> {
        /// `SQLITE_FULL`, and PostgreSQL's `disk_full`.
        const FULL: [&str; 2] = ["13", "53100"];
        /// `SQLITE_READONLY` with its extended codes, and PostgreSQL's `read_only_sql_transaction`.
        const READ_ONLY: [&str; 8] = ["8", "264", "520", "776", "1032", "1288", "1544", "25006"];
        let sqlx::Error::Database(error) = error else { return None };
        let code = error.code()?;
        if FULL.contains(&&*code) {
            Some(Self::Full)
        } else if READ_ONLY.contains(&&*code) {
            Some(Self::ReadOnly)
        } else {
            None
        }
    }

    /// True if another program held a lock for too long.
    pub(crate) fn is_locked(&self) -> bool {
        match self {
            Self::Unreachable(sqlx::Error::Database(error)) => {
                error.code().as_deref() == Some(LOCKED)
            }
            _ => false,
        }
    }

    /// Returns the error for other pieces of work that failed with this one and are not at fault.
    pub(crate) fn for_another(&self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::ReadOnly => Self::ReadOnly,
            error => Self::Unreachable(io::Error::other(error.to_string()).into()),
        }
    }

    /// True if this transaction was aborted because of a deadlock.
    pub(crate) fn is_deadlock(&self) -> bool {
        const DEADLOCK: &str = "40P01";
        match self {
            Self::Database(sqlx::Error::Database(error)) => {
                error.code().as_deref() == Some(DEADLOCK)
            }
            _ => false,
        }
    }
}

/// Returns the database's own message, without its source location.
pub(crate) fn message(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        error => error.to_string(),
    }
}

/// The reason why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The database cannot be reached.
    #[error("{}", message(.0))]
    Unreachable(#[source] sqlx::Error),
    /// The disk is full.
    #[error("there is no room left")]
    Full,
    /// The database is read-only.
    #[error("{}", message(.0))]
    ReadOnly(#[source] sqlx::Error),
    /// A newer program has migrated the database.
    #[error("its migration {found} is unknown here; the newest known one is {known}")]
    Newer {
        /// The number of an unknown migration.
        found: i64,
        /// The newest known migration.
        known: i64,
    },
    /// The database has tables, and none of this program.
    #[error("it is another program's")]
    Foreign,
    /// The database was created before the first release, and cannot be read any more.
    #[error("it was made before the first release")]
    Older,
    /// The disk failed, or is full without an error code that says so.
    #[error("{}", message(.0))]
    DiskError(#[source] sqlx::Error),
    /// The schema is not valid text.
    #[error("its schema is damaged")]
    Damaged,
    /// A migration failed.
    #[error("{0}")]
    Migration(MigrateError),
    /// The schema is not what the migrations should have made.
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

/// True if the disk failed, or has no room for the files beside an embedded database.
fn is_disk_error(error: &sqlx::Error) -> bool {
    /// `SQLITE_IOERR`, whose extended codes use the upper bits.
    const DISK: u32 = 10;
    code_of(error).is_some_and(|code| code & 0xff == DISK)
}

/// Returns the SQLite code of an error, `None` for other errors; PostgreSQL codes have five characters.
pub(crate) fn code_of(error: &sqlx::Error) -> Option<u32> {
    let sqlx::Error::Database(error) = error else { return None };
    error.code().filter(|code| code.len() < 5)?.parse().ok()
}
