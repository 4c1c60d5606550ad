//! `shimekiri verify`: a table is replayed from a file or from the database.

use super::Exit;
use super::misuse::{Console, Done, Misuse};
use super::services::letters;
use super::table_source::TableSource;
use super::texts::{
    BadLetters, HeadsDisordered, NoSuchTable, OtherEdition, OtherRules, Unverified,
};
use crate::config::Config;
use desk::{NotDone, NotVerified, Replay};
use games::{GAMES, find};
use letters::{Reader, Refused};
use rules::receipt::Head;
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
}

/// Replays the table, and writes the differences from its journal and the windows that a game master has
/// touched.
pub(super) async fn run(
    args: &VerifyArguments,
    config: &Config,
    console: &mut Console<'_>,
) -> Done {
    let (code, replay) = replayed(&args.what, config).await?;
    if let Some((later, sooner)) = replay.heads.disordered(&args.head) {
        let (later, sooner) = (later.to_string(), sooner.to_string());
        return Err(Misuse::from(HeadsDisordered { later, sooner }).into());
    }
    let reader = Reader::new(GAMES[0], console.voice.lang).in_plain_text();
    let report = replay.written(&letters(config, GAMES)?, &reader, &code, &args.head);
    let report = report.map_err(|fault| Misuse::from(BadLetters { why: fault.to_string() }))?;
    console.line(report.trim_end())?;
    Ok(if replay.holds(&args.head) { Exit::Fine } else { Exit::Finding })
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
