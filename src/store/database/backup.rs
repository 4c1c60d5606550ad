//! Backups of the database while it is in use.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use sqlx::any::AnyConnectOptions;
use sqlx::{
    AnyConnection, AssertSqlSafe, ConnectOptions, Connection, Executor, query, query_scalar,
};
use tempfile::{TempDir, TempPath};

use crate::database::connect::{Access, Location, not_foreign};
use crate::database::error::{OpenError, StoreError};
use crate::database::store::Store;
use crate::whole_file::{MayRead, WholeFile, folder_of, private_file};

/// The reason why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file exists already; a backup overwrites nothing.
    #[error("the file is there already")]
    Exists,
    /// The database could not be read, or the copy not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file could not be created.
    #[error(transparent)]
    File(std::io::Error),
    /// The PostgreSQL program could not be started.
    #[error("{0}: {1}")]
    Program(&'static str, #[source] std::io::Error),
    /// The PostgreSQL program failed.
    #[error("{0}: {1}")]
    Failed(&'static str, String),
}

impl Store {
    /// Copies the whole database, as of one moment, into a file: an embedded one as a database that opens as
    /// it is, a PostgreSQL one by its own `pg_dump`, for `pg_restore`.
    pub async fn back_up(&self, location: &Location, file: &Path) -> Result<(), BackupError> {
        let unmade = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => BackupError::Exists,
            _ => BackupError::File(error),
        };
        // The copy contains secrets of running games, too.
        let whole = WholeFile::begin(file, MayRead::Owner).map_err(unmade)?;
        if location.is_embedded() {
            let copy = whole.path().to_string_lossy().into_owned();
            let statement = query("vacuum into $1").bind(copy);
            self.read().await?.execute(statement).await?;
        } else {
            let words = ["--format=custom", "--file"];
            let_postgres("pg_dump", &words, None, whole.path(), location).await?;
        }
        whole.finish().map_err(unmade)
    }
}

/// Runs a PostgreSQL program on a file and a database. `database` is the option for the database's name,
/// `None` if the environment gives it.
async fn let_postgres(
    program: &'static str,
    words: &[&str],
    database: Option<&str>,
    file: &Path,
    at: &Location,
) -> Result<(), BackupError> {
    let mut command = Command::new(program);
    let variables = environment(&at.url).map_err(StoreError::from)?;
    if let Some(word) = database {
        let name = variables.iter().find(|(variable, _)| *variable == "PGDATABASE");
        command.arg(word).arg(name.map_or("", |(_, name)| name));
    }
    // The password is not an argument, which other programs on the machine could read.
    command.envs(variables).args(words).arg(file);
    let done = tokio::task::spawn_blocking(move || command.output()).await;
    let output = done.map_err(|error| BackupError::Failed(program, error.to_string()))?;
    let output = output.map_err(|error| BackupError::Program(program, error))?;
    if output.status.success() {
        return Ok(());
    }
    let printed = String::from_utf8_lossy(&output.stderr);
    // The rest of the output is for people who run the program themselves.
    let why = printed.lines().find_map(|line| line.split_once("error: ")).map(|(_, why)| why);
    Err(BackupError::Failed(program, why.unwrap_or(printed.trim()).to_owned()))
}

/// Returns the environment variables for the PostgreSQL programs that correspond to a URL.
fn environment(url: &str) -> Result<Vec<(&'static str, String)>, sqlx::Error> {
    let url = AnyConnectOptions::from_str(url)?.database_url;
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    // An IPv6 address is in brackets.
    let host = url.host_str().map(|host| host.trim_matches(['[', ']']));
    let mut variables = vec![
        ("PGHOST", decoded(host.unwrap_or_default())),
        ("PGPORT", url.port().map(|port| port.to_string()).unwrap_or_default()),
        ("PGUSER", decoded(url.username())),
        ("PGPASSWORD", decoded(url.password().unwrap_or_default())),
        ("PGDATABASE", decoded(url.path().trim_start_matches('/'))),
    ];
    for (key, value) in url.query_pairs() {
        let variable = match &*key {
            "host" | "hostaddr" => "PGHOST",
            "port" => "PGPORT",
            "user" => "PGUSER",
            "password" => "PGPASSWORD",
            "dbname" => "PGDATABASE",
            "options" => "PGOPTIONS",
            "sslmode" | "ssl-mode" => "PGSSLMODE",
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => "PGSSLROOTCERT",
            "sslcert" | "ssl-cert" => "PGSSLCERT",
            "sslkey" | "ssl-key" => "PGSSLKEY",
            _ => continue,
        };
        variables.push((variable, value.into_owned()));
    }
    // A variable that the URL does not set keeps its value from this program's environment.
    variables.retain(|(_, value)| !value.is_empty());
    Ok(variables)
}

/// The first bytes of an SQLite file, and of a `pg_dump` copy.
const SQLITE: &[u8] = b"SQLite format 3\0";
const POSTGRES: &[u8] = b"PGDMP";

/// The statements that require exclusive access, and leave no other files beside the database.
const ALONE: &str = "pragma busy_timeout = 0; pragma journal_mode = delete;";

/// The reason why a restore failed.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The copy cannot be read.
    #[error(transparent)]
    Unread(io::Error),
    /// The place of the database cannot be written.
    #[error(transparent)]
    Unwritten(#[from] io::Error),
    /// The file is not a copy of a database.
    #[error("it is no copy of a database")]
    NoCopy,
    /// The copy is of the other kind of database.
    #[error("it is a copy of another kind of database")]
    OtherKind,
    /// The copy or the database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file is damaged.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The PostgreSQL program could not be started, or failed.
    #[error(transparent)]
    Program(BackupError),
    /// The database is in use.
    #[error("the database is in use")]
    InUse,
    /// The database contains tables of games.
    #[error("the database holds {0} tables")]
    Holds(i64),
}

impl From<sqlx::Error> for RestoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Open(error.into())
    }
}

/// A copy opened as a database of its own, without a change to the file. The caller must put it in place or
/// throw it away.
#[derive(Debug)]
pub struct OpenCopy {
    store: Store,
    beside: OpenedCopy,
}

/// The place of an opened copy.
#[derive(Debug)]
enum OpenedCopy {
    /// A folder beside the file of an embedded database.
    Folder { _folder: TempDir, file: PathBuf },
    /// A database on the same server.
    Server { name: String, dump: PathBuf },
}

/// Checks that there is room for a copy: the database does not exist, or is unused and has no games.
///
/// # Errors
/// If there is no room, or the database cannot be reached.
pub async fn has_room(at: &Location) -> Result<(), RestoreError> {
    vacated(at).await.map(drop)
}

impl OpenCopy {
    /// Opens a copy beside the database that it is to replace.
    ///
    /// # Errors
    /// If the file is not a copy of such a database, is damaged, or there is no room for it.
    pub async fn open(copy: &Path, at: &Location) -> Result<Self, RestoreError> {
        let mut begin = Vec::new();
        let read = File::open(copy).and_then(|file| file.take(16).read_to_end(&mut begin));
        read.map_err(RestoreError::Unread)?;
        let embedded = begin.starts_with(SQLITE);
        if !embedded && !begin.starts_with(POSTGRES) {
            return Err(RestoreError::NoCopy);
        }
        if embedded != at.is_embedded() {
            return Err(RestoreError::OtherKind);
        }
        sqlx::any::install_default_drivers();
        match at.file() {
            Some(file) => Self::of_file(copy, &file, at).await,
            None => Self::of_server(copy, at).await,
        }
    }

    async fn of_file(copy: &Path, target: &Path, at: &Location) -> Result<Self, RestoreError> {
        let folder = tempfile::Builder::new().prefix(".restore.").tempdir_in(folder_of(target))?;
        let file = folder.path().join("copy.db");
        io::copy(&mut File::open(copy)?, &mut private_file(&file)?)?;
        let location = Location { url: format!("sqlite:{}", file.display()), ..at.clone() };
        let options = AnyConnectOptions::from_str(&location.url)?.disable_statement_logging();
        let mut connection = options.connect().await?;
        let found: Vec<String> =
            query_scalar("pragma integrity_check").fetch_all(&mut connection).await?;
        connection.close().await?;
        if found != ["ok"] {
            return Err(RestoreError::Damaged(found.into_iter().next().unwrap_or_default()));
        }
        let store = Store::open(&Location { access: Access::Make, ..location }).await?;
        Ok(Self { store, beside: OpenedCopy::Folder { _folder: folder, file } })
    }

    async fn of_server(copy: &Path, at: &Location) -> Result<Self, RestoreError> {
        let name = format!("shimekiri_copy_{}", std::process::id());
        let mut connection = AnyConnection::connect(&at.url).await?;
        connection.execute(AssertSqlSafe(format!("create database {name}"))).await?;
        connection.close().await?;
        let location = Location { access: Access::Make, ..named(at, &name)? };
        let opened = match fill(copy, &location, false).await {
            Ok(()) => Store::open(&location).await.map_err(RestoreError::from),
            Err(error) => Err(error),
        };
        match opened {
            Ok(store) => {
                let beside = OpenedCopy::Server { name, dump: copy.to_owned() };
                Ok(Self { store, beside })
            }
            Err(error) => {
                drop_database(at, &name).await;
                Err(error)
            }
        }
    }

    /// Returns the migrated database of the copy.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Moves the copy to the place of the database, completely or not at all.
    ///
    /// # Errors
    /// If there is no room for it there (see [`has_room`]), or it cannot be written.
    pub async fn put_in_place(self, at: &Location) -> Result<(), RestoreError> {
        // Closing merges the files beside an embedded database into it.
        self.store.close().await;
        let put = match (&self.beside, at.file()) {
            (OpenedCopy::Folder { file, .. }, Some(target)) => match vacated(at).await {
                Ok(is_there) => moved(file, &target, is_there),
                Err(error) => Err(error),
            },
            (OpenedCopy::Server { dump, .. }, _) => match vacated(at).await {
                Ok(is_there) => fill(dump, at, is_there).await,
                Err(error) => Err(error),
            },
            (OpenedCopy::Folder { .. }, None) => Err(RestoreError::OtherKind),
        };
        self.beside.leave(at).await;
        put
    }

    /// Deletes the opened copy.
    pub async fn throw_away(self, at: &Location) {
        self.store.close().await;
        self.beside.leave(at).await;
    }
}

impl OpenedCopy {
    async fn leave(self, at: &Location) {
        if let Self::Server { name, .. } = self {
            drop_database(at, &name).await;
        }
    }
}

/// Returns the location with another database name.
fn named(at: &Location, name: &str) -> Result<Location, RestoreError> {
    let mut url = AnyConnectOptions::from_str(&at.url)?.database_url;
    url.set_path(name);
    Ok(Location { url: url.to_string(), ..at.clone() })
}

/// True if a database exists, unused and without games; false if there is none.
async fn vacated(at: &Location) -> Result<bool, RestoreError> {
    sqlx::any::install_default_drivers();
    let there = "select count(*) from sqlite_schema where name = 'tables'";
    let there = match at.file() {
        Some(file) if !file.exists() => return Ok(false),
        Some(_) => there,
        None => "select count(*) from pg_class where oid = to_regclass('tables')",
    };
    not_foreign(at).await?;
    let mut connection = AnyConnection::connect(&at.url).await?;
    let is_there: i64 = query_scalar(there).fetch_one(&mut connection).await?;
    if is_there > 0 {
        let held: i64 =
            query_scalar("select count(*) from tables").fetch_one(&mut connection).await?;
        if held > 0 {
            return Err(RestoreError::Holds(held));
        }
    }
    if at.is_embedded() {
        connection.execute(ALONE).await.map_err(|error| match StoreError::from(error) {
            StoreError::Unreachable(_) => RestoreError::InUse,
            error => RestoreError::Damaged(error.to_string()),
        })?;
    } else {
        left_alone(&mut connection).await?;
    }
    connection.close().await?;
    Ok(at.is_embedded() || is_there > 0)
}

/// Waits until no other connection uses this PostgreSQL database: a closed one remains visible for a moment.
async fn left_alone(connection: &mut AnyConnection) -> Result<(), RestoreError> {
    let others = "select count(*) from pg_stat_activity where datname = current_database() \
         and pid <> pg_backend_pid() and backend_type = 'client backend'";
    for _ in 0..20 {
        let others: i64 = query_scalar(others).fetch_one(&mut *connection).await?;
        if others == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(RestoreError::InUse)
}

/// Moves a file to the place of the database, replacing one without games.
fn moved(file: &Path, target: &Path, is_there: bool) -> Result<(), RestoreError> {
    File::open(file)?.sync_all()?;
    let whole = TempPath::try_from_path(file)?;
    if is_there {
        fs::rename(&whole, target)?;
    } else {
        whole.persist_noclobber(target).map_err(|unmoved| unmoved.error)?;
    }
    File::open(folder_of(target))?.sync_all()?;
    Ok(())
}

/// Restores a PostgreSQL database, completely or not at all, after removing an existing one without games.
async fn fill(dump: &Path, at: &Location, is_there: bool) -> Result<(), RestoreError> {
    let mut words =
        vec!["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"];
    if is_there {
        words.extend(["--clean", "--if-exists"]);
    }
    let_postgres("pg_restore", &words, Some("--dbname"), dump, at)
        .await
        .map_err(RestoreError::Program)
}

/// Deletes a database made for a copy. If that fails, an operator can do it.
async fn drop_database(at: &Location, name: &str) {
    let dropped = async {
        let mut connection = AnyConnection::connect(&at.url).await?;
        let statement = format!("drop database if exists {name} with (force)");
        connection.execute(AssertSqlSafe(statement)).await?;
        connection.close().await
    };
    if let Err(error) = dropped.await {
        tracing::warn!(%name, %error, "a database that was made to look at a copy is still there");
    }
}

#[cfg(test)]
mod tests {
    use crate::database::backup::environment;

    #[test]
    fn what_a_url_says_is_told_in_variables() {
        for (url, expected) in [
            ("postgres://localhost", &[("PGHOST", "localhost")][..]),
            (
                "postgres://sakura:p%40ss%20%2F@db.example:5433/shime%20kiri?sslmode=require&x=y",
                &[
                    ("PGHOST", "db.example"),
                    ("PGPORT", "5433"),
                    ("PGUSER", "sakura"),
                    ("PGPASSWORD", "p@ss /"),
                    ("PGDATABASE", "shime kiri"),
                    ("PGSSLMODE", "require"),
                ],
            ),
            (
                "postgres://kaede@%2Frun%2Fpostgresql/tables",
                &[("PGHOST", "/run/postgresql"), ("PGUSER", "kaede"), ("PGDATABASE", "tables")],
            ),
            ("postgres://[::1]/tables", &[("PGHOST", "::1"), ("PGDATABASE", "tables")]),
        ] {
            let variables = environment(url).unwrap();
            let variables: Vec<(&str, &str)> =
                variables.iter().map(|(variable, value)| (*variable, value.as_str())).collect();
            assert_eq!(variables, expected, "{url}");
        }
    }
}
