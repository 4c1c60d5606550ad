//! Opening a database: the embedded one in a file, or a PostgreSQL server.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, io};

use percent_encoding::percent_decode_str;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{
    AnyConnection, AnyPool, AssertSqlSafe, ConnectOptions, Connection, Executor, query,
    query_scalar,
};
use tokio::time::timeout;

use crate::database::error::{OpenError, StoreError, code_of, is_passing};
use crate::whole_file::{folder_of, private_file};

/// The first statements of every PostgreSQL connection, which limit all waiting: for a row held by a stopped
/// program, and the server's for a program that stopped in the middle of a transaction or whose machine is
/// gone.
const LIMITS: &str = "set lock_timeout = '5s'; set statement_timeout = '15s'; \
    set idle_in_transaction_session_timeout = '15s'; set tcp_keepalives_idle = 30; \
    set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3;";

/// The first statements of a PostgreSQL connection for migrations: another program may be migrating, and many
/// rows may be rewritten.
const MIGRATION_LIMITS: &str = "set lock_timeout = '60s'; set statement_timeout = '10min'; \
    set idle_in_transaction_session_timeout = '60s';";

/// The first statements of every SQLite connection. WAL lets readers go on during a write; FULL makes a
/// commit survive a power loss.
const PRAGMAS: &str = "pragma busy_timeout = 30000; pragma journal_mode = wal; \
    pragma synchronous = full; pragma foreign_keys = on;";

/// The additional statements of the writing connection: the pages of many tables stay in memory (at most 16
/// MiB), and repeated writes go from the log (at most 32 MiB) into the file once.
const WRITER: &str = "pragma cache_size = -16384; pragma wal_autocheckpoint = 8192;";

/// The first statements of a read-only SQLite connection.
const READING: &str = "pragma busy_timeout = 30000; pragma foreign_keys = on;";

/// A statement that fails in a read-only file, and changes nothing in another.
const WRITING: &str = "begin immediate; create table knock (knock text); rollback;";

/// A statement that fails in an unreadable file.
const LOOKING: &str = "select count(*) from sqlite_schema;";

/// The purpose of opening a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To store data: an embedded database is created if it does not exist.
    Make,
    /// To check whether storing would work, without a migration.
    Check,
    /// To read: a writable database is migrated first.
    Read,
    Copy,
}

/// The location of a database, and the limits of its use.
#[derive(Clone)]
pub struct Location {
    /// `sqlite:FILE`, or `postgres://USER@HOST/NAME`. It may contain a password.
    pub url: String,
    /// The maximum number of connections.
    pub connections: u32,
    /// The purpose of opening the database.
    pub access: Access,
    /// The maximum number of pages of an SQLite file, `None` for no limit but the disk.
    pub max_pages: Option<u32>,
    /// The timeout for another program that writes to the same SQLite file.
    pub patience: Duration,
}

impl Location {
    /// Creates the location of a database by its URL.
    pub fn new(url: impl Into<String>) -> Self {
        let (url, patience) = (url.into(), PATIENCE);
        Self { url, connections: 8, access: Access::Make, max_pages: None, patience }
    }

    /// True if the database is embedded.
    pub fn is_embedded(&self) -> bool {
        self.url.starts_with("sqlite:")
    }

    /// Returns the file of an embedded database, `None` if there is none.
    pub fn file(&self) -> Option<PathBuf> {
        let path = self.url.strip_prefix("sqlite:")?;
        let path = path.strip_prefix("//").unwrap_or(path);
        let file = path.split_once('?').map_or(path, |(file, _)| file);
        let is_file = !file.is_empty() && file != ":memory:";
        is_file.then(|| percent_decode_str(file).decode_utf8_lossy().into_owned().into())
    }

    /// Returns the ways to open an embedded database, in order of preference: each with the mode in its URL,
    /// its first statements, and a statement that must succeed.
    fn doors(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        match self.access {
            Access::Make => return vec![("mode=rwc", PRAGMAS, WRITING)],
            Access::Check => return vec![("mode=rw", PRAGMAS, WRITING)],
            Access::Read | Access::Copy => {}
        }
        let mut doors = vec![("mode=rw", PRAGMAS, WRITING), ("mode=ro", READING, LOOKING)];
        // A file opened as immutable does not show the content of its log, so the log must be empty.
        let log = self.file().map(|file| beside(&file, "-wal"));
        if log.is_none_or(|log| log.metadata().map_or(true, |log| log.len() == 0)) {
            doors.push(("mode=ro&immutable=true", READING, LOOKING));
        }
        doors
    }
}

/// Returns a file's name with an ending appended.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL may hold a password.
        f.debug_struct("Location").field("embedded", &self.is_embedded()).finish_non_exhaustive()
    }
}

impl OpenError {
    /// True if the error may pass by itself, so that a retry may help: a server that is not running yet, or a
    /// full disk.
    pub fn may_pass(&self, at: &Location) -> bool {
        match self {
            Self::Unreachable(_) => !at.is_embedded(),
            Self::Full | Self::DiskError(_) => true,
            _ => false,
        }
    }
}

/// A database with its connections.
pub(crate) struct OpenedDatabase {
    pub(crate) readers: AnyPool,
    /// The only writing connection of an embedded database, `None` on a server.
    pub(crate) writer: Option<AnyPool>,
}

pub(crate) async fn open(at: &Location) -> Result<OpenedDatabase, OpenError> {
    sqlx::any::install_default_drivers();
    if !at.is_embedded() {
        let options = AnyConnectOptions::from_str(&at.url)?.disable_statement_logging();
        knock(&options, None).await?;
        not_foreign(at).await?;
        prepare(at, &options, MIGRATION_LIMITS).await?;
        let readers = on_a_server(at.connections, LIMITS).connect_with(options).await?;
        return Ok(OpenedDatabase { readers, writer: None });
    }
    if at.access == Access::Make {
        make_private(at)?;
    }
    not_foreign(at).await?;
    let (options, pragmas) = enter(at).await?;
    prepare(at, &options, pragmas).await?;
    let (pages, patience) = (at.max_pages, at.patience.as_millis());
    let pool = |connections, more: &'static str| {
        AnyPoolOptions::new()
            .max_connections(connections)
            // A file does not close connections.
            .test_before_acquire(false)
            .acquire_timeout(2 * PATIENCE)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    connection.execute(pragmas).await?;
                    connection.execute(more).await?;
                    let wait = format!("pragma busy_timeout = {patience}");
                    connection.execute(AssertSqlSafe(wait)).await?;
                    if let Some(pages) = pages {
                        connection.execute(AssertSqlSafe(limit(pages))).await?;
                    }
                    Ok(())
                })
            })
    };
    // A process that only reads never opens the writing connection.
    let writer = pool(1, WRITER).connect_lazy_with(options.clone());
    let readers = pool(at.connections, "").connect_with(options).await?;
    Ok(OpenedDatabase { readers, writer: Some(writer) })
}

/// Creates the file of a new embedded database with access for its owner only, as it contains seeds and
/// sealed declarations. SQLite gives its other files the same access.
fn make_private(at: &Location) -> Result<(), OpenError> {
    let Some(file) = at.file() else { return Ok(()) };
    match private_file(&file).map_err(|error| (error.kind(), error)) {
        // SQLite reports a missing folder itself.
        Ok(_) | Err((io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound, _)) => Ok(()),
        Err((_, error)) => Err(OpenError::Unreachable(error.into())),
    }
}

/// Checks that a database does not belong to another program, before any change. If the check cannot connect,
/// opening the database reports the reason.
///
/// # Errors
/// If the database belongs to another program.
pub async fn not_foreign(at: &Location) -> Result<(), OpenError> {
    sqlx::any::install_default_drivers();
    let (url, tables) = if at.is_embedded() {
        let mark = if at.url.contains('?') { '&' } else { '?' };
        (format!("{}{mark}mode=ro", at.url), TABLES_OF_A_FILE)
    } else {
        (at.url.clone(), TABLES_OF_A_SERVER)
    };
    let options = AnyConnectOptions::from_str(&url)?.disable_statement_logging();
    let asked = async {
        let mut connection = options.connect().await?;
        let found: Vec<String> = query_scalar(tables).fetch_all(&mut connection).await?;
        connection.close().await?;
        Ok::<_, sqlx::Error>(found)
    };
    match tokio::time::timeout(LETTING_IN, asked).await {
        Ok(Ok(found)) if is_foreign(&found) => Err(OpenError::Foreign),
        _ => Ok(()),
    }
}

/// True if the schema of a file is valid text. Otherwise sqlx's worker would crash on a column name without
/// an error.
async fn is_sound(connection: &mut AnyConnection) -> bool {
    let question = sqlx::query_as::<_, (Vec<u8>,)>(
        "select cast(sql as blob) from sqlite_master where sql is not null",
    );
    // Another program may be opening the file now.
    let Ok(texts) = question.fetch_all(connection).await else { return true };
    texts.iter().all(|(text,)| std::str::from_utf8(text).is_ok())
}

/// Returns a pool of connections to a server, each with these first statements.
fn on_a_server(connections: u32, limits: &'static str) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ANSWER)
        .after_connect(move |connection, _| {
            Box::pin(async move { connection.execute(limits).await.map(drop) })
        })
        // A line may be silent without an error, so the ping needs a timeout.
        .test_before_acquire(false)
        .before_acquire(|connection, _| {
            Box::pin(async move {
                let sign = tokio::time::timeout(SIGN, connection.ping()).await;
                sign.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))?;
                Ok(true)
            })
        })
}

/// Finds a way to open an embedded database, and returns it with the first statements of its connections.
async fn enter(at: &Location) -> Result<(AnyConnectOptions, &'static str), OpenError> {
    let mark = if at.url.contains('?') { '&' } else { '?' };
    let mut shut = None;
    for (mode, pragmas, must) in at.doors() {
        let url = format!("{}{mark}{mode}", at.url);
        let options = AnyConnectOptions::from_str(&url)?.disable_statement_logging();
        match knock(&options, Some([pragmas, must])).await {
            Ok(true) => return Ok((options, pragmas)),
            Ok(false) => return Err(OpenError::Damaged),
            // A file that cannot be written may still be readable; the first error explains why it cannot be
            // written.
            Err(error) if is_barred(&error) => shut = shut.or(Some(error)),
            Err(error) => return Err(shut.unwrap_or(error).into()),
        }
    }
    Err(shut.map_or(OpenError::Full, OpenError::from))
}

/// True if the file may still be opened in another mode.
fn is_barred(error: &sqlx::Error) -> bool {
    /// `SQLITE_CANTOPEN`, whose extended codes use the upper bits.
    const CANNOT_OPEN: u32 = 14;
    matches!(StoreError::kind(error), Some(StoreError::ReadOnly))
        || code_of(error).is_some_and(|code| code & 0xff == CANNOT_OPEN)
}

/// Migrates a database if its purpose allows it, and checks its schema.
async fn prepare(
    at: &Location,
    options: &AnyConnectOptions,
    pragmas: &str,
) -> Result<(), OpenError> {
    if at.access == Access::Copy {
        return Ok(());
    }
    let begin = match at.max_pages {
        Some(pages) => format!("{pragmas} {};", limit(pages)),
        None => pragmas.to_owned(),
    };
    let brought = match at.access {
        Access::Check => None,
        _ => match bring_up_to_date(options, &begin).await {
            // A read-only database must have been migrated before.
            Err(OpenError::ReadOnly(_)) if at.access == Access::Read => None,
            brought => Some(brought?),
        },
    };
    let mut connection = match brought {
        Some(connection) => connection,
        None => connected(options, pragmas).await?,
    };
    if at.access == Access::Check && !is_up_to_date(&mut connection).await? {
        return match at.file() {
            Some(file) => rehearse(&mut connection, &file).await,
            // A server runs each migration completely or not at all.
            None => Ok(()),
        };
    }
    let all = if at.is_embedded() { OF_A_FILE } else { OF_A_SERVER };
    let found: Vec<String> = query_scalar(all).fetch_all(&mut connection).await?;
    hang_up(connection).await;
    match lacking(&found) {
        Some(lacking) => Err(OpenError::Lacking(lacking)),
        None => Ok(()),
    }
}

/// Tests the migrations of a file on a copy.
async fn rehearse(connection: &mut AnyConnection, file: &Path) -> Result<(), OpenError> {
    let folder = tempfile::Builder::new().prefix(".check.").tempdir_in(folder_of(file));
    let folder = folder.map_err(|error| OpenError::Unreachable(error.into()))?;
    let copy = folder.path().join("copy.db").display().to_string();
    query("vacuum into $1").bind(copy.clone()).execute(connection).await?;
    let options = AnyConnectOptions::from_str(&format!("sqlite:{copy}"))?;
    let brought = bring_up_to_date(&options.disable_statement_logging(), PRAGMAS).await?;
    hang_up(brought).await;
    Ok(())
}

/// Returns the statement that limits the number of pages.
fn limit(pages: u32) -> String {
    format!("pragma max_page_count = {pages}")
}

/// Opens one connection like all later ones, as a pool retries every failure and hides its reason. In a file
/// these statements must succeed, and the result is true if its schema is sound.
async fn knock(
    options: &AnyConnectOptions,
    of_a_file: Option<[&'static str; 2]>,
) -> Result<bool, sqlx::Error> {
    let opened = async {
        let mut connection = AnyConnection::connect_with(options).await?;
        for statement in of_a_file.iter().flatten() {
            connection.execute(*statement).await?;
        }
        let is_sound = of_a_file.is_none() || is_sound(&mut connection).await;
        connection.close().await?;
        Ok(is_sound)
    };
    // Another program may be writing to the file.
    let patience = if of_a_file.is_some() { 2 * PATIENCE } else { LETTING_IN };
    let opened = tokio::time::timeout(patience, opened).await;
    match opened.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into())) {
        // These errors pass by themselves: the database is just being opened, or has too many connections.
        Err(sqlx::Error::Database(error))
            if error.code().is_some_and(|code| is_passing(&code))
                || error.is_transient_in_connect_phase() =>
        {
            Ok(true)
        }
        opened => opened,
    }
}

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
const TABLES_OF_A_FILE: &str =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'";

/// Selects the tables, in PostgreSQL.
const TABLES_OF_A_SERVER: &str = "select c.relname::text from pg_class c \
     join pg_namespace n on n.oid = c.relnamespace \
     where n.nspname = current_schema() and c.relkind in ('r', 'p')";

/// The table that lists the migrations of a database.
const MIGRATED: &str = "_sqlx_migrations";

/// The tables of every database of this program, which together are unlikely elsewhere.
const OURS: [&str; 3] = ["tables", "windows", "journal"];

/// True if a database with these tables belongs to another program. An empty database is nobody's; one of
/// ours may lack a table, which is reported later.
fn is_foreign(tables: &[String]) -> bool {
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
async fn bring_up_to_date(
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
async fn connected(options: &AnyConnectOptions, begin: &str) -> Result<AnyConnection, OpenError> {
    let connect = async {
        let mut connection = options.connect().await?;
        connection.execute(AssertSqlSafe(begin.to_owned())).await?;
        Ok(connection)
    };
    let connected = timeout(FILE_ANSWER, connect).await;
    connected.unwrap_or_else(|_| Err(late().into()))
}

/// Closes a connection, with a timeout in case the line is silent.
async fn hang_up(connection: AnyConnection) {
    let _ = timeout(SIGN, connection.close()).await;
}

fn late() -> sqlx::Error {
    io::Error::from(io::ErrorKind::TimedOut).into()
}

fn open_error(error: MigrateError) -> OpenError {
    match error {
        MigrateError::VersionMissing(found) => of_another_time(found),
        // A development version had another schema of the same number.
        MigrateError::VersionMismatch(_) => OpenError::Older,
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        error => OpenError::Migration(error),
    }
}

/// True if all known migrations have run; if not, they run at the next use.
async fn is_up_to_date(connection: &mut AnyConnection) -> Result<bool, OpenError> {
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

/// The timeout for another program that writes to the same SQLite file.
const PATIENCE: Duration = Duration::from_secs(30);

/// The timeout of a statement in a file, including the wait for other programs.
pub(crate) const FILE_ANSWER: Duration = Duration::from_mins(1);

/// The timeout of a connection to a server.
const LETTING_IN: Duration = Duration::from_secs(10);

/// The timeout of a statement on a server: longer than the server's own, so that its error message arrives.
pub(crate) const ANSWER: Duration = Duration::from_secs(20);

/// The timeout of a ping to a server.
const SIGN: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use sqlx::{Connection, query_scalar};

    use crate::database::connect::*;

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
