//! Backups of the database while it is in use.

use std::path::Path;
use std::process::Command;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use sqlx::any::AnyConnectOptions;
use sqlx::query;

use crate::database::connect::Location;
use crate::database::error::StoreError;
use crate::database::store::Store;
use crate::whole_file::{MayRead, WholeFile};

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
pub(crate) async fn let_postgres(
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
