//! What a database could not do, whichever it is.

use std::io;

use sqlx::error::DatabaseError;

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
pub(in crate::store) fn is_passing(code: &str) -> bool {
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
    pub(in crate::store) fn kind(error: &sqlx::Error) -> Option<Self> {
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

    /// Whether somebody else held for too long what was needed.
    pub(in crate::store) fn is_locked(&self) -> bool {
        match self {
            Self::Unreachable(sqlx::Error::Database(said)) => {
                said.code().as_deref() == Some(LOCKED)
            }
            _ => false,
        }
    }

    /// The same for somebody else whose work came to grief with it: nothing is wrong with theirs.
    pub(in crate::store) fn for_another(&self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::ReadOnly => Self::ReadOnly,
            error => Self::Unreachable(io::Error::other(error.to_string()).into()),
        }
    }

    /// Whether others stood in each other's way, and this was the one to give way.
    pub(in crate::store) fn is_deadlock(&self) -> bool {
        const DEADLOCK: &str = "40P01";
        match self {
            Self::Database(sqlx::Error::Database(said)) => said.code().as_deref() == Some(DEADLOCK),
            _ => false,
        }
    }
}

/// What an error says to a person: the database's own words, without where in its sources they stand.
pub(in crate::store) fn said(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(said) => said.message().to_owned(),
        error => error.to_string(),
    }
}
