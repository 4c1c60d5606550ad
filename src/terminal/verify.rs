//! `shimekiri verify`: a table is played again from what is kept of it.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value as Json, json};

use super::house::{Need, open};
use super::misuse::Misuse;
use super::{Exit, Voice, language};
use crate::config::Config;
use crate::desk::{Desk, NotDone, Replay};
use crate::games::GAMES;
use crate::letters::Refused;
use crate::rules::text::{self, Lang};

/// What can be said to `shimekiri verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The table's code
    pub table: String,
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
    let store = match open(config, Need::Copy).await {
        Ok(store) => store,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let code = text::fold(args.table.trim()).to_uppercase();
    let replayed = Desk::new(store.clone(), GAMES).replay(&code).await;
    store.close().await;
    match replayed {
        Ok(replay) => {
            let sound = replay.is_sound();
            out.write_all(voice.say("verify", "replayed", &report(&code, &replay)).as_bytes())?;
            Ok(if sound { Exit::Fine } else { Exit::Finding })
        }
        Err(NotDone::Refused(Refused::NoTable)) => {
            Misuse("no_such_table", json!({ "said": args.table })).complain(&voice, complaints)
        }
        Err(NotDone::Refused(_)) => {
            Misuse("other_rules", json!({ "code": code })).complain(&voice, complaints)
        }
        Err(error) => {
            let it = json!({ "code": code, "why": error.to_string() });
            Misuse("unverified", it).complain(&voice, complaints)
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
        "broken": replay.broken,
        "sound": replay.is_sound(),
    })
}
