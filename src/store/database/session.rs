//! A connection, through which every statement goes.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{Any, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::{AnyPool, Executor, FromRow};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::ids::TableCode;
use crate::store::database::error::StoreError;
use crate::store::database::fuse::Fuse;
use crate::store::database::resting::Resting;
use crate::store::database::statement::{Marks, RowQuery, Statement};
use crate::store::database::stuck::Stuck;
use crate::store::database::unsaved::{About, OfTable, Unsaved};
use crate::store::rows::window::Ahead;

/// How long a connection may take to be given back or closed.
const GOODBYE: Duration = Duration::from_secs(5);

/// What all sessions of a store share.
#[derive(Clone, Debug)]
pub(in crate::store) struct Shared {
    pub(in crate::store) fuse: Arc<Fuse>,
    pub(in crate::store) stuck: Arc<Stuck>,
    pub(in crate::store) marks: Marks,
    /// How long a statement may take before its connection is given up.
    pub(in crate::store) answer: Duration,
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
    /// Whether a statement has been put and not been answered.
    amid: bool,
    /// Whether a transaction is open.
    open: bool,
}

impl Session {
    pub(in crate::store) fn new(connection: PoolConnection<Any>, shared: Shared) -> Self {
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
    pub(in crate::store) async fn on_file(
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
    pub(in crate::store) async fn execute(
        &mut self,
        statement: Statement,
    ) -> Result<u64, StoreError> {
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
    pub(in crate::store) async fn one<R>(
        &mut self,
        question: RowQuery<R>,
    ) -> Result<Option<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.flush().await?;
        self.one_now(question).await
    }

    /// The same for a question that is about this alone: what else is to be written can wait.
    pub(in crate::store) async fn one_about<R>(
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

    pub(in crate::store) async fn all<R>(
        &mut self,
        question: RowQuery<R>,
    ) -> Result<Vec<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.flush().await?;
        self.all_now(question).await
    }

    /// The same for a question that is about this alone: what else is to be written can wait.
    pub(in crate::store) async fn all_about<R>(
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
    pub(in crate::store) fn unsaved(&mut self, code: &TableCode) -> &mut OfTable {
        self.unsaved.of(code)
    }

    /// Writes what is still to be written.
    pub(in crate::store) async fn flush(&mut self) -> Result<(), StoreError> {
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
    pub(in crate::store) fn keep_ahead(&mut self, ahead: Ahead) {
        self.ahead.insert(ahead.table.code.clone(), ahead);
    }

    /// A table that was touched ahead, if nothing is to be written about it.
    pub(in crate::store) fn take_ahead(&mut self, code: &TableCode) -> Option<Ahead> {
        self.ahead.remove(code).filter(|_| !self.unsaved.holds(code, About::Table))
    }

    /// A statement about the transaction itself.
    pub(in crate::store) async fn control(
        &mut self,
        statement: &'static str,
    ) -> Result<(), StoreError> {
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
    pub(in crate::store) fn marks(&self) -> Marks {
        self.shared.marks
    }

    /// The tables at which somebody else has been at work for too long.
    pub(in crate::store) fn stuck(&self) -> &Stuck {
        &self.shared.stuck
    }

    /// Ends the connection for good: nobody knows what it is in the middle of.
    pub(in crate::store) async fn abandon(mut self) {
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

pub(in crate::store) fn silent() -> StoreError {
    StoreError::Unreachable(io::Error::new(io::ErrorKind::TimedOut, "no answer in time").into())
}
