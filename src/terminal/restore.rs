//! `shimekiri restore`: a backup replaces the database, once every table in it has been verified against its
//! journal.

use std::path::PathBuf;

use super::misuse::{Console, Done, Misuse};
use super::services::location;
use super::texts::{
    CopyChecked, CopyFaulty, CopyLooked, CopyRestored, DatabaseHolds, DatabaseInUse, NotRestored,
};
use super::why::why;
use crate::config::Config;
use desk::{Desk, Inspected};
use games::GAMES;
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
}

/// Checks the backup, and restores it.
pub(super) async fn run(
    args: &RestoreArguments,
    config: &Config,
    console: &mut Console<'_>,
) -> Done {
    let database = &config.database.url;
    let (url, file) = (&*database.to_string(), &*args.file.display().to_string());
    match restore(args, &location(config)).await {
        Ok((Inspected { tables, by_hash_alone, faulty }, is_whole)) => {
            let copy = CopyLooked { file, url, tables, by_hash_alone, faulty };
            match (is_whole, args.check) {
                (false, _) => Err(Misuse::from(CopyFaulty { copy }).into()),
                (true, true) => console.say(&CopyChecked { copy }),
                (true, false) => console.say(&CopyRestored { copy }),
            }
        }
        Err(RestoreError::InUse) => Err(Misuse::from(DatabaseInUse { url }).into()),
        Err(RestoreError::Holds(held)) => {
            Err(Misuse::from(DatabaseHolds { url, held, embedded: database.is_sqlite() }).into())
        }
        Err(error) => Err(Misuse::from(NotRestored { file, url, why: why(&error) }).into()),
    }
}

/// Returns the findings about a backup, and true if it was accepted as complete.
async fn restore(
    args: &RestoreArguments,
    at: &Location,
) -> Result<(Inspected, bool), RestoreError> {
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
    Ok((found, is_whole))
}
