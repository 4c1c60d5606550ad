//! Opening a database: the embedded one in a file, or a PostgreSQL server.

use std::str::FromStr;
use std::time::Duration;
use std::{fmt, io};

use sqlx::AnyPool;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::error::DatabaseError;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AnyConnection, ConnectOptions, Connection, Executor};

/// What a database must have had done to it.
static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// How long to wait for another program that writes to the same SQLite file.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a server may take to let somebody in.
const ANSWER: Duration = Duration::from_secs(10);

/// What every connection to SQLite begins with. WAL lets readers go on while somebody writes; FULL
/// makes a commit outlast the loss of power.
const PRAGMAS: &str = "pragma busy_timeout = 30000; pragma journal_mode = wal; \
    pragma synchronous = full; pragma foreign_keys = on;";

/// What fails in a file that can only be read, and changes nothing in another.
const WRITING: &str = "begin immediate; create table knock (knock text); rollback;";

/// Where a database is, and how much of it to use.
#[derive(Clone)]
pub struct Location {
    /// `sqlite:FILE`, or `postgres://USER@HOST/NAME`. It may hold a password.
    pub url: String,
    /// How many connections at most.
    pub connections: u32,
    /// Whether an embedded one is made if it is not there.
    pub create: bool,
    /// Whether it must be possible to write to it.
    pub writes: bool,
    /// How many pages an SQLite file may have; none for as many as the disk holds.
    pub pages: Option<u32>,
}

impl Location {
    /// A database by its URL.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), connections: 8, create: true, writes: true, pages: None }
    }

    /// Whether it is the embedded one.
    pub fn is_embedded(&self) -> bool {
        self.url.starts_with("sqlite:")
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL may hold a password.
        f.debug_struct("Location").field("embedded", &self.is_embedded()).finish_non_exhaustive()
    }
}

/// A database that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be reached.
    #[error("{0}")]
    Unreachable(#[from] sqlx::Error),
    /// A newer program has been at work on it.
    #[error("its migration {found} is unknown here; the newest known one is {known}")]
    Newer {
        /// The number of a migration it has had.
        found: i64,
        /// The newest one known here.
        known: i64,
    },
    /// It could not be brought up to date.
    #[error("{0}")]
    Migration(MigrateError),
}

/// A database with its connections.
pub(super) struct Opened {
    pub(super) readers: AnyPool,
    /// The one connection that writes, where there is but one.
    pub(super) writer: Option<AnyPool>,
}

pub(super) async fn open(at: &Location) -> Result<Opened, OpenError> {
    sqlx::any::install_default_drivers();
    if !at.is_embedded() {
        let options = AnyConnectOptions::from_str(&at.url)?.disable_statement_logging();
        knock(&options, &[]).await?;
        let pool = AnyPoolOptions::new().max_connections(at.connections);
        let readers = pool.connect_with(options).await?;
        migrate(&readers).await?;
        return Ok(Opened { readers, writer: None });
    }
    let mark = if at.url.contains('?') { '&' } else { '?' };
    let mode = if at.create { "rwc" } else { "rw" };
    let url = format!("{}{mark}mode={mode}", at.url);
    let options = AnyConnectOptions::from_str(&url)?.disable_statement_logging();
    knock(&options, &[PRAGMAS, if at.writes { WRITING } else { "" }]).await?;
    let pages = at.pages;
    let pool = |connections| {
        AnyPoolOptions::new()
            .max_connections(connections)
            // A file does not hang up.
            .test_before_acquire(false)
            .acquire_timeout(2 * PATIENCE)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    connection.execute(PRAGMAS).await?;
                    if let Some(pages) = pages {
                        let limit = format!("pragma max_page_count = {pages}");
                        connection.execute(sqlx::AssertSqlSafe(limit)).await?;
                    }
                    Ok(())
                })
            })
    };
    let writer = pool(1).connect_with(options.clone()).await?;
    migrate(&writer).await?;
    let readers = pool(at.connections).connect_with(options).await?;
    Ok(Opened { readers, writer: Some(writer) })
}

/// Opens one connection, as all will be opened. A pool tries again whatever fails, and in the end
/// says nothing of why: here it is said at once.
async fn knock(
    options: &AnyConnectOptions,
    statements: &[&'static str],
) -> Result<(), sqlx::Error> {
    let embedded = !statements.is_empty();
    let opened = async {
        let mut connection = AnyConnection::connect_with(options).await?;
        for statement in statements.iter().filter(|statement| !statement.is_empty()) {
            connection.execute(*statement).await?;
        }
        connection.close().await
    };
    // A file is waited for as long as another program writes to it.
    let patience = if embedded { 2 * PATIENCE } else { ANSWER };
    let opened = tokio::time::timeout(patience, opened).await;
    match opened.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into())) {
        // This passes by itself: others are just opening it, or too many are there.
        Err(sqlx::Error::Database(said)) if is_passing(&*said, embedded) => Ok(()),
        opened => opened,
    }
}

fn is_passing(said: &dyn DatabaseError, embedded: bool) -> bool {
    /// `SQLITE_BUSY` and `SQLITE_LOCKED`, of which a code may say more in its upper bits.
    const BUSY: [u32; 2] = [5, 6];
    let code = said.code().and_then(|code| code.parse::<u32>().ok());
    let busy = embedded && code.is_some_and(|code| BUSY.contains(&(code & 0xff)));
    busy || said.is_transient_in_connect_phase()
}

async fn migrate(pool: &AnyPool) -> Result<(), OpenError> {
    let mut tries = 0;
    loop {
        match MIGRATIONS.run(pool).await {
            Ok(()) => return Ok(()),
            Err(MigrateError::VersionMissing(found)) => {
                let known = MIGRATIONS.iter().map(|migration| migration.version).max();
                return Err(OpenError::Newer { found, known: known.unwrap_or(0) });
            }
            // Two programs may have begun at the same time, and the other was faster.
            Err(_) if tries < 3 => {
                tries += 1;
                tokio::time::sleep(Duration::from_millis(100 * tries)).await;
            }
            Err(error) => return Err(OpenError::Migration(error)),
        }
    }
}
