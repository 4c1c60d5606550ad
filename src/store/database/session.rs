//! A connection that every statement goes through, and the state that the sessions of a store share: idle
//! connections, stuck tables, and the count of statements.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::any::{Any, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::{AnyPool, Executor, FromRow, SqlSafeStr, query_as_with, query_with};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::batch::unsaved::{About, Unsaved};
use crate::database::error::{Result, StoreError};
use crate::rows::{Ahead, Count, Placeholders, RowQuery, Statement, Values, arguments};
use tables::TableCode;

/// The timeout for giving back or closing a connection.
const GOODBYE: Duration = Duration::from_secs(5);

/// The variable with the number of the statement before which a debug build kills itself.
#[cfg(debug_assertions)]
const DIE_AT: &str = "SHIMEKIRI_DIE_AT";

/// The variable with the number of the statement before which a debug build stops, like on a machine that
/// hangs.
#[cfg(debug_assertions)]
const STOP_AT: &str = "SHIMEKIRI_STOP_AT";

/// The state that all sessions of a store share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) fuse: Arc<StatementCounter>,
    pub(crate) stuck: Arc<BlockedTables>,
    pub(crate) marks: Placeholders,
    /// The timeout of a statement, after which its connection is given up.
    pub(crate) answer: Duration,
}

/// A session with the database.
#[derive(Debug)]
pub struct Session {
    line: Line,
    /// The rows that this transaction has yet to write.
    pub(crate) unsaved: Unsaved,
    /// The tables read ahead for later pieces of work of this transaction, with their open windows, while no
    /// change is possible.
    pub(crate) ahead: HashMap<TableCode, Ahead>,
}

/// A connection, and whether it can take another statement.
#[derive(Debug)]
pub(crate) struct Line {
    /// `Some` until the line is dropped.
    connection: Option<PoolConnection<Any>>,
    /// The place that gets the connection back afterwards, `None` for a pool connection.
    rests: Option<(Arc<IdleConnections>, OwnedSemaphorePermit)>,
    shared: Shared,
    /// True if a statement has been sent and not been answered.
    amid: bool,
    /// True if a transaction is open.
    open: bool,
}

/// A type that a row of the database is read as.
pub(crate) trait ReadRow: Send + Unpin + for<'r> FromRow<'r, AnyRow> {}

impl<R: Send + Unpin + for<'r> FromRow<'r, AnyRow>> ReadRow for R {}

impl Line {
    pub(crate) fn new(connection: PoolConnection<Any>, shared: Shared) -> Self {
        Self { connection: Some(connection), rests: None, shared, amid: false, open: false }
    }

    /// Returns an idle connection, or a new one of the pool.
    async fn on_file(
        resting: &Arc<IdleConnections>,
        pool: &AnyPool,
        shared: Shared,
    ) -> sqlx::Result<Self> {
        let taken = timeout(shared.answer, resting.take()).await;
        let (place, connection) = taken.unwrap_or(Err(sqlx::Error::PoolTimedOut))?;
        let connection = match connection {
            Some(connection) => connection,
            None => pool.acquire().await?,
        };
        let mut line = Self::new(connection, shared);
        line.rests = Some((Arc::clone(resting), place));
        Ok(line)
    }

    /// Returns the connection for a statement, its flag, and its timeout.
    fn put(&mut self) -> Result<(&mut PoolConnection<Any>, &mut bool, Duration)> {
        // After an unanswered statement the order of the answers is unknown.
        let connection = self.connection.as_mut().filter(|_| !self.amid).ok_or_else(silent)?;
        self.shared.fuse.burn();
        self.amid = true;
        Ok((connection, &mut self.amid, self.shared.answer))
    }

    async fn execute(&mut self, statement: Statement) -> Result<u64> {
        let (connection, amid, answer) = self.put()?;
        let done = timeout(answer, statement.execute(&mut **connection)).await;
        Ok(answered(amid, done)?.rows_affected())
    }

    async fn one<R: ReadRow>(&mut self, question: RowQuery<R>) -> Result<Option<R>> {
        let (connection, amid, answer) = self.put()?;
        answered(amid, timeout(answer, question.fetch_optional(&mut **connection)).await)
    }

    async fn all<R: ReadRow>(&mut self, question: RowQuery<R>) -> Result<Vec<R>> {
        let (connection, amid, answer) = self.put()?;
        answered(amid, timeout(answer, question.fetch_all(&mut **connection)).await)
    }

    /// Runs a statement about the transaction itself.
    async fn control(&mut self, statement: &'static str) -> Result<()> {
        let (connection, amid, answer) = self.put()?;
        answered(amid, timeout(answer, connection.execute(statement)).await)?;
        self.open = match statement.split_once(' ').map_or(statement, |(word, _)| word) {
            "begin" => true,
            "commit" | "rollback" => false,
            _ => self.open,
        };
        Ok(())
    }
}

impl From<Line> for Session {
    fn from(line: Line) -> Self {
        Self { line, unsaved: Unsaved::default(), ahead: HashMap::new() }
    }
}

impl Session {
    /// Runs a statement with these values.
    pub(crate) async fn write(&mut self, text: impl SqlSafeStr, values: impl Values) -> Result<()> {
        self.changes(text, values).await.map(drop)
    }

    /// Runs a statement with these values, and returns the number of changed rows.
    pub(crate) async fn changes(
        &mut self,
        text: impl SqlSafeStr,
        values: impl Values,
    ) -> Result<u64> {
        let statement = query_with(text, arguments(values)?);
        self.execute(statement).await
    }

    /// Returns the rows of a query with these values.
    pub(crate) async fn rows<R: ReadRow>(
        &mut self,
        text: impl SqlSafeStr,
        values: impl Values,
    ) -> Result<Vec<R>> {
        let question = query_as_with(text, arguments(values)?);
        self.all(question).await
    }

    /// Returns the only row of a query with these values, `None` if there is none.
    pub(crate) async fn row<R: ReadRow>(
        &mut self,
        text: impl SqlSafeStr,
        values: impl Values,
    ) -> Result<Option<R>> {
        let question = query_as_with(text, arguments(values)?);
        self.flush().await?;
        self.line.one(question).await
    }

    /// Returns the only column of a query with these values.
    pub(crate) async fn column<T>(
        &mut self,
        text: impl SqlSafeStr,
        values: impl Values,
    ) -> Result<Vec<T>>
    where
        (T,): ReadRow,
    {
        Ok(self.rows(text, values).await?.into_iter().map(|(value,)| value).collect())
    }

    /// Returns the only column of the only row of a query with these values, `None` if there is no row.
    pub(crate) async fn value<T>(
        &mut self,
        text: impl SqlSafeStr,
        values: impl Values,
    ) -> Result<Option<T>>
    where
        (T,): ReadRow,
    {
        Ok(self.row(text, values).await?.map(|(value,)| value))
    }

    /// True if a query with these values counts anything.
    pub(crate) async fn counts_any(
        &mut self,
        text: impl SqlSafeStr,
        values: impl Values,
    ) -> Result<bool> {
        Ok(self.value(text, values).await?.is_some_and(|Count(count): Count<u64>| count > 0))
    }

    /// Runs a statement, and returns the number of changed rows.
    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<u64> {
        self.flush().await?;
        self.ahead.clear();
        self.line.execute(statement).await
    }

    /// Returns the only row of a query about one thing: other unsaved rows can wait.
    pub(crate) async fn one_about<R: ReadRow>(
        &mut self,
        code: &TableCode,
        about: About,
        question: RowQuery<R>,
    ) -> Result<Option<R>> {
        self.flush_for(code, about).await?;
        self.line.one(question).await
    }

    pub(crate) async fn all<R: ReadRow>(&mut self, question: RowQuery<R>) -> Result<Vec<R>> {
        self.flush().await?;
        self.line.all(question).await
    }

    /// Returns all rows of a query about one thing: other unsaved rows can wait.
    pub(crate) async fn all_about<R: ReadRow>(
        &mut self,
        code: &TableCode,
        about: About,
        question: RowQuery<R>,
    ) -> Result<Vec<R>> {
        self.flush_for(code, about).await?;
        self.line.all(question).await
    }

    /// Writes the unsaved rows.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        if self.unsaved.is_empty() {
            return Ok(());
        }
        for statement in std::mem::take(&mut self.unsaved).statements(self.marks())? {
            self.line.execute(statement).await?;
        }
        Ok(())
    }

    /// Writes the unsaved rows if one of them is about this.
    async fn flush_for(&mut self, code: &TableCode, about: About) -> Result<()> {
        if self.unsaved.holds(code, about) { self.flush().await } else { Ok(()) }
    }

    /// Returns a table read ahead, `None` if it has unsaved rows.
    pub(crate) fn take_ahead(&mut self, code: &TableCode) -> Option<Ahead> {
        self.ahead.remove(code).filter(|_| !self.unsaved.holds(code, About::Table))
    }

    /// Runs a statement about the transaction itself.
    pub(crate) async fn control(&mut self, statement: &'static str) -> Result<()> {
        self.line.control(statement).await?;
        self.ahead.clear();
        if statement == "rollback" {
            self.unsaved = Unsaved::default();
        }
        Ok(())
    }

    /// Returns the style of parameters in a statement of many rows.
    pub(crate) fn marks(&self) -> Placeholders {
        self.line.shared.marks
    }

    /// Returns the tables that another program has locked for too long.
    pub(crate) fn stuck(&self) -> &BlockedTables {
        &self.line.shared.stuck
    }

    /// Closes the connection, whose state is unknown.
    pub(crate) async fn abandon(mut self) {
        if let Some(connection) = self.line.connection.take() {
            // The connection is dropped in any case.
            let _ = timeout(GOODBYE, connection.close()).await;
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if self.amid || self.open {
            // The connection is in the middle of a statement or transaction, and a new one replaces it.
            drop(connection.detach());
            return;
        }
        let left = match &self.rests {
            Some((resting, _)) => resting.put(connection),
            None => Some(connection),
        };
        let Some(mut connection) = left else { return };
        // The drop of the connection would do the same, but without a timeout for a silent line.
        tokio::spawn(timeout(GOODBYE, connection.return_to_pool()));
    }
}

/// Returns the result of a statement, and clears its flag if an answer came.
fn answered<T>(
    amid: &mut bool,
    done: Result<sqlx::Result<T>, tokio::time::error::Elapsed>,
) -> Result<T> {
    let done = done.map_err(|_| silent())?;
    // After some errors the connection can take no other statement.
    *amid = matches!(
        done,
        Err(sqlx::Error::WorkerCrashed | sqlx::Error::Io(_) | sqlx::Error::Protocol(_))
    );
    Ok(done?)
}

pub(crate) fn silent() -> StoreError {
    StoreError::Unreachable(io::Error::new(io::ErrorKind::TimedOut, "no answer in time").into())
}

/// The connections for reading.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    pub(crate) pool: AnyPool,
    /// The idle connections of an embedded database, `None` on a server.
    pub(crate) resting: Option<Arc<IdleConnections>>,
    pub(crate) shared: Shared,
}

impl Readers {
    pub(crate) async fn session(&self) -> Result<Session> {
        let shared = self.shared.clone();
        match &self.resting {
            Some(resting) => Ok(Line::on_file(resting, &self.pool, shared).await?.into()),
            None => Ok(Line::new(self.pool.acquire().await?, shared).into()),
        }
    }
}

/// The idle connections to a file. A pool would ping each one that it gets back, and a file does not close
/// connections.
#[derive(Debug)]
pub(crate) struct IdleConnections {
    /// The permits for connections in use.
    places: Arc<Semaphore>,
    /// `None` once the database is closed.
    idle: Mutex<Option<Vec<PoolConnection<Any>>>>,
}

impl IdleConnections {
    pub(crate) fn new(connections: u32) -> Self {
        let places = usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS);
        let idle = Mutex::new(Some(Vec::new()));
        Self { places: Arc::new(Semaphore::new(places)), idle }
    }

    /// Takes a permit, and an idle connection if there is one.
    pub(crate) async fn take(
        &self,
    ) -> sqlx::Result<(OwnedSemaphorePermit, Option<PoolConnection<Any>>)> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| sqlx::Error::PoolClosed)?;
        Ok((place, self.idle().as_mut().and_then(Vec::pop)))
    }

    /// Stores an idle connection, or returns it if the database is closed.
    pub(crate) fn put(&self, connection: PoolConnection<Any>) -> Option<PoolConnection<Any>> {
        match &mut *self.idle() {
            Some(idle) => idle.push(connection),
            None => return Some(connection),
        }
        None
    }

    /// Takes all idle connections for closing, and accepts no others.
    pub(crate) fn end(&self) -> Vec<PoolConnection<Any>> {
        self.idle().take().unwrap_or_default()
    }

    fn idle(&self) -> MutexGuard<'_, Option<Vec<PoolConnection<Any>>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for IdleConnections {
    fn drop(&mut self) {
        // A pool would take them back in a task, and there may be no runtime left.
        self.end().into_iter().for_each(|connection| drop(connection.detach()));
    }
}

/// The codes of tables that another program has locked for too long.
///
/// A caller waits for such a table only shortly, so that it does not use up the connections of all others.
#[derive(Debug, Default)]
pub(crate) struct BlockedTables(Mutex<BTreeSet<TableCode>>);

impl BlockedTables {
    /// True if a table is stuck.
    pub(crate) fn holds(&self, code: &TableCode) -> bool {
        self.codes().contains(code)
    }

    /// Sets whether a table is stuck.
    pub(crate) fn note(&self, code: &TableCode, is_stuck: bool) {
        if is_stuck {
            self.codes().insert(code.to_owned());
        } else {
            self.codes().remove(code);
        }
    }

    fn codes(&self) -> MutexGuard<'_, BTreeSet<TableCode>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The counter of all statements, which in debug builds kills or stops the process at one of them.
#[derive(Debug, Default)]
pub(crate) struct StatementCounter {
    burnt: AtomicU64,
    /// The number of the statement, from 1, before which the process dies, 0 for none.
    #[cfg(debug_assertions)]
    blows_at: u64,
    /// The number of the statement, from 1, before which the process stops, 0 for none.
    #[cfg(debug_assertions)]
    stops_at: u64,
}

impl StatementCounter {
    /// Creates the fuse from the environment, which a release build ignores.
    pub(crate) fn from_environment() -> Self {
        Self {
            burnt: AtomicU64::new(0),
            #[cfg(debug_assertions)]
            blows_at: number(DIE_AT),
            #[cfg(debug_assertions)]
            stops_at: number(STOP_AT),
        }
    }

    /// Counts a statement before it is sent.
    fn burn(&self) {
        let burnt = self.burnt.fetch_add(1, Ordering::Relaxed) + 1;
        #[cfg(debug_assertions)]
        if burnt == self.blows_at {
            blow();
        }
        #[cfg(debug_assertions)]
        if burnt == self.stops_at {
            use rustix::process::{Signal, getpid, kill_process};
            // If the process cannot stop itself, the caller that waits for the stop reports that.
            let _ = kill_process(getpid(), Signal::STOP);
        }
        #[cfg(not(debug_assertions))]
        let _ = burnt;
    }

    /// Returns the number of statements.
    pub(crate) fn burnt(&self) -> u64 {
        self.burnt.load(Ordering::Relaxed)
    }
}

/// Returns the number in a variable, 0 if there is none.
#[cfg(debug_assertions)]
fn number(variable: &str) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// Dies like in a power loss: without cleanup or output.
#[cfg(debug_assertions)]
fn blow() {
    use rustix::process::{Signal, getpid, kill_process};
    // Abort, if the kill fails.
    let _ = kill_process(getpid(), Signal::KILL);
    std::process::abort();
}
