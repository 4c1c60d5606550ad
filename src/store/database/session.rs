//! A connection, through which every statement goes, and what the connections of a store share:
//! where those that read are taken from and rest, which tables are stuck, and how many statements
//! there were.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::any::{Any, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::{AnyPool, Executor, FromRow};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::database::error::StoreError;
use crate::database::unsaved::{About, OfTable, Unsaved};
use crate::rows::columns::{Marks, RowQuery, Statement};
use crate::rows::window::Ahead;
use tables::ids::TableCode;

/// The time that a connection may take to be given back or closed.
const GOODBYE: Duration = Duration::from_secs(5);

/// The variable that names the statement before which a debug build kills itself.
#[cfg(debug_assertions)]
const DIE_AT: &str = "SHIMEKIRI_DIE_AT";

/// The variable that names the statement before which a debug build stops, as one on a machine that
/// hangs.
#[cfg(debug_assertions)]
const STOP_AT: &str = "SHIMEKIRI_STOP_AT";

/// What all sessions of a store share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) fuse: Arc<Fuse>,
    pub(crate) stuck: Arc<Stuck>,
    pub(crate) marks: Marks,
    /// The time that a statement may take before its connection is given up.
    pub(crate) answer: Duration,
}

/// A conversation with the database.
#[derive(Debug)]
pub struct Session {
    /// There until it is dropped.
    connection: Option<PoolConnection<Any>>,
    /// Where the connection is to rest then, if it is.
    rests: Option<(Arc<Resting>, OwnedSemaphorePermit)>,
    shared: Shared,
    /// What the pieces of work of this transaction have still to write.
    unsaved: Unsaved,
    /// Tables that were touched for the next pieces of work of this transaction, with their open
    /// windows, as long as nothing can have changed them.
    ahead: HashMap<TableCode, Ahead>,
    /// True if a statement has been put and not been answered.
    amid: bool,
    /// True if a transaction is open.
    open: bool,
}

impl Session {
    pub(crate) fn new(connection: PoolConnection<Any>, shared: Shared) -> Self {
        Self {
            connection: Some(connection),
            rests: None,
            shared,
            unsaved: Unsaved::default(),
            ahead: HashMap::new(),
            amid: false,
            open: false,
        }
    }

    /// One on a connection that rests, or on a new one of the pool.
    pub(crate) async fn on_file(
        resting: &Arc<Resting>,
        pool: &AnyPool,
        shared: Shared,
    ) -> sqlx::Result<Self> {
        let taken = timeout(shared.answer, resting.take()).await;
        let (place, connection) = taken.unwrap_or(Err(sqlx::Error::PoolTimedOut))?;
        let connection = match connection {
            Some(connection) => connection,
            None => pool.acquire().await?,
        };
        let mut session = Self::new(connection, shared);
        session.rests = Some((Arc::clone(resting), place));
        Ok(session)
    }

    /// Puts a statement, and says how many rows it changed.
    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<u64, StoreError> {
        self.flush().await?;
        self.ahead.clear();
        self.execute_now(statement).await
    }

    async fn execute_now(&mut self, statement: Statement) -> Result<u64, StoreError> {
        let (connection, amid, answer) = self.put()?;
        let done = timeout(answer, statement.execute(&mut **connection)).await;
        Ok(answered(amid, done)?.rows_affected())
    }

    /// The one row, if there is one.
    pub(crate) async fn one<R>(&mut self, question: RowQuery<R>) -> Result<Option<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.flush().await?;
        self.one_now(question).await
    }

    /// The same for a question that is about this alone: what else is to be written can wait.
    pub(crate) async fn one_about<R>(
        &mut self,
        code: &TableCode,
        about: About,
        question: RowQuery<R>,
    ) -> Result<Option<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.flush_for(code, about).await?;
        self.one_now(question).await
    }

    async fn one_now<R>(&mut self, question: RowQuery<R>) -> Result<Option<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        let (connection, amid, answer) = self.put()?;
        answered(amid, timeout(answer, question.fetch_optional(&mut **connection)).await)
    }

    pub(crate) async fn all<R>(&mut self, question: RowQuery<R>) -> Result<Vec<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.flush().await?;
        self.all_now(question).await
    }

    /// The same for a question that is about this alone: what else is to be written can wait.
    pub(crate) async fn all_about<R>(
        &mut self,
        code: &TableCode,
        about: About,
        question: RowQuery<R>,
    ) -> Result<Vec<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.flush_for(code, about).await?;
        self.all_now(question).await
    }

    async fn all_now<R>(&mut self, question: RowQuery<R>) -> Result<Vec<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        let (connection, amid, answer) = self.put()?;
        answered(amid, timeout(answer, question.fetch_all(&mut **connection)).await)
    }

    /// What is still to be written about a table.
    pub(crate) fn unsaved(&mut self, code: &TableCode) -> &mut OfTable {
        self.unsaved.of(code)
    }

    /// Writes what is still to be written.
    pub(crate) async fn flush(&mut self) -> Result<(), StoreError> {
        if self.unsaved.is_empty() {
            return Ok(());
        }
        for statement in std::mem::take(&mut self.unsaved).statements(self.shared.marks) {
            self.execute_now(statement).await?;
        }
        Ok(())
    }

    /// The same, if something of it is about this.
    async fn flush_for(&mut self, code: &TableCode, about: About) -> Result<(), StoreError> {
        if self.unsaved.holds(code, about) { self.flush().await } else { Ok(()) }
    }

    /// Keeps a table that was touched for a piece of work that is to come.
    pub(crate) fn keep_ahead(&mut self, ahead: Ahead) {
        self.ahead.insert(ahead.table.code.clone(), ahead);
    }

    /// A table that was touched ahead, if nothing is to be written about it.
    pub(crate) fn take_ahead(&mut self, code: &TableCode) -> Option<Ahead> {
        self.ahead.remove(code).filter(|_| !self.unsaved.holds(code, About::Table))
    }

    /// A statement about the transaction itself.
    pub(crate) async fn control(&mut self, statement: &'static str) -> Result<(), StoreError> {
        let (connection, amid, answer) = self.put()?;
        answered(amid, timeout(answer, connection.execute(statement)).await)?;
        self.ahead.clear();
        if statement == "rollback" {
            self.unsaved = Unsaved::default();
        }
        self.open = match statement.split_once(' ').map_or(statement, |(word, _)| word) {
            "begin" => true,
            "commit" | "rollback" => false,
            _ => self.open,
        };
        Ok(())
    }

    /// What a statement is put to, what notes that it is under way, and how long it may take.
    fn put(&mut self) -> Result<(&mut PoolConnection<Any>, &mut bool, Duration), StoreError> {
        // After one that was never answered nobody knows which answer the next would get.
        let connection = self.connection.as_mut().filter(|_| !self.amid).ok_or_else(silent)?;
        self.shared.fuse.burn();
        self.amid = true;
        Ok((connection, &mut self.amid, self.shared.answer))
    }

    /// How values stand in a statement of many rows.
    pub(crate) fn marks(&self) -> Marks {
        self.shared.marks
    }

    /// The tables at which somebody else has been at work for too long.
    pub(crate) fn stuck(&self) -> &Stuck {
        &self.shared.stuck
    }

    /// Ends the connection for good: nobody knows what it is in the middle of.
    pub(crate) async fn abandon(mut self) {
        if let Some(connection) = self.connection.take() {
            // It is thrown away either way.
            let _ = timeout(GOODBYE, connection.close()).await;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if self.amid || self.open {
            // In the middle of something: a new one is made in its place.
            drop(connection.detach());
            return;
        }
        let left = match &self.rests {
            Some((resting, _)) => resting.put(connection),
            None => Some(connection),
        };
        let Some(mut connection) = left else { return };
        // What would be done without us, but that it waits without an end for a line that is silent.
        tokio::spawn(timeout(GOODBYE, connection.return_to_pool()));
    }
}

/// What came of a statement; that none is under way, if anything did.
fn answered<T>(
    amid: &mut bool,
    done: Result<sqlx::Result<T>, tokio::time::error::Elapsed>,
) -> Result<T, StoreError> {
    let done = done.map_err(|_| silent())?;
    // After some errors there is nobody to put another to.
    *amid = matches!(
        done,
        Err(sqlx::Error::WorkerCrashed | sqlx::Error::Io(_) | sqlx::Error::Protocol(_))
    );
    Ok(done?)
}

pub(crate) fn silent() -> StoreError {
    StoreError::Unreachable(io::Error::new(io::ErrorKind::TimedOut, "no answer in time").into())
}

/// The connections on which is read.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    pub(crate) pool: AnyPool,
    /// Those of an embedded database, while nobody reads.
    pub(crate) resting: Option<Arc<Resting>>,
    pub(crate) shared: Shared,
}

impl Readers {
    pub(crate) async fn session(&self) -> Result<Session, StoreError> {
        let shared = self.shared.clone();
        match &self.resting {
            Some(resting) => Ok(Session::on_file(resting, &self.pool, shared).await?),
            None => Ok(Session::new(self.pool.acquire().await?, shared)),
        }
    }
}

/// Connections to a file that rest until somebody reads again. A pool would ask each whether it is
/// still there whenever it is given back, and a file does not hang up.
#[derive(Debug)]
pub(crate) struct Resting {
    /// How many may be in use.
    places: Arc<Semaphore>,
    /// None once the database is let go.
    idle: Mutex<Option<Vec<PoolConnection<Any>>>>,
}

impl Resting {
    pub(crate) fn new(connections: u32) -> Self {
        let places = usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS);
        let idle = Mutex::new(Some(Vec::new()));
        Self { places: Arc::new(Semaphore::new(places)), idle }
    }

    /// A place for a connection, and one that rests, if any does.
    pub(crate) async fn take(
        &self,
    ) -> sqlx::Result<(OwnedSemaphorePermit, Option<PoolConnection<Any>>)> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| sqlx::Error::PoolClosed)?;
        Ok((place, self.idle().as_mut().and_then(Vec::pop)))
    }

    /// Lets a connection rest, or gives it back where the database is let go.
    pub(crate) fn put(&self, connection: PoolConnection<Any>) -> Option<PoolConnection<Any>> {
        match &mut *self.idle() {
            Some(idle) => idle.push(connection),
            None => return Some(connection),
        }
        None
    }

    /// Those that rest, for whoever lets them go. No other will.
    pub(crate) fn end(&self) -> Vec<PoolConnection<Any>> {
        self.idle().take().unwrap_or_default()
    }

    fn idle(&self) -> MutexGuard<'_, Option<Vec<PoolConnection<Any>>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Resting {
    fn drop(&mut self) {
        // A pool would take them back on a task, and there may be nobody left to do it.
        self.end().into_iter().for_each(|connection| drop(connection.detach()));
    }
}

/// The codes of tables at which another program has been at work for too long.
///
/// Who touches one of them does not wait as long as usual, so that what is stuck there does not use
/// up the connections that all others need.
#[derive(Debug, Default)]
pub(crate) struct Stuck(Mutex<BTreeSet<TableCode>>);

impl Stuck {
    /// True if a table is one of them.
    pub(crate) fn holds(&self, code: &TableCode) -> bool {
        self.codes().contains(code)
    }

    /// Notes whether a table is one of them.
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

/// Counts the statements, which all pass through it, and in debug builds burns through at one of
/// them.
#[derive(Debug, Default)]
pub(crate) struct Fuse {
    burnt: AtomicU64,
    /// Before which statement, from 1, the process dies; 0 for none.
    #[cfg(debug_assertions)]
    blows_at: u64,
    /// Before which it stops.
    #[cfg(debug_assertions)]
    stops_at: u64,
}

impl Fuse {
    /// The fuse that the environment asks for. A release build knows of none.
    pub(crate) fn from_environment() -> Self {
        Self {
            burnt: AtomicU64::new(0),
            #[cfg(debug_assertions)]
            blows_at: number(DIE_AT),
            #[cfg(debug_assertions)]
            stops_at: number(STOP_AT),
        }
    }

    /// One more statement is about to be put.
    pub(crate) fn burn(&self) {
        let burnt = self.burnt.fetch_add(1, Ordering::Relaxed) + 1;
        #[cfg(debug_assertions)]
        if burnt == self.blows_at {
            blow();
        }
        #[cfg(debug_assertions)]
        if burnt == self.stops_at {
            use rustix::process::{Signal, getpid, kill_process};
            // If it cannot be stopped, whoever waits for it to stop will say so.
            let _ = kill_process(getpid(), Signal::STOP);
        }
        #[cfg(not(debug_assertions))]
        let _ = burnt;
    }

    /// The number of statements.
    pub(crate) fn burnt(&self) -> u64 {
        self.burnt.load(Ordering::Relaxed)
    }
}

/// The number that a variable says; 0 for none.
#[cfg(debug_assertions)]
fn number(variable: &str) -> u64 {
    std::env::var(variable).ok().and_then(|said| said.parse().ok()).unwrap_or(0)
}

/// Dies as by a loss of power: nothing is cleaned up, nothing is said.
#[cfg(debug_assertions)]
fn blow() {
    use rustix::process::{Signal, getpid, kill_process};
    // If it cannot be killed like this, it is killed like that.
    let _ = kill_process(getpid(), Signal::KILL);
    std::process::abort();
}
