//! `shimekiri check`: data, templates and command manifests, every fault with file and line.

use std::io::{self, Write};

use super::Exit;
use crate::commands;
use crate::games::GAMES;
use crate::letters::Letters;

/// Checks everything that is built in. Faults go to `out`.
///
/// # Errors
/// If something cannot be written.
pub fn run(out: &mut dyn Write) -> io::Result<Exit> {
    let mut faults: Vec<String> = commands::check().iter().map(ToString::to_string).collect();
    faults.extend(GAMES.iter().flat_map(|game| game.check_data()).map(|fault| fault.to_string()));
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
