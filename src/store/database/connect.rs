//! Opening a database: the embedded one in a file, or a PostgreSQL server.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, io};

use percent_encoding::percent_decode_str;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{
    AnyConnection, AnyPool, AssertSqlSafe, ConnectOptions, Connection, Executor, query,
    query_scalar,
};

use crate::database::error::{OpenError, StoreError, code_of, is_passing};
use crate::database::patience::{ANSWER, LETTING_IN, PATIENCE, SIGN};
use crate::database::schema;
use crate::whole_file::{folder_of, private_file};

/// What every connection to PostgreSQL begins with, so that nobody waits without an end: not for a
/// row that a stopped program holds, nor the server for a program that has stopped in the middle of
/// a transaction, or whose machine has gone.
const LIMITS: &str = "set lock_timeout = '5s'; set statement_timeout = '15s'; \
    set idle_in_transaction_session_timeout = '15s'; set tcp_keepalives_idle = 30; \
    set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3;";

/// What it begins with where the schema is made: others may be just at it, and much may have to be
/// written anew.
const MIGRATION_LIMITS: &str = "set lock_timeout = '60s'; set statement_timeout = '10min'; \
    set idle_in_transaction_session_timeout = '60s';";

/// What every connection to SQLite begins with. WAL lets readers go on while somebody writes; FULL
/// makes a commit outlast the loss of power.
const PRAGMAS: &str = "pragma busy_timeout = 30000; pragma journal_mode = wal; \
    pragma synchronous = full; pragma foreign_keys = on;";

/// What the one that writes begins with beside it: the pages of a crowd of tables stay in memory, and
/// what is written again and again goes from the log into the file once. Sixteen mebibytes of the
/// one, as far as they are used, and thirty-two of the other at most.
const WRITER: &str = "pragma cache_size = -16384; pragma wal_autocheckpoint = 8192;";

/// The same where nothing can be written.
const READING: &str = "pragma busy_timeout = 30000; pragma foreign_keys = on;";

/// What fails in a file that can only be read, and changes nothing in another.
const WRITING: &str = "begin immediate; create table knock (knock text); rollback;";

/// What fails in a file that cannot even be read.
const LOOKING: &str = "select count(*) from sqlite_schema;";

/// What a database is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To keep something in it: an embedded one is made if it is not there.
    Make,
    /// To see whether that could be done. Nothing is brought up to date.
    Check,
    /// To read it; where it can be written, it is brought up to date first.
    Read,
    Copy,
}

/// Where a database is, and how much of it to use.
#[derive(Clone)]
pub struct Location {
    /// `sqlite:FILE`, or `postgres://USER@HOST/NAME`. It may hold a password.
    pub url: String,
    /// How many connections at most.
    pub connections: u32,
    /// What it is opened for.
    pub access: Access,
    /// How many pages an SQLite file may have; none for as many as the disk holds.
    pub pages: Option<u32>,
    /// The time to wait for another program that writes to the same SQLite file.
    pub patience: Duration,
}

impl Location {
    /// A database by its URL.
    pub fn new(url: impl Into<String>) -> Self {
        let (url, patience) = (url.into(), PATIENCE);
        Self { url, connections: 8, access: Access::Make, pages: None, patience }
    }

    /// True if it is the embedded one.
    pub fn is_embedded(&self) -> bool {
        self.url.starts_with("sqlite:")
    }

    /// The file of an embedded one.
    pub fn file(&self) -> Option<PathBuf> {
        let said = self.url.strip_prefix("sqlite:")?;
        let said = said.strip_prefix("//").unwrap_or(said);
        let file = said.split_once('?').map_or(said, |(file, _)| file);
        let is_file = !file.is_empty() && file != ":memory:";
        is_file.then(|| percent_decode_str(file).decode_utf8_lossy().into_owned().into())
    }

    /// The ways to open an embedded one, the first that goes is taken: how its URL goes on, what
    /// each connection begins with, and what must be possible there.
    fn doors(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        match self.access {
            Access::Make => return vec![("mode=rwc", PRAGMAS, WRITING)],
            Access::Check => return vec![("mode=rw", PRAGMAS, WRITING)],
            Access::Read | Access::Copy => {}
        }
        let mut doors = vec![("mode=rw", PRAGMAS, WRITING), ("mode=ro", READING, LOOKING)];
        // Whoever takes a file for one that never changes does not see what lies in the log beside.
        let log = self.file().map(|file| beside(&file, "-wal"));
        if log.is_none_or(|log| log.metadata().map_or(true, |log| log.len() == 0)) {
            doors.push(("mode=ro&immutable=true", READING, LOOKING));
        }
        doors
    }
}

/// The file of this name with an ending.
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
    /// True if it may pass by itself, so that trying again later may help: a server that is not
    /// there yet, a disk that is full.
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
    /// The one connection that writes, where there is but one.
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
    let (pages, patience) = (at.pages, at.patience.as_millis());
    let pool = |connections, more: &'static str| {
        AnyPoolOptions::new()
            .max_connections(connections)
            // A file does not hang up.
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
    // Whoever only looks has no need of it.
    let writer = pool(1, WRITER).connect_lazy_with(options.clone());
    let readers = pool(at.connections, "").connect_with(options).await?;
    Ok(OpenedDatabase { readers, writer: Some(writer) })
}

/// Makes the file of a new embedded database so that nobody but its owner can read it: seeds and
/// sealed declarations stand in it. What SQLite puts beside it is as private.
fn make_private(at: &Location) -> Result<(), OpenError> {
    let Some(file) = at.file() else { return Ok(()) };
    match private_file(&file).map_err(|error| (error.kind(), error)) {
        // Of a folder that is not there SQLite speaks itself.
        Ok(_) | Err((io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound, _)) => Ok(()),
        Err((_, error)) => Err(OpenError::Unreachable(error.into())),
    }
}

/// Sees that a database is not another program's, before anything of it is changed. One that cannot
/// be asked says why when it is opened.
///
/// # Errors
/// If it is.
pub async fn not_foreign(at: &Location) -> Result<(), OpenError> {
    sqlx::any::install_default_drivers();
    let (url, tables) = if at.is_embedded() {
        let mark = if at.url.contains('?') { '&' } else { '?' };
        (format!("{}{mark}mode=ro", at.url), schema::TABLES_OF_A_FILE)
    } else {
        (at.url.clone(), schema::TABLES_OF_A_SERVER)
    };
    let options = AnyConnectOptions::from_str(&url)?.disable_statement_logging();
    let asked = async {
        let mut connection = options.connect().await?;
        let found: Vec<String> = query_scalar(tables).fetch_all(&mut connection).await?;
        connection.close().await?;
        Ok::<_, sqlx::Error>(found)
    };
    match tokio::time::timeout(LETTING_IN, asked).await {
        Ok(Ok(found)) if schema::is_foreign(&found) => Err(OpenError::Foreign),
        _ => Ok(()),
    }
}

/// True if the schema of a file is a text. Where the name of a column is none, sqlx's worker would
/// come to grief with it, and nobody hear of that.
async fn is_sound(connection: &mut AnyConnection) -> bool {
    let question = sqlx::query_as::<_, (Vec<u8>,)>(
        "select cast(sql as blob) from sqlite_master where sql is not null",
    );
    // Others may be just opening it.
    let Ok(texts) = question.fetch_all(connection).await else { return true };
    texts.iter().all(|(text,)| std::str::from_utf8(text).is_ok())
}

/// Connections to a server, each of which begins with these limits.
fn on_a_server(connections: u32, limits: &'static str) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ANSWER)
        .after_connect(move |connection, _| {
            Box::pin(async move { connection.execute(limits).await.map(drop) })
        })
        // A line may be silent without being down, and would be waited for.
        .test_before_acquire(false)
        .before_acquire(|connection, _| {
            Box::pin(async move {
                let sign = tokio::time::timeout(SIGN, connection.ping()).await;
                sign.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))?;
                Ok(true)
            })
        })
}

/// Finds the way into an embedded database, and what each connection begins with.
async fn enter(at: &Location) -> Result<(AnyConnectOptions, &'static str), OpenError> {
    let mark = if at.url.contains('?') { '&' } else { '?' };
    let mut shut = None;
    for (mode, pragmas, must) in at.doors() {
        let url = format!("{}{mark}{mode}", at.url);
        let options = AnyConnectOptions::from_str(&url)?.disable_statement_logging();
        match knock(&options, Some([pragmas, must])).await {
            Ok(true) => return Ok((options, pragmas)),
            Ok(false) => return Err(OpenError::Damaged),
            // What cannot be written may be read; why not is told of the first.
            Err(error) if is_barred(&error) => shut = shut.or(Some(error)),
            Err(error) => return Err(shut.unwrap_or(error).into()),
        }
    }
    Err(shut.map_or(OpenError::Full, OpenError::from))
}

/// True if a file cannot be opened so, and may be in another way.
fn is_barred(error: &sqlx::Error) -> bool {
    /// `SQLITE_CANTOPEN`, of which a code may say more in its upper bits.
    const CANNOT_OPEN: u32 = 14;
    matches!(StoreError::kind(error), Some(StoreError::ReadOnly))
        || code_of(error).is_some_and(|code| code & 0xff == CANNOT_OPEN)
}

/// Brings a database up to date as far as it is to be, and holds it against what it must be.
async fn prepare(
    at: &Location,
    options: &AnyConnectOptions,
    pragmas: &str,
) -> Result<(), OpenError> {
    if at.access == Access::Copy {
        return Ok(());
    }
    let begin = match at.pages {
        Some(pages) => format!("{pragmas} {};", limit(pages)),
        None => pragmas.to_owned(),
    };
    let brought = match at.access {
        Access::Check => None,
        _ => match schema::bring_up_to_date(options, &begin).await {
            // What can only be read must have been brought up to date before.
            Err(OpenError::ReadOnly(_)) if at.access == Access::Read => None,
            brought => Some(brought?),
        },
    };
    let mut connection = match brought {
        Some(connection) => connection,
        None => schema::connected(options, pragmas).await?,
    };
    if at.access == Access::Check && !schema::is_up_to_date(&mut connection).await? {
        return match at.file() {
            Some(file) => rehearse(&mut connection, &file).await,
            // A server does all of a migration or nothing.
            None => Ok(()),
        };
    }
    let all = if at.is_embedded() { schema::OF_A_FILE } else { schema::OF_A_SERVER };
    let found: Vec<String> = query_scalar(all).fetch_all(&mut connection).await?;
    schema::hang_up(connection).await;
    match schema::lacking(&found) {
        Some(lacking) => Err(OpenError::Lacking(lacking)),
        None => Ok(()),
    }
}

/// Sees on a copy whether a file could be brought up to date.
async fn rehearse(connection: &mut AnyConnection, file: &Path) -> Result<(), OpenError> {
    let folder = tempfile::Builder::new().prefix(".check.").tempdir_in(folder_of(file));
    let folder = folder.map_err(|error| OpenError::Unreachable(error.into()))?;
    let copy = folder.path().join("copy.db").display().to_string();
    query("vacuum into $1").bind(copy.clone()).execute(connection).await?;
    let options = AnyConnectOptions::from_str(&format!("sqlite:{copy}"))?;
    let brought = schema::bring_up_to_date(&options.disable_statement_logging(), PRAGMAS).await?;
    schema::hang_up(brought).await;
    Ok(())
}

/// How many pages a file may have.
fn limit(pages: u32) -> String {
    format!("pragma max_page_count = {pages}")
}

/// Opens one connection, as all will be opened. A pool tries again whatever fails, and in the end
/// says nothing of why: here it is said at once. In a file these statements must be possible, and
/// whether it is sound is said.
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
    // A file is waited for as long as another program writes to it.
    let patience = if of_a_file.is_some() { 2 * PATIENCE } else { LETTING_IN };
    let opened = tokio::time::timeout(patience, opened).await;
    match opened.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into())) {
        // This passes by itself: others are just opening it, or too many are there.
        Err(sqlx::Error::Database(said))
            if said.code().is_some_and(|code| is_passing(&code))
                || said.is_transient_in_connect_phase() =>
        {
            Ok(true)
        }
        opened => opened,
    }
}
