//! The copies of the database that `serve` makes at intervals, of which the newest are stored.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime};

use crate::TerminalText;
use crate::config::BackupConfig;
use crate::misuse::Misuse;
use crate::texts::{BackupFailed, BackupsKept, NoBackups};
use crate::why::why;
use desk::clock;
use desk::counts::{Counts, ServiceStatus};
use store::{BackupError, Location, Store};
use tables::time::{Span, Time};

/// The prefix of a copy's name, the format of its time (UTC), and its ending.
const BEGINS: &str = "shimekiri-";
const TIME: &str = "%Y%m%dT%H%M%S%3fZ";
const ENDS: &str = ".backup";

/// The maximum delay before a failed copy is retried.
const AGAIN: Duration = Duration::from_mins(10);

/// The task that makes the copies.
pub(super) struct Copies {
    pub(super) store: Store,
    pub(super) location: Location,
    pub(super) backup: BackupConfig,
    pub(super) counts: Arc<Counts>,
    pub(super) text: TerminalText,
}

/// Checks that a folder, which need not exist yet, is writable for copies.
pub(super) fn check(into: &Path) -> Result<(), Misuse> {
    let there = into.ancestors().find(|there| there.exists() || there.as_os_str().is_empty());
    let there = there.filter(|there| !there.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::tempfile_in(there)
        .map(drop)
        .map_err(|error| NoBackups { folder: into.display().to_string(), why: why(&error) }.into())
}

impl Copies {
    /// Makes a copy whenever the newest one is `every` old, without end.
    pub(super) async fn run(self, every: Duration) {
        let newest =
            copies(&self.backup.folder).ok().and_then(|copies| copies.last().map(|(at, _)| *at));
        self.counts.change(|state| {
            (state.backup, state.backed_up_at) = (ServiceStatus::Up, newest);
        });
        let age = newest.map(|at| clock::now() - at).filter(|age| *age >= Span::ZERO);
        let mut rest = age.map_or(Duration::ZERO, |age| every.saturating_sub(age.duration()));
        loop {
            tokio::time::sleep(rest).await;
            rest = match self.copy().await {
                Ok(()) => every,
                Err(error) => {
                    tracing::error!("{error}");
                    every.min(AGAIN)
                }
            };
        }
    }

    /// Makes one copy and removes the oldest. The error is a text.
    async fn copy(&self) -> Result<(), String> {
        let now = clock::now();
        let file = self.backup.folder.join(name_of(now));
        let shown = file.display().to_string();
        let made = match folder(&self.backup.folder) {
            Ok(()) => self.store.back_up(&self.location, &file).await,
            Err(error) => Err(BackupError::File(error)),
        };
        if let Err(error) = made {
            self.counts.backups_failed.one();
            self.counts.change(|state| state.backup = ServiceStatus::Down);
            let failed = BackupFailed { file: &shown, why: why(&error) };
            return Err(self.text.text(&failed).trim().to_owned());
        }
        self.counts.backups.one();
        self.counts.change(|state| {
            (state.backup, state.backed_up_at) = (ServiceStatus::Up, Some(now));
        });
        tracing::info!(file = %file.display(), "the database was copied");
        let most = usize::try_from(self.backup.keep).unwrap_or(usize::MAX);
        forget(&self.backup.folder, most).map_err(|error| {
            let warning = BackupsKept { file: &shown, why: why(&error) };
            self.text.text(&warning).trim().to_owned()
        })
    }
}

/// Returns the name of a copy made at this time.
fn name_of(at: Time) -> String {
    let at = DateTime::from_timestamp_millis(at.milliseconds()).unwrap_or_default();
    format!("{BEGINS}{}{ENDS}", at.format(TIME))
}

/// Parses the time of a copy's name; `None` if it is not such a name.
fn made_at(name: &str) -> Option<Time> {
    let time = name.strip_prefix(BEGINS)?.strip_suffix(ENDS)?;
    let at = NaiveDateTime::parse_from_str(time, TIME).ok()?.and_utc().timestamp_millis();
    Some(Time::from_milliseconds(at))
}

/// Creates the folder, if it does not exist, accessible only to its owner.
fn folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Returns the existing copies, the oldest first.
fn copies(folder: &Path) -> io::Result<Vec<(Time, PathBuf)>> {
    let mut copies = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some(at) = entry.file_name().to_str().and_then(made_at) {
            copies.push((at, entry.path()));
        }
    }
    copies.sort();
    Ok(copies)
}

/// Removes the oldest copies until `most` are left.
fn forget(folder: &Path, most: usize) -> io::Result<()> {
    let copies = copies(folder)?;
    let beyond = copies.len().saturating_sub(most);
    copies.iter().take(beyond).try_for_each(|(_, file)| fs::remove_file(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::time::time;

    #[test]
    fn a_name_tells_when_a_copy_was_made() {
        let at = 1_795_441_500_123;
        assert_eq!(name_of(time(at)), "shimekiri-20261123T134500123Z.backup");
        assert_eq!(made_at(&name_of(time(at))), Some(time(at)));
        for other in ["shimekiri.db", "shimekiri-.backup", "shimekiri-20261123.backup", "x"] {
            assert_eq!(made_at(other), None, "{other}");
        }
    }

    #[test]
    fn the_oldest_go_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let folder_of_copies = place.path().join("a").join("b");
        folder(&folder_of_copies).unwrap();
        let put = |name: &str| fs::write(folder_of_copies.join(name), "x").unwrap();
        put("notes.txt");
        let at = |seconds| Time::default() + Span::seconds(seconds);
        for seconds in [3, 1, 2, 4] {
            put(&name_of(at(seconds)));
        }
        forget(&folder_of_copies, 2).unwrap();
        let left: Vec<Time> =
            copies(&folder_of_copies).unwrap().into_iter().map(|(at, _)| at).collect();
        assert_eq!(left, [at(3), at(4)]);
        assert!(folder_of_copies.join("notes.txt").exists());
    }
}
