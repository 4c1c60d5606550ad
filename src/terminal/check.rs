//! `shimekiri check`: data, templates and command manifests, every fault with file and line.
//!
//! The configuration is read before any verb runs; with a fault in it, none runs.

pub(crate) mod config;
pub(crate) mod sets;

use std::io::{self, Write};
use std::path::PathBuf;

use super::texts::NoJapaneseFont;
use super::{Exit, TerminalText, language, pictures};
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
    pub data: Option<PathBuf>,
    /// The language of what is wrong in the configuration: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
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

/// Checks everything built in and the letters of the operator's folder. Writes the faults to `out`.
pub fn run(args: &CheckArguments, config: &Config, out: &mut dyn Write) -> io::Result<Exit> {
    if let Some(path) = &args.data {
        let voice = TerminalText::new(language(args.lang.or(config.host.language)));
        let faults = sets::check(path);
        return tell(&faults.iter().map(|fault| fault.written(&voice)).collect::<Vec<_>>(), out);
    }
    if args.config {
        writeln!(out, "{}", config.to_toml())?;
    }
    let mut faults = data_faults();
    // Letters use the words of the data: while those are faulty, they cannot be checked.
    if faults.is_empty() {
        match config
            .letters
            .folder
            .as_deref()
            .map_or_else(|| Ok(Letters::built_in()), Letters::with_folder)
        {
            Ok(letters) => faults.extend(check_letters(&letters).iter().map(ToString::to_string)),
            Err(fault) => faults.push(fault.to_string()),
        }
    }
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    match pictures::open(config) {
        Ok(None) if config.pictures.show => {
            out.write_all(voice.text(&NoJapaneseFont {}).as_bytes())?;
        }
        Ok(_) => {}
        Err(misuse) => faults.push(misuse.written(&voice).trim().to_owned()),
    }
    faults.extend(Lang::ALL.into_iter().flat_map(|lang| TerminalText::new(lang).faults()));
    if let Some(folder) = &config.data.sets {
        faults.extend(sets::check(folder).iter().map(|fault| fault.written(&voice)));
    }
    tell(&faults, out)
}

fn tell(faults: &[String], out: &mut dyn Write) -> io::Result<Exit> {
    for fault in faults {
        writeln!(out, "{fault}")?;
    }
    if faults.is_empty() {
        writeln!(out, "ok")?;
    }
    Ok(if faults.is_empty() { Exit::Fine } else { Exit::Finding })
}
