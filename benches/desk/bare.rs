//! The maximum speed of a database: bare inserts of declarations as the store writes them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyPool, Executor};
use tables::ids::TableCode;

use crate::Done;

/// The pragmas of the store.
const PRAGMAS: &str = "pragma journal_mode = wal; pragma synchronous = full; \
    pragma foreign_keys = on; pragma busy_timeout = 30000;";

/// The number of rows in a shared commit.
const GROUP: usize = 64;

/// A declaration as the store writes it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) code: TableCode,
    pub(crate) number: i64,
    pub(crate) seat: i64,
    pub(crate) answers: String,
}

/// A database with declarations only.
#[derive(Debug)]
pub(crate) struct Bare {
    pool: AnyPool,
}

impl Bare {
    pub(crate) async fn open(url: &str) -> Done<Self> {
        let embedded = url.starts_with("sqlite:");
        let url = if embedded { format!("{url}?mode=rwc") } else { url.to_owned() };
        let pool = AnyPoolOptions::new()
            .max_connections(if embedded { 1 } else { 8 })
            .test_before_acquire(!embedded)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if embedded {
                        connection.execute(PRAGMAS).await?;
                    }
                    Ok(())
                })
            })
            .connect(&url)
            .await?;
        pool.execute(
            "create table declarations (code text not null, number bigint not null,
                 seat bigint not null, answers text not null, sealed bigint not null,
                 complete bigint not null, salt text, hash text,
                 primary key (code, number, seat))",
        )
        .await?;
        Ok(Self { pool })
    }

    /// Inserts the rows from `at_once` concurrent tasks, each row in a commit of its own.
    pub(crate) async fn each(&self, rows: &Arc<Vec<Row>>, at_once: usize) -> Done<Duration> {
        let begun = Instant::now();
        let tasks = (0..at_once).map(|task| {
            let (rows, pool) = (Arc::clone(rows), self.pool.clone());
            tokio::spawn(async move {
                for row in rows.iter().skip(task).step_by(at_once) {
                    let mut connection = pool.acquire().await?;
                    insert(row, &mut connection).await?;
                }
                Ok::<(), sqlx::Error>(())
            })
        });
        try_join_all(tasks).await?.into_iter().collect::<Result<(), _>>()?;
        Ok(begun.elapsed())
    }

    /// Inserts the rows one after the other, [`GROUP`] rows in a commit.
    pub(crate) async fn grouped(&self, rows: &[Row]) -> Done<Duration> {
        let begun = Instant::now();
        let mut connection = self.pool.acquire().await?;
        for group in rows.chunks(GROUP) {
            connection.execute("begin").await?;
            for row in group {
                insert(row, &mut connection).await?;
            }
            connection.execute("commit").await?;
        }
        Ok(begun.elapsed())
    }

    pub(crate) async fn close(self) {
        self.pool.close().await;
    }
}

async fn insert(row: &Row, connection: &mut sqlx::AnyConnection) -> sqlx::Result<()> {
    let statement = sqlx::query(
        "insert into declarations (code, number, seat, answers, sealed, complete, salt, hash)
         values ($1, $2, $3, $4, 1, 1, $5, $6)
         on conflict (code, number, seat) do update set answers = excluded.answers,
             sealed = excluded.sealed, complete = excluded.complete, salt = excluded.salt,
             hash = excluded.hash",
    )
    .bind(row.code.clone())
    .bind(row.number)
    .bind(row.seat)
    .bind(row.answers.clone())
    .bind("5".repeat(64))
    .bind("7".repeat(64));
    statement.execute(connection).await.map(drop)
}
