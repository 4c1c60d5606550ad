//! `shimekiri export`: one table in one file.

use std::io;
use std::path::PathBuf;

use super::misuse::Misuse;
use super::services::open;
use super::texts::{Exported, NoSuchTable, StillRunning, Unexported};
use super::why::why;
use super::{Exit, TerminalText, language};
use crate::config::Config;
use desk::conversation::table_code;
use desk::{Desk, Extent, NotExported, clock};
use games::GAMES;
use rules::text::Lang;
use store::Access;
use store::whole_file::{MayRead, WholeFile};
use tables::ids::TableCode;

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
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Exports the table to the file.
pub async fn run(
    args: &ExportArguments,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    let store = match open(config, Access::Read).await {
        Ok(store) => store,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let code = table_code(&args.table);
    let extent = Extent { secrets: args.secrets, nameless: args.nameless };
    let exported =
        desk::export(&Desk::new(store.clone(), GAMES), &code, extent, clock::now()).await;
    store.close().await;
    let text = match exported {
        Ok(text) => text,
        Err(error) => return misuse(args, &code, &error).complain(&voice, complaints),
    };
    let file = args.file.clone().unwrap_or_else(|| PathBuf::from(format!("{code}.jsonl")));
    let shown = file.display().to_string();
    // A file with secrets is readable only by its owner.
    let readers = if args.secrets { MayRead::Owner } else { MayRead::Anybody };
    match WholeFile::put(&file, readers, &text) {
        Ok(()) => {
            let (lines, secrets) = (text.lines().count(), args.secrets);
            let exported = Exported { code: &code, file: &shown, lines, secrets };
            out.write_all(voice.text(&exported).as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(error) => Misuse::unmade(&shown, &error).complain(&voice, complaints),
    }
}

fn misuse(args: &ExportArguments, code: &TableCode, error: &NotExported) -> Misuse {
    match error {
        NotExported::NoTable => NoSuchTable { said: &args.table }.into(),
        NotExported::Running => StillRunning { code }.into(),
        NotExported::Store(error) => Unexported { code, why: why(error) }.into(),
    }
}
