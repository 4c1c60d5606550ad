//! `shimekiri check`: data, templates and command manifests, every fault with file and line.
//!
//! The configuration is read before any verb runs; with a fault in it, none runs.

pub(crate) mod config;
pub(crate) mod replaced;
pub(crate) mod sets;

use std::path::{Path, PathBuf};

use super::misuse::{Console, Done};
use super::services::pictures;
use super::texts::NoJapaneseFont;
use super::{Exit, TerminalText};
use crate::config::Config;
use desk::commands;
use desk::conversation::phrases;
use desk::{OrdersWord, check_decisions, check_letters, check_votes};
use discord::permissions;
use games::GAMES;
use letters::Letters;
use rules::text::Lang;
use tables::{absence, calling, pace};

/// The arguments of `shimekiri check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArguments {
    /// Show the configuration in effect, without its secrets
    #[arg(long)]
    pub config: bool,
    /// Instead: check a set of cards, or a folder of sets
    #[arg(long, value_name = "PATH", conflicts_with = "config")]
    pub sets: Option<PathBuf>,
}

/// Returns every fault of the commands, of the desk's words and of the games' data, each of which keeps other
/// verbs from running.
pub fn data_faults() -> Vec<String> {
    let desk = commands::check().into_iter().chain(pace::check());
    let desk = desk.chain(pace::presets::check_presets()).chain(pace::check_holidays());
    let desk = desk.chain(games::options_line::check()).chain(games::cards::fault::check());
    let desk = desk.chain(absence::check());
    let desk = desk.chain(permissions::check()).chain(check_decisions());
    let desk = desk.chain(phrases::check());
    let desk = desk.chain(check_votes()).chain(OrdersWord::check()).chain(calling::check());
    let games = GAMES.iter().flat_map(|game| game.check_data());
    desk.chain(games).map(|fault| fault.to_string()).collect()
}

/// Checks everything built in and the letters of the operator's folder, and writes the faults.
pub(super) fn run(args: &CheckArguments, config: &Config, console: &mut Console<'_>) -> Done {
    let voice = console.voice;
    let of_sets =
        |path: &Path| sets::check(path).iter().map(|fault| fault.written(voice)).collect();
    if let Some(path) = &args.sets {
        return tell(of_sets(path), console);
    }
    if args.config {
        console.line(&config.to_toml())?;
    }
    let mut faults = data_faults();
    // Letters use the words of the data: while those are faulty, they cannot be checked.
    if faults.is_empty() {
        let folder = config.letters.folder.as_deref();
        match folder.map_or_else(|| Ok(Letters::built_in()), Letters::with_folder) {
            Ok(letters) => faults.extend(check_letters(&letters).iter().map(ToString::to_string)),
            Err(fault) => faults.push(fault.to_string()),
        }
    }
    match pictures(config) {
        Ok(None) if config.pictures.show => drop(console.say(&NoJapaneseFont {})?),
        Ok(_) => {}
        Err(misuse) => faults.push(misuse.written(voice).trim().to_owned()),
    }
    faults.extend(Lang::ALL.into_iter().flat_map(|lang| TerminalText::new(lang).faults()));
    faults.extend(config.data.sets.as_deref().map(of_sets).unwrap_or_default());
    tell(faults, console)
}

fn tell(faults: Vec<String>, console: &mut Console<'_>) -> Done {
    let is_sound = faults.is_empty();
    let lines = if is_sound { vec!["ok".to_owned()] } else { faults };
    console.line(&lines.join("\n"))?;
    Ok(if is_sound { Exit::Fine } else { Exit::Finding })
}
