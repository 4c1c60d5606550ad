//! The schema of a database: its migrations, and a check of their result.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions, Connection, Executor, query_scalar};
use tokio::time::timeout;

use crate::database::error::OpenError;
use crate::database::patience::{FILE_ANSWER, SIGN};

/// The migrations of a database.
static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// Selects every column and every index, in SQLite.
pub(crate) const OF_A_FILE: &str = "select m.name || '.' || c.name from sqlite_schema m \
     join pragma_table_info(m.name) c where m.type = 'table' \
     union all select name from sqlite_schema where type = 'index' and sql is not null";

/// Selects every column and every index, in PostgreSQL.
pub(crate) const OF_A_SERVER: &str = "select c.relname || '.' || a.attname from pg_class c \
     join pg_namespace n on n.oid = c.relnamespace \
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped \
     where n.nspname = current_schema() and c.relkind in ('r', 'p') \
     union all select c.relname::text from pg_class c \
     join pg_namespace n on n.oid = c.relnamespace \
     where n.nspname = current_schema() and c.relkind = 'i'";

/// Selects the tables, in SQLite.
pub(crate) const TABLES_OF_A_FILE: &str =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'";

/// Selects the tables, in PostgreSQL.
pub(crate) const TABLES_OF_A_SERVER: &str = "select c.relname::text from pg_class c \
     join pg_namespace n on n.oid = c.relnamespace \
     where n.nspname = current_schema() and c.relkind in ('r', 'p')";

/// The table that lists the migrations of a database.
const MIGRATED: &str = "_sqlx_migrations";

/// The tables of every database of this program, which together are unlikely elsewhere.
const OURS: [&str; 3] = ["tables", "windows", "journal"];

/// True if a database with these tables belongs to another program. An empty database is nobody's; one of
/// ours may lack a table, which is reported later.
pub(crate) fn is_foreign(tables: &[String]) -> bool {
    let is_made = |table: &&String| table.as_str() != MIGRATED;
    let is_ours = |table: &&String| OURS.contains(&table.as_str());
    tables.iter().any(|table| is_made(&table)) && tables.iter().filter(is_ours).count() < 2
}

/// The maximum time for all migrations.
const LONGEST: Duration = Duration::from_mins(15);

/// Every column and every index that must exist.
const WANTED: &str = include_str!("schema.txt");

/// Migrates a database, and returns the connection used. Each try has its own connection: after a failed
/// migration the state of a connection is unknown.
pub(crate) async fn bring_up_to_date(
    options: &AnyConnectOptions,
    begin: &str,
) -> Result<AnyConnection, OpenError> {
    const TRIES: u32 = 4;
    let mut tries = 0;
    loop {
        tries += 1;
        let mut connection = connected(options, begin).await?;
        let run = timeout(LONGEST, MIGRATIONS.run_direct(None, &mut connection, false)).await;
        let migrated = run.unwrap_or_else(|_| Err(MigrateError::Execute(late())));
        match migrated.map_err(open_error) {
            Ok(()) => return Ok(connection),
            // Another program may be migrating at the same time, and be faster.
            Err(OpenError::Migration(_) | OpenError::Unreachable(_) | OpenError::DiskError(_))
                if tries < TRIES =>
            {
                drop(connection);
                tokio::time::sleep(Duration::from_millis(100) * tries).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns a connection with these first statements.
pub(crate) async fn connected(
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

/// Closes a connection, with a timeout in case the line is silent.
pub(crate) async fn hang_up(connection: AnyConnection) {
    let _ = timeout(SIGN, connection.close()).await;
}

fn late() -> sqlx::Error {
    io::Error::from(io::ErrorKind::TimedOut).into()
}

fn open_error(error: MigrateError) -> OpenError {
    match error {
        MigrateError::VersionMissing(found) => of_another_time(found),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        error => OpenError::Migration(error),
    }
}

/// True if all known migrations have run; if not, they run at the next use.
pub(crate) async fn is_up_to_date(connection: &mut AnyConnection) -> Result<bool, OpenError> {
    let done = query_scalar("select version from _sqlx_migrations").fetch_all(connection).await;
    // A database without a list of migrations is new.
    let done: BTreeSet<i64> = done.unwrap_or_default().into_iter().collect();
    let known: BTreeSet<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
    match done.difference(&known).next() {
        Some(&found) => Err(of_another_time(found)),
        None => Ok(done == known),
    }
}

/// Returns the error for a database with an unknown migration.
fn of_another_time(found: i64) -> OpenError {
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    if found < known { OpenError::Older } else { OpenError::Newer { found, known } }
}

/// Returns a missing column or index, given all that exist.
pub(crate) fn lacking(found: &[String]) -> Option<String> {
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    WANTED.lines().find(|wanted| !found.contains(wanted)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection, query_scalar};

    use crate::database::schema::*;

    #[test]
    fn a_database_of_other_tables_is_another_programs() {
        let is = |tables: &[&str]| {
            is_foreign(&tables.iter().map(|table| (*table).to_owned()).collect::<Vec<_>>())
        };
        assert!(!is(&[]), "nobody's");
        assert!(!is(&[MIGRATED]), "begun");
        assert!(!is(&[MIGRATED, "people", "tables", "windows"]), "it lacks something");
        assert!(is(&["invoices"]));
        assert!(is(&["people", "votes"]));
        assert!(is(&[MIGRATED, "tables"]), "a restaurant's");
    }

    /// Returns the schema that the migrations make in a temporary database.
    #[tokio::test]
    async fn what_must_be_there_is_what_the_migrations_make() {
        sqlx::any::install_default_drivers();
        let mut connection = AnyConnection::connect("sqlite::memory:").await.unwrap();
        MIGRATIONS.run_direct(None, &mut connection, false).await.unwrap();
        let mut made: Vec<String> =
            query_scalar(OF_A_FILE).fetch_all(&mut connection).await.unwrap();
        made.retain(|name| !name.starts_with("_sqlx_migrations"));
        made.sort_unstable();
        assert_eq!(made, WANTED.lines().collect::<Vec<_>>(), "src/store/database/schema.txt");
    }
}
