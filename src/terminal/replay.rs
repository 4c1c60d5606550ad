//! `shimekiri replay`: a web page that steps through a table that is over.

use std::io;
use std::path::PathBuf;

use super::misuse::Misuse;
use super::services::letters;
use super::table_source::TableSource;
use super::texts::{NoSuchTable, NotAsTold, NotOver, PageOfOtherRules, PageWritten, Untold};
use super::{Exit, TerminalText, language};
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
    /// The language that the page shows first: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Writes the page.
pub async fn run(
    args: &ReplayArguments,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    let file = args.html.display().to_string();
    let written = match page(args, config, voice.lang).await {
        Ok(page) => WholeFile::put(&args.html, MayRead::Anybody, &page),
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    match written {
        Ok(()) => {
            out.write_all(voice.text(&PageWritten { file: &file }).as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(error) => Misuse::unmade(&file, &error).complain(&voice, complaints),
    }
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
