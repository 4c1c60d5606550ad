//! `shimekiri replay`: a web page that steps through a table that is over.

use std::path::PathBuf;

use super::misuse::{Console, Done, Misuse};
use super::services::letters;
use super::table_source::TableSource;
use super::texts::{NoSuchTable, NotAsTold, NotOver, PageOfOtherRules, PageWritten, Untold};
use crate::config::Config;
use desk::page::{self, PageFault};
use desk::{NotDone, clock};
use games::GAMES;
use letters::Refused;
use rules::text::Lang;
use store::whole_file::{MayRead, WholeFile};

/// The arguments of `shimekiri replay`.
#[derive(Clone, Debug, clap::Args)]
pub struct ReplayArguments {
    /// An exported file, or a table code
    #[arg(value_name = "FILE")]
    pub what: String,
    /// The page to write; the file must not exist yet
    #[arg(long, value_name = "OUT")]
    pub html: PathBuf,
}

/// Writes the page.
pub(super) async fn run(
    args: &ReplayArguments,
    config: &Config,
    console: &mut Console<'_>,
) -> Done {
    let file = &*args.html.display().to_string();
    let page = page(args, config, console.voice.lang).await?;
    WholeFile::put(&args.html, MayRead::Anybody, &page)
        .map_err(|error| Misuse::unmade(file, &error))?;
    console.say(&PageWritten { file })
}

async fn page(args: &ReplayArguments, config: &Config, lang: Lang) -> Result<String, Misuse> {
    let letters = letters(config, GAMES)?;
    let source = TableSource::open(&args.what, config).await?;
    let (desk, code) = (source.desk(), source.code());
    let page = match desk::replay(desk, code).await {
        Ok(replay) if !replay.is_sound() => {
            desk.store().close().await;
            return Err(NotAsTold { said: &args.what }.into());
        }
        _ => page::of_table(desk, &letters, code, Some(lang), clock::now()).await,
    };
    desk.store().close().await;
    match page {
        Ok(Some(page)) => Ok(page),
        Ok(None) => Err(NotOver { code }.into()),
        Err(PageFault::NotDone(NotDone::Refused(Refused::NoTable))) => {
            Err(NoSuchTable { said: &args.what }.into())
        }
        Err(PageFault::NotDone(NotDone::Refused(_))) => Err(PageOfOtherRules { code }.into()),
        Err(error) => Err(Untold { code, why: error.to_string() }.into()),
    }
}
