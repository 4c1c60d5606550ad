//! `shimekiri replay`: the page of a table that is over, to step through it in a browser.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::house::{Need, letters, open};
use super::misuse::Misuse;
use super::{Exit, Voice, language};
use crate::clock;
use crate::config::Config;
use crate::desk::{Desk, NotDone};
use crate::games::GAMES;
use crate::letters::Refused;
use crate::page::{self, PageFault};
use crate::rules::text::{self, Lang};
use crate::store::Store;

/// What can be said to `shimekiri replay`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The table's code
    pub table: String,
    /// Where to put the page; the file must not be there yet
    #[arg(long, value_name = "FILE")]
    pub html: PathBuf,
    /// The language that the page shows first: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Writes the page.
///
/// # Errors
/// If something cannot be said.
pub async fn run(
    args: &Args,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = Voice::new(language(args.lang.or(config.host.language)));
    let file = args.html.display().to_string();
    let written = match page(args, config, voice.lang).await {
        Ok(page) => put(&args.html, &page),
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    match written {
        Ok(()) => {
            out.write_all(
                voice.say("misuse", "page_written", &json!({ "file": file })).as_bytes(),
            )?;
            Ok(Exit::Fine)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Misuse("backup_exists", json!({ "file": file })).complain(&voice, complaints)
        }
        Err(error) => {
            let it = json!({ "file": file, "why": error.to_string() });
            Misuse("page_unwritable", it).complain(&voice, complaints)
        }
    }
}

async fn page(args: &Args, config: &Config, lang: Lang) -> Result<String, Misuse> {
    let letters = letters(config)?;
    let (store, code) = table(args, config).await?;
    let desk = Desk::new(store.clone(), GAMES);
    let told = page::of_table(&desk, &letters, &code, Some(lang), clock::now()).await;
    store.close().await;
    match told {
        Ok(Some(page)) => Ok(page),
        Ok(None) => Err(Misuse("not_over", json!({ "code": code }))),
        Err(PageFault::NotDone(NotDone::Refused(Refused::NoTable))) => {
            Err(Misuse("no_such_table", json!({ "said": args.table })))
        }
        Err(PageFault::NotDone(NotDone::Refused(_))) => {
            Err(Misuse("page_of_other_rules", json!({ "code": code })))
        }
        Err(error) => Err(Misuse("untold", json!({ "code": code, "why": error.to_string() }))),
    }
}

/// The table that is meant, and where it is kept.
async fn table(args: &Args, config: &Config) -> Result<(Store, String), Misuse> {
    let code = text::fold(args.table.trim()).to_uppercase();
    Ok((open(config, Need::Copy).await?, code))
}

/// Puts a page where nothing is yet.
fn put(path: &Path, page: &str) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(page.as_bytes())?;
    file.sync_all()
}
