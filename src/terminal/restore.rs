//! `shimekiri restore`: a backup replaces the database, once every table in it has been verified against its
//! journal.

use std::io;
use std::path::PathBuf;

use super::misuse::Misuse;
use super::services::location;
use super::texts::{
    CopyChecked, CopyFaulty, CopyLooked, CopyRestored, DatabaseHolds, DatabaseInUse, NotRestored,
};
use super::why::why;
use super::{Exit, TerminalText, language};
use crate::config::Config;
use desk::{Desk, Inspected};
use games::GAMES;
use rules::text::Lang;
use store::{Location, OpenCopy, RestoreError, has_room, not_foreign};

/// The arguments of `shimekiri restore`.
#[derive(Clone, Debug, clap::Args)]
pub struct RestoreArguments {
    /// A backup file
    pub file: PathBuf,
    /// Only verify the tables in the backup, and change nothing
    #[arg(long)]
    pub check: bool,
    /// Restore it even if tables differ from their journals
    #[arg(long, conflicts_with = "check")]
    pub despite_faults: bool,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Checks the backup, and restores it.
pub async fn run(
    args: &RestoreArguments,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    let url = config.database.url.to_string();
    let file = args.file.display().to_string();
    match restore(args, &location(config)).await {
        Ok(Restored { found, is_whole }) => {
            let Inspected { tables, by_hash_alone, faulty } = found;
            let copy = CopyLooked { file: &file, url: &url, tables, by_hash_alone, faulty };
            if !is_whole {
                complaints.write_all(voice.text(&CopyFaulty { copy }).as_bytes())?;
                return Ok(Exit::Finding);
            }
            let text = if args.check {
                voice.text(&CopyChecked { copy })
            } else {
                voice.text(&CopyRestored { copy })
            };
            out.write_all(text.as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(RestoreError::InUse) => {
            Misuse::from(DatabaseInUse { url: &url }).complain(&voice, complaints)
        }
        Err(RestoreError::Holds(held)) => {
            let embedded = config.database.url.is_sqlite();
            Misuse::from(DatabaseHolds { url: &url, held, embedded }).complain(&voice, complaints)
        }
        Err(error) => {
            let why = why(&error);
            Misuse::from(NotRestored { file: &file, url: &url, why }).complain(&voice, complaints)
        }
    }
}

/// The findings about a backup; `is_whole` is true if it was accepted as complete.
struct Restored {
    found: Inspected,
    is_whole: bool,
}

async fn restore(args: &RestoreArguments, at: &Location) -> Result<Restored, RestoreError> {
    std::fs::File::open(&args.file).map_err(RestoreError::Unread)?;
    // A check works beside a database that is in use.
    if args.check {
        not_foreign(at).await?;
    } else {
        has_room(at).await?;
    }
    let copy = OpenCopy::open(&args.file, at).await?;
    let found = match desk::inspect(&Desk::new(copy.store().clone(), GAMES)).await {
        Ok(found) => found,
        Err(error) => {
            copy.throw_away(at).await;
            return Err(RestoreError::Damaged(error.to_string()));
        }
    };
    let is_whole = args.despite_faults || found.faulty.is_empty();
    if args.check || !is_whole {
        copy.throw_away(at).await;
    } else {
        copy.put_in_place(at).await?;
    }
    Ok(Restored { found, is_whole })
}
