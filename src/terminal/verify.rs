//! `shimekiri verify`: a table is played again, from a file or from what is kept of it here.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value as Json, json};

use super::misuse::Misuse;
use super::source::Source;
use super::{Exit, Voice, language};
use crate::config::Config;
use crate::desk::{NotDone, NotVerified, Replay};
use crate::games::find;
use crate::letters::Refused;
use crate::rules::text::Lang;

/// What can be said to `shimekiri verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A file that `shimekiri export` has written, or a table's code
    #[arg(value_name = "FILE")]
    pub what: String,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Plays the table again, and says whether it comes as its journal tells it, and which windows a
/// game master has touched.
///
/// # Errors
/// If something cannot be written.
pub async fn run(
    args: &Args,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = Voice::new(language(args.lang.or(config.host.language)));
    match replayed(&args.what, config).await {
        Ok((code, replay)) => {
            let it = report(&code, &replay);
            out.write_all(voice.say("verify", "replayed", &it).as_bytes())?;
            Ok(if replay.is_sound() { Exit::Fine } else { Exit::Finding })
        }
        Err(misuse) => misuse.complain(&voice, complaints),
    }
}

async fn replayed(said: &str, config: &Config) -> Result<(String, Replay), Misuse> {
    let source = Source::open(said, config).await?;
    let code = source.code().to_owned();
    let untold = |why: String| Misuse("unverified", json!({ "code": said, "why": why }));
    match source {
        Source::File(unpacked) => match unpacked.verify().await {
            Ok(verified) => Ok((code, verified.replay)),
            Err(NotVerified::OtherEdition(heading)) => {
                let known = find(&heading.game).map(|game| game.edition().name.clone());
                let it = json!({ "file": said, "of": heading, "known": known });
                Err(Misuse("other_edition", it))
            }
            Err(error) => Err(untold(error.to_string())),
        },
        Source::Database(desk, code) => {
            let replayed = desk.replay(&code).await;
            desk.store().close().await;
            match replayed {
                Ok(replay) => Ok((code, replay)),
                Err(NotDone::Refused(Refused::NoTable)) => {
                    Err(Misuse("no_such_table", json!({ "said": said })))
                }
                Err(NotDone::Refused(_)) => Err(Misuse("other_rules", json!({ "code": code }))),
                Err(error) => Err(untold(error.to_string())),
            }
        }
    }
}

fn report(code: &str, replay: &Replay) -> Json {
    let mut windows: BTreeMap<i64, Json> = BTreeMap::new();
    for window in &replay.windows {
        let it = json!({ "round": window.window, "same": window.is_same, "decisions": [] });
        windows.insert(window.number, it);
    }
    // What was decided before the game began touches no window.
    for (number, window, _) in replay.touched.iter().filter(|(_, window, _)| *window >= 0) {
        // One that has not closed, or never did, was not played again.
        let open = || json!({ "round": null, "same": null, "decisions": [] });
        let window = windows.entry(*window).or_insert_with(open);
        if let Some(decisions) = window["decisions"].as_array_mut() {
            decisions.push((number + 1).into());
        }
    }
    let rows: Vec<Json> =
        windows.into_iter().map(|(number, it)| json!({ "number": number, "of": it })).collect();
    json!({
        "code": code,
        "windows": rows,
        "closed": replay.windows.len(),
        "touched": replay.touched.len(),
        "dice": replay.dice.len(),
        "broken": replay.broken,
        "difference": replay.differences.first(),
        "sound": replay.is_sound(),
    })
}
