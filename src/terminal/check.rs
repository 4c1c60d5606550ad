//! `shimekiri check`: data, templates and command manifests, every fault with file and line.

use std::io::{self, Write};

use super::Exit;
use crate::commands;
use crate::games::GAMES;
use crate::letters::Letters;
use crate::tables::pace;

/// Every fault of the commands, of the desk's words and of the games' data: with one of them nothing else can run.
pub fn data_faults() -> Vec<String> {
    let desk = commands::check().into_iter().chain(pace::check());
    let games = GAMES.iter().flat_map(|game| game.check_data());
    desk.chain(games).map(|fault| fault.to_string()).collect()
}

/// Checks everything that is built in. Faults go to `out`.
///
/// # Errors
/// If something cannot be written.
pub fn run(out: &mut dyn Write) -> io::Result<Exit> {
    let mut faults = data_faults();
    // Letters speak in the words of the data: with those broken, they cannot be checked.
    if faults.is_empty() {
        faults.extend(Letters::built_in().check().iter().map(ToString::to_string));
    }
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    if faults.is_empty() {
        writeln!(out, "ok")?;
    }
    Ok(if faults.is_empty() { Exit::Fine } else { Exit::Finding })
}
