//! `shimekiri backup`: a copy of the database while it is in use.

use std::path::PathBuf;

use super::misuse::{Console, Done, Misuse};
use super::services::{location, open};
use super::texts::{BackedUp, BackupFailed, FileExists};
use super::why::why;
use crate::config::Config;
use store::{Access, BackupError};

/// The arguments of `shimekiri backup`.
#[derive(Clone, Debug, clap::Args)]
pub struct BackupArguments {
    /// The file to write; it must not exist yet
    pub file: PathBuf,
}

/// Copies the database.
pub(super) async fn run(
    args: &BackupArguments,
    config: &Config,
    console: &mut Console<'_>,
) -> Done {
    let store = open(config, Access::Copy).await?;
    let file = &*args.file.display().to_string();
    let made = store.back_up(&location(config), &args.file).await;
    store.close().await;
    match made {
        Ok(()) => console.say(&BackedUp { file }),
        Err(BackupError::Exists) => Err(Misuse::from(FileExists { file }).into()),
        Err(error) => Err(Misuse::from(BackupFailed { file, why: why(&error) }).into()),
    }
}
