//! What is remembered: one SQL text on SQLite, the embedded default, and PostgreSQL.
//!
//! Everything that is written goes through [`Store::write`] as a piece of [`Work`]: one
//! transaction, acknowledged after its commit. Work on a table begins with
//! [`Session::touch`], whose token the other statements need: touching the table's row first puts
//! whoever declares and whoever closes in a row, on both databases, so that no declaration is ever
//! taken and ignored.

mod database;
mod delivery;
mod person;
mod table;
#[cfg(test)]
#[path = "../../tests/support/database.rs"]
pub(crate) mod test_database;

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::error::DatabaseError;
use sqlx::{AnyPool, query_as};
use tokio::sync::mpsc;
use tokio::time::timeout;

pub use crate::store::database::backup::BackupError;
pub use crate::store::database::columns::Flag;
pub use crate::store::database::connect::{Access, Location, OpenError, not_foreign};
pub use crate::store::database::restore::{OpenCopy, RestoreError, has_room};
pub use crate::store::database::session::Session;
pub use crate::store::database::writer::Work;
pub use crate::store::delivery::dashboards::{DashboardRow, KeptDashboard};
pub use crate::store::delivery::knocks::Knock;
pub use crate::store::delivery::mail::Delivered;
pub use crate::store::delivery::outbox::{Arrived, Dated, Outgoing};
pub use crate::store::delivery::posts::{Post, PostedWindow, StalePost};
pub use crate::store::person::traces::{
    FormerSeat, KeptDeclaration, KeptLetter, KeptOverride, KeptTable, Unsent,
};
pub use crate::store::table::absences::{
    AwayRow, KeptAttendance, LatenessRow, PresenceRow, StandIn, SubstituteRow,
};
pub use crate::store::table::calls::{AskedFor, CallRow};
pub use crate::store::table::figures::Backlog;
pub use crate::store::table::journal::JournalRow;
pub use crate::store::table::overrides::{FiledRow, OnlookerRow, OverrideRow};
pub use crate::store::table::proposals::ProposalRow;
pub use crate::store::table::reputation::{KeptWindow, ReputationRow};
pub use crate::store::table::rows::{FilingRow, OutageRow, SeatRow, Seats, TableRow, WindowRow};
pub use crate::store::table::statistics::CalledRow;
pub use crate::store::table::tables::{Stays, StoredEdition, Touched};
pub use crate::store::table::transfer::{Cell, Row};
pub use crate::store::table::votes::{KeptVoice, KeptVote, StaleVote, VoiceRow, VoteRow};
pub use crate::store::table::whole_window::{Few, OpenTable, WholeWindow};
pub use crate::store::table::windows::{
    ClosedWindow, OpenedSealing, OwnDeclaration, StoredSealing,
};

use crate::store::database::fuse::Fuse;
use crate::store::database::session::{Shared, silent};
use crate::store::database::writer::Queued;

use database::{connect, schema, writer};

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
fn is_passing(code: &str) -> bool {
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
    fn kind(error: &sqlx::Error) -> Option<Self> {
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
    fn is_locked(&self) -> bool {
        match self {
            Self::Unreachable(sqlx::Error::Database(said)) => {
                said.code().as_deref() == Some(LOCKED)
            }
            _ => false,
        }
    }

    /// The same for somebody else whose work came to grief with it: nothing is wrong with theirs.
    fn for_another(&self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::ReadOnly => Self::ReadOnly,
            error => Self::Unreachable(io::Error::other(error.to_string()).into()),
        }
    }

    /// Whether others stood in each other's way, and this was the one to give way.
    fn is_deadlock(&self) -> bool {
        const DEADLOCK: &str = "40P01";
        match self {
            Self::Database(sqlx::Error::Database(said)) => said.code().as_deref() == Some(DEADLOCK),
            _ => false,
        }
    }
}

/// How long a transaction may take on a server.
const TRANSACTION: Duration = Duration::from_mins(1);

/// How long to wait for connections to end.
const CLOSING: Duration = Duration::from_secs(10);

/// Makes a file that nobody but its owner can read or write, whatever the umask says.
///
/// # Errors
/// If it is there already, or cannot be made.
fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// What an error says to a person: the database's own words, without where in its sources they stand.
fn said(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(said) => said.message().to_owned(),
        error => error.to_string(),
    }
}

/// How often something is done again that gave way to others.
const AGAIN: usize = 3;

/// An open database.
#[derive(Clone, Debug)]
pub struct Store {
    readers: AnyPool,
    writer: Writer,
    shared: Shared,
    commits: Arc<AtomicU64>,
    under_way: Arc<AtomicUsize>,
}

/// A piece of work that is being written or waits for that, as long as it lives.
struct UnderWay<'a>(&'a AtomicUsize);

impl<'a> UnderWay<'a> {
    fn begin(under_way: &'a AtomicUsize) -> Self {
        under_way.fetch_add(1, Ordering::Relaxed);
        Self(under_way)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The one task that writes, on either database.
#[derive(Clone, Debug)]
enum Writer {
    /// SQLite has one writer: sealings and closings alike, first come first served, several in
    /// one commit.
    One { queue: mpsc::Sender<Box<dyn Queued>>, pool: AnyPool },
    /// PostgreSQL has many, and one transaction for each piece of work.
    Pool,
}

impl Store {
    /// Opens a database, makes it if it is an embedded one that is not there, and brings it up to
    /// date.
    ///
    /// # Errors
    /// If it cannot be opened, or a newer program has been at work on it.
    pub async fn open(at: &Location) -> Result<Self, OpenError> {
        let answer = if at.is_embedded() { connect::FILE_ANSWER } else { connect::ANSWER };
        let fuse = Arc::new(Fuse::from_environment());
        let shared = Shared { fuse, stuck: Arc::default(), answer };
        let commits = Arc::default();
        let opened = connect::open(at).await?;
        let writer = match opened.writer {
            Some(pool) => writer::start(pool, shared.clone(), Arc::clone(&commits)),
            None => Writer::Pool,
        };
        Ok(Self { readers: opened.readers, writer, shared, commits, under_way: Arc::default() })
    }

    /// Reads. What is read may be out of date at once; nothing is decided by it.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn read(&self) -> Result<Session, StoreError> {
        Ok(Session::new(self.readers.acquire().await?, self.shared.clone()))
    }

    /// What the database lacks of what it must have, if it lacks anything.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn lacking(&self) -> Result<Option<String>, StoreError> {
        let all = match self.writer {
            Writer::One { .. } => schema::OF_A_FILE,
            Writer::Pool => schema::OF_A_SERVER,
        };
        let found: Vec<(String,)> = self.read().await?.all(query_as(all)).await?;
        let found: Vec<String> = found.into_iter().map(|(name,)| name).collect();
        Ok(schema::lacking(&found))
    }

    /// Does a piece of work that only reads, on the database as it is at one moment. Nothing of it
    /// is kept.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn look<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        const AT_ONE_MOMENT: &str = "begin transaction isolation level repeatable read, read only";
        let begin = match self.writer {
            Writer::One { .. } => "begin",
            Writer::Pool => AT_ONE_MOMENT,
        };
        let store = self.clone();
        // On a task of its own: a caller that gives up must not leave half a transaction.
        let looked = tokio::spawn(timeout(TRANSACTION, async move {
            writer::alone(&mut store.read().await?, begin, &work).await
        }));
        let gone = |error| StoreError::Unreachable(io::Error::other(error).into());
        looked.await.map_err(gone)?.unwrap_or_else(|_| Err(silent()))
    }

    /// Does a piece of work in one transaction, and returns once it is durable.
    ///
    /// # Errors
    /// If it could not be written; then nothing of it counts.
    pub async fn write<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        let _under_way = UnderWay::begin(&self.under_way);
        match &self.writer {
            Writer::One { queue, .. } => writer::queue(queue, work).await,
            Writer::Pool => {
                let store = self.clone();
                // On a task of its own: a caller that gives up must not leave half a transaction.
                let written = tokio::spawn(timeout(TRANSACTION, async move {
                    let mut session = store.read().await?;
                    let mut done = writer::alone(&mut session, "begin", &work).await;
                    for _ in 0..AGAIN {
                        if !done.as_ref().is_err_and(StoreError::is_deadlock) {
                            break;
                        }
                        done = writer::alone(&mut session, "begin", &work).await;
                    }
                    let kept = done.as_ref().is_ok_and(W::keeps);
                    store.commits.fetch_add(u64::from(kept), Ordering::Relaxed);
                    done
                }));
                // It is cut off only where the program ends.
                let gone = |error| StoreError::Unreachable(io::Error::other(error).into());
                written.await.map_err(gone)?.unwrap_or_else(|_| Err(silent()))
            }
        }
    }

    /// How many transactions have been committed by this process.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// How many statements this process has put to the database.
    pub fn statements(&self) -> u64 {
        self.shared.fuse.burnt()
    }

    /// How many pieces of work are being written by this process, or wait for that.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// How many pieces of work can be done at the same time so that something is left for others.
    pub fn lanes(&self) -> usize {
        match &self.writer {
            Writer::One { .. } => writer::GROUP / 2,
            Writer::Pool => {
                let connections = self.readers.options().get_max_connections();
                let left = (connections / 4).max(1);
                usize::try_from(connections.saturating_sub(left)).unwrap_or(1).max(1)
            }
        }
    }

    /// Waits for the work that is under way, and lets the database go.
    pub async fn close(&self) {
        let closed = async {
            if let Writer::One { pool, .. } = &self.writer {
                pool.close().await;
            }
            self.readers.close().await;
        };
        // A line that is silent is not waited for: nothing is under way on it any more.
        let _ = timeout(CLOSING, closed).await;
    }
}
