//! What is remembered: one SQL text on SQLite, the embedded default, and PostgreSQL.
//!
//! Everything that is written goes through [`Store::write`] as a piece of [`Work`]: one
//! transaction, acknowledged after its commit. Work on a table begins with
//! [`Session::touch`], whose token the other statements need: touching the table's row first puts
//! whoever declares and whoever closes in a row, on both databases, so that no declaration is ever
//! taken and ignored.

mod absences;
mod backup;
mod calls;
mod connect;
mod dashboards;
mod figures;
mod fuse;
mod heard;
mod journal;
mod mail;
mod obstacles;
mod outbox;
mod overrides;
mod people;
mod places;
mod posts;
mod processes;
mod proposals;
mod reputation;
mod rows;
mod session;
mod statistics;
mod tables;
#[cfg(test)]
#[path = "../../tests/support/database.rs"]
pub(crate) mod test_database;
#[cfg(test)]
mod test_writer;
mod traces;
mod transfer;
mod votes;
mod windows;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::AnyPool;
use tokio::sync::mpsc;

pub use absences::{AwayRow, KeptAttendance, LatenessRow, PresenceRow, StandIn, SubstituteRow};
pub use backup::BackupError;
pub use calls::{AskedFor, CallRow};
pub use connect::{Location, OpenError};
pub use dashboards::{DashboardRow, KeptDashboard};
pub use figures::Waiting;
pub use journal::JournalRow;
pub use mail::Delivered;
pub use outbox::{Arrived, Dated, Outgoing};
pub use overrides::{FiledRow, OverrideRow};
pub use posts::{Post, StalePost};
pub use proposals::ProposalRow;
pub use reputation::{KeptWindow, ReputationRow};
pub use rows::{FilingRow, Outage, SeatRow, Seats, TableRow, WindowRow};
pub use session::Session;
pub use statistics::CalledRow;
pub use tables::{Edition, Touched};
pub use traces::{FormerSeat, KeptDeclaration, KeptLetter, KeptOverride, KeptTable, Unsent};
pub use transfer::{Cell, Row};
pub use votes::{KeptVoice, KeptVote, StaleVote, VoiceRow, VoteRow};
pub use windows::{ClosedWindow, Opened, OwnDeclaration, Sealing};
pub use writer::Work;

use fuse::Fuse;
use writer::Queued;

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
    #[error("the database cannot be reached: {0}")]
    Unreachable(#[source] sqlx::Error),
    /// Something else.
    #[error("the database refused: {0}")]
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
        /// `SQLITE_FULL`, and PostgreSQL's `disk_full`.
        const FULL: [&str; 2] = ["13", "53100"];
        /// `SQLITE_READONLY` with its kinds, and PostgreSQL's `read_only_sql_transaction`.
        const READ_ONLY: [&str; 8] = ["8", "264", "520", "776", "1032", "1288", "1544", "25006"];
        match &error {
            sqlx::Error::Database(said)
                if said.code().is_some_and(|code| FULL.contains(&&*code)) =>
            {
                Self::Full
            }
            sqlx::Error::Database(said)
                if said.code().is_some_and(|code| READ_ONLY.contains(&&*code)) =>
            {
                Self::ReadOnly
            }
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

impl StoreError {
    /// Whether others stood in each other's way, and this was the one to give way.
    fn is_deadlock(&self) -> bool {
        const DEADLOCK: &str = "40P01";
        match self {
            Self::Database(sqlx::Error::Database(said)) => said.code().as_deref() == Some(DEADLOCK),
            _ => false,
        }
    }
}

/// How often something is done again that gave way to others.
const AGAIN: usize = 3;

/// An open database.
#[derive(Clone, Debug)]
pub struct Store {
    readers: AnyPool,
    writer: Writer,
    fuse: Arc<Fuse>,
    commits: Arc<AtomicU64>,
}

/// Who writes.
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
        let fuse = Arc::new(Fuse::from_environment());
        let commits = Arc::default();
        let opened = connect::open(at).await?;
        let writer = match opened.writer {
            Some(pool) => writer::start(pool, Arc::clone(&fuse), Arc::clone(&commits)),
            None => Writer::Pool,
        };
        Ok(Self { readers: opened.readers, writer, fuse, commits })
    }

    /// Reads. What is read may be out of date at once; nothing is decided by it.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn read(&self) -> Result<Session, StoreError> {
        Ok(Session::new(self.readers.acquire().await?, Arc::clone(&self.fuse)))
    }

    /// Does a piece of work in one transaction, and returns once it is durable.
    ///
    /// # Errors
    /// If it could not be written; then nothing of it counts.
    pub async fn write<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        match &self.writer {
            Writer::One { queue, .. } => writer::queue(queue, work).await,
            Writer::Pool => {
                let store = self.clone();
                // On a task of its own: a caller that gives up must not leave half a transaction.
                let written = tokio::spawn(async move {
                    let mut session = store.read().await?;
                    let mut done = writer::alone(&mut session, &work).await;
                    for _ in 0..AGAIN {
                        if !done.as_ref().is_err_and(StoreError::is_deadlock) {
                            break;
                        }
                        done = writer::alone(&mut session, &work).await;
                    }
                    let kept = done.as_ref().is_ok_and(W::keeps);
                    store.commits.fetch_add(u64::from(kept), Ordering::Relaxed);
                    done
                });
                written.await.map_err(|error| StoreError::Failed(error.to_string()))?
            }
        }
    }

    /// How many transactions have been committed by this process.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// How many statements this process has put to the database.
    pub fn statements(&self) -> u64 {
        self.fuse.burnt()
    }

    /// Waits for the work that is under way, and lets the database go.
    pub async fn close(&self) {
        if let Writer::One { pool, .. } = &self.writer {
            pool.close().await;
        }
        self.readers.close().await;
    }
}
