//! `shimekiri verify`: a table is replayed from a file or from the database.

use std::io;

use super::misuse::Misuse;
use super::services::letters;
use super::table_source::TableSource;
use super::texts::{
    BadLetters, HeadsDisordered, NoSuchTable, OtherEdition, OtherRules, Unverified,
};
use super::{Exit, TerminalText, language};
use crate::config::Config;
use desk::{NotDone, NotVerified, Replay};
use games::{GAMES, find};
use letters::{Reader, Refused};
use rules::receipt::Head;
use rules::text::Lang;
use tables::ids::TableCode;

/// The arguments of `shimekiri verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct VerifyArguments {
    /// An exported file, or a table code
    #[arg(value_name = "FILE")]
    pub what: String,
    /// A record shown in a post of the table, such as abcd-efgh-jkmn-pqrs; several in the order of the
    /// posts
    #[arg(long, value_name = "HEAD", num_args = 1..)]
    pub head: Vec<Head>,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Replays the table, and writes the differences from its journal and the windows that a game master has
/// touched.
pub async fn run(
    args: &VerifyArguments,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    match verified(args, config, voice.lang).await {
        Ok((report, is_sound)) => {
            writeln!(out, "{}", report.trim_end())?;
            Ok(if is_sound { Exit::Fine } else { Exit::Finding })
        }
        Err(misuse) => misuse.complain(&voice, complaints),
    }
}

/// Returns the result as text, and true if there are no differences.
async fn verified(
    args: &VerifyArguments,
    config: &Config,
    lang: Lang,
) -> Result<(String, bool), Misuse> {
    let (code, replay) = replayed(&args.what, config).await?;
    if let Some((later, sooner)) = replay.heads.disordered(&args.head) {
        let (later, sooner) = (later.to_string(), sooner.to_string());
        return Err(HeadsDisordered { later, sooner }.into());
    }
    let reader = Reader::new(GAMES[0], lang).in_plain_text();
    let report = replay.written(&letters(config, GAMES)?, &reader, &code, &args.head);
    let report = report.map_err(|fault| Misuse::from(BadLetters { why: fault.to_string() }))?;
    Ok((report, replay.holds(&args.head)))
}

async fn replayed(input: &str, config: &Config) -> Result<(TableCode, Replay), Misuse> {
    let source = TableSource::open(input, config).await?;
    let code = source.code().to_owned();
    let untold = |why: String| Misuse::from(Unverified { code: input, why });
    match source {
        TableSource::File(unpacked) => match unpacked.verify().await {
            Ok(verified) => Ok((code, verified.replay)),
            Err(NotVerified::OtherEdition(heading)) => {
                let known = find(&heading.game).map(|game| game.edition().name.clone());
                Err(OtherEdition { file: input, of: *heading, known }.into())
            }
            Err(error) => Err(untold(error.to_string())),
        },
        TableSource::Database(desk, code) => {
            let replayed = desk::replay(&desk, &code).await;
            desk.store().close().await;
            match replayed {
                Ok(replay) => Ok((code, replay)),
                Err(NotDone::Refused(Refused::NoTable)) => Err(NoSuchTable { said: input }.into()),
                Err(NotDone::Refused(_)) => Err(OtherRules { code: &code }.into()),
                Err(error) => Err(untold(error.to_string())),
            }
        }
    }
}
