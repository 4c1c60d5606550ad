//! A connection, through which every statement goes.

use std::sync::Arc;

use sqlx::any::{Any, AnyArguments, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::query::{Query, QueryAs};
use sqlx::{Executor, FromRow};

use super::StoreError;
use super::fuse::Fuse;

/// A statement with its values.
pub(super) type Statement = Query<'static, Any, AnyArguments>;
/// A statement that gives rows of this kind.
pub(super) type Question<R> = QueryAs<'static, Any, R, AnyArguments>;

/// A conversation with the database.
#[derive(Debug)]
pub struct Session {
    connection: PoolConnection<Any>,
    fuse: Arc<Fuse>,
}

impl Session {
    pub(super) fn new(connection: PoolConnection<Any>, fuse: Arc<Fuse>) -> Self {
        Self { connection, fuse }
    }

    /// Puts a statement, and says how many rows it changed.
    pub(super) async fn execute(&mut self, statement: Statement) -> Result<u64, StoreError> {
        self.fuse.burn();
        Ok(statement.execute(&mut *self.connection).await?.rows_affected())
    }

    /// The one row, if there is one.
    pub(super) async fn one<R>(&mut self, question: Question<R>) -> Result<Option<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.fuse.burn();
        Ok(question.fetch_optional(&mut *self.connection).await?)
    }

    /// All rows.
    pub(super) async fn all<R>(&mut self, question: Question<R>) -> Result<Vec<R>, StoreError>
    where
        R: Send + Unpin + for<'r> FromRow<'r, AnyRow>,
    {
        self.fuse.burn();
        Ok(question.fetch_all(&mut *self.connection).await?)
    }

    /// A statement about the transaction itself.
    pub(super) async fn control(&mut self, statement: &'static str) -> Result<(), StoreError> {
        self.fuse.burn();
        self.connection.execute(statement).await?;
        Ok(())
    }

    /// Ends the connection for good: nobody knows what it is in the middle of.
    pub(super) async fn abandon(self) {
        // It is thrown away either way.
        let _ = self.connection.close().await;
    }
}
