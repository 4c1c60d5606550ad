//! `shimekiri import`: a table that was written into a file goes on in this database.

use std::io;
use std::path::PathBuf;

use serde_json::json;

use super::house::{Need, open};
use super::misuse::Misuse;
use super::{Exit, Voice, language};
use crate::config::Config;
use crate::desk::{Desk, NotImported, TableFile};
use crate::games::GAMES;
use crate::rules::text::Lang;

/// What can be said to `shimekiri import`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A file that `shimekiri export` has written
    pub file: PathBuf,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Takes up the table of the file.
///
/// # Errors
/// If what is to be said cannot be written.
pub async fn run(
    args: &Args,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = Voice::new(language(args.lang.or(config.host.language)));
    let shown = args.file.display().to_string();
    let read = match std::fs::read(&args.file) {
        Ok(bytes) => TableFile::read(&bytes),
        Err(error) => {
            return Misuse::unread(&shown, &error).complain(&voice, complaints);
        }
    };
    let file = match read {
        Ok(file) => file,
        Err(fault) => return Misuse::bad_file(&shown, &fault).complain(&voice, complaints),
    };
    let store = match open(config, Need::Use).await {
        Ok(store) => store,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let heading = file.heading.clone();
    let taken = Desk::new(store.clone(), GAMES).import(file).await;
    store.close().await;
    let code = &heading.table;
    match taken {
        Ok(()) => {
            let it = json!({ "code": code, "file": shown, "secrets": heading.secrets });
            out.write_all(voice.say("file", "imported", &it).as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(NotImported::Here) => {
            Misuse("here_already", json!({ "code": code })).complain(&voice, complaints)
        }
        Err(NotImported::Fault(fault)) => {
            Misuse::bad_file(&shown, &fault).complain(&voice, complaints)
        }
        Err(NotImported::Store(error)) => {
            let it = json!({ "code": code, "why": error.to_string() });
            Misuse("not_taken_up", it).complain(&voice, complaints)
        }
    }
}
