//! `shimekiri restore`: a copy of the database is put in its place, once every table of it has been
//! held against its journal.

use std::io;
use std::path::PathBuf;

use serde_json::json;

use super::misuse::Misuse;
use super::services::location;
use super::why::why;
use super::{Exit, TerminalText, language};
use crate::config::Config;
use crate::desk::{Desk, Inspected};
use crate::games::GAMES;
use crate::rules::text::Lang;
use crate::store::{Location, OpenCopy, RestoreError, has_room, not_foreign};

/// What can be said to `shimekiri restore`.
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

/// Checks the copy, and puts it in place.
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
            let it = json!({
                "file": file,
                "url": url,
                "tables": found.tables,
                "by_hash_alone": found.by_hash_alone,
                "faulty": found.faulty,
            });
            if !is_whole {
                complaints.write_all(voice.say("misuse", "copy_faulty", &it).as_bytes())?;
                return Ok(Exit::Finding);
            }
            let said = if args.check { "copy_checked" } else { "restored" };
            out.write_all(voice.say("misuse", said, &it).as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(RestoreError::InUse) => {
            Misuse("database_in_use", json!({ "url": url })).complain(&voice, complaints)
        }
        Err(RestoreError::Holds(held)) => {
            let it =
                json!({ "url": url, "held": held, "embedded": config.database.url.is_sqlite() });
            Misuse("database_holds", it).complain(&voice, complaints)
        }
        Err(error) => {
            let it = json!({ "file": file, "url": url, "why": why(&error) });
            Misuse("not_restored", it).complain(&voice, complaints)
        }
    }
}

/// What was found in a copy, and whether it was taken for whole.
struct Restored {
    found: Inspected,
    is_whole: bool,
}

async fn restore(args: &RestoreArguments, at: &Location) -> Result<Restored, RestoreError> {
    // A copy can be looked at beside a database that is in use.
    if args.check {
        not_foreign(at).await?;
    } else {
        has_room(at).await?;
    }
    let copy = OpenCopy::open(&args.file, at).await?;
    let found = match Desk::new(copy.store().clone(), GAMES).inspect().await {
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
