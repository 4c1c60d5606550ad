//! The database of a test: a file, or a database on the PostgreSQL server named by `SHIMEKIRI_TEST_DATABASE`.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::Connection;
use tempfile::TempDir;

/// The variable that names a PostgreSQL server, as `postgres://USER@HOST:PORT/DATABASE`.
const SERVER: &str = "SHIMEKIRI_TEST_DATABASE";

/// The number of databases created by this process on the server.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// An empty database.
#[derive(Debug)]
pub struct Database {
    pub url: String,
    /// A folder that exists as long as the test.
    pub folder: TempDir,
}

impl Database {
    /// Creates an empty database.
    pub async fn fresh() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let Ok(server) = std::env::var(SERVER) else {
            let file = folder.path().join("shimekiri.db");
            return Self { url: format!("sqlite:{}", file.display()), folder };
        };
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{count}", std::process::id());
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(&server).await.unwrap();
        let statement = format!("create database {name}");
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
        let (server, _) = server.rsplit_once('/').unwrap();
        Self { url: format!("{server}/{name}"), folder }
    }

    /// Creates a copy of the database, which must not be open.
    pub async fn copy(&self) -> Self {
        let copy = Self::fresh().await;
        let files = self.url.strip_prefix("sqlite:").zip(copy.url.strip_prefix("sqlite:"));
        if let Some((from, to)) = files {
            std::fs::copy(from, to).unwrap();
            return copy;
        }
        let name = |url: &str| url.rsplit_once('/').unwrap().1.to_owned();
        let (from, to) = (name(&self.url), name(&copy.url));
        let mut connection = sqlx::AnyConnection::connect(&std::env::var(SERVER).unwrap()).await;
        let connection = connection.as_mut().unwrap();
        for statement in
            [format!("drop database {to}"), format!("create database {to} template {from}")]
        {
            let statement = sqlx::query(sqlx::AssertSqlSafe(statement));
            statement.execute(&mut *connection).await.unwrap();
        }
        copy
    }

    /// Runs statements on the database, without the program's knowledge.
    pub async fn change(&self, statements: &[String]) {
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(&self.url).await.unwrap();
        for statement in statements {
            let statement = sqlx::query(sqlx::AssertSqlSafe(statement.as_str()));
            statement.execute(&mut connection).await.unwrap();
        }
    }

    /// Returns the number selected by a query.
    pub async fn number(&self, question: &str) -> i64 {
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(&self.url).await.unwrap();
        let question = sqlx::query_scalar(sqlx::AssertSqlSafe(question.to_owned()));
        question.fetch_one(&mut connection).await.unwrap()
    }

    /// True if the database is a file.
    pub fn is_embedded(&self) -> bool {
        self.url.starts_with("sqlite:")
    }
}
