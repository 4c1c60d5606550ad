//! A copy of the database while it is in use.

use std::path::Path;
use std::process::Command;

use sqlx::query;

use super::connect::Location;
use super::{Store, StoreError};

/// A copy that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file is there already; nothing is overwritten.
    #[error("the file is there already")]
    Exists,
    /// The database could not be read, or the file not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// PostgreSQL's own program could not be started.
    #[error("pg_dump: {0}")]
    Program(#[from] std::io::Error),
    /// PostgreSQL's own program failed.
    #[error("pg_dump: {0}")]
    Dump(String),
}

impl Store {
    /// Copies the whole database, as of one moment, into a file: an embedded one as a database
    /// that can be opened as it is, a PostgreSQL one by its own `pg_dump`, for `pg_restore`.
    pub async fn back_up(&self, location: &Location, file: &Path) -> Result<(), BackupError> {
        if file.exists() {
            return Err(BackupError::Exists);
        }
        if location.is_embedded() {
            let statement = query("vacuum into $1").bind(file.to_string_lossy().into_owned());
            self.read().await?.execute(statement).await?;
            return Ok(());
        }
        let mut dump = Command::new("pg_dump");
        // Not as an argument, where every other program on the machine could read it.
        dump.env("PGDATABASE", &location.url).args(["--format=custom", "--file"]).arg(file);
        let dumped = tokio::task::spawn_blocking(move || dump.output()).await;
        let output = dumped.map_err(|error| BackupError::Dump(error.to_string()))??;
        if output.status.success() {
            Ok(())
        } else {
            Err(BackupError::Dump(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
        }
    }
}
