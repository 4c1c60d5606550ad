//! What a database does at best: bare inserts of declarations as they are kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyPool, Executor};
use tables::ids::TableCode;

use crate::Done;

/// As the store has them.
const PRAGMAS: &str = "pragma journal_mode = wal; pragma synchronous = full; \
    pragma foreign_keys = on; pragma busy_timeout = 30000;";

/// How many rows share a commit where they do.
const GROUP: usize = 64;

/// A declaration as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) code: TableCode,
    pub(crate) number: i64,
    pub(crate) seat: i64,
    pub(crate) answers: String,
}

/// A database with nothing but declarations.
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

    /// So many at once, each row in a commit of its own.
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

    /// One after the other, many in a commit.
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
