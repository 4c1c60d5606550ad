//! `shimekiri export`: one table in one file.

use std::path::PathBuf;

use super::misuse::{Console, Done, Misuse};
use super::services::open;
use super::texts::{Exported, NoSuchTable, StillRunning, Unexported};
use super::why::why;
use crate::config::Config;
use desk::conversation::table_code;
use desk::{Desk, Extent, NotExported, clock};
use games::GAMES;
use store::Access;
use store::whole_file::{MayRead, WholeFile};

/// The arguments of `shimekiri export`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExportArguments {
    /// The table code
    pub table: String,
    /// The file to write; it must not exist yet [default: TABLE.jsonl]
    pub file: Option<PathBuf>,
    /// Include what is secret during the game, so that another database can continue the table
    #[arg(long)]
    pub secrets: bool,
    /// Leave out names and accounts: players go by their seats
    #[arg(long)]
    pub nameless: bool,
}

/// Exports the table to the file.
pub(super) async fn run(
    args: &ExportArguments,
    config: &Config,
    console: &mut Console<'_>,
) -> Done {
    let store = open(config, Access::Read).await?;
    let code = &table_code(&args.table);
    let extent = Extent { secrets: args.secrets, nameless: args.nameless };
    let exported = desk::export(&Desk::new(store.clone(), GAMES), code, extent, clock::now()).await;
    store.close().await;
    let text = exported.map_err(|error| match error {
        NotExported::NoTable => Misuse::from(NoSuchTable { said: &args.table }),
        NotExported::Running => StillRunning { code }.into(),
        NotExported::Store(error) => Unexported { code, why: why(&error) }.into(),
    })?;
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from(format!("{code}.jsonl")));
    let file = &*path.display().to_string();
    // A file with secrets is readable only by its owner.
    let readers = if args.secrets { MayRead::Owner } else { MayRead::Anybody };
    WholeFile::put(&path, readers, &text).map_err(|error| Misuse::unmade(file, &error))?;
    console.say(&Exported { code, file, lines: text.lines().count(), secrets: args.secrets })
}
