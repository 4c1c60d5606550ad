//! What a database must look like: its migrations, and whether they have left what they should.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::any::AnyConnectOptions;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions, Connection, Executor, query_scalar};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::connect::{FILE_ANSWER, OpenError, SIGN};

/// What a database must have had done to it.
static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Every column and every index that is there, in SQLite.
pub(super) const OF_A_FILE: &str = "select m.name || '.' || c.name from sqlite_schema m \
     join pragma_table_info(m.name) c where m.type = 'table' \
     union all select name from sqlite_schema where type = 'index' and sql is not null";

/// The same in PostgreSQL.
pub(super) const OF_A_SERVER: &str = "select c.relname || '.' || a.attname from pg_class c \
     join pg_namespace n on n.oid = c.relnamespace \
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped \
     where n.nspname = current_schema() and c.relkind in ('r', 'p') \
     union all select c.relname::text from pg_class c \
     join pg_namespace n on n.oid = c.relnamespace \
     where n.nspname = current_schema() and c.relkind = 'i'";

/// How long making it may take at most.
const LONGEST: Duration = Duration::from_mins(15);

/// The table in which migrations are noted, which is none of ours.
const NOTES: &str = "_sqlx_migrations";

/// Brings a database up to date, and sees that it is. Each try has a connection of its own: one on
/// which a migration has failed is in the middle of something.
pub(super) async fn bring_up_to_date(
    options: &AnyConnectOptions,
    begin: &str,
) -> Result<(), OpenError> {
    const TRIES: u32 = 4;
    let mut tries = 0;
    loop {
        tries += 1;
        let mut connection = connected(options, begin).await?;
        let run = timeout(LONGEST, MIGRATIONS.run_direct(None, &mut connection, false)).await;
        let migrated = run.unwrap_or_else(|_| Err(MigrateError::Execute(late())));
        match migrated.map_err(told) {
            Ok(()) => {
                hang_up(connection).await;
                return Ok(());
            }
            // Two programs may have begun at the same time, and the other was faster.
            Err(OpenError::Migration(_) | OpenError::Unreachable(_)) if tries < TRIES => {
                drop(connection);
                tokio::time::sleep(Duration::from_millis(100) * tries).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// A connection that begins so.
pub(super) async fn connected(
    options: &AnyConnectOptions,
    begin: &str,
) -> Result<AnyConnection, OpenError> {
    let connect = async {
        let mut connection = options.connect().await?;
        connection.execute(AssertSqlSafe(begin.to_owned())).await?;
        Ok(connection)
    };
    let connected = timeout(FILE_ANSWER, connect).await;
    connected.unwrap_or_else(|_| Err(late().into()))
}

/// Ends a connection. It is not waited for: a line that is silent would never let it end.
pub(super) async fn hang_up(connection: AnyConnection) {
    let _ = timeout(SIGN, connection.close()).await;
}

fn late() -> sqlx::Error {
    io::Error::from(io::ErrorKind::TimedOut).into()
}

fn told(error: MigrateError) -> OpenError {
    match error {
        MigrateError::VersionMissing(found) => OpenError::Newer { found, known: newest() },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        error => OpenError::Migration(error),
    }
}

/// Whether a database has had everything done to it; if not, it will have when it is used.
pub(super) async fn is_up_to_date(connection: &mut AnyConnection) -> Result<bool, OpenError> {
    let done = query_scalar("select version from _sqlx_migrations").fetch_all(connection).await;
    // A database in which nothing is noted is a new one.
    let done: BTreeSet<i64> = done.unwrap_or_default().into_iter().collect();
    let known: BTreeSet<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
    match done.difference(&known).next() {
        Some(&found) => Err(OpenError::Newer { found, known: newest() }),
        None => Ok(done == known),
    }
}

fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// What a database lacks, of which this is everything that is there.
pub(super) async fn lacking(found: Vec<String>) -> Result<Option<String>, sqlx::Error> {
    let found: BTreeSet<String> = found.into_iter().collect();
    Ok(wanted().await?.difference(&found).next().cloned())
}

/// Everything that must be there.
async fn wanted() -> Result<&'static BTreeSet<String>, sqlx::Error> {
    static WANTED: OnceCell<BTreeSet<String>> = OnceCell::const_new();
    WANTED.get_or_try_init(|| made().boxed()).await
}

/// What the migrations make in a database that is thrown away.
async fn made() -> Result<BTreeSet<String>, sqlx::Error> {
    let mut connection = AnyConnection::connect("sqlite::memory:").await?;
    MIGRATIONS.run_direct(None, &mut connection, false).await.map_err(|error| match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error,
        error => sqlx::Error::Configuration(Box::new(error)),
    })?;
    let made: Vec<String> = query_scalar(OF_A_FILE).fetch_all(&mut connection).await?;
    connection.close().await?;
    Ok(made.into_iter().filter(|name| !name.starts_with(NOTES)).collect())
}
