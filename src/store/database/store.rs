//! An open database: what is read from it, what is written, and how it is let go.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::query_as;
use tokio::time::timeout;

use crate::database::connect::{self, Location};
use crate::database::error::{OpenError, StoreError};
use crate::database::patience::{ANSWER, FILE_ANSWER};
use crate::database::reader::TableReader;
use crate::database::schema;
use crate::database::session::{Fuse, Readers, Resting, Session, Shared, silent};
use crate::database::writer::{self, NamelessWork, Queued, Work, Writer};
use crate::rows::columns::Marks;
use crate::rows::window::OpenTable;
use tables::ids::{AccountId, TableCode};

/// The time that a transaction may take on a server.
const TRANSACTION: Duration = Duration::from_mins(1);

/// The time to wait for connections to end.
const CLOSING: Duration = Duration::from_secs(10);

/// How often something is done again that gave way to others.
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

/// The error of work that is cut off, which happens only where the program ends: nothing is wrong with it.
fn gone<E>(_: E) -> StoreError {
    StoreError::Unreachable(sqlx::Error::PoolClosed)
}

impl Store {
    /// Opens a database, makes it if it is an embedded one that is not there, and brings it up to
    /// date.
    ///
    /// # Errors
    /// If it cannot be opened, or a newer program has been at work on it.
    pub async fn open(at: &Location) -> Result<Self, OpenError> {
        let answer = if at.is_embedded() { FILE_ANSWER } else { ANSWER };
        let fuse = Arc::new(Fuse::from_environment());
        let marks = if at.is_embedded() { Marks::InOrder } else { Marks::Numbered };
        let shared = Shared { fuse, stuck: Arc::default(), marks, answer };
        let commits = Arc::default();
        let opened = connect::open(at).await?;
        let writer = match opened.writer {
            Some(pool) => writer::start(pool, shared.clone(), Arc::clone(&commits)),
            None => Writer::Pool,
        };
        let resting = at.is_embedded().then(|| Arc::new(Resting::new(at.connections)));
        let readers = Readers { pool: opened.readers, resting, shared };
        let table_reader = TableReader::start(readers.clone());
        Ok(Self { readers, table_reader, writer, commits, under_way: Arc::default() })
    }

    /// Reads. What is read may be out of date at once; nothing is decided by it.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn read(&self) -> Result<Session, StoreError> {
        self.readers.session().await
    }

    /// A table as it was a moment ago, for an account. Those for whom one is read at the same time
    /// share a statement.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn open_table(
        &self,
        code: &TableCode,
        account: &AccountId,
    ) -> Result<Option<OpenTable>, StoreError> {
        self.table_reader.open_table(code, account).await
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
        let (job, answer) = writer::queued(work);
        tokio::spawn(self.clone().alone(begin, job));
        answer.await.map_err(gone)?
    }

    /// Does something about this in one transaction, as [`Self::write`] does, and as often.
    ///
    /// # Errors
    /// If it could not be written; then nothing of it counts.
    pub async fn write_about<A, T>(
        &self,
        about: A,
        does: impl for<'w> Fn(&'w A, &'w mut Session) -> BoxFuture<'w, Result<T, StoreError>>
        + Send
        + Sync
        + 'static,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.write(NamelessWork { about, does, done: PhantomData }).await
    }

    /// Does a piece of work in one transaction, and returns once it is durable.
    ///
    /// # Errors
    /// If it could not be written; then nothing of it counts.
    pub async fn write<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        let _under_way = UnderWay::begin(&self.under_way);
        let (job, answer) = writer::queued(work);
        match &self.writer {
            Writer::One { queue, .. } => queue.send(job).await.map_err(gone)?,
            Writer::Pool => drop(tokio::spawn(self.clone().alone("begin", job))),
        }
        answer.await.map_err(gone)?
    }

    /// Does a piece of work in a transaction of its own, and tells its caller. Runs as a task: a caller that
    /// gives up must not leave half a transaction.
    async fn alone(self, begin: &'static str, mut job: Box<dyn Queued>) {
        let done = timeout(TRANSACTION, async {
            let mut session = self.read().await?;
            let mut done = writer::alone(&mut session, begin, &mut job).await;
            for _ in 0..AGAIN {
                if !done.as_ref().is_err_and(StoreError::is_deadlock) {
                    break;
                }
                done = writer::alone(&mut session, begin, &mut job).await;
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

    /// The number of transactions that have been committed by this process.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// How many statements this process has put to the database.
    pub fn statements(&self) -> u64 {
        self.readers.shared.fuse.burnt()
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
                let connections = self.readers.pool.options().get_max_connections();
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
            for connection in self.readers.resting.iter().flat_map(|resting| resting.end()) {
                let _ = connection.close().await;
            }
            self.readers.pool.close().await;
        };
        // A line that is silent is not waited for: nothing is under way on it any more.
        let _ = timeout(CLOSING, closed).await;
    }
}
