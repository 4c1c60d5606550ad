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
        let (url, password) = apart(&location.url);
        dump.args(["--format=custom", "--no-password", "--file"])
            .arg(file)
            .arg("--dbname")
            .arg(url);
        if let Some(password) = password {
            // Not as an argument, where every other program on the machine could read it.
            dump.env("PGPASSWORD", password);
        }
        let dumped = tokio::task::spawn_blocking(move || dump.output()).await;
        let output = dumped.map_err(|error| BackupError::Dump(error.to_string()))??;
        if output.status.success() {
            Ok(())
        } else {
            Err(BackupError::Dump(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
        }
    }
}

/// What a password stands behind, if it is a parameter.
const PARAMETER: &str = "password=";

/// A URL without its password, and the password.
fn apart(url: &str) -> (String, Option<String>) {
    let mut rest = url.to_owned();
    let mut password = None;
    let user = rest.find("://").map_or(0, |at| at + "://".len());
    if let Some(end) = rest[user..].rfind('@').map(|at| user + at)
        && let Some(start) = rest[user..end].find(':').map(|at| user + at)
    {
        password = Some(unescaped(&rest[start + 1..end]));
        rest.replace_range(start..end, "");
    }
    while let Some(start) = rest.find(PARAMETER) {
        let said = &rest[start + PARAMETER.len()..];
        let length = said.find('&').unwrap_or(said.len());
        password = Some(unescaped(&said[..length]));
        let end = (start + PARAMETER.len() + length + 1).min(rest.len());
        rest.replace_range(start..end, "");
    }
    (rest.trim_end_matches(['?', '&']).to_owned(), password)
}

/// What stands in a URL as `%40` and the like, as it is meant.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let byte = digits.and_then(|digits| hex::decode(digits).ok());
        if let Some([byte]) = byte.as_deref() {
            bytes.push(*byte);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn a_password_is_no_part_of_what_others_can_read() {
        for (url, rest, password) in [
            ("postgres://u@h:1/db", "postgres://u@h:1/db", None),
            ("postgres://u:p%40:w@h:1/db", "postgres://u@h:1/db", Some("p@:w")),
            ("postgres://u:@h/db", "postgres://u@h/db", Some("")),
            ("postgres://h/db?password=p%2fw", "postgres://h/db", Some("p/w")),
            ("postgres://h/db?password=p&a=b", "postgres://h/db?a=b", Some("p")),
            ("postgres://h/db?a=b&password=%", "postgres://h/db?a=b", Some("%")),
        ] {
            let apart = apart(url);
            assert_eq!((apart.0.as_str(), apart.1.as_deref()), (rest, password));
        }
    }
}
