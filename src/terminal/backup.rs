//! `shimekiri backup`: a copy of the database while it is in use.

use std::io;
use std::path::PathBuf;

use super::misuse::Misuse;
use super::services::{location, open};
use super::texts::{BackedUp, BackupFailed, FileExists};
use super::why::why;
use super::{Exit, TerminalText, language};
use crate::config::Config;
use rules::text::Lang;
use store::{Access, BackupError};

/// The arguments of `shimekiri backup`.
#[derive(Clone, Debug, clap::Args)]
pub struct BackupArguments {
    /// The file to write; it must not exist yet
    pub file: PathBuf,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Copies the database.
pub async fn run(
    args: &BackupArguments,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    let store = match open(config, Access::Copy).await {
        Ok(store) => store,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let file = args.file.display().to_string();
    let made = store.back_up(&location(config), &args.file).await;
    store.close().await;
    match made {
        Ok(()) => {
            out.write_all(voice.text(&BackedUp { file: &file }).as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(BackupError::Exists) => {
            Misuse::from(FileExists { file: &file }).complain(&voice, complaints)
        }
        Err(error) => Misuse::from(BackupFailed { file: &file, why: why(&error) })
            .complain(&voice, complaints),
    }
}
