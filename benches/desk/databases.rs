//! Databases for the measurements: files in a folder on a disk, or databases of a PostgreSQL server.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sqlx::Connection;
use tempfile::TempDir;

use crate::{Done, median};
use kit::figures::Figures;

/// The environment variable with the URL of a PostgreSQL server, as `postgres://USER@HOST:PORT/DATABASE`.
const SERVER: &str = "SHIMEKIRI_DATABASE_URL";

/// The place of the databases.
#[derive(Debug)]
pub(crate) struct Databases {
    /// The URL of the server; `None` for SQLite.
    server: Option<String>,
    folder: TempDir,
}

impl Databases {
    pub(crate) fn new(folder: &Path) -> Done<Self> {
        let server = std::env::var(SERVER).ok().filter(|url| !url.starts_with("sqlite:"));
        sqlx::any::install_default_drivers();
        Ok(Self { server, folder: TempDir::with_prefix_in("desk-", folder)? })
    }

    /// Creates the table of figures of `cargo bench --bench desk -- PART`.
    pub(crate) fn figures(&self, part: &str) -> Figures {
        let on = if self.server.is_some() { "PostgreSQL" } else { "SQLite" };
        Figures::new(&format!("{part}, {on}"), &format!("bench --bench desk -- {part}"))
    }

    /// Returns the median time in which the disk makes one page durable, in microseconds.
    pub(crate) fn synced(&self) -> Done<f64> {
        let mut file =
            OpenOptions::new().create(true).append(true).open(self.folder.path().join("sync"))?;
        let mut took = Vec::new();
        for _ in 0..500 {
            let begun = Instant::now();
            file.write_all(&[7; 4096])?;
            file.sync_data()?;
            took.push(begun.elapsed().as_secs_f64() * 1e6);
        }
        Ok(median(took))
    }

    /// Creates an empty database of this name.
    pub(crate) async fn fresh(&self, name: &str) -> Done<String> {
        if self.server.is_some() {
            self.tell(format!("create database {}", Self::named(name))).await?;
        }
        Ok(self.url(name))
    }

    /// Copies a database that no process has open.
    pub(crate) async fn copy(&self, from: &str, name: &str) -> Done<String> {
        if self.server.is_some() {
            let (from, to) = (Self::named(from), Self::named(name));
            self.tell(format!("create database {to} template {from}")).await?;
        } else {
            let file = self.file(name);
            fs::copy(self.file(from), &file)?;
            // The copy must be on the disk before a measurement starts.
            fs::File::open(file)?.sync_all()?;
        }
        Ok(self.url(name))
    }

    pub(crate) async fn remove(&self, name: &str) -> Done {
        if self.server.is_some() {
            return self.tell(format!("drop database {} with (force)", Self::named(name))).await;
        }
        for end in ["", "-wal", "-shm"] {
            let mut file = self.file(name).into_os_string();
            file.push(end);
            if fs::exists(&file)? {
                fs::remove_file(file)?;
            }
        }
        Ok(())
    }

    async fn tell(&self, statement: String) -> Done {
        let server = self.server.as_deref().unwrap_or_default();
        let mut connection = sqlx::AnyConnection::connect(server).await?;
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut connection).await?;
        Ok(connection.close().await?)
    }

    fn url(&self, name: &str) -> String {
        match self.server.as_deref().and_then(|server| server.rsplit_once('/')) {
            Some((server, _)) => format!("{server}/{}", Self::named(name)),
            None => format!("sqlite:{}", self.file(name).display()),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.db"))
    }

    fn named(name: &str) -> String {
        format!("bench_{}_{name}", std::process::id())
    }
}
