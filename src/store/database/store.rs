//! An open database: its reads, its writes, and its closing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::timeout;

use crate::batch::writer::{self, Queued, TableReader, Work, WorkStep, Writer};
use crate::database::connect::{self, ANSWER, FILE_ANSWER, Location};
use crate::database::error::{OpenError, Result, StoreError};
use crate::database::session::{
    IdleConnections, Readers, Session, Shared, StatementCounter, silent,
};
use crate::rows::{OpenTable, Placeholders};
use tables::{AccountId, TableCode};

/// The timeout of a transaction on a server.
const TRANSACTION: Duration = Duration::from_mins(1);

/// The timeout for closing the connections.
const CLOSING: Duration = Duration::from_secs(10);

/// The maximum number of retries after a deadlock.
const AGAIN: usize = 3;

/// An open database.
#[derive(Clone, Debug)]
pub struct Store {
    readers: Readers,
    table_reader: TableReader,
    writer: Writer,
    commits: Arc<AtomicU64>,
    under_way: Arc<AtomicUsize>,
}

/// A guard that counts a piece of work while it is written or waits for that.
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

/// Returns the error for work cut off at the end of the program.
fn gone<E>(_: E) -> StoreError {
    StoreError::Unreachable(sqlx::Error::PoolClosed)
}

impl Store {
    /// Opens a database, creates a missing embedded one, and migrates it.
    ///
    /// # Errors
    /// If it cannot be opened, or a newer program has migrated it.
    pub async fn open(at: &Location) -> Result<Self, OpenError> {
        let answer = if at.is_embedded() { FILE_ANSWER } else { ANSWER };
        let fuse = Arc::new(StatementCounter::from_environment());
        let marks = if at.is_embedded() { Placeholders::InOrder } else { Placeholders::Numbered };
        let shared = Shared { fuse, stuck: Arc::default(), marks, answer };
        let commits = Arc::default();
        let opened = connect::open(at).await?;
        let writer = match opened.writer {
            Some(pool) => writer::start(pool, shared.clone(), Arc::clone(&commits)),
            None => Writer::Pool,
        };
        let resting = at.is_embedded().then(|| Arc::new(IdleConnections::new(at.connections)));
        let readers = Readers { pool: opened.readers, resting, shared };
        let table_reader = TableReader::start(readers.clone());
        Ok(Self { readers, table_reader, writer, commits, under_way: Arc::default() })
    }

    /// Returns a session for reading. The data may be out of date immediately, so no decision uses it.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn read(&self) -> Result<Session> {
        self.readers.session().await
    }

    /// Returns a table as it was a moment ago, for an account. Concurrent calls share a statement.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn open_table(
        &self,
        code: &TableCode,
        account: &AccountId,
    ) -> Result<Option<OpenTable>> {
        self.table_reader.open_table(code, account).await
    }

    /// Returns a part of the schema that the database lacks, `None` if it is complete.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn lacking(&self) -> Result<Option<String>> {
        let all = match self.writer {
            Writer::One { .. } => connect::OF_A_FILE,
            Writer::Pool => connect::OF_A_SERVER,
        };
        let found: Vec<String> = self.read().await?.column(all, ()).await?;
        Ok(connect::lacking(&found))
    }

    /// Does a piece of work that only reads, on a snapshot of the database. Its writes are undone.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn look<A, T>(&self, work: Work<A, T>) -> Result<T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        const AT_ONE_MOMENT: &str = "begin transaction isolation level repeatable read, read only";
        let begin = match self.writer {
            Writer::One { .. } => "begin",
            Writer::Pool => AT_ONE_MOMENT,
        };
        let (job, answer) = writer::queued(work);
        tokio::spawn(self.clone().alone(begin, job));
        answer.await.map_err(gone)?
    }

    /// Does the work of a function, as [`Self::write`] does.
    ///
    /// # Errors
    /// If it could not be written; then nothing is stored.
    pub async fn write_about<A, T>(&self, about: A, does: WorkStep<A, T>) -> Result<T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.write(Work::new(about, does)).await
    }

    /// Does a piece of work in one transaction, and returns once it is durable.
    ///
    /// # Errors
    /// If it could not be written; then nothing is stored.
    pub async fn write<A, T>(&self, work: Work<A, T>) -> Result<T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let _under_way = UnderWay::begin(&self.under_way);
        let (job, answer) = writer::queued(work);
        match &self.writer {
            Writer::One { queue, .. } => queue.send(job).await.map_err(gone)?,
            Writer::Pool => drop(tokio::spawn(self.clone().alone("begin", job))),
        }
        answer.await.map_err(gone)?
    }

    /// Does a piece of work in a transaction of its own, and sends the result to its caller. It runs as a
    /// task, so that a cancelled caller leaves no half transaction.
    async fn alone(self, begin: &'static str, mut job: Box<dyn Queued>) {
        let done = timeout(TRANSACTION, async {
            let mut db = self.read().await?;
            let mut done = writer::alone(&mut db, begin, &mut job).await;
            for _ in 0..AGAIN {
                if !done.as_ref().is_err_and(StoreError::is_deadlock) {
                    break;
                }
                done = writer::alone(&mut db, begin, &mut job).await;
            }
            done
        });
        match done.await.unwrap_or_else(|_| Err(silent())) {
            Ok(is_kept) => {
                self.commits.fetch_add(u64::from(is_kept), Ordering::Relaxed);
                job.acknowledge();
            }
            Err(error) => job.fail(error),
        }
    }

    /// Returns the number of transactions committed by this process.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// Returns the number of statements that this process has sent to the database.
    pub fn statements(&self) -> u64 {
        self.readers.shared.fuse.burnt()
    }

    /// Returns the number of pieces of work that this process is writing or has queued.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Returns the number of concurrent pieces of work that still leaves capacity for others.
    pub fn lanes(&self) -> usize {
        match &self.writer {
            Writer::One { .. } => writer::GROUP / 2,
            Writer::Pool => {
                let connections = self.readers.pool.options().get_max_connections();
                let left = (connections / 4).max(1);
                usize::try_from(connections.saturating_sub(left)).unwrap_or(1).max(1)
            }
        }
    }

    /// Waits for the current work, and closes the database.
    pub async fn close(&self) {
        let closed = async {
            if let Writer::One { pool, .. } = &self.writer {
                pool.close().await;
            }
            for connection in self.readers.resting.iter().flat_map(|resting| resting.end()) {
                let _ = connection.close().await;
            }
            self.readers.pool.close().await;
        };
        // A silent line is not waited for: no work uses it any more.
        let _ = timeout(CLOSING, closed).await;
    }
}
