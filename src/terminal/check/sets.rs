//! The files of sets of cards: those of the operator's folder, and those named on the command line.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::TerminalText;
use crate::config::Config;
use crate::misuse::Misuse;
use games::cards::fault::SetFault;
use games::cards::reader::MAX_BYTES;
use games::cards::sets::{AnySets, SetAbout};
use games::cards::sets_for;

/// A fault of a file or folder of sets.
#[derive(Debug)]
pub(crate) enum FaultySet {
    Unread { path: PathBuf, error: io::Error },
    Fault(SetFault),
}

impl FaultySet {
    /// Returns the fault as one line.
    pub(crate) fn written(&self, voice: &TerminalText) -> String {
        match self {
            Self::Unread { path, error } => {
                Misuse::unread(&path.display().to_string(), error).written(voice).trim().to_owned()
            }
            Self::Fault(fault) => fault.written(voice.lang),
        }
    }
}

/// Lets hosts choose the sets of the operator's folder. Returns the faults; a faulty set is not offered.
pub(crate) fn offer(config: &Config) -> Vec<FaultySet> {
    config.data.sets.as_deref().map(check).unwrap_or_default()
}

/// Returns the faults of a file, or of every file of a folder, which are then offered like those of the
/// operator's folder.
pub(crate) fn check(path: &Path) -> Vec<FaultySet> {
    each(path, |sets, file, text| sets.offer(file, text).err().unwrap_or_default())
}

/// Reads the set of a file, for a game.
///
/// # Errors
/// Every fault of the file.
pub(crate) fn learn(
    path: &Path,
    sets: &'static dyn AnySets,
) -> Result<&'static SetAbout, Vec<FaultySet>> {
    let unread = |error| vec![FaultySet::Unread { path: path.to_owned(), error }];
    let text = text_of(path).map_err(unread)?;
    let learnt = sets.learn(&path.display().to_string(), &text);
    learnt.map_err(|faults| faults.into_iter().map(FaultySet::Fault).collect())
}

/// Returns the faults that `found` finds in the sets of a file or folder.
fn each(path: &Path, found: impl Fn(&dyn AnySets, &str, &str) -> Vec<SetFault>) -> Vec<FaultySet> {
    let files = match files(path) {
        Ok(files) => files,
        Err(error) => return vec![FaultySet::Unread { path: path.to_owned(), error }],
    };
    let faults = files.into_iter().flat_map(|path| match text_of(&path) {
        Err(error) => vec![FaultySet::Unread { path, error }],
        Ok(text) => {
            let file = path.display().to_string();
            let faults = sets_for(&file, &text);
            let faults = faults.map_or_else(|faults| faults, |(_, sets)| found(sets, &file, &text));
            faults.into_iter().map(FaultySet::Fault).collect()
        }
    });
    faults.collect()
}

/// Returns the file itself, or the sets' files of a folder by name.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a file, up to one byte more than the maximum size of a set, so that the parser refuses a larger
/// file.
fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}
